"""The database that each generation publishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import build_warehouse
from warehouse.errors import BadWarehouse
from warehouse.store.catalog import count_documents, list_lake_files, write_catalog
from warehouse.store.lake import Lake


def test_a_catalog_that_fails_does_not_stop_the_next(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "note.md").write_text("# Piers\n\nThe pier was mended in 2021.\n", encoding="utf-8")
    layout = build_warehouse(tmp_path / "house", tmp_path / "docs").layout
    generation, lake = layout.catalog.resolve().parent, Lake(layout.lake)
    files = list_lake_files(lake, ())
    for number in range(2):
        absent = {**files, "chunks": [tmp_path / "absent.parquet"]}
        with pytest.raises(BadWarehouse):
            write_catalog(tmp_path / f"failed {number}.duckdb", generation, absent, lake)
        with pytest.raises(BadWarehouse):
            count_documents(tmp_path / "docs" / "note.md")
        target = tmp_path / f"it's {number}.duckdb"
        write_catalog(target, generation, files, lake)
        assert [path.name for path in tmp_path.glob("it's*")] == [f"it's {each}.duckdb" for each in range(number + 1)]
        assert count_documents(target) == 1
