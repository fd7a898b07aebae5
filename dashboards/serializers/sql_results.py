"""Results of SQL queries as JSON."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from warehouse.store.sql_queries import QueryResult


def serialize_query_result(result: QueryResult) -> dict[str, Any]:
    """The rows as objects, columns of the same name numbered, and whether there are more of them."""
    names = number_repeated_names(result.columns)
    rows = [dict(zip(names, to_json_row(row), strict=True)) for row in result.rows]
    return {"rows": rows, "truncated": result.truncated}


def to_json_row(row: Sequence[Any]) -> list[Any]:
    """The cells of a row as values of JSON."""
    return list(map(_to_json_value, row))


def number_repeated_names(names: Sequence[str]) -> list[str]:
    """The names, a repeated one with a number: a, a_2."""
    unique_names: list[str] = []
    for name in names:
        numbered = (f"{name}_{number}" for number in range(2, 2 * len(names) + 2))
        unique_names.append(
            name if name not in unique_names else next(each for each in numbered if each not in {*names, *unique_names})
        )
    return unique_names


def _to_json_value(cell: Any) -> Any:
    """The cell with its bytes in base64 (RFC 4648, section 4)."""
    if isinstance(cell, bytes | bytearray | memoryview):
        return b64encode(cell).decode()
    if isinstance(cell, dict):
        return {key: _to_json_value(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [_to_json_value(value) for value in cell]
    return cell
