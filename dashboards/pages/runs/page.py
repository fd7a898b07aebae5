"""Runs: every import with its times, what one changed, what is scheduled, and the use of the disk."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from dashboards.charts.runs import disk_use
from dashboards.drawing.library.about import size_words
from dashboards.facts.runs.disk import Part, parts
from dashboards.pages.runs import comparing, listing, recorded
from dashboards.widgets import imports
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext, page_context
from tasks.quality.wording import counted
from warehouse.store.layout import Layout

FRESH = 30.0
"""Seconds for which what a folder takes is not counted again."""


def page() -> None:
    """Draw the runs that led to what is published."""
    st.title("Runs")
    st.markdown("Each import that changed something made a new generation: a complete state of the library.")
    here = page_context()
    imports.draw_imports(here)
    catalogue = here.catalogue()
    chosen = listing.draw(here, catalogue.runs)
    comparing.draw(here, catalogue.runs, chosen)
    recorded.draw(here, chosen)
    _disk(here)


def _disk(here: PageContext) -> None:
    st.header("Disk use")
    found = _parts(str(here.settings.warehouse), Layout(here.settings.warehouse))
    total, files = sum(part.bytes for part in found), sum(part.files for part in found)
    st.caption(f"{size_words(total)} in {counted(files, 'file')} of the folder {here.settings.warehouse.name}")
    told = ", ".join(f"{part.name} {size_words(part.bytes)}" for part in found)
    st.altair_chart(disk_use(found), theme="streamlit", alt=f"Disk use of each part: {told}")
    rows = {
        "part": [part.name for part in found],
        "bytes": [part.bytes for part in found],
        "size": [size_words(part.bytes) for part in found],
        "files": [part.files for part in found],
        "holds": [part.holds for part in found],
    }
    st.dataframe(
        rows,
        hide_index=True,
        column_order=("part", "size", "files", "holds"),
        column_config={**{name: name.capitalize() for name in rows}, "holds": "Contents"},
        alt="The parts of the warehouse folder with their sizes",
    )
    draw_download("kalends-disk", len(found), lambda: pa.table(rows))


@st.cache_data(show_spinner=False, ttl=FRESH, max_entries=4)
def _parts(folder: str, _layout: Layout) -> list[Part]:
    return parts(_layout)
