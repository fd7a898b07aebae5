"""The tables that queries can name, with their columns and what each is for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from warehouse.reader import Warehouse
from warehouse.store import trials
from warehouse.store.catalog import connect, define, define_trials, lake_files, write_empty_files
from warehouse.store.generations import write_tables
from warehouse.store.lake import Lake

FIRST = ("documents", "chunks", "tables", "cells", "totals", "mentions", "entities", "findings", "timeline")
"""What is asked for most; the others follow by name."""
_MOST = 10_000
_COLUMNS = """
    WITH named AS (
        SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal
        UNION ALL SELECT view_name, comment FROM duckdb_views() WHERE NOT internal
    )
    SELECT c.table_name, coalesce(n.comment, ''), c.column_name, c.data_type
    FROM duckdb_columns() c JOIN named n USING (table_name)
    WHERE NOT c.internal ORDER BY c.table_name, c.column_index
"""
_PLAIN = ("VARCHAR", "BIGINT", "DOUBLE", "DATE", "BOOLEAN", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE")


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table: its name, what it holds in a sentence, and the name and the type of each column."""

    name: str
    told: str
    columns: tuple[tuple[str, str], ...]

    @property
    def query(self) -> str:
        """A query that shows its first rows: the columns of plain types, or all if there are no others."""
        plain = [name for name, sort in self.columns if sort in _PLAIN]
        chosen = ", ".join(quoted(name) for name in plain) or "*"
        return f"SELECT {chosen}\nFROM {quoted(self.name)}\nLIMIT 100"


def schema_of(warehouse: Warehouse) -> tuple[TableSchema, ...]:
    """Every table and view that `Warehouse.sql` knows."""
    return _tables(warehouse.sql(_COLUMNS, _MOST).rows)


def empty_schema() -> tuple[TableSchema, ...]:
    """The same of a warehouse that holds nothing yet."""
    with TemporaryDirectory() as place, connect() as connection:
        folder, lake = Path(place), Lake(Path(place) / "lake")
        write_empty_files(lake, 1)
        write_tables(folder, [], {}, [])
        define(connection, folder, lake_files(lake, []))
        define_trials(connection, trials.files_of(lake))
        return _tables(connection.execute(_COLUMNS).fetchall())


def _tables(found: Iterable[tuple[Any, ...]]) -> tuple[TableSchema, ...]:
    tables = [_table(name, list(rows)) for name, rows in groupby(found, key=lambda row: str(row[0]))]
    order = {name: place for place, name in enumerate(FIRST)}
    return tuple(sorted(tables, key=lambda table: (order.get(table.name, len(FIRST)), table.name)))


def quoted(name: str) -> str:
    """A name as SQL has it: between quotation marks where it is a word of SQL's own or no plain word."""
    return (
        name if name.isidentifier() and name.isascii() and name not in _WORDS else '"' + name.replace('"', '""') + '"'
    )


_WORDS = frozenset({"end", "table", "row", "column", "window", "value", "rows", "columns", "of", "start"})


def _table(name: str, rows: list[tuple[str, ...]]) -> TableSchema:
    return TableSchema(name, str(rows[0][1]), tuple((str(column), str(sort)) for *_, column, sort in rows))
