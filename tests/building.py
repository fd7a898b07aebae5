"""A small warehouse for a test, made by the stages and published, without Prefect."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from filelock import FileLock

from flows.drafts import DocumentDraft, build_unreadable_entry, finish_draft, make_draft, record_corrections
from flows.planning import IngestPlan, make_plan, update_correction_sources
from flows.progress import Action
from tasks.embedders.embedder import open_embedder
from tasks.pipeline import STAGES
from tasks.stage_contract import perform
from tasks.temporal.document import with_company_calendars
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Chunk, Content, Output, Run
from warehouse.settings.loader import Settings, load_settings
from warehouse.store.catalog import write_empty_files
from warehouse.store.generations import compute_next_number, find_current
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.publishing import publish

DAY = datetime(2025, 11, 22, 3, 0, tzinfo=UTC)
SHARED = "FOLDER_OF_ALL_TESTS"  # The environment variable that names what `shared_folder` gives.
SAMPLES = Path(__file__).parents[1] / "samples"
SMALL_SETTINGS = {"embed": {"model": "hashing"}, "entities": {"kinds": ()}, "parse": {"processes": 1}}
"""No model loads: vectors are of the embedder `hashing`, and no names are tagged."""


def build_warehouse(folder: Path, sources: Path, /, **settings: Any) -> Warehouse:
    """Publish the files of `sources` as the next generation of the warehouse in `folder`.

    `settings` overrides `SMALL_SETTINGS` and all else. A first generation of samples is a copy of one that is built
    once.
    """
    chosen = load_settings({"warehouse": folder, **SMALL_SETTINGS, **settings})
    if sources.is_relative_to(SAMPLES) and not find_current(Layout(chosen.warehouse)):
        built = _built_samples(sources, chosen.model_copy(update={"warehouse": Path()}).model_dump_json())
        shutil.copytree(built, chosen.warehouse, symlinks=True, dirs_exist_ok=True)
        return Warehouse(chosen.warehouse)
    return _publish_files(chosen, sources)


@cache
def _built_samples(sources: Path, settings: str) -> Path:
    """A warehouse of samples, to be copied: the first process of a run of tests that needs it builds it for all."""
    folder = shared_folder() / digest(str(sources), settings)
    with FileLock(f"{folder}.lock"):
        if not find_current(Layout(folder)):
            shutil.rmtree(folder, ignore_errors=True)
            _publish_files(Settings.model_validate_json(settings).model_copy(update={"warehouse": folder}), sources)
    return folder


def count_findings(warehouse: Warehouse) -> list[dict[str, Any]]:
    """How often each rule was found, by severity: rows of `code`, `name`, `severity`, `count`, most frequent first."""
    sql = "SELECT code, name, severity, count(*) AS count FROM findings GROUP BY ALL ORDER BY count DESC, code"
    return warehouse.snapshot.query_records(sql)


def copy_made(make: Callable[[Path], object], target: Path) -> None:
    """Have in `target` what `make` makes in a folder, documents and their warehouse: it is made once and copied."""
    made = _make_once(make)
    shutil.copytree(made, target, symlinks=True, dirs_exist_ok=True)
    for manifest in target.glob("*/generations/*/manifest.json"):
        manifest.write_text(manifest.read_text("utf-8").replace(f'"{made}/', f'"{target}/'), "utf-8")


@cache
def _make_once(make: Callable[[Path], object]) -> Path:
    folder = Path(mkdtemp(dir=shared_folder()))
    make(folder)
    return folder


@cache
def shared_folder() -> Path:
    """A folder of this run of tests, the same for all of its processes, which `conftest` makes and removes.

    Where no tests are run, as for fuzzing, it is one of this process.
    """
    if SHARED not in os.environ:
        folder = os.environ[SHARED] = mkdtemp(prefix="kalends-tests-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(os.environ[SHARED]).resolve()


@cache
def _empty_lake() -> Path:
    """The files without rows that each lake has, to be copied: writing them is a tenth of a small warehouse."""
    lake = Lake(Path(mkdtemp(dir=shared_folder())))
    write_empty_files(lake, 1)
    shutil.rmtree(lake.folder / "vectors")  # A lake that has vectors has no such file of them.
    return lake.folder


def _publish_files(chosen: Settings, sources: Path) -> Warehouse:
    layout, lake = Layout(chosen.warehouse), Lake(chosen.warehouse / "lake")
    layout.make_folder()
    previous = find_current(layout)
    if not layout.lake.exists():
        shutil.copytree(_empty_lake(), layout.lake, copy_function=shutil.copyfile)
    plan = make_plan(chosen, previous, [sources])
    update_correction_sources(layout, plan)
    drafts = {draft.file.source: draft for planned in plan.files if (draft := make_draft(planned, chosen))}
    _work(list(drafts.values()), lake, chosen)
    entries = _holdings(plan, drafts, lake)
    run = _run(chosen, plan, entries, compute_next_number(layout))
    publish(layout, previous, entries, {}, plan.roots, run, open_embedder(chosen.embed.model).dimension)
    return Warehouse(layout.folder)


def _work(drafts: list[DocumentDraft], lake: Lake, settings: Settings) -> None:
    for draft in drafts:
        if "parse" in draft.outputs and not draft.is_active:
            parsed = draft.outputs["parse"]
            draft.set_content(lake.read("contents", Content, {parsed.key: parsed.file})[parsed.key][0], parsed)
            record_corrections(lake, draft)
    for stage in STAGES:
        waiting = [d for d in drafts if (d.is_active or stage.name == "parse") and stage.name not in d.outputs]
        if not waiting:
            continue
        # Files of equal content share a key, and a batch holds a key once.
        items = {key: draft.make_item(stage, key) for draft in waiting if (key := draft.make_key(stage, settings))}
        file, done = perform(stage, list(items.values()), lake, settings)
        for draft in waiting:
            key = draft.make_key(stage, settings)
            draft.problem = done.problems.get(key)
            if stage.name == "parse" and not draft.problem:
                content = lake.read("contents", Content, {key: file})[key][0]
                draft.set_content(content, Output("parse", key, file))
                record_corrections(lake, draft)
            elif not draft.problem:
                draft.outputs[stage.name] = Output(stage.name, key, file)


def _holdings(plan: IngestPlan, drafts: dict[str, DocumentDraft], lake: Lake) -> list[CatalogEntry]:
    found = list(plan.untouched_entries)
    for planned in plan.files:
        if planned.source in drafts:
            draft = drafts[planned.source]
            made = draft.outputs.get("chunk")
            count = len(lake.read("chunks", Chunk, {made.key: made.file})[made.key]) if made else 0
            found.append(finish_draft(draft, count))
        elif planned.action is Action.UNREADABLE:
            found.append(build_unreadable_entry(planned, planned.reason, None, passing=True))
        elif planned.action is Action.KEPT and planned.previous:
            found.append(replace(planned.previous, file=planned.file or planned.previous.file))
    declared = {root.name: root.fiscal_year_end for root in plan.roots}
    return with_company_calendars(sorted(found, key=lambda entry: entry.file.source), declared)


def _run(settings: Settings, plan: IngestPlan, entries: list[CatalogEntry], number: int) -> Run:
    return Run(
        generation=number,
        flow_run="",
        started=DAY,
        seconds=1.0,
        settings="{}",
        model=open_embedder(settings.embed.model).model,
        documents=len(entries),
        chunks=sum(entry.chunk_count for entry in entries),
        new=plan.counts[Action.NEW],
        changed=plan.counts[Action.CHANGED],
        gone=plan.counts[Action.GONE],
        published=DAY + timedelta(seconds=1),
    )
