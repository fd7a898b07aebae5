"""The journal of a run: an observer that writes what it hears, beside the one that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic

from flows.observing import RunObserver, observed_by, observer
from flows.planning import IngestPlan
from tasks.isolation import DocumentProblem
from warehouse.journal import about, is_kept, keep, record
from warehouse.records import CatalogEntry, Finding, Run, Severity, StageCost, Status
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake


class RunJournal:
    """Writes an event for what it hears, and passes it on."""

    def __init__(self, beside: RunObserver) -> None:
        """`beside` hears of everything too."""
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
def journaled(settings: Settings, flow: str, run: str) -> Iterator[None]:
    """Write what happens inside as events of the run; `flow` is its name, `run` Prefect's id of it."""
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


def failed(entries: Iterable[CatalogEntry], problems: Mapping[str, DocumentProblem], lake: Lake) -> None:
    """Write which of some documents have no new version, with the code of the finding; `problems` by document pass."""
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


def published(run: Run) -> None:
    """Write that a generation took the place of the last."""
    record("info", "published", generation=run.generation, documents=run.documents, chunks=run.chunks)
