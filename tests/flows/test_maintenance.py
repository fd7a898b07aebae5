"""Maintenance keeps what answers and what a reader may hold, and takes the rest, whenever it is killed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from flows import maintenance
from flows.execution import read_known_outputs
from flows.locks import write_lock
from flows.maintenance import MaintenanceReport, maintain_warehouse
from tasks.embedders.embedder import open_embedder
from tests.building import build_warehouse
from warehouse.errors import BadInput, BadWarehouse, NoWarehouse, WarehouseBusy
from warehouse.reader import Warehouse
from warehouse.records import Question
from warehouse.settings.loader import Settings, load_settings
from warehouse.store import compaction
from warehouse.store.catalog import write_empty_files
from warehouse.store.generations import list_folders, read_current
from warehouse.store.integrity import find_damage, find_lost_outputs
from warehouse.store.lake import REPLACED_NAMES_SUFFIX, Lake
from warehouse.store.layout import SHARED_LAKE, Layout
from warehouse.store.retention import Retention

NOTES = 4  # Files of each stage: those that a merge saves must be `MIN_SAVED_FILES`, lowered for these tests.
MIN_SAVED_FILES = NOTES - 1
TABLES = ("chunks", "mentions", "embeddings", "findings", "documents", "scores", "contents")
Everything = dict[str, list[tuple[Any, ...]]]


def told(house: Warehouse) -> Everything:
    """What a generation holds, whatever file it lies in."""
    return {table: sorted(house.snapshot.query_rows(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def hits(house: Warehouse) -> list[str]:
    text = "obelisk 7 weighs"
    return [hit.text for hit in house.search(Question(text, text, open_embedder("hashing").embed([text])[0]))]


def settings_of(folder: Path, **maintain: int) -> Settings:
    return load_settings({"warehouse": folder, "maintain": {"keep": 1, "days": 0, "grace": 0, **maintain}})


def note(docs: Path, number: int) -> None:
    (docs / f"{number}.md").write_text(f"# Note {number}\n\nObelisk {number} weighs {number} tons since March 2021.\n")


@pytest.fixture(autouse=True)
def _few_files_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "MIN_SAVED_FILES", MIN_SAVED_FILES)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse that had a run for each of its notes."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "docs").mkdir()
    for number in range(NOTES):
        note(folder / "docs", number)
        build_warehouse(folder / "house", folder / "docs")
    return folder


@pytest.fixture
def house(watched: Path, tmp_path: Path) -> Warehouse:
    """A copy to maintain."""
    shutil.copytree(watched / "house", tmp_path / "house", symlinks=True)
    return Warehouse(tmp_path / "house")


@pytest.fixture(scope="module")
def before(watched: Path) -> tuple[Everything, list[str]]:
    """What the warehouse holds and finds that is maintained."""
    return told(Warehouse(watched / "house")), hits(Warehouse(watched / "house"))


def maintained(house: Warehouse, *, dry_run: bool = False, **maintain: int) -> MaintenanceReport:
    return maintain_warehouse(settings_of(house.layout.folder, **maintain), dry_run=dry_run)


def files(layout: Layout) -> set[Path]:
    return {path for path in layout.folder.rglob("*") if path.is_file() and path.name != "ingest.lock"}


def test_small_files_become_few_and_say_the_same(house: Warehouse, before: tuple[Everything, list[str]]) -> None:
    done = maintained(house, grace=60)
    assert done.merged["chunk"] == (NOTES, 1)
    assert done.merged["vectors"] == (NOTES, 1)
    assert done.generation == NOTES + 1
    assert (told(house), hits(house)) == before
    assert find_damage(house.layout, read_current(house.layout)) is None
    assert house.snapshot.query_rows("SELECT count(*) FROM embeddings") == house.snapshot.query_rows(
        "SELECT count(*) FROM chunk_vectors"
    )


def test_nothing_is_computed_again_after_a_merge(house: Warehouse, watched: Path) -> None:
    maintained(house)
    written = files(Layout(house.layout.lake))
    again = build_warehouse(house.layout.folder, watched / "docs")
    assert files(Layout(house.layout.lake)) == written
    assert find_lost_outputs(again.layout, read_current(again.layout)) == frozenset()


def test_what_nothing_stands_on_goes(house: Warehouse, before: tuple[Everything, list[str]]) -> None:
    assert maintained(house).dropped == tuple(range(1, NOTES))
    # What the merge replaced was in use until then.
    done = maintained(house)
    assert done.dropped == (NOTES,)
    assert [folder.name for folder in list_folders(house.layout)] == [f"{NOTES + 1:06d}"]
    assert {path.stem for path in (house.layout.lake / "chunks").iterdir()} == {"none", *_chunk_files(house)}
    assert len(Lake(house.layout.lake).list_vector_files()) == 1
    assert told(house) == before[0]
    assert done.removed_amount.bytes > 0


def _chunk_files(house: Warehouse) -> set[str]:
    outputs = (each.find_output("chunk") for each in read_current(house.layout).read_entries())
    return {output.file for output in outputs if output}


def test_a_second_time_there_is_nothing_to_do(house: Warehouse) -> None:
    for _ in range(3):
        maintained(house)
    before = files(house.layout)
    done = maintained(house)
    assert not list((house.layout.lake / "vectors").glob(f"*{REPLACED_NAMES_SUFFIX}"))
    assert (done.generation, done.dropped, done.removed, done.merged) == (None, (), {}, {})
    assert files(house.layout) == before


def test_a_dry_run_changes_nothing_and_says_what_would_be(house: Warehouse) -> None:
    before = files(house.layout)
    done = maintained(house, dry_run=True)
    assert files(house.layout) == before
    assert done.merged["chunk"] == (NOTES, 1)
    assert done.dropped == tuple(range(1, NOTES))
    assert done.generation is None


def test_a_reader_of_an_older_generation_goes_on_reading(house: Warehouse) -> None:
    held = house.pin_generation()
    assert held.generation == NOTES
    maintained(house, grace=60)
    assert held.generation == NOTES
    assert told(held) == told(house)
    assert hits(held) == hits(house)


def test_older_generations_that_are_kept_answer_as_before(house: Warehouse) -> None:
    before = told(house.pin_generation(NOTES - 1))
    maintained(house, keep=3)
    assert [int(folder.name) for folder in list_folders(house.layout)] == [NOTES - 1, NOTES, NOTES + 1]
    assert told(house.pin_generation(NOTES - 1)) == before


def test_orphans_of_killed_runs_go_once_they_are_old(house: Warehouse) -> None:
    maintained(house)
    young, old = (house.layout.lake / "chunks" / f"{name * 32}.parquet" for name in "ab")
    partial = house.layout.generations / ".000099.partial"
    for path in (young, old):
        path.write_bytes(b"PAR1")
    partial.mkdir()
    os.utime(old, (0, 0))
    maintained(house, grace=60)
    assert (young.exists(), old.exists(), partial.exists()) == (True, False, False)


def test_what_experiments_stand_on_and_found_stays(house: Warehouse, watched: Path) -> None:
    tried = Layout(house.layout.experiments / "abc")
    tried.folder.mkdir(parents=True)
    tried.lake.symlink_to(SHARED_LAKE)
    other = build_warehouse(tried.folder, watched / "docs", chunk={"size": 200})
    write_empty_files(Lake(house.layout.lake), 1)
    os.utime(house.layout.lake / "trials" / "none.parquet", (0, 0))
    before = told(other)
    maintained(house)
    assert told(Warehouse(tried.folder)) == before
    assert find_damage(tried, read_current(tried)) is None
    assert (house.layout.lake / "trials" / "none.parquet").exists()


def test_results_of_batches_that_are_gone_go(house: Warehouse) -> None:
    kept = min(_chunk_files(house))
    results = house.layout.prefect / "results"
    results.mkdir(parents=True)
    for name in (kept, "f" * 32, "not-a-batch"):
        (results / name).write_text("{}")
        os.utime(results / name, (0, 0))
    maintained(house, keep=99, grace=60)
    assert {path.name for path in results.iterdir()} == {kept, "not-a-batch"}


class Killed(BaseException):
    """Ends a maintenance where it stands."""


STEPS: list[tuple[Any, str]] = [
    (maintenance, "write_merged_vectors"),
    (compaction, "write_sorted"),
    (maintenance, "republish_generation"),
    (maintenance, "list_surplus"),
    (maintenance, "drop"),
    (maintenance, "find_unused_files"),
    (maintenance, "find_unused_bases"),
    (maintenance, "find_unused_results"),
]


@pytest.mark.parametrize(("module", "step"), STEPS, ids=[f"{step}" for _, step in STEPS])
def test_a_kill_loses_nothing_and_the_next_time_ends_it(
    module: Any,
    step: str,
    house: Warehouse,
    before: tuple[Everything, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    def killed(*args: object, **named: object) -> Iterator[None]:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(module, step, killed)
        with pytest.raises(Killed):
            maintained(house)
    assert (told(house), hits(house)) == before
    assert find_damage(house.layout, read_current(house.layout)) is None
    maintained(house)
    assert (told(house), hits(house)) == before
    assert len(list_folders(house.layout)) <= 2


def test_a_document_that_comes_back_is_there_once(tmp_path: Path) -> None:
    """Its rows lie in a file of before, kept for another document, and in a new one."""
    docs = tmp_path / "docs"
    docs.mkdir()
    note(docs, 1)
    note(docs, 2)
    build_warehouse(tmp_path / "house", docs)
    (docs / "2.md").unlink()
    build_warehouse(tmp_path / "house", docs)
    note(docs, 2)
    note(docs, 3)
    house = build_warehouse(tmp_path / "house", docs)
    assert len(told(house)["chunks"]) == len(told(house)["scores"]) == 3


def test_it_waits_for_nobody_who_writes(house: Warehouse) -> None:
    for held in (house.layout, Layout(house.layout.experiments)):
        with write_lock(held), pytest.raises(WarehouseBusy, match="is writing to"):
            maintained(house)


def test_a_damaged_warehouse_is_left_alone(house: Warehouse) -> None:
    next(path for path in (house.layout.lake / "chunks").glob("*.parquet") if path.stem != "none").unlink()
    before = files(house.layout)
    with pytest.raises(BadWarehouse, match="run 'kalends ingest' to repair it"):
        maintained(house)
    assert files(house.layout) == before


def test_only_a_warehouse_of_its_own_is_maintained(tmp_path: Path, house: Warehouse) -> None:
    with pytest.raises(NoWarehouse):
        maintain_warehouse(settings_of(tmp_path / "nowhere"))
    tried = house.layout.experiments / "abc"
    tried.mkdir(parents=True)
    (tried / "lake").symlink_to(SHARED_LAKE)
    with pytest.raises(BadInput, match="is an experiment"):
        maintain_warehouse(settings_of(tried))


NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("retention", "goes"),
    [
        (Retention(2, 0, timedelta(0)), {1, 2, 3, 4, 5}),
        (Retention(9, 0, timedelta(0)), set()),
        # The last of each of two days, and the newest.
        (Retention(1, 2, timedelta(0)), {1, 2, 3, 5, 6}),
        # What was replaced within the hour stays for whoever still reads it.
        (Retention(1, 0, timedelta(hours=1)), {1, 2, 3, 4, 5}),
        (Retention(1, 0, timedelta(minutes=15)), {1, 2, 3, 4, 5}),
        (Retention(1, 0, timedelta(minutes=5)), {1, 2, 3, 4, 5, 6}),
    ],
)
def test_what_is_kept(retention: Retention, goes: set[int]) -> None:
    hours = [240, 100, 47, 25, 3, 2, 1 / 6]
    published = {number: NOW - timedelta(hours=each) for number, each in enumerate(hours, 1)}
    assert retention.select_surplus(published, NOW) == goes


def test_known_outputs_name_merged_files(house: Warehouse) -> None:
    maintained(house)
    assert {file for (stage, _), file in read_known_outputs(house.layout).items() if stage == "chunk"} == _chunk_files(
        house
    )


def test_a_merge_keeps_the_records_of_a_document_in_order(house: Warehouse) -> None:
    lake, read = Lake(house.layout.lake), _blocks
    before = read(lake, house)
    maintained(house)
    assert read(lake, house) == before


def _blocks(lake: Lake, house: Warehouse) -> dict[str, Any]:
    from warehouse.records import Block

    outputs = [output for each in read_current(house.layout).read_entries() if (output := each.find_output("parse"))]
    return lake.read("blocks", Block, {output.key: output.file for output in outputs})
