"""Charts of whatever a query gives, as planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pyarrow as pa

from dashboards.charts.plans import ChartKind, Plan, Sort, holds_years, sorts_of

MOST = 5000
"""Rows that are drawn."""
MOST_BARS = 200
"""Rows that are drawn as bars, each with its name."""
_YEARS = "d"
Axes = Mapping[str, alt.Axis]
"""The axis of each column, by its channel."""
_ROW = 24
"""Pixels of a row with a name at its side: enough for each name to be read."""


def drawn(table: pa.Table, plan: Plan) -> alt.Chart:
    """The chart of the first rows, `most_of` its kind."""
    rows = table.slice(0, most_of(plan.kind))
    told = {name: column for name, column in (("x", plan.x), ("y", plan.y), ("by", plan.by)) if column}
    values = [
        dict(zip(told, each, strict=True))
        for each in zip(*(map(_plain, rows[column].to_pylist()) for column in told.values()), strict=True)
    ]
    sorts = sorts_of(table)
    chart = alt.Chart(alt.InlineData(values), height=360)
    own = {name: sorts[column] for name, column in told.items()}
    axes = {name: _axis(column, rows[column], own[name]) for name, column in told.items()}
    made: alt.Chart = _DRAWN[plan.kind](chart, plan, own, axes)
    return made


def most_of(kind: ChartKind) -> int:
    """How many rows are drawn of a result."""
    return MOST_BARS if kind is ChartKind.BAR else MOST


def _line(chart: Any, plan: Plan, sorts: dict[str, Sort], axes: Axes) -> Any:
    return chart.mark_line(point=True).encode(**_placed(plan, sorts, axes))


def _points(chart: Any, plan: Plan, sorts: dict[str, Sort], axes: Axes) -> Any:
    return chart.mark_circle(size=60, opacity=0.7).encode(**_placed(plan, sorts, axes))


def _bars(chart: Any, plan: Plan, sorts: dict[str, Sort], axes: Axes) -> Any:
    """Lying bars, for names are long."""
    placed = _placed(plan, sorts, axes)
    placed["y"] = alt.Y("x:N", title=plan.x, sort=None, axis=alt.Axis(labelLimit=260, labelOverlap=False))
    placed["x"] = alt.X("y:Q", title=plan.y, axis=axes["y"])
    return chart.mark_bar().encode(**placed).properties(height=alt.Step(_ROW))


def _heat(chart: Any, plan: Plan, sorts: dict[str, Sort], axes: Axes) -> Any:
    placed = {
        "x": alt.X("x:O", title=plan.x, axis=alt.Axis(labelLimit=120, labelAngle=-40)),
        "y": alt.Y("y:O", title=plan.y, axis=alt.Axis(labelLimit=200, labelOverlap=False)),
        "color": alt.Color("by:Q", title=plan.by) if plan.by else alt.Color("count():Q", title="rows"),
        "tooltip": _tips(plan, sorts, axes),
    }
    return chart.mark_rect().encode(**placed).properties(height=alt.Step(_ROW))


_DRAWN = {ChartKind.LINE: _line, ChartKind.BAR: _bars, ChartKind.SCATTER: _points, ChartKind.HEAT: _heat}
_LETTERS = {Sort.QUANTITY: "Q", Sort.TIME: "T", Sort.NAME: "N"}


def _placed(plan: Plan, sorts: dict[str, Sort], axes: Axes) -> dict[str, Any]:
    """The columns as channels; days are drawn as they are written, whatever the reader's time zone."""
    scale = alt.Scale(type="utc") if sorts["x"] is Sort.TIME else alt.Undefined
    if axes["x"].format == _YEARS:
        # No bar begins at the year 0.
        scale = alt.Scale(zero=False)
    placed = {
        "x": alt.X(f"x:{_LETTERS[sorts['x']]}", title=plan.x, scale=scale, axis=axes["x"]),
        "y": alt.Y(f"y:{_LETTERS[sorts['y']]}", title=plan.y, axis=axes["y"]),
        "tooltip": _tips(plan, sorts, axes),
    }
    return {**placed, "color": alt.Color("by:N", title=plan.by)} if plan.by else placed


def _tips(plan: Plan, sorts: dict[str, Sort], axes: Axes) -> list[alt.Tooltip]:
    named = {"x": plan.x, "y": plan.y, "by": plan.by or ""}
    return [
        alt.Tooltip(f"{name}:{_LETTERS[sort]}", title=named[name], format=axes[name].format)
        for name, sort in sorts.items()
    ]


def _axis(name: str, column: pa.ChunkedArray, sort: Sort) -> alt.Axis:
    """How the numbers of a column are written: years without a comma, whole numbers without ticks between them."""
    if sort is not Sort.QUANTITY:
        return alt.Axis(format=alt.Undefined)
    if holds_years(name, column):
        return alt.Axis(tickMinStep=1, format=_YEARS)
    whole = pa.types.is_integer(column.type)
    return alt.Axis(tickMinStep=1, format=",d") if whole else alt.Axis(format=alt.Undefined)


def _plain(value: Any) -> Any:
    from decimal import Decimal

    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and value != value:
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else value.isoformat()
