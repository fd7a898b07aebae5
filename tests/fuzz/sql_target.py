"""The SQL guard as a target of guided fuzzing: whatever the words, rows or `BadQuery`, and the tables untouched."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.building import build_warehouse
from warehouse.errors import BadQuery
from warehouse.store.lake import Lake
from warehouse.store.sql_queries import open_locked, query

if TYPE_CHECKING:
    import duckdb


def guarded(data: bytes) -> None:
    """Run the bytes as a statement."""
    connection = _connection()
    with suppress(BadQuery):
        query(connection, data.decode("utf-8", "ignore"), 10, 2.0)
    assert connection.execute("SELECT count(*) FROM documents").fetchall() == [(1,)]


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    folder = Path(tempfile.mkdtemp())
    (folder / "docs").mkdir()
    (folder / "docs/note.md").write_text("# Oats\n\nThe oats are sold.\n")
    warehouse = build_warehouse(folder / "W", folder / "docs")
    return open_locked(warehouse.snapshot.generation, Lake(warehouse.layout.lake))
