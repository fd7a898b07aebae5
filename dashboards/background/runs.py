"""Background runs: their state, as the HTTP API returns it and the dashboard draws it, and their processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from threading import Condition, Thread
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from dashboards.serializers.problems import Problem, problem_of
from flows.progress import DocumentState
from warehouse.errors import Busy


class State(StrEnum):
    """How far a run is: `queued` waits for another run, of this server or of another process."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


class StageShape(BaseModel):
    """What a stage cost."""

    stage: str
    documents: int
    seconds: float


class ReportShape(BaseModel):
    """What a run did."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    generation: int | None
    """The generation that it published; none where nothing changed."""
    documents: int
    chunks: int
    counts: dict[str, int]
    unreadable: dict[str, str]
    """The reason by source, for each file that cannot be read."""
    attachments: int = 0
    """How many pictures, recordings, archives and programs lie in its folders beside the files."""
    warnings: list[str]
    stages: list[StageShape]
    seconds: float


class BackgroundRun(BaseModel):
    """A run of any kind, as far as it is, with the ingest that it makes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    state: State = State.RUNNING
    started: datetime
    """When it began, or was asked for as long as it is queued."""
    finished: datetime | None = None
    note: str = ""
    """What it waits for before it begins."""
    plan: dict[str, int] = {}
    """How many documents are new, changed, gone and so on."""
    stages: list[StageShape] = []
    """The stages that are done."""
    stage: str = ""
    """The one that is worked on."""
    done: int = 0
    """How many documents the stage has worked on, of `of`."""
    of: int = 0
    report: BaseModel | None = None
    """What it came to."""
    problem: Problem | None = None

    def updated(self, fields: Mapping[str, Any]) -> Self:
        """The run after its process has printed new values of some fields."""
        return type(self).model_validate({**self.model_dump(), **fields})


class WorkedDocument(BaseModel):
    """A document that an ingest works on."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    source: str
    state: DocumentState
    action: str = ""
    """What the plan does with it: new, changed, unchanged and so on."""
    stage: str = ""
    """The stage that works on it or, of a waiting document, the last that is done with it."""
    reason: str = ""
    """Why it failed, with the cure."""


class IngestRun(BackgroundRun):
    """An ingest."""

    files: list[str]
    """What it looks at; nothing named means every declared folder."""
    drop: list[str] = []
    """The roots that it forgets with all their documents."""
    documents: list[WorkedDocument] = []
    """Some of the documents that it works on, those that failed first."""
    unlisted: int = 0
    """How many others it works on."""
    report: ReportShape | None = None


class OtherRun(BaseModel):
    """What another process that writes to the warehouse does."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    holder: str
    """The process."""
    origin: str = ""
    """What began it, like `kalends ingest`; empty where that is not known."""
    run: IngestRun | None = None
    """Its ingest; none for any other work, or one that has not begun to plan."""


class GridReport(BaseModel):
    """What a grid came to."""

    exam: str
    trials: list[str]
    """The ids of the trials of its configurations."""
    asked: int
    """How many of them were made now."""
    failed: dict[str, str]
    """Why a configuration could not be tried, by its name."""
    notes: list[str]


class GridRun(BackgroundRun):
    """A grid of experiments."""

    configurations: dict[str, str]
    """What was last printed of each."""
    report: GridReport | None = None

    def updated(self, fields: Mapping[str, Any]) -> Self:
        """What is printed of some configurations leaves the others as they were."""
        configurations = {**self.configurations, **fields.get("configurations", {})}
        return super().updated({**fields, "configurations": configurations})


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
    """What a run is called; `dashboards.background.worker` runs an order of this kind."""

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
        self._process = _launch_worker(self.kind, order)
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


def _launch_worker(kind: str, order: Mapping[str, Any]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dashboards.background.worker", kind]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    if process.stdin:
        with suppress(BrokenPipeError), process.stdin as stream:
            stream.write(json.dumps(order).encode())
    return process


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To the process and those that read files for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
