"""Progress of an ingest: the observers that follow it, the record of how far it is, and its report.

A run reports to the observer that `observe_runs` sets for it. The record of the progress is a file next to the lock,
for readers in other processes. It is replaced atomically, at most twice a second within a stage,
and counts only while the process that wrote it holds the lock.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from flows.locks import find_lock_holder
from tasks.stage_meter import StageProgress
from warehouse.records import StageCost, Status
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from flows.planning import IngestPlan, PlannedFile

_PROCESS = re.compile(r"process (\d+)")
_origin: ContextVar[str] = ContextVar("origin", default="")


class Action(StrEnum):
    """What a run does with a document."""

    NEW = "new"
    CHANGED = "changed"
    RENAMED = "renamed"
    RESTAGED = "settings changed"
    CORRECTED = "corrected"
    UNREADABLE = "unreadable"
    GONE = "gone"
    KEPT = "unchanged"


class DocumentState(StrEnum):
    """State of a document in a run."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """Progress of a document. `action` is that of the plan ("new", "changed", "unchanged" …).

    `stage` is the one that works on it, or, for a waiting document, the last one finished. `reason` says why it failed,
    with the cure.
    """

    source: str
    state: DocumentState
    action: str = ""
    stage: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run. `origin` is the command that started it ("kalends ingest"), empty if it is not known.

    `plan` counts documents by action. `done` of `of` documents are done in `stage`, which takes `left` seconds more, if
    that can be estimated; `document` is the current one, and `pages_second` how many pages a second are read.
    `documents` are some of those that the run works on, failures first; `unlisted` counts the others.
    """

    process: int
    origin: str
    started: datetime
    plan: Mapping[str, int] = field(default_factory=dict)
    stages: tuple[StageCost, ...] = ()
    stage: str = ""
    done: int = 0
    of: int = 0
    left: float | None = None
    document: str = ""
    pages_second: float | None = None
    documents: tuple[DocumentProgress, ...] = ()
    unlisted: int = 0


