"""Ingests in the background: one at a time, each in a process of its own, so that no answer waits for it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from pydantic import BaseModel, ConfigDict

from dashboards.api.problems import Problem, problem_of
from flows.lock import writing
from warehouse.errors import Busy
from warehouse.settings import Settings
from warehouse.store.layout import Layout

STOP_SECONDS = 10.0


class State(StrEnum):
    """How far a run is."""

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
    warnings: list[str]
    stages: list[StageShape]
    seconds: float


class IngestRun(BaseModel):
    """A run, as far as it is."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    state: State = State.RUNNING
    files: list[str]
    """What it looks at; nothing named means every declared folder."""
    started: datetime
    finished: datetime | None = None
    plan: dict[str, int] = {}
    """How many documents are new, changed, gone and so on."""
    stage: str = ""
    done: int = 0
    """How many documents the stage has worked on, of `of`."""
    of: int = 0
    report: ReportShape | None = None
    problem: Problem | None = None


class Underway(Busy):
    """An ingest that this server started still runs."""

    def __init__(self, run: str) -> None:
        """`run` is its id."""
        super().__init__(f"ingest {run} still runs", "wait until /reindex/status says that it has finished")
        self.run = run


class Runs:
    """The latest run and the way to the next. Safe to share between threads."""

    def __init__(self, settings: Settings, published: Callable[[], None]) -> None:
        """`published` is called, in a thread of its own, when a run has published."""
        self._settings = settings
        self._published = published
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.latest: IngestRun | None = None

    def start(self, files: Sequence[Path]) -> IngestRun:
        """Begin a run over these files, or over all folders. Raises `Underway`, and `Busy` for a run of others."""
        with self._lock:
            if self.latest and self.latest.state is State.RUNNING:
                raise Underway(self.latest.id)
            with writing(Layout(self._settings.warehouse)):
                started = datetime.now(UTC)
            named = [str(file) for file in files]
            run = IngestRun(id=f"{started:%Y%m%dT%H%M%S%f}", files=named, started=started)
            self._process = _launched(self._settings, named)
            self.latest = run
            Thread(target=self._follow, args=(self._process, run), daemon=True).start()
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
        if run.report and run.report.generation is not None:
            self._published()
        if run.report is None and run.problem is None:
            lost = Busy(f"the process of the run ended with code {code}", "run it again: it goes on from there")
            run = run.model_copy(update={"problem": problem_of(lost)})
        state = State.FAILED if run.problem else State.FINISHED
        self.latest = run.model_copy(update={"state": state, "finished": datetime.now(UTC)})


def _with(run: IngestRun, told: dict[str, Any]) -> IngestRun:
    return IngestRun.model_validate({**run.model_dump(), **told})


def _launched(settings: Settings, files: Sequence[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dashboards.api.ingesting"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    order = {"settings": settings.model_dump(mode="json"), "files": list(files)}
    if process.stdin:
        with suppress(BrokenPipeError), process.stdin as stream:
            stream.write(json.dumps(order).encode())
    return process


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To the process and those that read files for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
