"""Charts of whatever a query gives: which kinds its columns allow, and each of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

import altair as alt
import pyarrow as pa

MOST = 5000
"""Rows that are drawn."""
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
    found = {field.name: _sort(field) for field in table.schema}
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


def drawn(table: pa.Table, plan: Plan) -> alt.Chart:
    """The chart of the first `MOST` rows."""
    rows = table.slice(0, MOST)
    told = {name: column for name, column in (("x", plan.x), ("y", plan.y), ("by", plan.by)) if column}
    values = [
        dict(zip(told, each, strict=True))
        for each in zip(*(map(_plain, rows[column].to_pylist()) for column in told.values()), strict=True)
    ]
    sorts = sorts_of(table)
    chart = alt.Chart(alt.InlineData(values), height=360)
    made: alt.Chart = _DRAWN[plan.kind](chart, plan, {name: sorts[column] for name, column in told.items()})
    return made


def _line(chart: Any, plan: Plan, sorts: dict[str, Sort]) -> Any:
    return chart.mark_line(point=True).encode(**_placed(plan, sorts))


def _points(chart: Any, plan: Plan, sorts: dict[str, Sort]) -> Any:
    return chart.mark_circle(size=60, opacity=0.7).encode(**_placed(plan, sorts))


def _bars(chart: Any, plan: Plan, sorts: dict[str, Sort]) -> Any:
    """Lying bars, for names are long."""
    placed = _placed(plan, sorts)
    placed["y"] = alt.Y("x:N", title=plan.x, sort=None, axis=alt.Axis(labelLimit=260))
    placed["x"] = alt.X("y:Q", title=plan.y)
    return chart.mark_bar().encode(**placed).properties(height=alt.Step(18))


def _heat(chart: Any, plan: Plan, sorts: dict[str, Sort]) -> Any:
    placed = {
        "x": alt.X("x:O", title=plan.x, axis=alt.Axis(labelLimit=120, labelAngle=-40)),
        "y": alt.Y("y:O", title=plan.y, axis=alt.Axis(labelLimit=200)),
        "color": alt.Color("by:Q", title=plan.by) if plan.by else alt.Color("count():Q", title="rows"),
        "tooltip": _tips(plan, sorts),
    }
    return chart.mark_rect().encode(**placed).properties(height=alt.Step(22))


_DRAWN = {ChartKind.LINE: _line, ChartKind.BAR: _bars, ChartKind.SCATTER: _points, ChartKind.HEAT: _heat}
_LETTERS = {Sort.QUANTITY: "Q", Sort.TIME: "T", Sort.NAME: "N"}


def _placed(plan: Plan, sorts: dict[str, Sort]) -> dict[str, Any]:
    """The columns as channels; days are drawn as they are written, whatever the reader's time zone."""
    scale = alt.Scale(type="utc") if sorts["x"] is Sort.TIME else alt.Undefined
    placed = {
        "x": alt.X(f"x:{_LETTERS[sorts['x']]}", title=plan.x, scale=scale),
        "y": alt.Y(f"y:{_LETTERS[sorts['y']]}", title=plan.y),
        "tooltip": _tips(plan, sorts),
    }
    return {**placed, "color": alt.Color("by:N", title=plan.by)} if plan.by else placed


def _tips(plan: Plan, sorts: dict[str, Sort]) -> list[alt.Tooltip]:
    named = {"x": plan.x, "y": plan.y, "by": plan.by or ""}
    return [alt.Tooltip(f"{name}:{_LETTERS[sort]}", title=named[name]) for name, sort in sorts.items()]


def _sort(field: pa.Field) -> Sort | None:
    types, sort = pa.types, field.type
    if types.is_integer(sort) and _is_year(field.name):
        return Sort.NAME
    if types.is_integer(sort) or types.is_floating(sort) or types.is_decimal(sort):
        return Sort.QUANTITY
    if types.is_date(sort) or types.is_timestamp(sort):
        return Sort.TIME
    return Sort.NAME if types.is_string(sort) or types.is_boolean(sort) else None


def _is_year(name: str) -> bool:
    return name.lower().endswith("year")


def _is_few(table: pa.Table, name: str) -> bool:
    return len(table[name].unique()) <= COLOURS


def _rises(table: pa.Table, name: str) -> bool:
    """Whether a column never falls: rows in its order make a line."""
    values = [value for value in table[name].to_pylist() if value is not None]
    return all(one < other for one, other in pairwise(values))


def _plain(value: Any) -> Any:
    from decimal import Decimal

    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and value != value:
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else value.isoformat()
