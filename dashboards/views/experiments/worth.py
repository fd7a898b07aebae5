"""What each value of a dimension is worth, all else being equal."""

from __future__ import annotations

import streamlit as st

from dashboards.charts.experiments import ablation
from dashboards.facts.experiments.listed import effect_table
from dashboards.views.downloading import offer
from dashboards.views.experiments.held import effects_of
from tasks.evaluate.experiments.outcome import GridOutcome

_ROW, _TALLEST = 35, 420


def draw(found: GridOutcome, measure: str) -> None:
    """Draw the ablation; nothing where nothing varies."""
    rows = effects_of(found, measure)
    if not any(each.change for each in rows):
        return
    st.header("What each value is worth")
    st.caption(
        "Against the first value of its dimension, over the pairs of configurations that are alike in all else. An "
        "interval that crosses the line may be luck."
    )
    told = "; ".join(f"{e.dimension} {e.value} {e.change.difference:+.3f}" for e in rows if e.change)
    st.altair_chart(ablation(rows, measure), theme="streamlit", alt=f"Change of {measure}: {told}")
    table = effect_table(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=min(_ROW * (len(rows) + 1) + 3, _TALLEST),
        placeholder="–",
        column_config={
            "dimension": config.TextColumn("Dimension"),
            "value": config.TextColumn("Value"),
            "mean": config.NumberColumn(f"Mean {measure}", format="%.3f"),
            "configurations": config.NumberColumn("Pairs", format="localized", help="Configurations averaged over"),
            "difference": config.NumberColumn("Change", format="%+.3f"),
            "low": config.NumberColumn("From", format="%+.3f"),
            "high": config.NumberColumn("To", format="%+.3f"),
            "p": config.NumberColumn("p", format="%.3f", help="Paired randomization test"),
        },
        alt="Values of each dimension with their mean and the change from the first value",
    )
    offer("kalends-values", len(rows), lambda: table)
