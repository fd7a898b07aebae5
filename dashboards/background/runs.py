"""The background ingests of this process: the latest one, and the way to the next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from dashboards.background.records import IngestRun, State
from dashboards.shapes.problems import problem_of
from flows.lock import writing
from flows.roots import look
from warehouse.errors import Busy
from warehouse.settings import Settings
from warehouse.store.generations import latest
from warehouse.store.layout import Layout

STOP_SECONDS = 10.0


class Underway(Busy):
    """An ingest that this server started still runs."""

    def __init__(self, run: str) -> None:
        """`run` is its id."""
        super().__init__(f"ingest {run} still runs", "wait until it has finished")
        self.run = run


class Runs:
    """The latest run and the way to the next. Safe to share between threads."""

    def __init__(self, published: Callable[[], None] | None = None) -> None:
        """`published` is called, in a thread of its own, when a run has published."""
        self._published = published
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.latest: IngestRun | None = None

    @property
    def running(self) -> bool:
        """Whether one goes on."""
        return self.latest is not None and self.latest.state is State.RUNNING

    def start(self, settings: Settings, files: Sequence[Path] = (), drop: Sequence[str] = ()) -> IngestRun:
        """Begin a run over these files, or over all folders, that forgets the roots to `drop`.

        Raises `BadInput` for what cannot be looked at, `Underway`, and `Busy` for a run of others.
        """
        with self._lock:
            if self.latest and self.latest.state is State.RUNNING:
                raise Underway(self.latest.id)
            layout = Layout(settings.warehouse)
            look(settings, latest(layout), files, drop)
            with writing(layout):
                started = datetime.now(UTC)
            named = [str(file) for file in files]
            run = IngestRun(id=f"{started:%Y%m%dT%H%M%S%f}", files=named, drop=list(drop), started=started)
            self._process = _launched(settings, run)
            self.latest = run
            Thread(target=self._follow, args=(self._process, run), name="ingest", daemon=True).start()
            return run

    def stop(self) -> None:
        """End what runs; the same ingest goes on from there when it is run again."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        _signal(process, signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _signal(process, signal.SIGKILL)
            process.wait()

    def _follow(self, process: subprocess.Popen[bytes], run: IngestRun) -> None:
        for line in process.stdout or ():
            run = _with(run, json.loads(line))
            self.latest = run
        code = process.wait()
        if process.stdout:
            process.stdout.close()
        if self._published and run.report and run.report.generation is not None:
            self._published()
        if run.report is None and run.problem is None:
            lost = Busy(f"the process of the run ended with code {code}", "run it again: it goes on from there")
            run = run.model_copy(update={"problem": problem_of(lost)})
        state = State.FAILED if run.problem else State.FINISHED
        self.latest = run.model_copy(update={"state": state, "finished": datetime.now(UTC)})


def _with(run: IngestRun, told: dict[str, Any]) -> IngestRun:
    return IngestRun.model_validate({**run.model_dump(), **told})


def _launched(settings: Settings, run: IngestRun) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dashboards.background.ingesting"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    order = {"settings": settings.model_dump(mode="json"), "files": run.files, "drop": run.drop}
    if process.stdin:
        with suppress(BrokenPipeError), process.stdin as stream:
            stream.write(json.dumps(order).encode())
    return process


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To the process and those that read files for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
