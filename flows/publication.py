"""Publication of the results of a run, all at its end or some before it, each time as a complete generation.

A publication before the end contains the finished documents in their new version and all others as they were before the
run, without those whose file is gone. So readers see the old version of a document or the new one, a run that is killed
keeps what it has published, and the next one continues from there. Values that depend on all documents, such as a
company's fiscal calendar, are computed again each time, and so are right at the end.

A run that publishes before its end takes some documents, a portion, through all stages before the others begin. The
smallest come first, so that many can be searched soon. A portion should take half of the time between two publications,
estimated from the time of the last portion for each byte. Its observers see one run over documents, not the stages of
each portion.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from time import monotonic

import pyarrow.parquet as pq
from prefect.runtime import flow_run

from flows.document_facts import make_document_id
from flows.drafts import DocumentDraft, build_unreadable_entry, finish_draft, without_version
from flows.execution import upload_outputs, write_failures
from flows.planning import IngestPlan, PlannedFile
from flows.progress import Action, RunObserver
from tasks.embedders.embedder import open_embedder
from tasks.faults import UNREADABLE_FILE, DocumentProblem, make_failure
from tasks.pipeline import get_model_identity
from tasks.stage_meter import BatchProgress, StageMeter, StageProgress
from tasks.temporal.document import with_company_calendars
from warehouse.errors import StageError
from warehouse.records import CatalogEntry, Run, StageCost, Status
from warehouse.settings.loader import Settings, flatten_settings
from warehouse.store.generations import Generation, compute_next_number
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.publishing import publish


class RunPublisher:
    """Publishes the generations of one run."""

    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        plan: IngestPlan,
        generation: Generation | None,
        start_time: datetime,
        clock: float,
    ) -> None:
        """`generation` is that of the plan; `clock` is the reading of the monotonic clock at `start_time`."""
        self._layout, self._settings, self._plan = layout, settings, plan
        self._base, self._start_time, self._clock = generation, start_time, clock
        self._latest = generation
        self._counted_sources: set[str] = set()

    @property
    def can_publish_portions(self) -> bool:
        """Whether some documents can be published before the others are done.

        Not if the published generation is damaged, or has vectors of another model, which cannot be mixed with new
        ones.
        """
        if self._base is None:
            return True
        return self._base.manifest.model == get_model_identity(self._settings) and self._plan.damage is None

    def publish(
        self, drafts: Sequence[DocumentDraft], costs: tuple[StageCost, ...], waiting: Sequence[DocumentDraft] = ()
    ) -> tuple[list[CatalogEntry], Run]:
        """Publish the drafts except those that are `waiting`; `costs` are those since the last publication.

        A document that cannot be published is left out and the others are published, as in every stage.
        """
        lake, by_id = Lake(self._layout.lake), {make_document_id(draft.file.source): draft for draft in drafts}
        open_sources = {draft.file.source for draft in waiting}
        run = self._build_run(costs, open_sources)
        left_out: dict[str, str] = {}
        while True:
            try:
                entries = self.build_entries(drafts, open_sources, left_out)
                if write_failures(lake, drafts, self._settings):
                    continue
                upload_outputs(self._layout, entries, self._settings)
                run = replace(
                    run,
                    seconds=monotonic() - self._clock,
                    documents=len(entries),
                    chunks=sum(entry.chunk_count for entry in entries),
                )
                problems = collect_problems(drafts, entries)
                findings = {document: (problem.finding,) for document, problem in problems.items()}
                dimension = open_embedder(self._settings.embed.model).dimension
                self._latest = publish(self._layout, self._latest, entries, findings, self._plan.roots, run, dimension)
            except StageError as error:
                draft, reason = by_id.get(error.document), make_failure(error.stage, error.reason)
                if draft and not draft.problem:
                    draft.problem = reason
                elif error.document not in left_out:
                    left_out[error.document] = reason.message
                else:
                    raise
            else:
                return entries, run

    def build_entries(
        self,
        drafts: Sequence[DocumentDraft],
        open_sources: Collection[str] = (),
        left_out: Mapping[str, str] | None = None,
    ) -> list[CatalogEntry]:
        """Every document of the next generation, in order of source.

        Those whose sources are `open_sources` are as they were; `left_out` gives the reason by document.
        """
        counts = _count_chunks(Lake(self._layout.lake), drafts)
        drafts_by_source = {draft.file.source: draft for draft in drafts}
        entries = list(self._plan.untouched_entries)
        for file in self._plan.files:
            if file.source in open_sources:
                entries.extend(self._list_previous(file))
            elif file.source in drafts_by_source:
                entries.append(finish_draft(drafts_by_source[file.source], counts.get(file.source, 0)))
            elif file.action is Action.UNREADABLE:
                entries.append(build_unreadable_entry(file, file.reason, None, passing=True))
            elif file.previous and file.action is Action.KEPT:
                entries.append(replace(file.previous, file=file.file or file.previous.file))
        if self._base and self._base.manifest.model != get_model_identity(self._settings):
            # A last good version that has vectors of the old model cannot stay.
            previous_outputs = {entry.document_id: entry.find_output("embed") for entry in self._base.read_entries()}
            for index, entry in enumerate(entries):
                if (output := entry.find_output("embed")) and output == previous_outputs.get(entry.document_id):
                    entries[index] = without_version(entry)
        for index, entry in enumerate(entries):
            if left_out and entry.document_id in left_out:
                entries[index] = without_version(replace(entry, reason=left_out[entry.document_id]))
        fiscal_year_ends = {root.name: root.fiscal_year_end for root in self._plan.roots}
        return with_company_calendars(sorted(entries, key=lambda entry: entry.file.source), fiscal_year_ends)

    def _list_previous(self, planned_file: PlannedFile) -> list[CatalogEntry]:
        """A document that the run has not reached: as it was, under its old name if renamed, nothing if it is new."""
        entry = self._by_source.get(planned_file.moved_from or planned_file.source)
        return [entry] if entry else []

    @cached_property
    def _by_source(self) -> Mapping[str, CatalogEntry]:
        """The documents before the run."""
        return {entry.file.source: entry for entry in self._base.read_entries()} if self._base else {}

    def _build_run(self, costs: tuple[StageCost, ...], open_sources: Collection[str]) -> Run:
        """The record of this publication; a document counts in the run that publishes it first."""
        skipped_sources = {*open_sources, *self._counted_sources}
        files = [file for file in self._plan.files if file.source not in skipped_sources]
        self._counted_sources.update(document.source for document in files)
        counts = {action: sum(document.action is action for document in files) for action in Action}
        return Run(
            generation=compute_next_number(self._layout),
            flow_run=str(flow_run.id or ""),
            started=self._start_time,
            seconds=0.0,
            settings=json.dumps(flatten_settings(self._settings), sort_keys=True),
            model=get_model_identity(self._settings),
            documents=0,
            chunks=0,
            new=counts[Action.NEW],
            changed=sum(
                counts[action] for action in (Action.CHANGED, Action.RENAMED, Action.RESTAGED, Action.CORRECTED)
            ),
            gone=counts[Action.GONE],
            stages=costs,
        )


def _count_chunks(lake: Lake, drafts: Sequence[DocumentDraft]) -> dict[str, int]:
    outputs = {draft.file.source: draft.outputs["chunk"] for draft in drafts if "chunk" in draft.outputs}
    counts: dict[str, int] = {}
    for name in {output.file for output in outputs.values()}:
        for pair in pq.read_table(lake.get_path("chunks", name), columns=["key"])["key"].value_counts().to_pylist():
            counts[pair["values"]] = pair["counts"]
    return {source: counts.get(output.key, 0) for source, output in outputs.items()}


def collect_problems(drafts: Sequence[DocumentDraft], entries: Sequence[CatalogEntry]) -> dict[str, DocumentProblem]:
    """The problems that no stage output records: passing ones of this run, and those of documents outside of it."""
    passing = {draft.file.source: draft.problem for draft in drafts if draft.problem and draft.problem.passing}
    fault = UNREADABLE_FILE
    problems = {}
    for entry in entries:
        if entry.status is not Status.PUBLISHED and entry.failure is None:
            default_problem = DocumentProblem("parse", fault.code, fault.name, entry.reason, passing=True)
            problems[entry.document_id] = passing.get(entry.file.source, default_problem)
    return problems


FIRST_PORTION_BYTES = 256 << 10  # The size of the first portion's files: notes and short reports take seconds.
MAX_PUBLISHING_SHARE = 0.5  # The share of the time between two publications that a portion may take.
MAX_GROWTH = 4  # The greatest factor between portions: small files are a poor estimate for large ones.
EVERYTHING = "documents"  # The name of the progress of a run by portions, instead of that of a stage.


def split_portions(drafts: Sequence[DocumentDraft], seconds: float) -> Iterator[list[DocumentDraft]]:
    """Portions of some drafts, with `seconds` between two publications."""
    waiting = sorted(drafts, key=lambda draft: draft.file.size)
    budget = float(FIRST_PORTION_BYTES)
    while waiting:
        portion = [waiting.pop(0)]
        size = portion[0].file.size
        while waiting and size + waiting[0].file.size <= budget:
            size += waiting[0].file.size
            portion.append(waiting.pop(0))
        started = monotonic()
        yield portion
        rate = size / max(monotonic() - started, 1e-3)
        budget = min(max(MAX_PUBLISHING_SHARE * seconds * rate, 1.0), MAX_GROWTH * max(size, FIRST_PORTION_BYTES))


class PortionObserver(RunObserver):
    """Reports the progress of a run by portions to `next_observer`, in documents that have passed all stages."""

    def __init__(self, next_observer: RunObserver, drafts: Sequence[DocumentDraft]) -> None:
        self.next_observer = next_observer
        self._meter = StageMeter(EVERYTHING, len(drafts), sum(draft.file.size for draft in drafts))
        self._costs: tuple[StageCost, ...] = ()
        next_observer.on_stage_started(EVERYTHING, len(drafts))

    def start_portion(self, portion: Sequence[DocumentDraft]) -> None:
        """Some documents begin."""
        self._meter.start_batch(len(portion), sum(draft.file.size for draft in portion))

    def finish_portion(self) -> None:
        """They have passed all stages."""
        self._meter.finish_batch(BatchProgress(), is_computed=True)
        super().on_stage_progressed(self._meter.measure_progress(BatchProgress()))

    def report_costs(self) -> tuple[StageCost, ...]:
        """Report the total cost of each stage."""
        for cost in self._costs:
            super().on_stage_finished(cost)
        return self._costs

    def on_stage_started(self, stage: str, documents: int) -> None:
        """The stage of a portion is not reported."""

    def on_stage_advanced(self, stage: str, documents: int) -> None:
        """A batch of a portion is not reported."""

    def on_stage_progressed(self, progress: StageProgress) -> None:
        """The progress of the run; the current document is that of the portion's stage."""
        stage_progress = self._meter.measure_progress(BatchProgress(0.0, progress.document))
        super().on_stage_progressed(replace(stage_progress, pages_second=progress.pages_second))

    def on_stage_finished(self, cost: StageCost) -> None:
        """Add the cost of a portion's stage."""
        self._costs = add_costs(self._costs, (cost,))


def add_costs(costs: Iterable[StageCost], added_costs: Iterable[StageCost]) -> tuple[StageCost, ...]:
    """The cost of each stage in both."""
    costs_by_stage: dict[str, StageCost] = {}
    for cost in (*costs, *added_costs):
        total = costs_by_stage.get(cost.stage, StageCost(cost.stage, 0, 0.0))
        documents, seconds = total.documents + cost.documents, total.seconds + cost.seconds
        costs_by_stage[cost.stage] = StageCost(cost.stage, documents, seconds)
    return tuple(costs_by_stage.values())
