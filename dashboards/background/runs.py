"""Background runs: their state, as the HTTP API returns it and pages draw it, their processes, and those on disk."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from subprocess import Popen
from threading import Condition, Thread
from typing import Any, Generic, Self, TypeVar

from pydantic import Field

from dashboards.serializers.problems import DocumentedModel, Problem, to_problem
from flows.progress import DocumentState
from warehouse.child_process import start_group, stop_group
from warehouse.errors import WarehouseBusy
from warehouse.journal import record
from warehouse.store.layout import Layout, open_atomically


class State(StrEnum):
    """State of a run; a `queued` one waits for another run, of this server or of another process."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


class StageShape(DocumentedModel):
    """Cost of one stage."""

    stage: str
    documents: int
    seconds: float


class ReportShape(DocumentedModel):
    """Result of an ingest."""

    generation: int | None
    """The published generation; null if nothing changed."""
    documents: int
    chunks: int
    counts: dict[str, int]
    unreadable: dict[str, str]
    """The reason by source, for each file that cannot be read."""
    attachments: int = 0
    """Number of pictures, recordings, archives and programs in its folders in addition to the documents."""
    warnings: list[str]
    stages: list[StageShape]
    seconds: float
    without_vectors: str = ""
    """The passages whose script the embedding model does not read, in one sentence."""


class BackgroundRun(DocumentedModel):
    """Common fields of background runs: state, plan, progress and result."""

    id: str
    state: State = State.RUNNING
    started: datetime
    """Start of the run; of a queued one, when it was requested."""
    finished: datetime | None = None
    note: str = ""
    """What the run is waiting for or doing, in one sentence."""
    plan: dict[str, int] = Field(default={})
    """Number of documents by action: new, changed, gone and so on."""
    stages: list[StageShape] = Field(default=[])
    """Finished stages."""
    stage: str = ""
    """Current stage."""
    done: int = 0
    """Number of documents that the current stage has finished, of `of`."""
    of: int = 0
    left: float | None = None
    """Seconds until the current stage is done, as estimated from its rate so far; null if unknown."""
    document: str = ""
    """The document that the current stage works on."""
    pages_second: float | None = None
    """Pages that are read in a second; null for stages that read none."""
    report: DocumentedModel | None = None
    """Result of the run."""
    problem: Problem | None = None

    @property
    def is_over(self) -> bool:
        """Whether the run has finished or failed."""
        return self.state in (State.FINISHED, State.FAILED)

    def with_fields(self, fields: Mapping[str, Any]) -> Self:
        """A copy with the new values of some fields that its process printed."""
        return type(self).model_validate({**self.model_dump(), **fields})


class WorkedDocument(DocumentedModel):
    """A document of a running or queued ingest."""

    source: str
    state: DocumentState
    action: str = ""
    """Action of the plan: new, changed, unchanged and so on."""
    stage: str = ""
    """Current stage; of a waiting document, the last finished one."""
    reason: str = ""
    """Reason of a failure, with the cure."""


class IngestRun(BackgroundRun):
    """An ingest in the background."""

    files: list[str]
    """Files and folders to ingest; empty means all source folders."""
    again: bool = False
    """Whether every file is read again, changed or not."""
    drop: list[str] = Field(default=[])
    """Source folders to remove with all their documents."""
    documents: list[WorkedDocument] = Field(default=[])
    """Some of its documents, failed ones first."""
    unlisted: int = 0
    """Number of its other documents."""
    report: ReportShape | None = None


class OtherRun(DocumentedModel):
    """Work of another process that writes to the warehouse."""

    holder: str
    """The process."""
    origin: str = ""
    """What started it, like `kalends ingest`; empty if unknown."""
    run: IngestRun | None = None
    """Its ingest; null for other work, or before its plan is made."""


class GridReport(DocumentedModel):
    """Result of an experiment in the background."""

    exam: str
    trials: list[str]
    """The trial ids of its configurations, those of earlier runs included."""
    asked: int
    """Number of trials that this run made."""
    failed: dict[str, str]
    """The reason by name, for each configuration that failed."""
    notes: list[str]


class GridRun(BackgroundRun):
    """An experiment: a grid of configurations that are tried one after the other."""

    configurations: dict[str, str]
    """The last status printed for each configuration by name; empty before the first."""
    report: GridReport | None = None

    def with_fields(self, fields: Mapping[str, Any]) -> Self:
        """A copy with the new values; configurations that are not named keep their status."""
        configurations = {**self.configurations, **fields.get("configurations", {})}
        return super().with_fields({**fields, "configurations": configurations})


STOP_SECONDS = 10.0  # Time that a process has after SIGTERM before it is killed.
SHOWN_FOR = timedelta(hours=1)  # How long a finished run is shown on the pages; the runs page lists it permanently.

AnyRun = TypeVar("AnyRun", bound=BackgroundRun)


class RunInProgress(WarehouseBusy):
    """A run that this server started is still running."""

    def __init__(self, kind: str, run: str) -> None:
        """`run` is the id of the run, `kind` its kind ("ingest")."""
        super().__init__(f"{kind} {run} still runs", "wait until it has finished")
        self.run = run


