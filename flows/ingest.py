"""The flow `ingest`: discover the files, process what is new or changed, publish one generation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pyarrow.parquet as pq
from prefect import flow
from prefect.runtime import flow_run

from flows.corrections import warnings_of
from flows.discovery import list_attachments
from flows.document_facts import document_id
from flows.drafts import DocumentDraft, draft_of, finish_draft, unreadable_entry, without_version
from flows.execution import run_stages, upload_outputs, write_failures
from flows.locks import mark_alive, mark_crashed, write_lock
from flows.maintenance import upgrade_warehouse
from flows.planning import IngestPlan, follow_sources, make_plan
from flows.progress import (
    Action,
    IngestFailure,
    IngestReport,
    observer,
    record_progress,
)
from flows.roots import Removal
from flows.run_journal import journal_run, record_failures, record_publication
from flows.service.artifacts import keep_ingest_artifacts
from tasks.embedders.embedder import embedder, main_script
from tasks.faults import UNREADABLE_FILE, DocumentProblem, failure
from tasks.pipeline import model_of
from tasks.quality.phrases import counted
from tasks.temporal.document import with_company_calendars
from warehouse.errors import StageError
from warehouse.records import CatalogEntry, Run, StageCost, Status
from warehouse.settings.loader import Settings, load, values
from warehouse.store.generations import Generation, latest, next_number
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.publishing import publish
from warehouse.store.works import counts_of

SAMPLED_PASSAGES = 20  # Of each batch, to see which script it is that the model does not read.


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
    """Ingest the declared roots, or the paths named; forget the roots to drop with their documents.

    `removal` says which documents that vanished may leave in great number. With `again` every file is read and worked
    on whatever the caches have; only vectors of the same text and model are kept.
    Raises `BadInput` when there is nothing to look at and `Busy` when another process writes for longer than `patience`
    seconds.
    """
    chosen = settings or load()
    layout = Layout(chosen.warehouse)
    started, clock = datetime.now(UTC), monotonic()
    run_id = str(flow_run.id)
    with (
        journal_run(chosen, "ingest", run_id),
        mark_alive(layout, run_id),
        write_lock(layout, patience, observer().waiting),
        record_progress(layout),
    ):
        mark_crashed(layout)
        generation = latest(layout)
        if generation and generation.manifest.older:
            upgrade_warehouse(layout)
            generation = latest(layout)
        mark = f"{started:%Y%m%dT%H%M%S%f}" if again else ""
        plan = make_plan(chosen, generation, [Path(path) for path in paths], drop, Removal(removal), mark)
        follow_sources(layout, plan)
        observer().planned(plan)
        if plan.idle and generation:
            entries = _new_entries(layout, plan, (), generation, chosen, {})
            report = _report(plan, entries, (), None, (), monotonic() - clock)
            keep_ingest_artifacts(report, (), {}, Lake(layout.lake))
            return report
        drafts = [draft for planned_file in plan.files if (draft := draft_of(planned_file, chosen))]
        costs = run_stages(layout, drafts, chosen)
        clock_publish = monotonic()
        run = _run(chosen, plan, started, costs, next_number(layout))
        entries, run = _publish(layout, generation, plan, drafts, chosen, run, clock)
        costs = (*costs, StageCost("publish", len(entries), monotonic() - clock_publish))
        observer().stage_finished(costs[-1])
        seconds = {draft.file.source: draft.seconds for draft in drafts}
        worked = [entry for entry in entries if entry.file.source in seconds]
        record_failures(worked, _problems(drafts, entries), Lake(layout.lake))
        record_publication(run)
        report = _report(plan, entries, drafts, run.generation, costs, monotonic() - clock)
        report = replace(report, without_vectors=_without_vectors(Lake(layout.lake), drafts, chosen))
        keep_ingest_artifacts(report, worked, seconds, Lake(layout.lake))
        return report


def _publish(
    layout: Layout,
    generation: Generation | None,
    plan: IngestPlan,
    drafts: Sequence[DocumentDraft],
    settings: Settings,
    run: Run,
    clock: float,
) -> tuple[list[CatalogEntry], Run]:
    """Publish what the drafts have become. A document that cannot be published costs itself, as in every stage."""
    lake, by_id = Lake(layout.lake), {document_id(draft.file.source): draft for draft in drafts}
    left_out: dict[str, str] = {}
    while True:
        try:
            entries = _new_entries(layout, plan, drafts, generation, settings, left_out)
            if write_failures(lake, drafts, settings):
                continue
            upload_outputs(layout, entries, settings)
            run = replace(
                run,
                seconds=monotonic() - clock,
                documents=len(entries),
                chunks=sum(entry.chunk_count for entry in entries),
            )
            problems = _problems(drafts, entries)
            findings = {document: (problem.finding,) for document, problem in problems.items()}
            publish(layout, generation, entries, findings, plan.roots, run, embedder(settings.embed.model).dimension)
        except StageError as error:
            draft, reason = by_id.get(error.document), failure(error.stage, error.reason)
            if draft and not draft.problem:
                draft.problem = reason
            elif error.document not in left_out:
                left_out[error.document] = reason.message
            else:
                raise
        else:
            return entries, run


def _new_entries(
    layout: Layout,
    plan: IngestPlan,
    drafts: Sequence[DocumentDraft],
    generation: Generation | None,
    settings: Settings,
    left_out: Mapping[str, str],
) -> list[CatalogEntry]:
    """Every document of the new generation, in order of source; `left_out` gives the reason by document."""
    counts = _chunk_counts(Lake(layout.lake), drafts)
    drafted = {draft.file.source: draft for draft in drafts}
    found = list(plan.untouched)
    for each in plan.files:
        if each.source in drafted:
            found.append(finish_draft(drafted[each.source], counts.get(each.source, 0)))
        elif each.action is Action.UNREADABLE:
            found.append(unreadable_entry(each, each.reason, None, passing=True))
        elif each.previous and each.action is Action.KEPT:
            found.append(replace(each.previous, file=each.file or each.previous.file))
    if generation and generation.manifest.model != model_of(settings):
        # A last good version that has vectors of the old model cannot stay.
        before = {entry.document_id: entry.output("embed") for entry in generation.entries()}
        for index, entry in enumerate(found):
            if (made := entry.output("embed")) and made == before.get(entry.document_id):
                found[index] = without_version(entry)
    for index, entry in enumerate(found):
        if entry.document_id in left_out:
            found[index] = without_version(replace(entry, reason=left_out[entry.document_id]))
    declared = {root.name: root.fiscal_year_end for root in plan.roots}
    return with_company_calendars(sorted(found, key=lambda entry: entry.file.source), declared)


def _chunk_counts(lake: Lake, drafts: Sequence[DocumentDraft]) -> dict[str, int]:
    outputs = {draft.file.source: draft.outputs["chunk"] for draft in drafts if "chunk" in draft.outputs}
    counts: dict[str, int] = {}
    for name in {output.file for output in outputs.values()}:
        for pair in pq.read_table(lake.path("chunks", name), columns=["key"])["key"].value_counts().to_pylist():
            counts[pair["values"]] = pair["counts"]
    return {source: counts.get(output.key, 0) for source, output in outputs.items()}


def _without_vectors(lake: Lake, drafts: Sequence[DocumentDraft], settings: Settings) -> str:
    """A line about the passages of a run that have no vectors, as the model does not read them; empty without any."""
    made = [draft.outputs for draft in drafts if "embed" in draft.outputs]
    files = {outputs["chunk"].file: set[str]() for outputs in made}
    for outputs in made:
        files[outputs["chunk"].file].add(outputs["chunk"].key)
    embedded = set[str]()
    for file in {outputs["embed"].file for outputs in made}:
        embedded.update(pq.read_table(lake.path("embeddings", file), columns=["chunk_id"])["chunk_id"].to_pylist())
    count, scripts = 0, Counter[str]()
    for file, keys in files.items():
        table = pq.read_table(lake.path("chunks", file), columns=["key", "chunk_id"])
        pairs = zip(table["key"].to_pylist(), table["chunk_id"].to_pylist(), strict=True)
        if missing := [chunk_id for key, chunk_id in pairs if key in keys and chunk_id not in embedded]:
            count += len(missing)
            texts = pq.read_table(
                lake.path("chunks", file), columns=["text"], filters=[("chunk_id", "in", missing[:SAMPLED_PASSAGES])]
            )
            scripts.update(map(main_script, texts["text"].to_pylist()))
    if not count:
        return ""
    script = scripts.most_common(1)[0][0]
    words = "Chinese characters" if script == "CJK" else f"{script.capitalize()} script"
    return (
        f"{counted(count, 'passage')} in {words} {'is' if count == 1 else 'are'} found by words alone, as the model "
        f"'{settings.embed.model}' does not read that script; to find them by meaning too, set embed.model to a "
        "multilingual model (sentence:FOLDER or server:URL#MODEL)"
    )


def _problems(drafts: Sequence[DocumentDraft], entries: Sequence[CatalogEntry]) -> dict[str, DocumentProblem]:
    """What no stage output records: passing problems of this run, and those of documents it did not look at."""
    passing = {draft.file.source: draft.problem for draft in drafts if draft.problem and draft.problem.passing}
    found = {}
    for entry in entries:
        if entry.status is not Status.PUBLISHED and entry.failure is None:
            unread = DocumentProblem("parse", UNREADABLE_FILE.code, UNREADABLE_FILE.name, entry.reason, passing=True)
            found[entry.document_id] = passing.get(entry.file.source, unread)
    return found


def _run(settings: Settings, plan: IngestPlan, started: datetime, costs: tuple[StageCost, ...], number: int) -> Run:
    return Run(
        generation=number,
        flow_run=str(flow_run.id or ""),
        started=started,
        seconds=0.0,
        settings=json.dumps(values(settings), sort_keys=True),
        model=model_of(settings),
        documents=0,
        chunks=0,
        new=plan.counts[Action.NEW],
        changed=sum(plan.counts[each] for each in (Action.CHANGED, Action.RENAMED, Action.RESTAGED, Action.CORRECTED)),
        gone=plan.counts[Action.GONE],
        stages=costs,
    )


def _report(
    plan: IngestPlan,
    entries: Sequence[CatalogEntry],
    drafts: Sequence[DocumentDraft],
    number: int | None,
    costs: tuple[StageCost, ...],
    seconds: float,
) -> IngestReport:
    counts, worked = counts_of(entries), {draft.file.source for draft in drafts}
    return IngestReport(
        generation=number,
        files=counts.files,
        attachments=sum(1 for _ in list_attachments(plan.roots)),
        documents=counts.documents,
        chunks=counts.passages,
        counts={action.value: count for action, count in plan.counts.items() if count},
        unreadable={h.file.source: h.reason for h in entries if h.status is not Status.PUBLISHED},
        failures=tuple(_failures(plan, entries, drafts)),
        warnings=(*plan.warnings, *warnings_of(entry for entry in entries if entry.file.source in worked)),
        withheld={each.root: len(each.documents) for each in plan.withheld},
        stages=costs,
        seconds=seconds,
    )


def _failures(
    plan: IngestPlan, entries: Sequence[CatalogEntry], drafts: Sequence[DocumentDraft]
) -> Iterator[IngestFailure]:
    """The documents that failed in this run and had not failed in the same way before."""
    before = (each.previous for each in plan.files if each.previous)
    known = {(entry.file.source, entry.reason): entry.file.sha256 for entry in before}
    problems = {draft.file.source: draft.problem for draft in drafts}
    looked_at = {each.source for each in plan.files}
    for entry in entries:
        source, reason = entry.file.source, entry.reason
        is_known = known.get((source, reason)) == entry.file.sha256
        if entry.status is Status.PUBLISHED or is_known or source not in looked_at:
            continue
        problem, stage = problems.get(source), ""
        if problem and problem.is_internal:
            reason, stage = problem.reason, problem.stage
        yield IngestFailure(source, reason, stage, entry.status is Status.STALE)
