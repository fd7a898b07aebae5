"""Charts of time: mentions over time, periods covered by reports, and the values of one figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pyarrow as pa

from dashboards.html.chart_parts import build_bar_chart, build_tooltips
from tasks.coverage import CoverageKind

ZOOM = "span"  # Name of the selection of days in the charts over time.
FIRST, REPEATED, RESTATED, IN_DOUBT = "first reported", "reported again", "restated", "in doubt"
"""Kinds of values of a figure."""
_KINDS = [kind.value for kind in (CoverageKind.MISSING, CoverageKind.MENTIONED, CoverageKind.PART, CoverageKind.REPORT)]
"""Missing periods first: the first colour is the one that is seen first."""
_ROW = 30  # Pixels of a row of the coverage chart.
_LEGEND_WIDTH = 150  # Pixels of a legend in one column, the axis and the space between them.
_LABEL = 160  # Pixels of the name of a row, half of a phone's width.


def chart_counts(
    rows: Sequence[Mapping[str, Any]], title: str, group: str, days: tuple[str, str], names: Sequence[str]
) -> alt.Chart:
    """Bars by period over half-open `days` (ISO dates) that can be dragged over, in colours by `names` of a `group`."""
    bars = build_bar_chart(
        rows,
        340,
        {"clip": True},
        x=alt.X(
            "period:T",
            bin="binned",
            title=None,
            scale=alt.Scale(domain=list(days), type="utc"),
            axis=_build_year_axis(),
        ),
        x2=alt.X2("until:T"),
        y=alt.Y("count:Q", title=title, axis=alt.Axis(tickMinStep=1, format=",d")),
        color=alt.Color("name:N", scale=alt.Scale(domain=list(names)), legend=_LEGEND if len(names) > 1 else None),
        tooltip=build_tooltips(
            {"period:T": "From", "until:T": "Before", "name:N": group, "count:Q": title},
            {"period:T": "%Y-%m-%d", "until:T": "%Y-%m-%d", "count:Q": ","},
        ),
    )
    return bars.add_params(alt.selection_interval(name=ZOOM, encodings=["x"]))


def chart_coverage(rows: Sequence[Mapping[str, Any]], lines: Sequence[str]) -> alt.LayerChart:
    """A row of periods for each of `lines`, even without any; missing periods have a cross, visible without colours."""
    names = alt.Scale(domain=list(lines), paddingInner=0.15)
    titles = {"line:N": "Of", "period:N": "Period", "days:N": "Days", "cover:N": "Coverage"}
    titles |= {"mentions:Q": "Mentions", "reports:N": "Reports"}
    base = alt.Chart(pa.Table.from_pylist(list(rows))).encode(
        x=alt.X("start:T", title=None, scale=alt.Scale(type="utc"), axis=_build_year_axis()),
        y=alt.Y("line:N", title=None, scale=names, axis=alt.Axis(labelLimit=_LABEL, labelOverlap=False)),
        tooltip=build_tooltips(titles, {"mentions:Q": ","}),
    )
    cover = alt.Color("cover:N", scale=alt.Scale(domain=_KINDS), legend=_LEGEND)
    shade = alt.Opacity("strength:Q", scale=alt.Scale(domain=[0, 1], range=[0.15, 1]), legend=None)
    squares = base.mark_rect(cornerRadius=2).encode(x2="end:T", color=cover, opacity=shade)
    crosses = (
        base.transform_filter(alt.datum.cover == CoverageKind.MISSING.value)
        .mark_point(shape="cross", angle=45, filled=True, size=90, opacity=1)
        .encode(x="middle:T", color=cover)
    )
    chart: alt.LayerChart = (squares + crosses).properties(height=_ROW * len(lines) + _LEGEND_WIDTH)
    return chart


def chart_figure(rows: Sequence[Mapping[str, Any]], title: str) -> alt.LayerChart:
    """Values of a figure by the last day of their periods: each as a point, the latest of a period joined by a line."""
    data = pa.Table.from_pylist(list(rows))
    x = alt.X("last:T", title=None, scale=alt.Scale(type="utc", padding=18), axis=_build_year_axis(grid=False))
    y = alt.Y("drawn:Q", title=title, scale=alt.Scale(zero=False, padding=14), axis=alt.Axis(format=",~r"))
    line = alt.Chart(data).transform_filter("datum.latest").mark_line(strokeWidth=2).encode(x=x, y=y)
    kinds = [FIRST, REPEATED, RESTATED, IN_DOUBT]
    shapes = alt.Scale(domain=kinds, range=["circle", "square", "diamond", "triangle"])
    titles = {"period:N": "Period", "shown:N": "Value", "kind:N": "Value is", "doubt:N": "In doubt"}
    points = (
        alt.Chart(data)
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", scale=alt.Scale(domain=kinds), legend=_LEGEND),
            shape=alt.Shape("kind:N", scale=shapes, legend=None),
            href="open:N",
            tooltip=build_tooltips(titles | {"source:N": "Document"}),
        )
    )
    chart: alt.LayerChart = (line + points).properties(height=300)
    return chart


def _build_year_axis(*, grid: bool = True) -> alt.Axis:
    """Each label has its year: a short span may hold no January."""
    label_expression = "utcFormat(datum.value, utcmonth(datum.value) == 0 ? '%Y' : '%b %Y')"
    return alt.Axis(grid=grid, labelOverlap="greedy", labelExpr=label_expression)


_LEGEND = alt.Legend(
    orient="top",
    title=None,
    labelLimit=220,
    columns=alt.ExprRef("width < 400 ? 1 : width < 620 ? 2 : width < 760 ? 4 : 6"),
)
"""Above the chart, in as many columns as fit."""
