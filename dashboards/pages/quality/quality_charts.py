"""Charts of quality: distribution of scores, and findings by severity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from dashboards.html.chart_parts import build_bar_chart, build_tooltips
from warehouse.records import Severity

_SEVERITIES = [severity.value for severity in Severity]
_SEVERITY_COLOR = alt.Color(
    "severity:N",
    scale=alt.Scale(domain=_SEVERITIES),
    legend=alt.Legend(orient="top", title=None, columns=alt.ExprRef("width < 260 ? 1 : 3")),
)
_BAR = 24  # Height of a horizontal bar, in pixels.
_MAX_BARS = 25
_POWERS = [0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]


def chart_scores(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """Number of passages by score; the scale is symlog, so that few faulty ones are visible among many others."""
    score_axis = alt.Axis(values=[tenth / 10 for tenth in range(0, 11, 2)], format=".1f", grid=False)
    highest = max((row["passages"] for row in rows), default=0)
    # Those above the highest bar would make Vega leave out labels of those below it.
    powers = [power for power in _POWERS if power <= highest]
    passage_axis = alt.Axis(values=powers, format=",d", labelOverlap="greedy")
    return build_bar_chart(
        rows,
        230,
        {"size": alt.ExprRef("min(14, width / 32)"), "cornerRadiusEnd": 2},
        x=alt.X("score:Q", title="Score", scale=alt.Scale(domain=[-0.03, 1.03], nice=False), axis=score_axis),
        y=alt.Y("passages:Q", title="Passages", scale=alt.Scale(type="symlog"), axis=passage_axis),
        tooltip=build_tooltips({"score:Q": "Score", "passages:Q": "Passages"}, {"passages:Q": ","}),
    )


def chart_severities(rows: Sequence[Mapping[str, Any]], column: str, title: str) -> alt.Chart:
    """Findings by the most frequent values of a column, in parts by severity."""
    totals: dict[str, int] = {}
    for row in rows:
        totals[row[column]] = totals.get(row[column], 0) + row["count"]
    order = sorted(totals, key=lambda name: (-totals[name], name))[:_MAX_BARS]
    name_axis = alt.Axis(labelLimit=220, labelOverlap=False)
    chart = build_bar_chart(
        [{**row, column: row[column] or "–"} for row in rows if row[column] in order],
        alt.Step(_BAR),
        {},
        y=alt.Y(f"{column}:N", title=None, sort=[name or "–" for name in order], axis=name_axis),
        x=alt.X("sum(count):Q", title="Findings", axis=alt.Axis(tickMinStep=1, tickCount=8, format=",d")),
        color=_SEVERITY_COLOR,
        order=alt.Order("rank:Q"),
        tooltip=build_tooltips(
            {f"{column}:N": title, "severity:N": "Severity", "sum(count):Q": "Findings"}, {"sum(count):Q": ","}
        ),
    )
    return chart.transform_calculate(rank=f"indexof({_SEVERITIES}, datum.severity)")


def chart_generations(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """Findings of each generation, in parts by severity; `rows` are those of `summarize_generation`."""
    parts = [
        {"generation": row["generation"], "severity": name, "count": row[name], "rank": rank, "score": row["score"]}
        for row in rows
        for rank, name in enumerate(_SEVERITIES)
    ]
    titles = {"generation:O": "Generation", "severity:N": "Severity", "count:Q": "Findings", "score:Q": "Mean score"}
    return build_bar_chart(
        parts,
        230,
        {"size": min(60, 600 // max(1, len(rows)))},
        x=alt.X("generation:O", title="Generation", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("count:Q", title="Findings", axis=alt.Axis(tickMinStep=1, format=",d")),
        color=_SEVERITY_COLOR,
        order=alt.Order("rank:Q"),
        tooltip=build_tooltips(titles, {"count:Q": ",", "score:Q": ".4f"}),
    )
