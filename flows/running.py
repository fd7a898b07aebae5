"""The stages of one run, in order, over the documents that need them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from time import monotonic

from flows.drafts import Draft
from flows.observing import observer
from tasks.contract import Item, Stage
from tasks.pipeline import STAGES
from tasks.stages import batches, submit, trouble_of
from warehouse.errors import BadWarehouse
from warehouse.records import Content, Output, StageCost
from warehouse.settings import Settings
from warehouse.store.generations import retained
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.parquet import read_parquet

REMEMBERED_GENERATIONS = 8
WITHOUT_TEXT = tuple(name for name in Content.__dataclass_fields__ if name != "text")


def run_stages(layout: Layout, drafts: Sequence[Draft], settings: Settings) -> tuple[StageCost, ...]:
    """Bring every draft as far as it will go. Outputs that the lake has already are taken from there."""
    lake = Lake(layout.lake)
    known = known_outputs(layout)
    costs = []
    for stage in STAGES:
        started = monotonic()
        ready = [draft for draft in drafts if draft.active or stage.name == "parse"]
        worked = _run_stage(stage, ready, known, lake, settings)
        if stage.name == "parse":
            _take_contents(lake, [draft for draft in ready if "parse" in draft.outputs and not draft.active])
        cost = StageCost(stage.name, worked, monotonic() - started)
        observer().stage_finished(cost)
        costs.append(cost)
    return tuple(costs)


def known_outputs(layout: Layout) -> dict[tuple[str, str], str]:
    """The lake file of each (stage, key) that one of the latest generations stood on; a damaged one knows nothing.

    Those of the other warehouses that share the lake count as well.
    """
    known: dict[tuple[str, str], str] = {}
    for folder in chain.from_iterable(retained(each)[-REMEMBERED_GENERATIONS:] for each in layout.sharers):
        try:
            listed = read_parquet(folder / "documents.parquet", ["outputs"])["outputs"].to_pylist()
        except BadWarehouse:
            continue
        for output in chain.from_iterable(listed):
            stage = "parse" if output["stage"] == "refused" else output["stage"]
            known[stage, output["key"]] = output["file"]
    return known


def _run_stage(
    stage: Stage, drafts: Iterable[Draft], known: dict[tuple[str, str], str], lake: Lake, settings: Settings
) -> int:
    waiting: dict[str, list[Draft]] = {}
    complete = cache(lambda file: lake.has(stage.tables, file))
    for draft in drafts:
        if stage.name in draft.outputs:
            continue
        key = draft.key(stage, settings)
        file = known.get((stage.name, key))
        if file is not None and complete(file):
            draft.outputs[stage.name] = Output(stage.name, key, file)
        else:
            waiting.setdefault(key, []).append(draft)
    observer().stage_started(stage.name, len(waiting))
    items = [sharers[0].item(stage, key) for key, sharers in waiting.items()]
    return _run_batches(stage, items, waiting, lake.folder, settings)


def _run_batches(
    stage: Stage, items: Sequence[Item], waiting: dict[str, list[Draft]], lake: Path, settings: Settings
) -> int:
    """How many documents were worked on; those of batches that a killed run had finished are not."""
    worked = 0
    running = [(batch, submit(stage, batch, lake, settings)) for batch in batches(items, settings.batch)]
    for batch, future in running:
        result = future.result()
        trouble = trouble_of(result)
        for item in batch:
            for draft in waiting[item.key]:
                if item.key in trouble:
                    draft.trouble = trouble[item.key]
                else:
                    draft.outputs[stage.name] = Output(stage.name, item.key, result["file"])
        worked += 0 if future.state.name == "Cached" else len(batch)
        observer().stage_advanced(stage.name, len(batch))
    return worked


def _take_contents(lake: Lake, drafts: Sequence[Draft]) -> None:
    places = {draft.outputs["parse"].key: draft.outputs["parse"].file for draft in drafts}
    contents = lake.read("contents", Content, places, WITHOUT_TEXT)
    for draft in drafts:
        output = draft.outputs.pop("parse")
        draft.take_content(contents[output.key][0], output)
