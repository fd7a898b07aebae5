"""Background runs of one kind, one at a time, each in a process of its own that prints how far it is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Condition, Thread
from typing import Any, Generic, TypeVar

from dashboards.background.records import BackgroundRun, State
from dashboards.serializers.problems import problem_of
from warehouse.errors import Busy

STOP_SECONDS = 10.0
SHOWN_FOR = timedelta(hours=1)
"""How long a run that has ended is shown; after that it is a row among the runs."""

Run = TypeVar("Run", bound=BackgroundRun)


class RunInProgress(Busy):
    """A run that this server started still goes on."""

    def __init__(self, kind: str, run: str) -> None:
        """`run` is its id."""
        super().__init__(f"{kind} {run} still runs", "wait until it has finished")
        self.run = run


class BackgroundProcesses(Generic[Run]):
    """The latest run and the way to the next. Safe to share between threads."""

    kind: str
    """What a run is called."""
    module: str
    """What the process executes."""

    def __init__(self) -> None:
        """Nothing runs."""
        self._changed = Condition()
        """Held while a run begins or ends, and notified of it."""
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self.latest: Run | None = None
        self._ended: tuple[Run, ...] = ()

    @property
    def ended(self) -> tuple[Run, ...]:
        """Those that have ended within the last hour, in that order."""
        since = datetime.now(UTC) - SHOWN_FOR
        return tuple(run for run in self._ended if run.finished and run.finished > since)

    @property
    def running(self) -> bool:
        """Whether one goes on."""
        return self.latest is not None and self.latest.state is State.RUNNING

    def stop(self) -> None:
        """End what runs; the same again goes on from there."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        self._stopped = True
        _signal(process, signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _signal(process, signal.SIGKILL)
            process.wait()

    def _launch(self, prepared: Callable[[datetime, str], tuple[Run, Mapping[str, Any]]]) -> Run:
        """Begin the run that is `prepared` for a moment and an id, with the order that its process reads.

        Raises `RunInProgress`, and what preparing raises.
        """
        with self._changed:
            if self.latest and self.latest.state is State.RUNNING:
                raise RunInProgress(self.kind, self.latest.id)
            started = datetime.now(UTC)
            run, order = prepared(started, make_run_id(started))
            return self._begin(run, order)

    def _begin(self, run: Run, order: Mapping[str, Any]) -> Run:
        """Begin a run while nothing runs, with `_changed` held."""
        self._stopped = False
        self._process = _launched(self.module, order)
        self.latest = run
        Thread(target=self._follow, args=(self._process, run), name=self.kind, daemon=True).start()
        return run

    def _follow(self, process: subprocess.Popen[bytes], run: Run) -> None:
        for line in process.stdout or ():
            run = run.updated(json.loads(line))
            self.latest = run
        code = process.wait()
        if process.stdout:
            process.stdout.close()
        self._before_end(run)
        if run.report is None and run.problem is None:
            reason = "the run was stopped" if self._stopped else f"the process of the run ended with code {code}"
            lost = Busy(reason, "run it again: it goes on from there")
            run = run.model_copy(update={"problem": problem_of(lost)})
        state = State.FAILED if run.problem else State.FINISHED
        with self._changed:
            self.latest = run.model_copy(update={"state": state, "finished": datetime.now(UTC)})
            self._ended = (*self.ended, self.latest)
            self._changed.notify_all()
        self._after_end()

    def _before_end(self, run: Run) -> None:
        """Called when a process has ended, before its run counts as ended."""

    def _after_end(self) -> None:
        """Called when a run has ended."""


def make_run_id(moment: datetime) -> str:
    """The id of a run that is asked for at a moment."""
    return f"{moment:%Y%m%dT%H%M%S%f}"


def _launched(module: str, order: Mapping[str, Any]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", module]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    if process.stdin:
        with suppress(BrokenPipeError), process.stdin as stream:
            stream.write(json.dumps(order).encode())
    return process


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To the process and those that read files for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