@contextmanager
def record_origin(origin: str) -> Iterator[None]:
    """Record the runs inside as started by `origin`, in words for people: "kalends ingest"."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def make_progress() -> RunProgress:
    """The record of a run of this process that begins now."""
    return RunProgress(os.getpid(), _origin.get(), datetime.now(UTC))


def write_progress(layout: Layout, progress: RunProgress) -> None:
    """Replace the record. With a full or failing disk the last one stays; that is no reason to end a run."""
    new_file = layout.progress.with_suffix(".new")
    with suppress(OSError):
        new_file.write_text(json.dumps({**asdict(progress), "started": progress.started.isoformat()}), "utf-8")
        new_file.replace(layout.progress)


def find_writer(layout: Layout) -> tuple[str, RunProgress | None] | None:
    """The process that holds the lock, in words, with the progress of its ingest; None if it is free.

    The progress is None for a process that does not ingest, or has not begun to plan, and if another version of the
    program wrote the record.
    """
    name = find_lock_holder(layout)
    if name is None:
        return None
    try:
        record = json.loads(layout.progress.read_text("utf-8"))
        documents = (
            DocumentProgress(**{**fields, "state": DocumentState(fields["state"])}) for fields in record["documents"]
        )
        fields = {
            **record,
            "started": datetime.fromisoformat(record["started"]),
            "stages": tuple(StageCost(**cost) for cost in record["stages"]),
            "documents": tuple(documents),
        }
        progress = RunProgress(**fields)
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return name, None
    number = _PROCESS.search(name)
    return name, progress if number and progress.process == int(number[1]) else None


@dataclass(frozen=True, slots=True)
class IngestFailure:
    """A document of which a run could make no new version: `kept` in its last good one, or else left out.

    `stage` is the one in which the program failed, empty if no parser can read the file.
    """

    source: str
    reason: str
    stage: str
    kept: bool


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The end of a run. `generation` is None when nothing changed and nothing was published.

    `unreadable` gives the reason of every document that is left out or kept in an old version, `failures` those that
    failed in this run and not in the same way before.
    `files` are the documents and those that no parser can read; `attachments`, no documents by their kind, come on top.
    `withheld` counts, by root, the documents that vanished and were kept, as too many of the root's went at once.
    `without_vectors` is a line about the passages of this run whose script the model does not read, if there are any.
    """

    generation: int | None
    documents: int
    chunks: int
    counts: Mapping[str, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[IngestFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    withheld: Mapping[str, int] = field(default_factory=dict)
    files: int = 0
    attachments: int = 0
    stages: tuple[StageCost, ...] = ()
    seconds: float = 0.0
    without_vectors: str = ""

    @property
    def known_failures(self) -> int:
        """How many documents are left out or kept in an old version for a reason that an earlier run gave."""
        return len(self.unreadable) - len(self.failures)

    @property
    def is_complete(self) -> bool:
        """Whether nothing happened that needs attention: no new failure, and no withheld removal."""
        return not (self.failures or self.withheld)

    @property
    def slowest(self) -> StageCost | None:
        """The stage that took longest."""
        return max(self.stages, key=lambda cost: cost.seconds, default=None)


class RunObserver:
    """Observer of a run, always called in the run's own thread. Each event is passed to `next_observer`."""

    next_observer: RunObserver | None = None

    def on_waiting(self, holder: str) -> None:
        """Another process, `holder`, writes to the warehouse; the run begins when it has finished."""
        if self.next_observer:
            self.next_observer.on_waiting(holder)

    def on_planned(self, plan: IngestPlan) -> None:
        """The plan is made."""
        if self.next_observer:
            self.next_observer.on_planned(plan)

    def on_stage_started(self, stage: str, documents: int) -> None:
        """A stage begins, with so many documents to work on."""
        if self.next_observer:
            self.next_observer.on_stage_started(stage, documents)

    def on_stage_advanced(self, stage: str, documents: int) -> None:
        """So many more documents are done."""
        if self.next_observer:
            self.next_observer.on_stage_advanced(stage, documents)

    def on_stage_progressed(self, progress: StageProgress) -> None:
        """The progress of the current stage, twice a second."""
        if self.next_observer:
            self.next_observer.on_stage_progressed(progress)

    def on_documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """The stage is done with these documents, by source; the reason is empty unless a document failed."""
        if self.next_observer:
            self.next_observer.on_documents_done(stage, reasons)

    def on_stage_finished(self, cost: StageCost) -> None:
        """A stage is done."""
        if self.next_observer:
            self.next_observer.on_stage_finished(cost)

    def on_published(self, generation: int, sources: Collection[str], of: int) -> None:
        """A generation is published before the end: with these of the `of` documents that the run works on."""
        if self.next_observer:
            self.next_observer.on_published(generation, sources, of)


_observer: ContextVar[RunObserver] = ContextVar("observer")


def get_observer() -> RunObserver:
    """The observer of this context, one that ignores everything if none is set."""
    return _observer.get(RunObserver())


@contextmanager
def observe_runs(observer: RunObserver) -> Iterator[None]:
    """Report the runs inside to `observer`."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


MAX_LISTED, MAX_FAILED_LISTED = 150, 50
"""Documents of a run listed one by one, and further failed ones: at most 30 KB of record."""
REPORT_SECONDS = 0.5  # Seconds between two reports within a stage.
PUBLISH = "publish"


class ProgressTracker(RunObserver):
    """Accumulates the events of a run and passes its progress to `report`."""

    def __init__(self, report: Callable[[RunProgress], None], next_observer: RunObserver | None = None) -> None:
        """`next_observer` is the observer that receives the same events."""
        self._report = report
        self.next_observer = next_observer
        self._progress = make_progress()
        self._documents: dict[str, DocumentProgress] = {}
        self._failure_count = 0
        self._last_report_time = -REPORT_SECONDS

    def on_planned(self, plan: IngestPlan) -> None:
        """What will be done."""
        files = [planned_file for planned_file in plan.files if planned_file.action is not Action.GONE]
        if len(files) > MAX_LISTED:
            files = [planned_file for planned_file in files if planned_file.action is not Action.KEPT]
        documents = [_make_document_progress(planned_file) for planned_file in files]
        documents.sort(key=lambda document: document.state is not DocumentState.FAILED)
        self._documents = {document.source: document for document in documents[:MAX_LISTED]}
        self._failure_count = sum(document.state is DocumentState.FAILED for document in self._documents.values())
        counts = {action.value: count for action, count in plan.counts.items() if count}
        surplus = max(len(documents) - MAX_LISTED, 0)
        self._progress = replace(self._progress, plan=counts, stages=(), stage="", done=0, of=0, unlisted=surplus)
        self._report_if_due(at_once=True)
        super().on_planned(plan)

    def on_stage_started(self, stage: str, documents: int) -> None:
        """Every document that has not failed is in the stage."""
        self._progress = replace(self._progress, **asdict(StageProgress(stage, 0, documents)))
        if documents:
            self._update(DocumentState.WORKING, stage)
        self._report_if_due(at_once=documents > 0)
        super().on_stage_started(stage, documents)

    def on_stage_advanced(self, stage: str, documents: int) -> None:
        """How far it is."""
        self._progress = replace(self._progress, done=self._progress.done + documents)
        self._report_if_due()
        super().on_stage_advanced(stage, documents)

    def on_stage_progressed(self, progress: StageProgress) -> None:
        """How far it is within a batch, and how long it will take."""
        self._progress = replace(self._progress, **asdict(progress))
        self._report_if_due()
        super().on_stage_progressed(progress)

    def on_documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """Which documents the stage is done with, and which have failed in it."""
        for source, reason in reasons.items():
            document = self._documents.get(source)
            if document and not reason:
                self._documents[source] = replace(document, state=DocumentState.WAITING, stage=stage)
            elif reason:
                self._fail(source, reason, stage)
        self._report_if_due()
        super().on_documents_done(stage, reasons)

    def on_stage_finished(self, cost: StageCost) -> None:
        """What it cost; with the last of them the documents are published."""
        self._progress = replace(self._progress, stages=(*self._progress.stages, cost))
        if cost.stage == PUBLISH:
            self._update(DocumentState.DONE, PUBLISH)
        self._report_if_due(at_once=cost.stage == PUBLISH)
        super().on_stage_finished(cost)

    def on_published(self, generation: int, sources: Collection[str], of: int) -> None:
        """The documents that can be searched already."""
        for source, document in self._documents.items():
            if source in sources and document.state is not DocumentState.FAILED:
                self._documents[source] = replace(document, state=DocumentState.DONE, stage=PUBLISH)
        self._report_if_due(at_once=True)
        super().on_published(generation, sources, of)

    def finish(self, report: IngestReport) -> None:
        """The run's report knows also the documents that could not be published."""
        for source in [source for source in self._documents if source in report.unreadable]:
            self._fail(source, report.unreadable[source], self._documents[source].stage)
        self._update(DocumentState.DONE, "")
        self._report_if_due(at_once=True)

    def _update(self, state: DocumentState, stage: str) -> None:
        for source, document in self._documents.items():
            if document.state not in (DocumentState.FAILED, DocumentState.DONE):
                self._documents[source] = replace(document, state=state, stage=stage)

    def _fail(self, source: str, reason: str, stage: str) -> None:
        document = self._documents.get(source)
        if document is None:
            if self._failure_count >= MAX_FAILED_LISTED:
                return
            self._progress = replace(self._progress, unlisted=max(self._progress.unlisted - 1, 0))
        if document is None or document.state is not DocumentState.FAILED:
            self._failure_count += 1
        action = document.action if document else ""
        self._documents[source] = DocumentProgress(source, DocumentState.FAILED, action, stage, reason)

    def _report_if_due(self, *, at_once: bool = False) -> None:
        if not at_once and monotonic() < self._last_report_time + REPORT_SECONDS:
            return
        self._last_report_time = monotonic()
        # A sort keeps the plan's order among those that are equal.
        documents = sorted(self._documents.values(), key=lambda document: document.state is not DocumentState.FAILED)
        self._report(replace(self._progress, documents=tuple(documents)))


@contextmanager
def record_progress(layout: Layout) -> Iterator[None]:
    """Record the progress of the run inside, which holds the warehouse's lock, in a file next to the lock."""
    report = partial(write_progress, layout)
    report(make_progress())
    try:
        with observe_runs(ProgressTracker(report, get_observer())):
            yield
    finally:
        layout.progress.unlink(missing_ok=True)


def _make_document_progress(planned_file: PlannedFile) -> DocumentProgress:
    """A document before the first stage: failed if it cannot be opened, done if it is unchanged."""
    previous, state, reason = planned_file.previous, DocumentState.WAITING, ""
    if planned_file.action is Action.UNREADABLE:
        state, reason = DocumentState.FAILED, planned_file.reason
    elif planned_file.action is Action.KEPT and previous and previous.status is not Status.PUBLISHED:
        state, reason = DocumentState.FAILED, previous.reason
    elif planned_file.action is Action.KEPT:
        state = DocumentState.DONE
    return DocumentProgress(planned_file.source, state, planned_file.action.value, "", reason)
