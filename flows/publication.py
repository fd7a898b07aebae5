"""Publication of a run: what its drafts have become, all at its end or as far as they are, as a whole generation.

A publication before the end holds every document as it was before the run but for those that are done by then, and a
document whose file is gone no longer. So readers see the old version of a document or the new one, a run that is killed
keeps what it has published, and the next one goes on from there. What depends on all documents, as a company's fiscal
calendar, is found anew each time, and so is right at the end.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
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
from flows.progress import Action
from tasks.embedders.embedder import open_embedder
from tasks.faults import UNREADABLE_FILE, DocumentProblem, make_failure
from tasks.pipeline import get_model_identity
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
        started: datetime,
        clock: float,
    ) -> None:
        """`generation` is that of the plan; `clock` is the reading of the monotonic clock at `started`."""
        self._layout, self._settings, self._plan = layout, settings, plan
        self._before, self._started, self._clock = generation, started, clock
        self._published = generation
        self._counted: set[str] = set()

    @property
    def is_partly(self) -> bool:
        """Whether some documents can be published before the others are done.

        Not where what is published has vectors of another model, which cannot stand beside new ones, or is damaged.
        """
        if self._before is None:
            return True
        return self._before.manifest.model == get_model_identity(self._settings) and self._plan.damage is None

    def publish(
        self, drafts: Sequence[DocumentDraft], costs: tuple[StageCost, ...], waiting: Sequence[DocumentDraft] = ()
    ) -> tuple[list[CatalogEntry], Run]:
        """Publish what the drafts have become, but for those that are `waiting`; `costs` are those since the last time.

        A document that cannot be published costs itself, as in every stage.
        """
        lake, by_id = Lake(self._layout.lake), {make_document_id(draft.file.source): draft for draft in drafts}
        unfinished = {draft.file.source for draft in waiting}
        run = self._build_run(costs, unfinished)
        left_out: dict[str, str] = {}
        while True:
            try:
                entries = self.build_entries(drafts, unfinished, left_out)
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
                self._published = publish(
                    self._layout, self._published, entries, findings, self._plan.roots, run, dimension
                )
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
        unfinished: Collection[str] = (),
        left_out: Mapping[str, str] | None = None,
    ) -> list[CatalogEntry]:
        """Every document of the generation to come, in order of source.

        Those whose sources are `unfinished` are as they were; `left_out` gives the reason by document.
        """
        counts = _count_chunks(Lake(self._layout.lake), drafts)
        drafted = {draft.file.source: draft for draft in drafts}
        found = list(self._plan.untouched)
        for each in self._plan.files:
            if each.source in unfinished:
                found.extend(self._list_previous(each))
            elif each.source in drafted:
                found.append(finish_draft(drafted[each.source], counts.get(each.source, 0)))
            elif each.action is Action.UNREADABLE:
                found.append(build_unreadable_entry(each, each.reason, None, passing=True))
            elif each.previous and each.action is Action.KEPT:
                found.append(replace(each.previous, file=each.file or each.previous.file))
        if self._before and self._before.manifest.model != get_model_identity(self._settings):
            # A last good version that has vectors of the old model cannot stay.
            before = {entry.document_id: entry.find_output("embed") for entry in self._before.read_entries()}
            for index, entry in enumerate(found):
                if (made := entry.find_output("embed")) and made == before.get(entry.document_id):
                    found[index] = without_version(entry)
        for index, entry in enumerate(found):
            if left_out and entry.document_id in left_out:
                found[index] = without_version(replace(entry, reason=left_out[entry.document_id]))
        declared = {root.name: root.fiscal_year_end for root in self._plan.roots}
        return with_company_calendars(sorted(found, key=lambda entry: entry.file.source), declared)

    def _list_previous(self, planned: PlannedFile) -> list[CatalogEntry]:
        """A document that the run has not come to: as it was, renamed under its old name, nothing if it is new."""
        entry = self._by_source.get(planned.moved_from or planned.source)
        return [entry] if entry else []

    @cached_property
    def _by_source(self) -> Mapping[str, CatalogEntry]:
        """The documents before the run."""
        return {entry.file.source: entry for entry in self._before.read_entries()} if self._before else {}

    def _build_run(self, costs: tuple[StageCost, ...], unfinished: Collection[str]) -> Run:
        """What is published now; a document counts in the run that publishes it first."""
        now = [each for each in self._plan.files if each.source not in unfinished and each.source not in self._counted]
        self._counted.update(each.source for each in now)
        counts = {action: sum(each.action is action for each in now) for action in Action}
        return Run(
            generation=compute_next_number(self._layout),
            flow_run=str(flow_run.id or ""),
            started=self._started,
            seconds=0.0,
            settings=json.dumps(flatten_settings(self._settings), sort_keys=True),
            model=get_model_identity(self._settings),
            documents=0,
            chunks=0,
            new=counts[Action.NEW],
            changed=sum(counts[each] for each in (Action.CHANGED, Action.RENAMED, Action.RESTAGED, Action.CORRECTED)),
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
    """What no stage output records: passing problems of this run, and those of documents it did not look at."""
    passing = {draft.file.source: draft.problem for draft in drafts if draft.problem and draft.problem.passing}
    found = {}
    for entry in entries:
        if entry.status is not Status.PUBLISHED and entry.failure is None:
            unread = DocumentProblem("parse", UNREADABLE_FILE.code, UNREADABLE_FILE.name, entry.reason, passing=True)
            found[entry.document_id] = passing.get(entry.file.source, unread)
    return found
