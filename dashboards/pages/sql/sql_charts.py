"""Charts of a query's result: the kind of each column, the chart drawn by default, and the drawing of a chosen one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Any

import altair as alt
import pyarrow as pa
import pyarrow.compute as pc

_YEAR = re.compile(r"year$|^(?:fy|yr|year\(.*\))$")
COLOURS = 8  # Names of a column up to which the default chart distinguishes them by colour.
MAX_ROWS = 5000  # Rows that are drawn of a result, but for bars.
MAX_BARS = 200  # Rows that are drawn as bars, each with its name.
_YEAR_FORMAT = "d"
_ROW = 24  # Pixels of a row with a name next to it, so that each name can be read.


class ChartKind(StrEnum):
    """Kind of a chart of a result."""

    LINE = "line"
    BAR = "bars"
    SCATTER = "points"
    HEAT = "heat map"


class ColumnKind(StrEnum):
    """Kind of the values of a column."""

    QUANTITY = "quantity"
    TIME = "time"
    NAME = "name"


_LETTERS = {ColumnKind.QUANTITY: "Q", ColumnKind.TIME: "T", ColumnKind.NAME: "N"}


@dataclass(frozen=True, slots=True)
class ChartPlan:
    """Kind of a chart, columns of its axes, and the one that colours its marks, or has a heat map's quantities."""

    kind: ChartKind
    x: str
    y: str
    by: str | None = None


def find_column_kinds(table: pa.Table) -> dict[str, ColumnKind]:
    """The kinds of the columns that can be drawn; lists and records cannot."""
    kinds = {field.name: _find_column_kind(field, table[field.name]) for field in table.schema}
    return {name: kind for name, kind in kinds.items() if kind}


def choose_default_plan(table: pa.Table) -> ChartPlan | None:
    """The chart that shows a result best by default; None where no column is a quantity."""
    kinds = find_column_kinds(table)
    amounts, times, names = (
        [name for name, column_kind in kinds.items() if column_kind is kind]
        for kind in (ColumnKind.QUANTITY, ColumnKind.TIME, ColumnKind.NAME)
    )
    if not amounts or table.num_rows < 2:
        return None
    if times:
        by = next((name for name in names if len(table[name].unique()) <= COLOURS), None)
        return ChartPlan(ChartKind.LINE, times[0], amounts[0], by)
    if len(names) > 1 and len(amounts) == 1:
        across, up = sorted(names[:2], key=lambda name: not _is_year(name))
        return ChartPlan(ChartKind.HEAT, across, up, amounts[0])
    if names:
        return ChartPlan(ChartKind.BAR, names[0], amounts[0])
    if len(amounts) > 1:
        values = [value for value in table[amounts[0]].to_pylist() if value is not None]
        # Values that rise from row to row make a line.
        rises = all(one < other for one, other in pairwise(values))
        return ChartPlan(ChartKind.LINE if rises else ChartKind.SCATTER, amounts[0], amounts[1])
    return None


def holds_years(name: str, column: pa.ChunkedArray) -> bool:
    """Whether the integers of a column are years: all from 1800 to 2100, or, by its name, from 1000 to 2999."""
    if not pa.types.is_integer(column.type) or column.null_count == len(column):
        return False
    bounds = pc.min_max(column).as_py()
    least, most = (1000, 2999) if _YEAR.search(name.lower()) else (1800, 2100)
    return bool(least <= bounds["min"] and bounds["max"] <= most)


def _find_column_kind(field: pa.Field, column: pa.ChunkedArray) -> ColumnKind | None:
    types, sort = pa.types, field.type
    if _is_year(field.name) and holds_years(field.name, column):
        return ColumnKind.NAME
    if types.is_integer(sort) or types.is_floating(sort) or types.is_decimal(sort):
        return ColumnKind.QUANTITY
    if types.is_date(sort) or types.is_timestamp(sort):
        return ColumnKind.TIME
    return ColumnKind.NAME if types.is_string(sort) or types.is_boolean(sort) else None


def _is_year(name: str) -> bool:
    return _YEAR.search(name.lower()) is not None


