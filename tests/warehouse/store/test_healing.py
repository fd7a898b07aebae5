"""A damaged warehouse says what is wrong, and the next generation is sound."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.execution import read_known_outputs
from tasks.embedders.embedder import open_embedder
from tests.building import build_warehouse, count_findings
from tests.flows.faults.damage import flip
from warehouse.errors import BadWarehouse
from warehouse.reader import Warehouse
from warehouse.records import Question
from warehouse.store import generations
from warehouse.store.catalog import connect
from warehouse.store.generations import SCHEMA_VERSION, OtherVersion
from warehouse.store.integrity import find_damage, find_lost_outputs, iter_corrupt_files
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

QUESTION = Question("quarterly revenue", "quarterly revenue", open_embedder("hashing").embed(["quarterly revenue"])[0])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "notes").mkdir()
    (folder / "notes" / "first.md").write_text("# Results\n\nQuarterly revenue rose by 12% in 2024.\n")
    build_warehouse(folder / "house", folder / "notes")
    (folder / "notes" / "second.md").write_text("# Board\n\nThe board met in Cupertino in March 2025.\n")
    build_warehouse(folder / "house", folder / "notes")
    return folder


@pytest.fixture
def house(whole: Path, tmp_path: Path) -> Warehouse:
    """A copy to damage."""
    shutil.copytree(whole / "house", tmp_path / "house", symlinks=True)
    return Warehouse(tmp_path / "house")


def damage_of(layout: Layout) -> str | None:
    return find_damage(layout, generations.read_current(layout))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def base(layout: Layout) -> Path:
    return layout.indexes / generations.read_current(layout).manifest.base


def newest(layout: Layout) -> Path:
    return generations.read_current(layout).folder


INDEX_BREAKERS: dict[str, Callable[[Layout], None]] = {
    "base matrix lost": lambda layout: (base(layout) / "base.npy").unlink(),
    "base matrix cut": lambda layout: cut(base(layout) / "base.npy"),
    "base ids empty": lambda layout: empty(base(layout) / "base.ids.npy"),
    "columns lost": lambda layout: shutil.rmtree(newest(layout) / "columns"),
    "columns cut": lambda layout: cut(next((newest(layout) / "columns").glob("*.arrow"))),
    "rows of the vectors lost": lambda layout: next((newest(layout) / "columns").glob("*.npy")).unlink(),
    "rows of the vectors cut": lambda layout: cut(next((newest(layout) / "columns").glob("*.npy"))),
    "base lost": lambda layout: shutil.rmtree(layout.indexes),
    "delta lost": lambda layout: (newest(layout) / "delta.npy").unlink(),
    "keywords lost": lambda layout: shutil.rmtree(newest(layout) / "keywords"),
    "segment lost": lambda layout: next((newest(layout) / "keywords").glob("*.term")).unlink(),
    "segment cut": lambda layout: cut(next((newest(layout) / "keywords").glob("*.term"))),
    "catalog lost": lambda layout: (newest(layout) / "warehouse.duckdb").unlink(),
    "findings lost": lambda layout: (newest(layout) / "findings.parquet").unlink(),
    "titles lost": lambda layout: (newest(layout) / "titles.parquet").unlink(),
    "list of titles changed": lambda layout: flip(newest(layout) / "titles.parquet"),
    "a file of titles cut": lambda layout: cut(next((newest(layout) / "titles").iterdir())),
    "head of the delta changed": lambda layout: flip(newest(layout) / "delta.npy", 64),
}


def test_a_sound_warehouse_has_no_damage(house: Warehouse) -> None:
    found = generations.read_current(house.layout)
    assert find_damage(house.layout, found) is None
    assert find_lost_outputs(house.layout, found) == frozenset()


def test_a_bit_turned_over_in_any_file_of_a_generation_stops_no_examination(house: Warehouse) -> None:
    layout, named = house.layout, generations.read_current(house.layout).folder / "documents.parquet"
    # Without the list of documents, which `latest` passes over, nobody knows what the others must be.
    files = {*named.parent.rglob("*.*"), *layout.indexes.rglob("*.npy")} - {named, named.with_name("manifest.json")}
    for path in files:
        place = 64 if path.suffix == ".npy" else path.stat().st_size // 2
        flip(path, place)
        if damage_of(layout) is None:
            list(iter_corrupt_files(layout, generations.read_current(layout)))
        flip(path, place)
    assert damage_of(layout) is None
    assert not list(iter_corrupt_files(layout, generations.read_current(layout)))


@pytest.mark.parametrize("broken", INDEX_BREAKERS)
def test_the_next_generation_makes_a_broken_index_anew(broken: str, house: Warehouse, whole: Path) -> None:
    expected = [hit.chunk_id for hit in Warehouse(whole / "house").search(QUESTION)]
    INDEX_BREAKERS[broken](house.layout)
    assert damage_of(house.layout)
    again = build_warehouse(house.layout.folder, whole / "notes")
    assert damage_of(again.layout) is None
    assert [hit.chunk_id for hit in again.search(QUESTION)] == expected
    assert again.snapshot.query_rows("SELECT count(*) FROM embeddings") == [(2,)]


@pytest.mark.parametrize("ruin", [Path.unlink, cut, empty])
@pytest.mark.parametrize(
    ("table", "stages"),
    [("contents", {"parse"}), ("chunks", {"chunk"}), ("scores", {"score"}), ("vectors", {"embed"})],
)
def test_outputs_of_a_broken_lake_file_are_lost(
    table: str, stages: set[str], ruin: Callable[[Path], None], house: Warehouse
) -> None:
    files = [path for path in (house.layout.folder / "lake" / table).glob("*.parquet") if path.stem != "none"]
    ruin(min(files))
    found = generations.read_current(house.layout)
    assert find_damage(house.layout, found) == f"lake/{table}/{min(files).name} is missing or damaged"
    lost = find_lost_outputs(house.layout, found)
    assert len(lost) == 1
    assert {stage for stage, _ in lost} == stages


@pytest.mark.parametrize("ruin", [Path.unlink, cut])
def test_a_broken_lake_file_is_named_with_the_cure(ruin: Callable[[Path], None], house: Warehouse) -> None:
    ruin(next(path for path in (house.layout.lake / "chunks").glob("*.parquet") if path.stem != "none"))
    for ask in (
        lambda: house.read_passage("unknown"),
        lambda: house.run_sql("SELECT 1"),
        lambda: count_findings(house),
    ):
        with pytest.raises(BadWarehouse, match="run 'kalends ingest'"):
            ask()
    told = []
    for _ in range(2):
        with pytest.raises(BadWarehouse) as caught:
            house.read_passage("unknown")
        told.append(caught.value.problem)
    assert told[0] == told[1]
    # A search finds passages in its index, and opens none of these files.
    assert house.search(QUESTION)


def test_broken_tables_of_a_generation_are_named_with_the_cure(house: Warehouse) -> None:
    cut(newest(house.layout) / "documents.parquet")
    (newest(house.layout) / "runs.parquet").unlink()
    for ask in (house.list_documents, house.list_runs):
        with pytest.raises(BadWarehouse, match="run 'kalends ingest'"):
            ask()


def test_an_older_generation_that_is_broken_knows_no_outputs(house: Warehouse) -> None:
    known = read_known_outputs(house.layout)
    (generations.list_folders(house.layout)[0] / "documents.parquet").write_bytes(b"")
    assert read_known_outputs(house.layout) == known


def test_without_the_link_nothing_is_lost(house: Warehouse, whole: Path) -> None:
    house.layout.current.unlink()
    found = generations.find_latest(house.layout)
    assert found is not None
    assert (found.manifest.number, [root.name for root in found.manifest.roots]) == (2, ["notes"])
    assert find_damage(house.layout, found)
    assert generations.compute_next_number(house.layout) == 3
    again = build_warehouse(house.layout.folder, whole / "notes")
    assert [path.name for path in generations.list_folders(house.layout)] == ["000001", "000002", "000003"]
    assert damage_of(again.layout) is None


@pytest.mark.parametrize("file", ["manifest.json", "documents.parquet", "runs.parquet"])
def test_an_unreadable_generation_gives_way_to_the_one_before(file: str, house: Warehouse) -> None:
    (newest(house.layout) / file).write_bytes(b"")
    found = generations.find_latest(house.layout)
    assert found is not None
    assert found.manifest.number == 1
    assert find_damage(house.layout, found) == "generation 000001 is not the published one"


def test_another_version_is_never_built_upon(house: Warehouse) -> None:
    file = newest(house.layout) / "manifest.json"
    file.write_text(file.read_text().replace(f'"schema_version": {SCHEMA_VERSION}', '"schema_version": 99'))
    with pytest.raises(OtherVersion, match="99"):
        generations.find_latest(house.layout)


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_a_current_that_is_no_link_is_named_with_the_cure(make: Callable[[Path], None], house: Warehouse) -> None:
    house.layout.current.unlink()
    make(house.layout.current)
    with pytest.raises(BadWarehouse, match=r"move .* away"):
        house.list_documents()


def test_lost_vectors_are_named_and_not_a_key_error(house: Warehouse) -> None:
    lake = Lake(house.layout.lake)
    names = house.snapshot.vectors.ids
    assert not lake.find_lost_vectors(name.decode() for name in names.tolist())
    for path in lake.list_vector_files():
        path.unlink()
    assert len(lake.find_lost_vectors(name.decode() for name in names.tolist())) == len(names) > 0
    with pytest.raises(BadWarehouse, match=f"lost {len(names)} vectors"):
        lake.read_vectors(names, 8)


def test_searching_writes_nothing_into_the_warehouse(house: Warehouse) -> None:
    keywords = newest(house.layout) / "keywords"
    before = {path: path.stat().st_mtime_ns for path in house.layout.folder.rglob("*")}
    for folder, _, _ in os.walk(house.layout.folder):
        Path(folder).chmod(0o555)
    assert house.search(QUESTION)
    assert {path: path.stat().st_mtime_ns for path in house.layout.folder.rglob("*")} == before
    assert not list(keywords.glob(".*.lock"))
    for folder, _, _ in os.walk(house.layout.folder):
        Path(folder).chmod(0o755)


def test_a_connection_is_bounded_and_leaves_no_files() -> None:
    connection = connect()
    chosen = "SELECT current_setting('temp_directory'), current_setting('memory_limit') FROM range(1)"
    folder, memory = connection.execute(chosen).fetchone() or ("?", "?")
    assert folder == ""
    assert float(memory.split()[0]) <= 8
    connection.close()
