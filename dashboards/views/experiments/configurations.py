"""The configurations of a round: means with their intervals, what each costs, and the price of being best."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.charts.experiments import cost, ranking
from dashboards.drawing.experiments.price import price_html
from dashboards.facts.experiments.listed import trial_table
from dashboards.facts.experiments.rounds import Round, mean
from dashboards.views.downloading import offer
from dashboards.views.experiments.held import price_of
from tasks.evaluate.experiments.outcome import GridOutcome

CHARTED = 40
"""So many of the best stand in the chart; the table has all."""
_ROW, _TALLEST = 35, 460


def draw(chosen: Round, measure: str) -> None:
    """Draw the best as a chart and all as a table."""
    ranked = chosen.ranked(measure)
    best = ranked[0]
    told = f"{measure} of each configuration with its interval; the best is {best.name} with {mean(best, measure):.3f}"
    st.altair_chart(ranking(ranked[:CHARTED], measure), theme="streamlit", alt=told)
    if len(ranked) > CHARTED:
        st.caption(f"The best {CHARTED} of {len(ranked):,}; the table has all.")
    table = trial_table(ranked, measure)
    st.dataframe(
        table,
        key="experiments-configurations",
        hide_index=True,
        height=min(_ROW * (len(ranked) + 1) + 3, _TALLEST),
        column_config=_columns(table.column_names, measure),
        alt="Configurations, the best first, with their measures, latency, sizes and the seconds of their ingest",
    )
    offer(f"kalends-configurations-{chosen.name}", len(ranked), lambda: table)


def price(found: GridOutcome, measure: str) -> None:
    """Draw what being best costs."""
    if len(found.trials) < 2:
        return
    st.header("The price of being best")
    st.html(price_html(price_of(found, measure)))
    ranked = [each.record for each in found.ranked(measure)]
    told = f"{measure} against the milliseconds of a search, a point a configuration; the larger the larger its index"
    st.altair_chart(cost(ranked, measure), theme="streamlit", alt=told)


def _columns(names: list[str], measure: str) -> dict[str, Any]:
    config = st.column_config
    known = {
        "configuration": config.TextColumn("Configuration", width=290),
        "mean": config.NumberColumn(measure, format="%.3f"),
        "low": config.NumberColumn("From", format="%.3f", help="The lower end of the 95 % interval"),
        "high": config.NumberColumn("To", format="%.3f", help="The upper end of the 95 % interval"),
        "p50": config.NumberColumn("ms, 50 %", format="%.1f", help="A search, without the question's vector"),
        "p95": config.NumberColumn("ms, 95 %", format="%.1f"),
        "chunks": config.NumberColumn("Passages", format="localized"),
        "vectors": config.NumberColumn("Vectors", format="localized"),
        "megabytes": config.NumberColumn("Index, MB", format="%.1f"),
        "ingest_seconds": config.NumberColumn(
            "Ingest, s", format="%.1f", help="As it ran, with what other configurations had made there already"
        ),
        "model": config.TextColumn("Embedder"),
        "day": config.DateColumn("Day"),
        "trial_id": config.TextColumn("Trial"),
    }
    return {name: known.get(name) or config.NumberColumn(name, format="%.3f") for name in names}
