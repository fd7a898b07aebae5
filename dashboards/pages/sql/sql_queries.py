"""Queries of the SQL page: the tables that they can name, their rows as typed columns, examples, and saved queries.

Saved queries are a folder of small files below the warehouse, `queries/<name>.sql`, each the text of one query.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

import pyarrow as pa

from dashboards.serializers.sheets import number_repeated_names
from warehouse.errors import BadInput, BadWarehouse
from warehouse.reader import Warehouse
from warehouse.store import trials
from warehouse.store.catalog import connect, define_catalog, define_trials, list_lake_files, write_empty_files
from warehouse.store.generations import write_tables
from warehouse.store.lake import Lake
from warehouse.store.sql_queries import QueryResult

FIRST = ("documents", "chunks", "tables", "cells", "totals", "mentions", "entities", "findings", "timeline")
"""Tables that are queried most and so listed first; the others follow by name."""
_MAX_COLUMNS = 10_000
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
_WORDS = frozenset({"end", "table", "row", "column", "window", "value", "rows", "columns", "of", "start", "group"})
MAX_CELL_LENGTH = 400  # Characters of a cell that are shown.
_EXAMPLE_BLOCKS = Path(__file__).with_name("examples.sql").read_text(encoding="utf-8").strip().split("\n\n")
EXAMPLES: Mapping[str, str] = MappingProxyType(
    {title.removeprefix("-- "): query for title, _, query in (block.partition("\n") for block in _EXAMPLE_BLOCKS)}
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


def read_warehouse_schema(warehouse: Warehouse) -> tuple[TableSchema, ...]:
    """The tables and views that a query of a warehouse can name."""
    return _make_table_schemas(warehouse.run_sql(_COLUMNS, _MAX_COLUMNS).rows)


def make_empty_schema() -> tuple[TableSchema, ...]:
    """The tables and views of a warehouse before its first import."""
    with TemporaryDirectory() as place, connect() as connection:
        folder, lake = Path(place), Lake(Path(place) / "lake")
        write_empty_files(lake, 1)
        write_tables(folder, [], {}, [])
        define_catalog(connection, folder, list_lake_files(lake, []))
        define_trials(connection, trials.list_files(lake))
        return _make_table_schemas(connection.execute(_COLUMNS).fetchall())


def _make_table_schemas(columns: Iterable[tuple[Any, ...]]) -> tuple[TableSchema, ...]:
    tables = []
    for name, group in groupby(columns, key=lambda row: str(row[0])):
        rows = [tuple(map(str, row)) for row in group]
        tables.append(TableSchema(name, rows[0][1], tuple((column, kind) for *_, column, kind in rows)))
    order = {name: place for place, name in enumerate(FIRST)}
    return tuple(sorted(tables, key=lambda table: (order.get(table.name, len(FIRST)), table.name)))


def quote_name(name: str) -> str:
    """A name as an identifier of SQL: quoted where it is a keyword or no plain word."""
    is_plain = name.isidentifier() and name.isascii() and name not in _WORDS
    return name if is_plain else '"' + name.replace('"', '""') + '"'


def run_query(warehouse: Warehouse, query: str, limit: int, seconds: float) -> QueryRows:
    """Run a query for at most `limit` rows and `seconds`. Raises `BadQuery`."""
    started = monotonic()
    result = warehouse.run_sql(query, limit, seconds)
    return QueryRows(build_table(result), result.truncated, monotonic() - started)


def build_table(result: QueryResult) -> pa.Table:
    """The rows as columns of one type each; values without a type in Arrow become text."""
    names = number_repeated_names(result.columns)
    columns = list(zip(*result.rows, strict=True)) or [() for _ in names]
    return pa.table([_to_array(values) for values in columns], names)


def shorten_cells(table: pa.Table) -> pa.Table:
    """A table for the screen: lists and records as JSON, long texts cut at `MAX_CELL_LENGTH`."""
    types = pa.types
    columns = [
        pa.array([_shorten_value(value) for value in column.to_pylist()], pa.string())
        if types.is_nested(column.type) or types.is_string(column.type) or types.is_binary(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, table.column_names)


def _to_array(values: Sequence[Any]) -> pa.Array:
    try:
        array = pa.array(values)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        array = None
    if array is None or isinstance(array.type, pa.BaseExtensionType):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    return array


def _shorten_value(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bytes):
        text = value[:MAX_CELL_LENGTH].hex(" ")
    elif isinstance(value, str):
        text = value
    else:
        beginning = value[:MAX_CELL_LENGTH] if isinstance(value, list) else value
        text = json.dumps(beginning, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_CELL_LENGTH else f"{text[:MAX_CELL_LENGTH]}…"


MAX_QUERY_LENGTH = 20_000  # Characters of a query.
MAX_SAVED = 500  # Queries that are listed.
_NAME = re.compile(r"\w(?:[\w \-]{0,58}\w)?")


@dataclass(frozen=True, slots=True)
class SavedQueries:
    """The saved queries of a warehouse, by the path of its folder."""

    warehouse: Path

    @property
    def folder(self) -> Path:
        """The folder of their files."""
        return self.warehouse / "queries"

    def list_names(self) -> list[str]:
        """The names of the queries, in alphabetical order."""
        names = [path.stem for path in self.folder.glob("*.sql") if _NAME.fullmatch(path.stem)]
        return sorted(names, key=str.casefold)[:MAX_SAVED]

    def read_text(self, name: str) -> str:
        """The query of a name. Raises `BadInput` where there is none."""
        try:
            return self._get_path(name).read_text(encoding="utf-8", errors="replace")[:MAX_QUERY_LENGTH]
        except FileNotFoundError:
            raise BadInput(f"there is no query '{name}'", "it may have been deleted in the meantime") from None
        except OSError as error:
            raise _make_unusable_error(self.folder, error) from None

    def save(self, name: str, text: str) -> None:
        """Save a query under a new name. Raises `BadInput` for a name that is taken or cannot be used."""
        path = self._get_path(name)
        if not text.strip() or len(text) > MAX_QUERY_LENGTH:
            raise BadInput(f"a query must have 1 to {MAX_QUERY_LENGTH:,} characters", "change its text")
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("w", encoding="utf-8", errors="replace") as stream:
                stream.write(text.rstrip() + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            # Unlike a rename, a link does not replace an existing file.
            os.link(temporary, path)
        except FileExistsError:
            problem = f"a query named '{path.stem}' already exists"
            raise BadInput(problem, "choose another name, or delete that query") from None
        except OSError as error:
            raise _make_unusable_error(self.folder, error) from None
        finally:
            with suppress(OSError):
                temporary.unlink()

    def delete(self, name: str) -> None:
        """Delete a query, if it exists. Raises `BadInput` for a name that no query can have."""
        try:
            self._get_path(name).unlink(missing_ok=True)
        except OSError as error:
            raise _make_unusable_error(self.folder, error) from None

    def _get_path(self, name: str) -> Path:
        normal_name = normalize("NFC", " ".join(name.split()))
        if not _NAME.fullmatch(normal_name) or len(normal_name.encode()) > 200:
            cure = "use letters, digits, spaces, - and _, 60 characters at most"
            raise BadInput(f"'{normal_name[:60]}' cannot be the name of a query", cure)
        return self.folder / f"{normal_name}.sql"


def _make_unusable_error(folder: Path, error: OSError) -> BadWarehouse:
    return BadWarehouse(f"{folder} cannot be used ({error.strerror})", "check its permissions and the disk")
