"""The flow `ingest`: discover the files, process what is new or changed, publish it, at the end or in portions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from prefect import flow
from prefect.runtime import flow_run

from flows.corrections import list_warnings
from flows.discovery import list_attachments
from flows.drafts import DocumentDraft, make_draft
from flows.execution import open_stages
from flows.locks import mark_crashed, mark_running, write_lock
from flows.maintenance import upgrade_warehouse
from flows.planning import IngestPlan, make_plan, update_correction_sources
from flows.progress import (
    PUBLISH,
    IngestFailure,
    IngestReport,
    RunObserver,
    get_observer,
    observe_runs,
    record_progress,
)
from flows.publication import PortionObserver, RunPublisher, add_costs, collect_problems, split_portions
from flows.roots import Removal
from flows.service.artifacts import store_ingest_artifacts
from tasks.embedders.embedder import find_main_script
from tasks.faults import DocumentProblem
from tasks.quality.phrases import format_count
from warehouse.journal import bind_ids, is_logging, open_log, record
from warehouse.records import CatalogEntry, Finding, Run, Severity, StageCost, Status
from warehouse.settings.loader import Settings, load_settings
from warehouse.store.arrow_files import read_parquet
from warehouse.store.generations import find_latest
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.works import compute_counts

SAMPLED_PASSAGES = 20  # Passages of each batch that are read to detect the script that the model does not read.


@flow(name="ingest", validate_parameters=False)
def ingest(
    paths: Sequence[str] = (),
    drop: Sequence[str] = (),
    settings: Settings | None = None,
    removal: Removal = Removal.NAMED,
    patience: float = 0.0,
    *,
    again: bool = False,
) -> IngestReport:
    """Ingest the declared roots, or the paths named; remove the roots in `drop` with their documents.

    `removal` says which vanished documents may be removed in great number. With `again` every file is read and
    processed, whatever is cached; only vectors of the same text and model are reused.
    Raises `BadInput` when there is nothing to ingest and `WarehouseBusy` when another process writes for longer than
    `patience` seconds.
    """
    run_settings = settings or load_settings()
    layout = Layout(run_settings.warehouse)
    start_time, clock = datetime.now(UTC), monotonic()
    run_id = str(flow_run.id)
    with (
        journal_run(run_settings, "ingest", run_id),
        mark_running(layout, run_id),
        write_lock(layout, patience, get_observer().on_waiting),
        record_progress(layout),
    ):
        mark_crashed(layout)
        generation = find_latest(layout)
        if generation and generation.manifest.is_older:
            upgrade_warehouse(layout)
            generation = find_latest(layout)
        mark = f"{start_time:%Y%m%dT%H%M%S%f}" if again else ""
        plan = make_plan(run_settings, generation, [Path(path) for path in paths], drop, Removal(removal), mark)
        update_correction_sources(layout, plan)
        get_observer().on_planned(plan)
        publisher = RunPublisher(layout, run_settings, plan, generation, start_time, clock)
        if plan.idle and generation:
            entries = publisher.build_entries(())
            report = _build_report(plan, entries, (), None, (), monotonic() - clock)
            store_ingest_artifacts(report, (), {}, Lake(layout.lake))
            return report
        drafts = [draft for planned_file in plan.files if (draft := make_draft(planned_file, run_settings))]
        costs, unpublished_drafts = _run_stages(layout, drafts, run_settings, publisher)
        clock_publish = monotonic()
        get_observer().on_stage_started(PUBLISH, len(drafts))
        entries, run = publisher.publish(drafts, unpublished_drafts)
        costs = (*costs, StageCost(PUBLISH, len(entries), monotonic() - clock_publish))
        get_observer().on_stage_finished(costs[-1])
        seconds = {draft.file.source: draft.seconds for draft in drafts}
        processed_entries = [entry for entry in entries if entry.file.source in seconds]
        record_failures(processed_entries, collect_problems(drafts, entries), Lake(layout.lake))
        record_publication(run)
        report = _build_report(plan, entries, drafts, run.generation, costs, monotonic() - clock)
        report = replace(report, without_vectors=_describe_unembedded(Lake(layout.lake), drafts, run_settings))
        store_ingest_artifacts(report, processed_entries, seconds, Lake(layout.lake))
        return report


def _run_stages(
    layout: Layout, drafts: Sequence[DocumentDraft], settings: Settings, publisher: RunPublisher
) -> tuple[tuple[StageCost, ...], tuple[StageCost, ...]]:
    """Run the stages; if the settings ask for it, publish the finished documents every few minutes.

    Returns the costs of the stages in total, and those since the last of these publications.
    """
    interval = 60 * settings.ingest.publish_every
    with open_stages(layout, drafts, settings) as stages:
        if not interval or not publisher.can_publish_portions:
            costs = stages(drafts)
            return costs, costs
        portion_observer = PortionObserver(get_observer(), drafts)
        costs_since: tuple[StageCost, ...] = ()
        finished_drafts: list[DocumentDraft] = []
        last_publication = monotonic()
        with observe_runs(portion_observer):
            for portion in split_portions(drafts, interval):
                portion_observer.start_portion(portion)
                costs_since = add_costs(costs_since, stages(portion))
                portion_observer.finish_portion()
                finished_drafts += portion
                if len(finished_drafts) < len(drafts) and monotonic() >= last_publication + interval:
                    finished_sources = {draft.file.source for draft in finished_drafts}
                    waiting = [draft for draft in drafts if draft.file.source not in finished_sources]
                    _, run = publisher.publish(finished_drafts, costs_since, waiting)
                    record_publication(run)
                    get_observer().on_published(run.generation, finished_sources, len(drafts))
                    costs_since, last_publication = (), monotonic()
        return portion_observer.report_costs(), costs_since


def _describe_unembedded(lake: Lake, drafts: Sequence[DocumentDraft], settings: Settings) -> str:
    """A line about the passages of a run that have no vectors, as the model does not read them; empty without any."""
    embedded_outputs = [draft.outputs for draft in drafts if "embed" in draft.outputs]
    files = {outputs["chunk"].file: set[str]() for outputs in embedded_outputs}
    for outputs in embedded_outputs:
        files[outputs["chunk"].file].add(outputs["chunk"].key)
    embedded_ids = set[str]()
    for file in {outputs["embed"].file for outputs in embedded_outputs}:
        embedded_ids.update(read_parquet(lake.get_path("embeddings", file), ["chunk_id"])["chunk_id"].to_pylist())
    count, scripts = 0, Counter[str]()
    for file, keys in files.items():
        table = read_parquet(lake.get_path("chunks", file), ["key", "chunk_id"])
        pairs = zip(table["key"].to_pylist(), table["chunk_id"].to_pylist(), strict=True)
        rows = [row for row, (key, chunk_id) in enumerate(pairs) if key in keys and chunk_id not in embedded_ids]
        if rows:
            count += len(rows)
            texts = read_parquet(lake.get_path("chunks", file), ["text"])["text"]
            scripts.update(find_main_script(texts[row].as_py()) for row in rows[:SAMPLED_PASSAGES])
    if not count:
        return ""
    script = scripts.most_common(1)[0][0]
    words = "Chinese characters" if script == "CJK" else f"{script.capitalize()} script"
    return (
        f"{format_count(count, 'passage')} in {words} {'is' if count == 1 else 'are'} found by words alone, as the "
        f"model '{settings.embed.model}' does not read that script; to find them by meaning too, set embed.model to a "
        "multilingual model (sentence:FOLDER or server:URL#MODEL)"
    )


def _build_report(
    plan: IngestPlan,
    entries: Sequence[CatalogEntry],
    drafts: Sequence[DocumentDraft],
    number: int | None,
    costs: tuple[StageCost, ...],
    seconds: float,
) -> IngestReport:
    counts, processed_sources = compute_counts(entries), {draft.file.source for draft in drafts}
    return IngestReport(
        generation=number,
        files=counts.files,
        attachments=sum(1 for _ in list_attachments(plan.roots)),
        documents=counts.documents,
        chunks=counts.passages,
        counts={action.value: count for action, count in plan.counts.items() if count},
        unreadable={entry.file.source: entry.reason for entry in entries if entry.status is not Status.PUBLISHED},
        failures=tuple(_list_new_failures(plan, entries, drafts)),
        warnings=(*plan.warnings, *list_warnings(entry for entry in entries if entry.file.source in processed_sources)),
        withheld={folder.root: len(folder.documents) for folder in plan.withheld},
        stages=costs,
        seconds=seconds,
    )


def _list_new_failures(
    plan: IngestPlan, entries: Sequence[CatalogEntry], drafts: Sequence[DocumentDraft]
) -> Iterator[IngestFailure]:
    """The documents that failed in this run and had not failed in the same way before."""
    previous_entries = (file.previous for file in plan.files if file.previous)
    known_failures = {(entry.file.source, entry.reason): entry.file.sha256 for entry in previous_entries}
    problems = {draft.file.source: draft.problem for draft in drafts}
    planned_sources = {file.source for file in plan.files}
    for entry in entries:
        source, reason = entry.file.source, entry.reason
        is_known = known_failures.get((source, reason)) == entry.file.sha256
        if entry.status is Status.PUBLISHED or is_known or source not in planned_sources:
            continue
        problem, stage = problems.get(source), ""
        if problem and problem.is_internal:
            reason, stage = problem.reason, problem.stage
        yield IngestFailure(source, reason, stage, entry.status is Status.STALE)


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
    unpublished_entries = [entry for entry in entries if is_logging() and entry.status is not Status.PUBLISHED]
    codes = {name: problem.code for name, problem in problems.items()}
    for entry in unpublished_entries:
        failure = entry.failure
        if failure and entry.document_id not in codes:
            findings = lake.read("findings", Finding, {failure.key: failure.file})[failure.key]
            codes[entry.document_id] = next(
                (finding.code for finding in findings if finding.severity is Severity.ERROR), ""
            )
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
