"""What a query gave, as typed columns, and as much of it as is worth showing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import pyarrow as pa

from dashboards.serializers.sql_results import unique_column_names
from warehouse.reader import Warehouse
from warehouse.store.querying import QueryResult

SHOWN = 400
"""Characters of a cell that are shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """The rows of a query and the seconds that it took; `truncated` says that there are more."""

    table: pa.Table
    truncated: bool
    seconds: float


def answered(warehouse: Warehouse, query: str, limit: int, seconds: float) -> Answered:
    """Run a query for at most so many rows and so long. Raises `BadQuery`."""
    started = monotonic()
    result = warehouse.sql(query, limit, seconds)
    return Answered(table_of(result), result.truncated, monotonic() - started)


def table_of(result: QueryResult) -> pa.Table:
    """The rows as columns of one type each; what Arrow has no type for becomes text."""
    names = unique_column_names(result.columns)
    columns = list(zip(*result.rows, strict=True)) or [() for _ in names]
    return pa.table([_array(values) for values in columns], names)


def shown(table: pa.Table) -> pa.Table:
    """The same with lists and records as JSON and long cells cut, to be looked at."""
    columns = [
        pa.array([_short(value) for value in column.to_pylist()], pa.string()) if _is_long(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, table.column_names)


def _array(values: Sequence[Any]) -> pa.Array:
    try:
        found = pa.array(values)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        found = None
    if found is None or isinstance(found.type, pa.BaseExtensionType):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    return found


def _is_long(sort: pa.DataType) -> bool:
    return bool(pa.types.is_nested(sort) or pa.types.is_string(sort) or pa.types.is_binary(sort))


def _short(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else _told(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _told(value: Any) -> str:
    if isinstance(value, bytes):
        return value[:SHOWN].hex(" ")
    some = value[:SHOWN] if isinstance(value, list) else value
    return json.dumps(some, ensure_ascii=False, default=str)
