"""Findings over the generations that are kept."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from dashboards.charts.quality import chart_generations
from dashboards.facts.quality.generations import (
    MOST_GENERATIONS,
    GenerationQuality,
    generation_rows,
    list_generations,
    summarize_generation,
)
from dashboards.widgets.downloading import draw_download
from tasks.quality.wording import counted
from warehouse.reader import Warehouse


def draw_history(warehouse: Warehouse) -> None:
    """How many there were in each, and how passages scored."""
    numbers = list_generations(warehouse)
    with st.spinner("Reading earlier generations …"):
        rows = generation_rows([_standing(str(warehouse.layout.folder), number, warehouse) for number in numbers])
    told = "; ".join(f"generation {r['generation']}: {r['error']} errors, {r['warning']} warnings" for r in rows)
    st.altair_chart(chart_generations(rows), alt=f"Findings by generation: {told}")
    config = st.column_config
    st.dataframe(
        {name: [row[name] for row in rows] for name in rows[0]},
        hide_index=True,
        column_config={
            "generation": config.NumberColumn("Generation"),
            "score": config.NumberColumn("Mean score", format="%.4f"),
            "passages": config.NumberColumn("Passages", format="localized"),
            "error": config.NumberColumn("Errors", format="localized"),
            "warning": config.NumberColumn("Warnings", format="localized"),
            "note": config.NumberColumn("Notes", format="localized"),
        },
        alt="Findings by generation",
    )
    runs = len(warehouse.runs())
    st.caption(
        f"{len(numbers):,} of {counted(runs, 'generation')}: those that maintenance has kept, at most "
        f"the latest {MOST_GENERATIONS}. A generation is the state of the library after one import."
    )
    draw_download("kalends-quality-generations", len(rows), lambda: pa.Table.from_pylist(rows))


@st.cache_data(show_spinner=False, max_entries=64)
def _standing(folder: str, number: int, _warehouse: Warehouse) -> GenerationQuality:
    """A published generation never changes."""
    return summarize_generation(_warehouse.at(number))
