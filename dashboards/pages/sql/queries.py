"""Queries of the SQL page: the tables that they can name, their rows as typed columns, and examples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from dashboards.serializers.sql_results import unique_column_names
from warehouse.reader import Warehouse
from warehouse.store import trials
from warehouse.store.catalog import connect, define, define_trials, lake_files, write_empty_files
from warehouse.store.generations import write_tables
from warehouse.store.lake import Lake
from warehouse.store.sql_queries import QueryResult

FIRST = ("documents", "chunks", "tables", "cells", "totals", "mentions", "entities", "findings", "timeline")
"""Tables that are queried most and so listed first; the others follow by name."""
_MOST_COLUMNS = 10_000
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
_WORDS = frozenset({"end", "table", "row", "column", "window", "value", "rows", "columns", "of", "start"})
MOST_CHARACTERS = 400
"""Characters of a cell that are shown."""
EXAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "Documents by kind and year": """\
SELECT kind, year(document_date) AS year, count(*) AS documents
FROM documents
GROUP BY ALL
ORDER BY year, kind""",
        "What each document holds": """\
SELECT coalesce(nullif(title, ''), source) AS document, total_pages, table_count, chunk_count, status
FROM documents
ORDER BY chunk_count DESC
LIMIT 50""",
        "Periods mentioned most": """\
SELECT period, start_date, sum(mentions) AS mentions, count(DISTINCT document_id) AS documents
FROM timeline
GROUP BY ALL
ORDER BY mentions DESC
LIMIT 50""",
        "Passages that name a quarter": """\
SELECT d.source, m.text, m.start_date, m.end_date
FROM during(DATE '2023-04-01', DATE '2023-07-01') m
JOIN documents d USING (document_id)
LIMIT 100""",
        "Figures that several documents have": """\
SELECT row_header, count(DISTINCT document_id) AS documents, count("value") AS figures
FROM cells
GROUP BY row_header
ORDER BY documents DESC, figures DESC
LIMIT 50""",
        "Totals that do not add up": """\
SELECT d.source, t."table", t.label, t.stated, t.computed, t.difference
FROM totals t
JOIN documents d USING (document_id)
WHERE NOT t.adds_up
ORDER BY abs(t.difference) DESC""",
        "Quality of the passages": """\
SELECT round(quality_score, 1) AS quality, count(*) AS passages
FROM chunks
GROUP BY quality
ORDER BY quality""",
        "Findings by rule": """\
SELECT code, name, severity, count(*) AS findings, count(DISTINCT document_id) AS documents
FROM findings
GROUP BY ALL
ORDER BY findings DESC""",
        "Names mentioned most": """\
SELECT name, label, count(*) AS mentions, count(DISTINCT document_id) AS documents
FROM entities
GROUP BY ALL
ORDER BY mentions DESC
LIMIT 50""",
        "Seconds by stage and run": """\
SELECT part.stage, part.seconds, part.documents, generation
FROM (SELECT generation, unnest(stages) AS part FROM runs)
ORDER BY generation""",
    }
)
"""Example queries for any warehouse, by title."""


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table or view with its description, a sentence, and the name and type of each column."""

    name: str
    description: str
    columns: tuple[tuple[str, str], ...]

    @property
    def query(self) -> str:
        """A query for the first rows: the columns of plain types, or all columns where none is plain."""
        plain = [name for name, column_type in self.columns if column_type in _PLAIN]
        columns = ", ".join(quote_name(name) for name in plain) or "*"
        return f"SELECT {columns}\nFROM {quote_name(self.name)}\nLIMIT 100"


@dataclass(frozen=True, slots=True, eq=False)
class QueryRows:
    """The rows of a query and the seconds that it took; `truncated` where there are more rows."""

    table: pa.Table
    truncated: bool
    seconds: float


def warehouse_schema(warehouse: Warehouse) -> tuple[TableSchema, ...]:
    """The tables and views that a query of a warehouse can name."""
    return _table_schemas(warehouse.sql(_COLUMNS, _MOST_COLUMNS).rows)


def empty_schema() -> tuple[TableSchema, ...]:
    """The tables and views of a warehouse before its first import."""
    with TemporaryDirectory() as place, connect() as connection:
        folder, lake = Path(place), Lake(Path(place) / "lake")
        write_empty_files(lake, 1)
        write_tables(folder, [], {}, [])
        define(connection, folder, lake_files(lake, []))
        define_trials(connection, trials.files_of(lake))
        return _table_schemas(connection.execute(_COLUMNS).fetchall())


def _table_schemas(columns: Iterable[tuple[Any, ...]]) -> tuple[TableSchema, ...]:
    tables = [_table_schema(name, list(rows)) for name, rows in groupby(columns, key=lambda row: str(row[0]))]
    order = {name: place for place, name in enumerate(FIRST)}
    return tuple(sorted(tables, key=lambda table: (order.get(table.name, len(FIRST)), table.name)))


def quote_name(name: str) -> str:
    """A name as an identifier of SQL: quoted where it is a keyword or no plain word."""
    return (
        name if name.isidentifier() and name.isascii() and name not in _WORDS else '"' + name.replace('"', '""') + '"'
    )


def _table_schema(name: str, rows: list[tuple[str, ...]]) -> TableSchema:
    return TableSchema(
        name, str(rows[0][1]), tuple((str(column), str(column_type)) for *_, column, column_type in rows)
    )


def run_query(warehouse: Warehouse, query: str, limit: int, seconds: float) -> QueryRows:
    """Run a query for at most `limit` rows and `seconds`. Raises `BadQuery`."""
    started = monotonic()
    result = warehouse.sql(query, limit, seconds)
    return QueryRows(table_of(result), result.truncated, monotonic() - started)


def table_of(result: QueryResult) -> pa.Table:
    """The rows as columns of one type each; values without a type in Arrow become text."""
    names = unique_column_names(result.columns)
    columns = list(zip(*result.rows, strict=True)) or [() for _ in names]
    return pa.table([_array(values) for values in columns], names)


def shorten_cells(table: pa.Table) -> pa.Table:
    """A table for the screen: lists and records as JSON, long texts cut at `MOST_CHARACTERS`."""
    columns = [
        pa.array([_shortened(value) for value in column.to_pylist()], pa.string())
        if _may_be_long(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, table.column_names)


def _array(values: Sequence[Any]) -> pa.Array:
    try:
        array = pa.array(values)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        array = None
    if array is None or isinstance(array.type, pa.BaseExtensionType):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    return array


def _may_be_long(data_type: pa.DataType) -> bool:
    return bool(pa.types.is_nested(data_type) or pa.types.is_string(data_type) or pa.types.is_binary(data_type))


def _shortened(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else _json_text(value)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def _json_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value[:MOST_CHARACTERS].hex(" ")
    beginning = value[:MOST_CHARACTERS] if isinstance(value, list) else value
    return json.dumps(beginning, ensure_ascii=False, default=str)
