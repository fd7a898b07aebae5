"""A warehouse of an older program is upgraded or refused with a sentence, never misread."""

from __future__ import annotations

import json
import os
import shutil
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from flows.maintenance import upgrade_warehouse
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.store import generations
from warehouse.store.arrow_files import EMPTY, compute_edition, list_shapes
from warehouse.store.generations import SCHEMA_VERSION, OtherVersion
from warehouse.store.integrity import find_damage
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.migrations import MIGRATIONS, migrate_document, migrate_manifest, upgrade_entries

OLD = Path(__file__).parent / "version_1.tar.gz"
"""A warehouse of two documents that the program of 2026-11-22 03:45 made; its catalog, a megabyte, is left out."""
SHAPES = Path(__file__).parent / "shapes.json"
FIGURES = "Quarterly revenue rose by 12% in 2024."


@pytest.fixture
def old(tmp_path: Path) -> Layout:
    # Python before 3.11.4 has no `filter`; the archive is our own.
    shutil.unpack_archive(OLD, tmp_path / "house")
    return Layout(tmp_path / "house")


def manifest_of(layout: Layout) -> Path:
    return layout.current / "manifest.json"


def rewrite(path: Path, **fields: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def test_a_change_of_shapes_has_a_version_of_its_own_golden() -> None:
    """Fails where a record changed: then the version rises, a migration leads there, and the file is rewritten."""
    if os.environ.get("KALENDS_REWRITE_GOLDEN"):
        SHAPES.write_text(
            json.dumps({"version": SCHEMA_VERSION, "tables": list_shapes()}, indent=1, sort_keys=True) + "\n"
        )
    kept = json.loads(SHAPES.read_text())
    assert kept["version"] == SCHEMA_VERSION
    assert kept["tables"] == list_shapes()


def test_every_older_version_has_a_migration() -> None:
    assert set(MIGRATIONS) == set(range(1, SCHEMA_VERSION))


def test_an_older_warehouse_is_refused_with_the_cure(old: Layout) -> None:
    for ask in (Warehouse(old.folder).list_documents, lambda: Warehouse(old.folder).run_sql("SELECT 1")):
        with pytest.raises(
            OtherVersion, match=f"has schema version 1, this program reads {SCHEMA_VERSION}: run 'kalends maintain'"
        ):
            ask()


def test_a_newer_warehouse_is_refused_by_readers_and_writers(old: Layout) -> None:
    rewrite(manifest_of(old), schema_version=SCHEMA_VERSION + 1)
    for ask in (generations.read_current, generations.find_latest, upgrade_warehouse):
        with pytest.raises(OtherVersion, match=r"this program reads up to [0-9]+: install the kalends"):
            ask(old)


def test_an_older_warehouse_is_upgraded_whole_without_its_documents(old: Layout) -> None:
    assert upgrade_warehouse(old) == 1
    house = Warehouse(old.folder)
    assert find_damage(old, generations.read_current(old)) is None
    assert [entry.file.path for entry in house.list_documents()] == ["a.md", "b.txt"]
    ((text,),) = house.snapshot.query_rows("SELECT text FROM chunks WHERE text LIKE '%revenue%'")
    assert FIGURES in text
    # Columns and tables that came since are there.
    assert house.snapshot.query_rows("SELECT count(*) FILTER (basis IS NOT NULL), count(*) FROM mentions")[0][1] > 0
    assert house.snapshot.query_rows("SELECT count(*) FROM totals") == [(0,)]
    assert house.snapshot.query_rows("SELECT count(*) FROM embeddings") == [(2,)]
    assert len(house.snapshot.keywords) == 2
    assert upgrade_warehouse(old) is None


def test_the_upgraded_files_are_of_todays_shapes(old: Layout) -> None:
    upgrade_warehouse(old)
    lake = Lake(old.lake)
    outputs = {output.file for entry in generations.read_current(old).read_entries() for output in entry.outputs}
    columns = {name for file in outputs for name in _columns(lake.get_path("mentions", file))}
    assert {"basis", "modifier"} <= columns


def _columns(path: Path) -> list[str]:
    return list(pq.read_schema(path).names) if path.exists() else []


def test_an_upgrade_leaves_the_older_generation_as_it_was(old: Layout) -> None:
    files = (path for path in old.folder.rglob("*") if path.is_file() and path.stem != EMPTY)
    before = {path.resolve(): path.read_bytes() for path in files}
    upgrade_warehouse(old)
    assert {path: path.read_bytes() for path in before} == before


def test_an_upgrade_that_was_killed_is_taken_up_again(old: Layout) -> None:
    found = generations.find_latest(old)
    assert found is not None
    first = upgrade_entries(Lake(old.lake), found.read_entries())
    assert upgrade_warehouse(old) == 1
    assert list(generations.read_current(old).read_entries()) == first


def test_an_output_that_has_no_shape_of_today_is_made_again(old: Layout) -> None:
    found = generations.find_latest(old)
    assert found is not None
    for path in (old.lake / "scores").glob("*.parquet"):
        pq.write_table(pq.read_table(path).drop_columns(["quality_score"]), path)
    upgrade_warehouse(old)
    stages = {output.stage for entry in generations.read_current(old).read_entries() for output in entry.outputs}
    assert "score" not in stages
    assert "chunk" in stages


def test_another_edition_of_the_same_version_is_upgraded_too(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The obelisk weighs 3 tons.\n")
    house = build_warehouse(tmp_path / "house", tmp_path / "docs")
    rewrite(manifest_of(house.layout), edition="of a program between two versions")
    with pytest.raises(OtherVersion, match="another edition"):
        house.list_documents()
    assert upgrade_warehouse(house.layout) == SCHEMA_VERSION
    assert house.generation == 2
    assert generations.read_current(house.layout).manifest.edition == compute_edition()


def test_the_time_of_a_file_is_no_date_of_a_document_any_more() -> None:
    dated = {"title": "A", "document_date": date(2025, 1, 1), "date_origin": "dateline"}
    assert migrate_document(dated, 2, SCHEMA_VERSION) == dated
    copied = migrate_document({**dated, "date_origin": "modification time"}, 1, SCHEMA_VERSION)
    assert copied == {"title": "A", "document_date": None, "date_origin": None}


def test_the_chunker_of_a_root_becomes_its_chunking() -> None:
    root = {"name": "notes", "folder": "/srv/notes", "chunker": "sentences"}
    fields = migrate_manifest({"schema_version": 1, "roots": [root]}, 2)
    assert fields["roots"][0]["chunking"]["chunker"] == "sentences"
    assert "chunker" not in fields["roots"][0]