class BackgroundProcesses(Generic[AnyRun]):
    """Runs of one kind, one at a time, each in a process of its own. Safe to share between threads.

    The process, `dashboards.background.worker`, prints JSON Lines with new values of the run's fields.
    """

    kind: str
    """The kind of the runs, a key of `dashboards.background.worker.ORDERS`."""

    def __init__(self) -> None:
        """Start without any run."""
        self._change_condition = Condition()
        """Locked while a run begins or ends, and notified afterwards."""
        self._process: Popen[bytes] | None = None
        self._stopped = False
        self.latest: AnyRun | None = None
        self._finished_runs: tuple[AnyRun, ...] = ()

    @property
    def finished_runs(self) -> tuple[AnyRun, ...]:
        """Runs that finished within the last hour, the earliest first."""
        since = datetime.now(UTC) - SHOWN_FOR
        return tuple(run for run in self._finished_runs if run.finished and run.finished > since)

    @property
    def is_running(self) -> bool:
        """Whether a run is in progress."""
        return self.latest is not None and self.latest.state is State.RUNNING

    def stop(self) -> None:
        """Stop the running process; the same run started again continues where it stopped."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        self._stopped = True
        stop_group(process, STOP_SECONDS)

    def _check_idle(self) -> None:
        """Raise `RunInProgress` while a run is in progress; the caller has locked `_change_condition`."""
        if self.latest and self.is_running:
            raise RunInProgress(self.kind, self.latest.id)

    def _start_process(self, run: AnyRun, order: Mapping[str, Any]) -> AnyRun:
        """Start a run; no other is running, and the caller has locked `_change_condition`."""
        self._stopped = False
        self._process = start_group("dashboards.background.worker", self.kind, input_bytes=json.dumps(order).encode())
        self.latest = run
        self._record(run)
        Thread(target=self._follow_process, args=(self._process, run), name=self.kind, daemon=True).start()
        return run

    def _follow_process(self, process: Popen[bytes], run: AnyRun) -> None:
        for line in process.stdout or ():
            run = run.with_fields(json.loads(line))
            self.latest = run
        code = process.wait()
        if process.stdout:
            process.stdout.close()
        self._on_process_end(run)
        if run.report is None and run.problem is None:
            reason = "the run was stopped" if self._stopped else f"the process of the run ended with code {code}"
            stopped_error = WarehouseBusy(reason, "run it again: it goes on from there")
            run = run.model_copy(update={"problem": to_problem(stopped_error)})
        end = {"state": State.FAILED} if run.problem else {"state": State.FINISHED, "stage": "", "note": ""}
        with self._change_condition:
            self.latest = run.model_copy(update={**end, "finished": datetime.now(UTC)})
            self._record(self.latest)
            self._finished_runs = (*self.finished_runs, self.latest)
            self._change_condition.notify_all()
        self._on_run_end()

    def _record(self, run: AnyRun) -> None:
        """Called when a run has begun or ended, with `_change_condition` locked."""

    def _on_process_end(self, run: AnyRun) -> None:
        """Called when the process of a run has ended, before the run is marked as finished."""

    def _on_run_end(self) -> None:
        """Called when a run is marked as finished."""


def make_run_id(moment: datetime) -> str:
    """The id of a run requested at this moment: the time to the microsecond."""
    return f"{moment:%Y%m%dT%H%M%S%f}"


MAX_RUNS = 200
"""Runs that are kept, the newest ones; each is at most 30 KB."""
_ID = re.compile(r"\d{8}T\d{12}")


class RunStore:
    """The latest runs of the HTTP API of a warehouse: a file of JSON each, named by the run's id."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._claim: int | None = None

    def claim(self) -> bool:
        """Whether this is the only server of the warehouse until `release`: it continues the runs of the one before."""
        self._make_folder()
        self._claim = os.open(self._layout.runs / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        return True

    def release(self) -> None:
        """Let another server continue the runs."""
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    def save(self, run: IngestRun) -> None:
        """Write a run, and delete the oldest ones. A full or failing disk stops no run: it goes into the log."""
        try:
            self._make_folder()
            with open_atomically(self._get_path(run.id)) as stream:
                stream.write(run.model_dump_json().encode())
            for old in self.list_ids()[MAX_RUNS:]:
                self._get_path(old).unlink(missing_ok=True)
        except OSError as error:
            record("warning", "run not kept", run=run.id, problem=str(error))

    def read(self, run_id: str) -> IngestRun | None:
        """The run of this id as it was last written; None without one, or if another version of Kalends wrote it."""
        if not _ID.fullmatch(run_id):
            return None
        with suppress(FileNotFoundError):
            try:
                return IngestRun.model_validate_json(self._get_path(run_id).read_bytes())
            except ValueError as error:
                record("warning", "run not read", run=run_id, problem=str(error))
        return None

    def list_ids(self) -> list[str]:
        """The ids of the runs, the newest first."""
        return sorted(
            (file.stem for file in self._layout.runs.glob("*.json") if _ID.fullmatch(file.stem)), reverse=True
        )

    def iter_unfinished(self) -> Iterator[IngestRun]:
        """The runs that were queued or running when their server ended, the earliest first."""
        runs = map(self.read, reversed(self.list_ids()))
        yield from (run for run in runs if run and not run.is_over)

    def _make_folder(self) -> None:
        self._layout.make_folder()
        self._layout.runs.mkdir(exist_ok=True)

    def _get_path(self, run_id: str) -> Path:
        return self._layout.runs / f"{run_id}.json"
