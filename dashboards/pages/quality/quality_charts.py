"""Charts of quality: distribution of scores, and findings by severity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pyarrow as pa

from warehouse.records import Severity

_SEVERITIES = [severity.value for severity in Severity]
_BAR = 24  # Height of a horizontal bar, in pixels.
_POWERS = [0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]


def chart_scores(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """Number of passages by score; the scale is symlog, so that few faulty ones are visible beside many others."""
    tooltip = [alt.Tooltip("score:Q", title="Score"), alt.Tooltip("passages:Q", title="Passages", format=",")]
    score_axis = alt.Axis(values=[each / 10 for each in range(0, 11, 2)], format=".1f", grid=False)
    chart: alt.Chart = (
        alt.Chart(pa.Table.from_pylist(list(rows)))
        .mark_bar(size=alt.ExprRef("min(14, width / 32)"), cornerRadiusEnd=2)
        .encode(
            x=alt.X("score:Q", title="Score", scale=alt.Scale(domain=[-0.03, 1.03], nice=False), axis=score_axis),
            y=alt.Y(
                "passages:Q",
                title="Passages",
                scale=alt.Scale(type="symlog"),
                axis=alt.Axis(values=_POWERS, format=",d"),
            ),
            tooltip=tooltip,
        )
        .properties(height=230)
    )
    return chart


def chart_severities(rows: Sequence[Mapping[str, Any]], column: str, title: str, most: int = 25) -> alt.Chart:
    """Findings by the most frequent values of a column, in parts by severity."""
    totals: dict[str, int] = {}
    for row in rows:
        totals[row[column]] = totals.get(row[column], 0) + row["count"]
    order = sorted(totals, key=lambda name: (-totals[name], name))[:most]
    name_axis = alt.Axis(labelLimit=220, labelOverlap=False)
    visible = [{**row, column: row[column] or "–"} for row in rows if row[column] in order]
    chart: alt.Chart = (
        alt.Chart(pa.Table.from_pylist(visible))
        .mark_bar()
        .encode(
            y=alt.Y(f"{column}:N", title=None, sort=[name or "–" for name in order], axis=name_axis),
            x=alt.X("sum(count):Q", title="Findings", axis=alt.Axis(tickMinStep=1, tickCount=8, format=",d")),
            color=_severity_color(),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip(f"{column}:N", title=title),
                alt.Tooltip("severity:N", title="Severity"),
                alt.Tooltip("sum(count):Q", title="Findings", format=","),
            ],
        )
        .transform_calculate(rank=f"indexof({_SEVERITIES}, datum.severity)")
        .properties(height=alt.Step(_BAR))
    )
    return chart


def chart_generations(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """Findings of each generation, in parts by severity; `rows` are those of `queries.generation_rows`."""
    parts = [
        {"generation": row["generation"], "severity": name, "count": row[name], "rank": rank, "score": row["score"]}
        for row in rows
        for rank, name in enumerate(_SEVERITIES)
    ]
    chart: alt.Chart = (
        alt.Chart(pa.Table.from_pylist(parts))
        .mark_bar(size=min(60, 600 // max(1, len(rows))))
        .encode(
            x=alt.X("generation:O", title="Generation", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("count:Q", title="Findings", axis=alt.Axis(tickMinStep=1, format=",d")),
            color=_severity_color(),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip("generation:O", title="Generation"),
                alt.Tooltip("severity:N", title="Severity"),
                alt.Tooltip("count:Q", title="Findings", format=","),
                alt.Tooltip("score:Q", title="Mean score", format=".4f"),
            ],
        )
        .properties(height=230)
    )
    return chart


def _severity_color() -> alt.Color:
    legend = alt.Legend(orient="top", title=None, columns=alt.ExprRef("width < 260 ? 1 : 3"))
    return alt.Color("severity:N", scale=alt.Scale(domain=_SEVERITIES), legend=legend)
