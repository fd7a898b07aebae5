"""Observers of a run: the protocol, and the observers that track its progress and write its journal.

A run reports to the observer that is set around it by `observed_by`, and to nobody otherwise. An observer passes
everything on to the one beside it, so several can follow one run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from time import monotonic
from typing import Protocol

from flows import progress
from flows.planning import Action, IngestPlan, PlannedFile
from flows.progress import DocumentProgress, DocumentState, IngestReport, RunProgress
from tasks.isolation import DocumentProblem
from warehouse.journal import about, is_kept, keep, record
from warehouse.records import CatalogEntry, Finding, Run, Severity, StageCost, Status
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout


class RunObserver(Protocol):
    """Receiver of a run's progress, always called in the run's own thread."""

    def waiting(self, holder: str) -> None:
        """Another process, `holder`, writes to the warehouse; the run begins when it has finished."""

    def planned(self, plan: IngestPlan) -> None:
        """The plan is made."""

    def stage_started(self, stage: str, documents: int) -> None:
        """A stage begins, with so many documents to work on."""

    def stage_advanced(self, stage: str, documents: int) -> None:
        """So many more documents are done."""

    def documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """The stage is done with these documents, by source; the reason is empty but where one comes no further."""

    def stage_finished(self, cost: StageCost) -> None:
        """A stage is done."""


class SilentObserver:
    """An observer that ignores everything."""

    def waiting(self, holder: str) -> None:
        """Nothing."""

    def planned(self, plan: IngestPlan) -> None:
        """Nothing."""

    def stage_started(self, stage: str, documents: int) -> None:
        """Nothing."""

    def stage_advanced(self, stage: str, documents: int) -> None:
        """Nothing."""

    def documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """Nothing."""

    def stage_finished(self, cost: StageCost) -> None:
        """Nothing."""


_observer: ContextVar[RunObserver] = ContextVar("observer")


def observer() -> RunObserver:
    """The observer of this context, a silent one if none is set."""
    return _observer.get(SilentObserver())


@contextmanager
def observed_by(watcher: RunObserver) -> Iterator[None]:
    """Report the runs inside to `watcher`."""
    token = _observer.set(watcher)
    try:
        yield
    finally:
        _observer.reset(token)


LISTED, FAILED_LISTED = 150, 50
"""Documents of a run listed one by one, and failed ones listed besides them: at most 30 KB of record."""
EVERY = 0.5  # Seconds between two reports within a stage.
PUBLISH = "publish"


class ProgressTracker:
    """Adds up the events of a run, gives its progress to `report`, and passes every event on."""

    def __init__(self, report: Callable[[RunProgress], None], beside: RunObserver | None = None) -> None:
        """`beside` is the observer that receives the same events."""
        self._report = report
        self._beside = beside or SilentObserver()
        self._progress = progress.new_progress()
        self._documents: dict[str, DocumentProgress] = {}
        self._failed = 0
        self._reported = -EVERY

    def waiting(self, holder: str) -> None:
        """Passed on: a run that waits has no record."""
        self._beside.waiting(holder)

    def planned(self, plan: IngestPlan) -> None:
        """What will be done."""
        worked = [planned_file for planned_file in plan.files if planned_file.action is not Action.GONE]
        if len(worked) > LISTED:
            worked = [planned_file for planned_file in worked if planned_file.action is not Action.KEPT]
        listed = [_initial_progress(planned_file) for planned_file in worked]
        listed.sort(key=lambda each: each.state is not DocumentState.FAILED)
        self._documents = {each.source: each for each in listed[:LISTED]}
        self._failed = sum(each.state is DocumentState.FAILED for each in self._documents.values())
        counts = {action.value: count for action, count in plan.counts.items() if count}
        unlisted = max(len(listed) - LISTED, 0)
        self._progress = replace(self._progress, plan=counts, stages=(), stage="", done=0, of=0, unlisted=unlisted)
        self._tell(at_once=True)
        self._beside.planned(plan)

    def stage_started(self, stage: str, documents: int) -> None:
        """Every document that has not failed is in the stage."""
        self._progress = replace(self._progress, stage=stage, done=0, of=documents)
        if documents:
            self._update(DocumentState.WORKING, stage)
        self._tell(at_once=documents > 0)
        self._beside.stage_started(stage, documents)

    def stage_advanced(self, stage: str, documents: int) -> None:
        """How far it is."""
        self._progress = replace(self._progress, done=self._progress.done + documents)
        self._tell()
        self._beside.stage_advanced(stage, documents)

    def documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """Which documents the stage is done with, and which have failed in it."""
        for source, reason in reasons.items():
            known = self._documents.get(source)
            if known and not reason:
                self._documents[source] = replace(known, state=DocumentState.WAITING, stage=stage)
            elif reason:
                self._fail(source, reason, stage)
        self._tell()
        self._beside.documents_done(stage, reasons)

    def stage_finished(self, cost: StageCost) -> None:
        """What it cost; with the last of them the documents are published."""
        self._progress = replace(self._progress, stages=(*self._progress.stages, cost))
        if cost.stage == PUBLISH:
            self._update(DocumentState.DONE, PUBLISH)
        self._tell(at_once=cost.stage == PUBLISH)
        self._beside.stage_finished(cost)

    def ended(self, report: IngestReport) -> None:
        """The run's report knows also the documents that could not be published."""
        for source in [source for source in self._documents if source in report.unreadable]:
            self._fail(source, report.unreadable[source], self._documents[source].stage)
        self._update(DocumentState.DONE, "")
        self._tell(at_once=True)

    def _update(self, state: DocumentState, stage: str) -> None:
        for source, each in self._documents.items():
            if each.state not in (DocumentState.FAILED, DocumentState.DONE):
                self._documents[source] = replace(each, state=state, stage=stage)

    def _fail(self, source: str, reason: str, stage: str) -> None:
        known = self._documents.get(source)
        if known is None:
            if self._failed >= FAILED_LISTED:
                return
            self._progress = replace(self._progress, unlisted=max(self._progress.unlisted - 1, 0))
        if known is None or known.state is not DocumentState.FAILED:
            self._failed += 1
        action = known.action if known else ""
        self._documents[source] = DocumentProgress(source, DocumentState.FAILED, action, stage, reason)

    def _tell(self, *, at_once: bool = False) -> None:
        if not at_once and monotonic() < self._reported + EVERY:
            return
        self._reported = monotonic()
        # A sort keeps the plan's order among those that are equal.
        found = sorted(self._documents.values(), key=lambda each: each.state is not DocumentState.FAILED)
        self._report(replace(self._progress, documents=tuple(found)))


