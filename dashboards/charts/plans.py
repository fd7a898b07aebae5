"""What a result can be drawn as: what its columns hold, and the chart that says most of it at a glance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

_YEAR = re.compile(r"year$|^(?:fy|yr|year\(.*\))$")
COLOURS = 8
"""The most marks that are told apart by colour unless somebody asks for it."""


class ChartKind(StrEnum):
    """What a result can be drawn as."""

    LINE = "line"
    BAR = "bars"
    SCATTER = "points"
    HEAT = "heat map"


class Sort(StrEnum):
    """What a column holds."""

    QUANTITY = "quantity"
    TIME = "time"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn: a kind, the columns across and up, and the one that tells the marks apart, if any.

    A heat map has its amounts in `by`.
    """

    kind: ChartKind
    x: str
    y: str
    by: str | None = None


def sorts_of(table: pa.Table) -> dict[str, Sort]:
    """What each column holds that can be drawn: lists and records cannot."""
    found = {field.name: _sort(field, table[field.name]) for field in table.schema}
    return {name: sort for name, sort in found.items() if sort}


def usual(table: pa.Table) -> Plan | None:
    """What says most of a result at a glance; None where nothing of it is a quantity."""
    sorts = sorts_of(table)
    of = {sort: [name for name, own in sorts.items() if own is sort] for sort in Sort}
    amounts, times, names = of[Sort.QUANTITY], of[Sort.TIME], of[Sort.NAME]
    if not amounts or table.num_rows < 2:
        return None
    if times:
        return Plan(ChartKind.LINE, times[0], amounts[0], next(filter(lambda name: _is_few(table, name), names), None))
    if len(names) > 1 and len(amounts) == 1:
        across, up = sorted(names[:2], key=lambda name: not _is_year(name))
        return Plan(ChartKind.HEAT, across, up, amounts[0])
    if names:
        return Plan(ChartKind.BAR, names[0], amounts[0])
    if len(amounts) > 1:
        return Plan(ChartKind.LINE if _rises(table, amounts[0]) else ChartKind.SCATTER, amounts[0], amounts[1])
    return None


def holds_years(name: str, column: pa.ChunkedArray) -> bool:
    """Whether whole numbers are years, to be written 2021 and not 2,021.

    They are by their column's name, or where each lies between 1800 and 2100.
    """
    if not pa.types.is_integer(column.type) or column.null_count == len(column):
        return False
    bounds = pc.min_max(column).as_py()
    least, most = (1000, 2999) if _YEAR.search(name.lower()) else (1800, 2100)
    return bool(least <= bounds["min"] and bounds["max"] <= most)


def _sort(field: pa.Field, column: pa.ChunkedArray) -> Sort | None:
    types, sort = pa.types, field.type
    if _is_year(field.name) and holds_years(field.name, column):
        return Sort.NAME
    if types.is_integer(sort) or types.is_floating(sort) or types.is_decimal(sort):
        return Sort.QUANTITY
    if types.is_date(sort) or types.is_timestamp(sort):
        return Sort.TIME
    return Sort.NAME if types.is_string(sort) or types.is_boolean(sort) else None


def _is_year(name: str) -> bool:
    return _YEAR.search(name.lower()) is not None


def _is_few(table: pa.Table, name: str) -> bool:
    return len(table[name].unique()) <= COLOURS


def _rises(table: pa.Table, name: str) -> bool:
    """Whether a column never falls: rows in its order make a line."""
    values = [value for value in table[name].to_pylist() if value is not None]
    return all(one < other for one, other in pairwise(values))
