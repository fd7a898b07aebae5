"""One process for the SQL of one warehouse after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import build_warehouse
from tests.child_processes import find_children
from warehouse.errors import BadQuery, BadWarehouse
from warehouse.reader import Warehouse


def workers() -> set[int]:
    """The processes of this one that wait for a query."""
    return {child.pid for child in find_children("warehouse.store.sql_worker:answer_on_request")}


def test_a_process_answers_about_each_warehouse_in_turn(tmp_path: Path) -> None:
    warehouses: dict[str, Warehouse] = {}
    for name in ("oats", "barley"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"# {name}\n\nIt was sown in 2021.\n", "utf-8")
        warehouses[name] = build_warehouse(tmp_path / f"{name}.warehouse", tmp_path / name)
    started = None
    for name in ("oats", "barley", "oats"):
        assert warehouses[name].run_sql("SELECT path FROM documents").rows == ((f"{name}.md",),)
        started = started or workers()
        with pytest.raises(BadQuery):
            warehouses[name].run_sql("SELECT straw FROM documents")
        assert workers() == started
    # Tables that cannot be opened cost the process, and the next query has another.
    (warehouses["oats"].snapshot.generation.folder / "documents.parquet").write_bytes(b"chaff")
    assert warehouses["barley"].run_sql("SELECT count(*) FROM documents").rows == ((1,),)
    with pytest.raises(BadWarehouse, match="cannot be read"):
        warehouses["oats"].run_sql("SELECT count(*) FROM documents")
    assert warehouses["barley"].run_sql("SELECT count(*) FROM documents").rows == ((1,),)