@contextmanager
def record_progress(layout: Layout) -> Iterator[None]:
    """Keep the progress of the run inside, which holds the warehouse's lock, in a record beside the lock."""

    def record(found: RunProgress) -> None:
        progress.write_progress(layout, found)

    record(progress.new_progress())
    try:
        with observed_by(ProgressTracker(record, observer())):
            yield
    finally:
        progress.remove_progress(layout)


def _initial_progress(planned_file: PlannedFile) -> DocumentProgress:
    """A document before the first stage: failed if it cannot be opened, done if it is unchanged."""
    previous = planned_file.previous
    if planned_file.action is Action.UNREADABLE:
        return DocumentProgress(
            planned_file.source, DocumentState.FAILED, planned_file.action.value, "", planned_file.reason
        )
    if planned_file.action is not Action.KEPT:
        return DocumentProgress(planned_file.source, DocumentState.WAITING, planned_file.action.value)
    if previous and previous.status is not Status.PUBLISHED:
        return DocumentProgress(
            planned_file.source, DocumentState.FAILED, planned_file.action.value, "", previous.reason
        )
    return DocumentProgress(planned_file.source, DocumentState.DONE, planned_file.action.value)


class RunJournal:
    """Writes the events of a run to the journal, and passes every event on."""

    def __init__(self, beside: RunObserver) -> None:
        """`beside` is the observer that receives the same events."""
        self._beside = beside

    def waiting(self, holder: str) -> None:
        """Another process writes."""
        record("info", "waiting for another writer", holder=holder)
        self._beside.waiting(holder)

    def planned(self, plan: IngestPlan) -> None:
        """How many documents of each action."""
        record("info", "planned", **{action.name.lower(): count for action, count in plan.counts.items() if count})
        for warning in plan.warnings:
            record("warning", "planned with a warning", reason=warning)
        self._beside.planned(plan)

    def stage_started(self, stage: str, documents: int) -> None:
        """A stage begins."""
        record("info", "stage started", stage=stage, documents=documents)
        self._beside.stage_started(stage, documents)

    def stage_advanced(self, stage: str, documents: int) -> None:
        """A batch is done."""
        record("debug", "stage advanced", stage=stage, documents=documents)
        self._beside.stage_advanced(stage, documents)

    def documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """Passed on: which documents failed is written when the run knows their findings."""
        self._beside.documents_done(stage, reasons)

    def stage_finished(self, cost: StageCost) -> None:
        """A stage is done."""
        record("info", "stage finished", stage=cost.stage, documents=cost.documents, seconds=cost.seconds)
        self._beside.stage_finished(cost)


@contextmanager
def journal_run(settings: Settings, flow: str, run: str) -> Iterator[None]:
    """Write the events of the run inside to the journal; `flow` is its name, `run` its Prefect id."""
    keep(settings.log, settings.warehouse)
    started = monotonic()
    with about(run=run), observed_by(RunJournal(observer())):
        record("info", "run started", flow=flow, warehouse=settings.warehouse)
        try:
            yield
        except BaseException as error:
            problem = str(error) or "stopped"
            record("error", "run failed", error=type(error).__name__, problem=problem, seconds=monotonic() - started)
            raise
        record("info", "run ended", flow=flow, seconds=monotonic() - started)


def record_failures(entries: Iterable[CatalogEntry], problems: Mapping[str, DocumentProblem], lake: Lake) -> None:
    """Write the documents without a new version, with the code of the finding; `problems` are by document id."""
    bad = [entry for entry in entries if is_kept() and entry.status is not Status.PUBLISHED]
    codes = {name: problem.code for name, problem in problems.items()}
    for entry in bad:
        failure = entry.failure
        if failure and entry.document_id not in codes:
            found = lake.read("findings", Finding, {failure.key: failure.file})[failure.key]
            codes[entry.document_id] = next((each.code for each in found if each.severity is Severity.ERROR), "")
        record(
            "warning",
            "document failed",
            document=entry.document_id,
            source=entry.file.source,
            code=codes.get(entry.document_id),
            reason=entry.reason,
        )


def record_publication(run: Run) -> None:
    """Write that a new generation is published."""
    record("info", "published", generation=run.generation, documents=run.documents, chunks=run.chunks)
