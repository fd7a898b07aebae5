"""Charts of an experiment: ranking, cost and effects as Altair charts, and all of them as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pyarrow as pa

from tasks.evaluate.experiments.grid_outcome import Effect, GridFindings
from warehouse.records import TrialRecord

_WIDTH = 480  # Width of a chart in the HTML page, in pixels.
_ROW = 24  # Height of one row of a chart, in pixels.
_NAMES = alt.Axis(labelLimit=260, labelOverlap=False)


def chart_ranking(trials: Sequence[TrialRecord], measure: str) -> alt.LayerChart:
    """Mean and 95 % interval of each configuration by a measure, in the given order."""
    rows = [
        {"configuration": trial.name, "mean": row.mean, "low": row.low, "high": row.high}
        for trial in trials
        for row in trial.measures
        if row.measure == measure
    ]
    return _chart_intervals(rows, "configuration", "mean", measure)


def chart_cost(trials: Sequence[TrialRecord], measure: str) -> alt.Chart:
    """A measure by the median milliseconds of a search; the area of a point is the size of its indexes."""
    rows = [
        {"configuration": trial.name, "mean": row.mean, "ms": trial.p50, "MB": trial.index_bytes / 1e6}
        for trial in trials
        for row in trial.measures
        if row.measure == measure
    ]
    chart: alt.Chart = (
        alt.Chart(pa.Table.from_pylist(rows), height=360)
        .mark_circle()
        .encode(
            x=alt.X("ms:Q", title="Median milliseconds of a search", scale=alt.Scale(zero=False)),
            y=alt.Y("mean:Q", title=measure, scale=alt.Scale(zero=False)),
            size=alt.Size("MB:Q", title="Index, MB", scale=alt.Scale(range=[40, 400]), legend=_BELOW),
            tooltip=_build_tooltips(rows),
        )
    )
    return chart


def chart_effects(effects: Sequence[Effect], measure: str) -> alt.LayerChart:
    """Change of a measure from the first value of a setting to each other value, all else being equal."""
    rows = [
        {"value": f"{effect.dimension}: {effect.value}", "change": c.difference, "low": c.low, "high": c.high}
        for effect in effects
        if (c := effect.change)
    ]
    # Of no colour of its own a rule is black, on a dark page too; the colour of a kind is the theme's.
    line = alt.Chart(pa.table({"at": [0], "is": ["no change"]})).mark_rule(strokeDash=[4, 4])
    nothing = line.encode(x="at:Q", color=alt.Color("is:N", legend=None))
    chart: alt.LayerChart = nothing + _chart_intervals(rows, "value", "change", f"Change of {measure}")
    return chart.properties(height=alt.Step(_ROW))


def render_charts_page(findings: GridFindings) -> str:
    """All charts of an experiment as one HTML page that contains its JavaScript: opening it fetches nothing."""
    if not findings.price:
        return "<!doctype html><title>no trial</title>"
    measure = findings.price.measure
    records = [trial.record for trial in findings.grid.rank_trials(measure)]
    charts: list[Any] = [chart_ranking(records, measure), chart_cost(records, measure)]
    charts += [chart_effects(findings.effects, measure)] if findings.effects else []
    wide = [chart.properties(width=_WIDTH) for chart in charts]
    return str(alt.vconcat(*wide, title=findings.grid.exam).to_html(inline=True))


def _chart_intervals(rows: Sequence[dict[str, Any]], name: str, middle: str, title: str) -> alt.LayerChart:
    """One point with its interval per row, in the given order."""
    order = alt.Y(f"{name}:N", sort=[str(row[name]) for row in rows], title=None, axis=_NAMES)
    base = alt.Chart(pa.Table.from_pylist(list(rows)))
    scale, tips = alt.Scale(zero=False), _build_tooltips(rows)
    ends = base.mark_bar(size=3, opacity=0.5).encode(
        y=order, x=alt.X("low:Q", title=title, scale=scale), x2="high:Q", tooltip=tips
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        y=order, x=alt.X(f"{middle}:Q", scale=scale), tooltip=tips
    )
    chart: alt.LayerChart = (ends + points).properties(height=alt.Step(_ROW))
    return chart


def _build_tooltips(rows: Sequence[dict[str, Any]]) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"{name}:{'N' if isinstance(value, str) else 'Q'}", format="" if isinstance(value, str) else ".3f")
        for name, value in (rows[0] if rows else {}).items()
    ]


_BELOW = alt.Legend(orient="bottom", tickCount=3)
