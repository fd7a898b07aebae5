"""The journal of a run: its events, the documents that failed in it, and what it published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from flows.progress import RunObserver, get_observer, observe_runs
from warehouse.journal import bind_ids, is_logging, open_log, record
from warehouse.records import CatalogEntry, Finding, Run, Severity, StageCost, Status

if TYPE_CHECKING:
    from flows.planning import IngestPlan
    from tasks.faults import DocumentProblem
    from warehouse.settings.loader import Settings
    from warehouse.store.lake import Lake


class RunJournal(RunObserver):
    """Writes the events of a run to the journal. Which documents failed is written once their findings are known."""

    def __init__(self, next_observer: RunObserver) -> None:
        self.next_observer = next_observer

    def on_waiting(self, holder: str) -> None:
        """Another process writes."""
        record("info", "waiting for another writer", holder=holder)
        super().on_waiting(holder)

    def on_planned(self, plan: IngestPlan) -> None:
        """How many documents of each action."""
        record("info", "planned", **{action.name.lower(): count for action, count in plan.counts.items() if count})
        for warning in plan.warnings:
            record("warning", "planned with a warning", reason=warning)
        super().on_planned(plan)

    def on_stage_started(self, stage: str, documents: int) -> None:
        """A stage begins."""
        record("info", "stage started", stage=stage, documents=documents)
        super().on_stage_started(stage, documents)

    def on_stage_advanced(self, stage: str, documents: int) -> None:
        """A batch is done."""
        record("debug", "stage advanced", stage=stage, documents=documents)
        super().on_stage_advanced(stage, documents)

    def on_stage_finished(self, cost: StageCost) -> None:
        """A stage is done."""
        record("info", "stage finished", stage=cost.stage, documents=cost.documents, seconds=cost.seconds)
        super().on_stage_finished(cost)


@contextmanager
def journal_run(settings: Settings, flow: str, run: str) -> Iterator[None]:
    """Write the events of the run inside to the journal; `flow` is its name, `run` its Prefect id."""
    open_log(settings.log, settings.warehouse)
    started = monotonic()
    with bind_ids(run=run), observe_runs(RunJournal(get_observer())):
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
    bad = [entry for entry in entries if is_logging() and entry.status is not Status.PUBLISHED]
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
