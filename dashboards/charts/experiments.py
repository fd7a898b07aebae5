"""Charts of what a grid found: pure functions from its outcome to Altair charts."""

from __future__ import annotations

from typing import Any

import altair as alt
import pyarrow as pa

from tasks.evaluate.experiments.effects import Effect, effects
from tasks.evaluate.experiments.outcome import GridOutcome, Outcome

_WIDTH = 480
_ROW = 22
"""Pixels."""


def ranking(trials: list[Outcome], measure: str) -> alt.LayerChart:
    """Each configuration's mean and interval by a measure, in the order given."""
    rows = [
        {"configuration": each.name, "mean": row.mean, "low": row.low, "high": row.high}
        for each in trials
        if (row := each.measures.get(measure))
    ]
    order = alt.Y("configuration:N", sort=[str(row["configuration"]) for row in rows], title=None)
    base = alt.Chart(pa.Table.from_pylist(rows)).properties(width=_WIDTH, height=_ROW * len(rows))
    scale = alt.Scale(zero=False)
    ends = base.mark_rule().encode(y=order, x=alt.X("low:Q", title=measure, scale=scale), x2="high:Q")
    points = base.mark_point(filled=True, size=60).encode(y=order, x=alt.X("mean:Q", scale=scale), tooltip=_tips(rows))
    chart: alt.LayerChart = ends + points
    return chart


def cost(trials: list[Outcome], measure: str) -> alt.Chart:
    """A measure against the milliseconds of a search; the area is that of the indexes."""
    rows = [
        {"configuration": each.name, "mean": row.mean, "ms": each.record.p50, "MB": each.record.index_bytes / 1e6}
        for each in trials
        if (row := each.measures.get(measure))
    ]
    chart: alt.Chart = (
        alt.Chart(pa.Table.from_pylist(rows), width=_WIDTH, height=_WIDTH // 2)
        .mark_circle()
        .encode(
            x=alt.X("ms:Q", title="ms, half of the searches", scale=alt.Scale(zero=False)),
            y=alt.Y("mean:Q", title=measure, scale=alt.Scale(zero=False)),
            size=alt.Size("MB:Q", title="index, MB"),
            tooltip=_tips(rows),
        )
    )
    return chart


def ablation(found: list[Effect], measure: str) -> alt.LayerChart:
    """What each value is worth against the first of its dimension, all else being equal."""
    rows = [
        {"value": f"{each.dimension}: {each.value}", "gain": c.difference, "low": c.low, "high": c.high}
        for each in found
        if (c := each.change)
    ]
    order = alt.Y("value:N", sort=[str(row["value"]) for row in rows], title=None)
    base = alt.Chart(pa.Table.from_pylist(rows)).properties(width=_WIDTH, height=_ROW * max(len(rows), 1))
    ends = base.mark_rule().encode(y=order, x=alt.X("low:Q", title=f"{measure}, change"), x2="high:Q")
    points = base.mark_point(filled=True, size=60).encode(y=order, x="gain:Q", tooltip=_tips(rows))
    nothing = alt.Chart(pa.table({"at": [0]})).mark_rule(strokeDash=[4, 4]).encode(x="at:Q")
    chart: alt.LayerChart = nothing + ends + points
    return chart


def page(found: GridOutcome) -> str:
    """All charts of a grid as one page of HTML."""
    if not found.trials:
        return "<!doctype html><title>no trial</title>"
    measure = found.measure
    charts: list[Any] = [ranking(found.ranked(), measure), cost(list(found.trials), measure)]
    worth = effects(found.trials, measure)
    charts += [ablation(worth, measure)] if worth else []
    return str(alt.vconcat(*charts, title=found.exam).to_html())


def _tips(rows: list[dict[str, Any]]) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"{name}:{'N' if isinstance(value, str) else 'Q'}", format="" if isinstance(value, str) else ".3f")
        for name, value in (rows[0] if rows else {}).items()
    ]
