"""The effect of each value of a setting, all else being equal."""

from __future__ import annotations

import streamlit as st

from dashboards.charts.experiments import chart_effects
from dashboards.facts.experiments.listed import effect_table
from dashboards.pages.experiments.held import load_effects
from dashboards.widgets.downloading import draw_download
from tasks.evaluate.experiments.outcome import GridOutcome

_ROW, _TALLEST = 35, 420


def draw_effects(found: GridOutcome, measure: str) -> None:
    """Draw the ablation; nothing where nothing varies."""
    rows = load_effects(found, measure)
    if not any(each.change for each in rows):
        return
    st.header("Effect of each setting")
    st.caption(
        "Each value compared with the first value of its setting, over configurations that are alike in everything "
        "else. If an interval crosses the line, the difference may be chance."
    )
    told = "; ".join(f"{e.dimension} {e.value} {e.change.difference:+.3f}" for e in rows if e.change)
    st.altair_chart(chart_effects(rows, measure), theme="streamlit", alt=f"Change of {measure}: {told}")
    table = effect_table(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=min(_ROW * (len(rows) + 1) + 3, _TALLEST),
        placeholder="–",
        column_config={
            "dimension": config.TextColumn("Setting"),
            "value": config.TextColumn("Value"),
            "mean": config.NumberColumn(f"Mean {measure}", format="%.3f"),
            "configurations": config.NumberColumn(
                "Pairs", format="localized", help="Pairs of configurations that were compared"
            ),
            "difference": config.NumberColumn("Change", format="%+.3f"),
            "low": config.NumberColumn("Interval from", format="%+.3f"),
            "high": config.NumberColumn("Interval to", format="%+.3f"),
            "p": config.NumberColumn(
                "p",
                format="%.3f",
                help="Chance of such a difference if both were equally good (paired randomization test)",
            ),
        },
        alt="Values of each setting with their mean and the change from the first value",
    )
    draw_download("kalends-values", len(rows), lambda: table)