def chart_result(table: pa.Table, plan: ChartPlan) -> alt.Chart:
    """A chart of the first rows of a result, as many as `count_charted_rows`."""
    rows = table.slice(0, count_charted_rows(plan.kind))
    channels = {name: column for name, column in (("x", plan.x), ("y", plan.y), ("by", plan.by)) if column}
    values = [
        dict(zip(channels, values, strict=True))
        for values in zip(
            *(map(_to_chart_value, rows[column].to_pylist()) for column in channels.values()), strict=True
        )
    ]
    kinds = find_column_kinds(table)
    chart = alt.Chart(alt.InlineData(values), height=360)
    encoding = _build_channels(plan, {name: kinds[column] for name, column in channels.items()}, rows)
    drawing: alt.Chart
    if plan.kind is ChartKind.LINE:
        drawing = chart.mark_line(point=True).encode(**encoding)
    elif plan.kind is ChartKind.SCATTER:
        drawing = chart.mark_circle(size=60, opacity=0.7).encode(**encoding)
    elif plan.kind is ChartKind.BAR:
        # Horizontal bars, since names are long.
        label_axis = alt.Axis(labelLimit=260, labelOverlap=False)
        encoding["y"] = alt.Y("x:N", title=plan.x, sort=None, axis=label_axis)
        encoding["x"] = alt.X("y:Q", title=plan.y, axis=_build_axis(plan.y, rows[plan.y], kinds[plan.y]))
        drawing = chart.mark_bar().encode(**encoding).properties(height=alt.Step(_ROW))
    else:
        encoding = {
            "x": alt.X("x:O", title=plan.x, axis=alt.Axis(labelLimit=120, labelAngle=-40)),
            "y": alt.Y("y:O", title=plan.y, axis=alt.Axis(labelLimit=200, labelOverlap=False)),
            "color": alt.Color("by:Q", title=plan.by) if plan.by else alt.Color("count():Q", title="rows"),
            "tooltip": encoding["tooltip"],
        }
        drawing = chart.mark_rect().encode(**encoding).properties(height=alt.Step(_ROW))
    return drawing


def count_charted_rows(kind: ChartKind) -> int:
    """The number of rows that a kind of chart draws at most."""
    return MAX_BARS if kind is ChartKind.BAR else MAX_ROWS


def _build_channels(plan: ChartPlan, kinds: dict[str, ColumnKind], rows: pa.Table) -> dict[str, Any]:
    """The columns as channels; days are in UTC, so that the reader's time zone does not move them."""
    titles = {"x": plan.x, "y": plan.y, "by": plan.by or ""}
    axes = {name: _build_axis(titles[name], rows[titles[name]], kind) for name, kind in kinds.items()}
    scale = alt.Scale(type="utc") if kinds["x"] is ColumnKind.TIME else alt.Undefined
    if axes["x"].format == _YEAR_FORMAT:
        # No bar begins at the year 0.
        scale = alt.Scale(zero=False)
    channels = {
        "x": alt.X(f"x:{_LETTERS[kinds['x']]}", title=plan.x, scale=scale, axis=axes["x"]),
        "y": alt.Y(f"y:{_LETTERS[kinds['y']]}", title=plan.y, axis=axes["y"]),
        "tooltip": [
            alt.Tooltip(f"{name}:{_LETTERS[kind]}", title=titles[name], format=axes[name].format)
            for name, kind in kinds.items()
        ],
    }
    return {**channels, "color": alt.Color("by:N", title=plan.by)} if plan.by else channels


def _build_axis(name: str, column: pa.ChunkedArray, kind: ColumnKind) -> alt.Axis:
    """The axis of a column: years without a comma, integers without ticks between them."""
    if kind is ColumnKind.QUANTITY and holds_years(name, column):
        return alt.Axis(tickMinStep=1, format=_YEAR_FORMAT)
    if kind is ColumnKind.QUANTITY and pa.types.is_integer(column.type):
        return alt.Axis(tickMinStep=1, format=",d")
    return alt.Axis(format=alt.Undefined)


def _to_chart_value(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and value != value:
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else value.isoformat()
