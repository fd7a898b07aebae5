"""The flow `ingest`: look at the files, do what is new, publish one generation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pyarrow.parquet as pq
from prefect import flow
from prefect.runtime import flow_run

from flows.crashed import alive, bury
from flows.drafts import Draft, draft_of, finished, trouble_findings, unreadable
from flows.guarding import Removal
from flows.journaling import failed, journaled, published
from flows.lock import writing
from flows.maintaining.renewing import upgrade
from flows.observing import observer
from flows.planning import Action, Plan, make_plan
from flows.report import Report
from flows.running import hand_over, run_stages
from flows.serving.artifacts import keep_ingest
from tasks.contract import Trouble
from tasks.embedders.choosing import embedder
from tasks.temporal.company_calendars import with_company_calendars
from warehouse.records import Holding, Run, StageCost, Status
from warehouse.settings import Settings, load, values
from warehouse.store.generations import Generation, latest, next_number
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.publishing import publish


@flow(name="ingest", validate_parameters=False)
def ingest(
    paths: Sequence[str] = (),
    drop: Sequence[str] = (),
    settings: Settings | None = None,
    removal: Removal = Removal.NAMED,
    patience: float = 0.0,
) -> Report:
    """Ingest the declared roots, or the paths named; forget the roots to drop with their documents.

    `removal` says which documents that vanished may leave in great number.
    Raises `BadInput` when there is nothing to look at and `Busy` when another process writes for longer than `patience`
    seconds.
    """
    chosen = settings or load()
    layout = Layout(chosen.warehouse)
    started, clock = datetime.now(UTC), monotonic()
    with journaled(chosen, "ingest", str(flow_run.id)), alive(layout, str(flow_run.id)), writing(layout, patience):
        bury(layout)
        generation = latest(layout)
        if generation and generation.manifest.older:
            upgrade(layout)
            generation = latest(layout)
        plan = make_plan(chosen, generation, [Path(path) for path in paths], drop, Removal(removal))
        observer().planned(plan)
        if plan.idle and generation:
            report = _report(plan, _holdings(layout, plan, ()), None, (), monotonic() - clock)
            keep_ingest(report, (), {}, Lake(layout.lake))
            return report
        drafts = [draft for step in plan.steps if (draft := draft_of(step, chosen))]
        costs = run_stages(layout, drafts, chosen)
        holdings = _holdings(layout, plan, drafts)
        hand_over(layout, holdings, chosen)
        clock_publish = monotonic()
        run = _run(chosen, generation, plan, holdings, started, monotonic() - clock, costs, next_number(layout))
        troubles = _troubles(plan, drafts, holdings)
        seconds = {draft.file.source: draft.seconds for draft in drafts}
        worked = [holding for holding in holdings if holding.file.source in seconds]
        failed(worked, troubles, Lake(layout.lake))
        findings = trouble_findings(troubles)
        publish(layout, generation, holdings, findings, plan.roots, run, embedder(chosen.embed.model).dimension)
        published(run)
        costs = (*costs, StageCost("publish", len(holdings), monotonic() - clock_publish))
        observer().stage_finished(costs[-1])
        report = _report(plan, holdings, run.generation, costs, monotonic() - clock)
        keep_ingest(report, worked, seconds, Lake(layout.lake))
        return report


def _holdings(layout: Layout, plan: Plan, drafts: Sequence[Draft]) -> list[Holding]:
    """Every document of the new generation, in order of source."""
    counts = _chunk_counts(Lake(layout.lake), drafts)
    drafted = {draft.file.source: draft for draft in drafts}
    found = list(plan.untouched)
    for step in plan.steps:
        if step.source in drafted:
            draft = drafted[step.source]
            found.append(finished(draft, counts.get(draft.file.source, 0)))
        elif step.action is Action.UNREADABLE:
            found.append(unreadable(step, step.reason, None, passing=True))
        elif step.previous and step.action is Action.KEPT:
            found.append(replace(step.previous, file=step.file or step.previous.file))
    declared = {root.name: root.fiscal_year_end for root in plan.roots}
    return with_company_calendars(sorted(found, key=lambda holding: holding.file.source), declared)


def _chunk_counts(lake: Lake, drafts: Sequence[Draft]) -> dict[str, int]:
    outputs = {draft.file.source: draft.outputs["chunk"] for draft in drafts if "chunk" in draft.outputs}
    counts: dict[str, int] = {}
    for name in {output.file for output in outputs.values()}:
        for pair in pq.read_table(lake.path("chunks", name), columns=["key"])["key"].value_counts().to_pylist():
            counts[pair["values"]] = pair["counts"]
    return {source: counts.get(output.key, 0) for source, output in outputs.items()}


def _troubles(plan: Plan, drafts: Sequence[Draft], holdings: Sequence[Holding]) -> dict[str, Trouble]:
    """What no stage output records: passing trouble of this run, and that of documents it did not look at."""
    ids = {holding.file.source: holding.document_id for holding in holdings}
    found = {d.file.source: d.trouble for d in drafts if d.trouble}
    for holding in holdings:
        if holding.status is not Status.PUBLISHED and holding.output("refused") is None:
            found.setdefault(holding.file.source, Trouble("DOC001", "unreadable-file", holding.reason))
    return {ids[source]: trouble for source, trouble in found.items()}


def _run(
    settings: Settings,
    generation: Generation | None,
    plan: Plan,
    holdings: Sequence[Holding],
    started: datetime,
    seconds: float,
    costs: tuple[StageCost, ...],
    number: int,
) -> Run:
    return Run(
        generation=number,
        flow_run=str(flow_run.id or ""),
        started=started,
        seconds=seconds,
        settings=json.dumps(values(settings), sort_keys=True),
        model=embedder(settings.embed.model).model,
        documents=len(holdings),
        chunks=sum(holding.chunk_count for holding in holdings),
        new=plan.counts[Action.NEW] + plan.counts[Action.RENAMED],
        changed=plan.counts[Action.CHANGED] + plan.counts[Action.RESTAGED],
        gone=plan.counts[Action.GONE],
        stages=costs,
    )


def _report(
    plan: Plan, holdings: Sequence[Holding], number: int | None, costs: tuple[StageCost, ...], seconds: float
) -> Report:
    return Report(
        generation=number,
        documents=sum(holding.status is not Status.UNREADABLE for holding in holdings),
        chunks=sum(holding.chunk_count for holding in holdings),
        counts={action.value: count for action, count in plan.counts.items() if count},
        unreadable={h.file.source: h.reason for h in holdings if h.status is not Status.PUBLISHED},
        warnings=plan.warnings,
        withheld={each.root: len(each.documents) for each in plan.withheld},
        stages=costs,
        seconds=seconds,
    )
