"""The configurations of an experiment: means with their intervals, and what each costs."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.charts.experiments import chart_cost, chart_ranking
from dashboards.drawing.experiments.price import price_html
from dashboards.facts.experiments.listed import trial_table
from dashboards.facts.experiments.rounds import TrialGroup, mean_of
from dashboards.pages.experiments.held import load_price
from dashboards.widgets.downloading import draw_download
from tasks.evaluate.experiments.outcome import GridOutcome

CHARTED = 40
"""So many of the best are in the chart; the table has all."""
_ROW, _TALLEST = 35, 460


def draw_configurations(chosen: TrialGroup, measure: str) -> None:
    """Draw the best as a chart and all as a table."""
    ranked = chosen.ranked(measure)
    best = ranked[0]
    told = (
        f"{measure} of each configuration with its interval; the best is {best.name} with {mean_of(best, measure):.3f}"
    )
    st.altair_chart(chart_ranking(ranked[:CHARTED], measure), theme="streamlit", alt=told)
    if len(ranked) > CHARTED:
        st.caption(f"The chart shows the best {CHARTED} of {len(ranked):,}; the table has all.")
    table = trial_table(ranked, measure)
    st.dataframe(
        table,
        key="experiments-configurations",
        hide_index=True,
        height=min(_ROW * (len(ranked) + 1) + 3, _TALLEST),
        column_config=_columns(table.column_names, measure),
        alt="Configurations, the best first, with their measures, search times, sizes and import times",
    )
    draw_download(f"kalends-configurations-{chosen.name}", len(ranked), lambda: table)


def draw_price(found: GridOutcome, measure: str) -> None:
    """Draw what being best costs."""
    if len(found.trials) < 2:
        return
    st.header("Cost of the best configuration")
    st.html(price_html(load_price(found, measure)))
    ranked = [each.record for each in found.ranked(measure)]
    told = f"{measure} by the milliseconds of a search, one point a configuration; larger points have larger indexes"
    st.altair_chart(chart_cost(ranked, measure), theme="streamlit", alt=told)


def _columns(names: list[str], measure: str) -> dict[str, Any]:
    config = st.column_config
    known = {
        "configuration": config.TextColumn("Configuration", width=290),
        "mean": config.NumberColumn(measure, format="%.3f"),
        "low": config.NumberColumn("Interval from", format="%.3f", help="Lower end of the 95 % interval"),
        "high": config.NumberColumn("Interval to", format="%.3f", help="Upper end of the 95 % interval"),
        "p50": config.NumberColumn(
            "Median ms",
            format="%.1f",
            help="Half of the searches took no longer; embedding the question is not counted",
        ),
        "p95": config.NumberColumn("95 % ms", format="%.1f", help="95 % of the searches took no longer"),
        "chunks": config.NumberColumn("Passages", format="localized"),
        "vectors": config.NumberColumn("Vectors", format="localized"),
        "megabytes": config.NumberColumn("Index, MB", format="%.1f"),
        "ingest_seconds": config.NumberColumn(
            "Import, s", format="%.1f", help="Seconds; what other configurations had already made is not counted"
        ),
        "model": config.TextColumn("Embedding model"),
        "day": config.DateColumn("Date"),
        "trial_id": config.TextColumn("Id"),
    }
    return {name: known.get(name) or config.NumberColumn(name, format="%.3f") for name in names}
