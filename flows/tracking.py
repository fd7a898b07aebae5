"""What an observer hears of a run, added up: stage and count, and how far each document is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

from flows import progress
from flows.observing import RunObserver, SilentObserver, observed_by, observer
from flows.planning import Action, IngestPlan, PlannedFile
from flows.progress import DocumentProgress, DocumentState, RunProgress
from flows.report import IngestReport
from warehouse.records import StageCost, Status
from warehouse.store.layout import Layout

LISTED, FAILED_LISTED = 150, 50
"""Documents of a run that are told one by one, and how many of those that failed beside them: 30 KB at most."""
EVERY = 0.5
"""Seconds between two reports within a stage."""
PUBLISH = "publish"


class ProgressTracker:
    """Hears of a run and reports how far it is, to `report`, and passes everything on."""

    def __init__(self, report: Callable[[RunProgress], None], beside: RunObserver | None = None) -> None:
        """`beside` hears of everything too."""
        self._report = report
        self._beside = beside or SilentObserver()
        self._progress = progress.begun()
        self._documents: dict[str, DocumentProgress] = {}
        self._failed = 0
        self._reported = -EVERY

    def waiting(self, holder: str) -> None:
        """Passed on: a run that waits has no record."""
        self._beside.waiting(holder)

    def planned(self, plan: IngestPlan) -> None:
        """What will be done."""
        worked = [step for step in plan.steps if step.action is not Action.GONE]
        if len(worked) > LISTED:
            worked = [step for step in worked if step.action is not Action.KEPT]
        listed = [_planned(step) for step in worked]
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
def recorded(layout: Layout) -> Iterator[None]:
    """The run inside, which holds the warehouse's lock, is on record beside that while it goes on."""

    def record(found: RunProgress) -> None:
        progress.write(layout, found)

    record(progress.begun())
    try:
        with observed_by(ProgressTracker(record, observer())):
            yield
    finally:
        progress.remove(layout)


def _planned(step: PlannedFile) -> DocumentProgress:
    """A document before the first stage: one that cannot be opened has failed, and what is as it was is done."""
    previous = step.previous
    if step.action is Action.UNREADABLE:
        return DocumentProgress(step.source, DocumentState.FAILED, step.action.value, "", step.reason)
    if step.action is not Action.KEPT:
        return DocumentProgress(step.source, DocumentState.WAITING, step.action.value)
    if previous and previous.status is not Status.PUBLISHED:
        return DocumentProgress(step.source, DocumentState.FAILED, step.action.value, "", previous.reason)
    return DocumentProgress(step.source, DocumentState.DONE, step.action.value)
