"""Quality page: how well passages can be found and understood, their faults, and what to correct first."""

from __future__ import annotations

from datetime import UTC, date, datetime

import streamlit as st

from dashboards.pages.quality.examination import Examination, load_examination, run_examination
from dashboards.pages.quality.findings import draw_findings
from dashboards.pages.quality.overview import draw_overview, draw_report_downloads
from dashboards.pages.quality.passages import draw_pair, draw_passage
from dashboards.pages.quality.selection import QualityAddress, draw_breadcrumbs, read_address
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings

_SWITCH = state.key("quality", "together")


def page() -> None:
    """Draw what the address names: the overview, a rule, a document, a passage, or a pair of near duplicates."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="quality-head"):
        st.title("Quality")
        context = page_context()
        warehouse = context.warehouse.at()
        with st.container(key="quality-how", width="content"):
            st.session_state[_SWITCH] = st.query_params.get("together") == "true"
            is_compared = st.toggle(
                "Compare documents",
                key=_SWITCH,
                on_change=_toggle_comparison,
                args=(st.session_state[_SWITCH],),
                help="Also finds duplicates, broken links and contradictions between documents, as 'kalends check' "
                "does; findings that a file asks to hide are left out. Takes a while the first time.",
            )
        draw_report_downloads(lambda: _examine(context, warehouse, is_compared=True))
    examination = _examine(context, warehouse, is_compared=is_compared)
    _draw(warehouse, examination, read_address())


def _toggle_comparison(before: object) -> None:
    """Write the switch to the address. Streamlit's own binding would lose it on links within the page."""
    # After the Back button, Streamlit calls this also for the old value that the browser still has.
    if st.session_state[_SWITCH] == before:
        return
    if st.session_state[_SWITCH]:
        st.query_params["together"] = "true"
    else:
        st.query_params.pop("together", None)


def _draw(warehouse: Warehouse, examination: Examination, address: QualityAddress) -> None:
    draw_breadcrumbs(warehouse, address)
    if address.twin:
        draw_pair(warehouse, examination, address.twin)
    elif address.chunk:
        draw_passage(warehouse, examination.findings, address)
    elif address.rule or address.document:
        draw_findings(warehouse, examination, address)
    else:
        draw_overview(warehouse, examination)


def _examine(context: PageContext, warehouse: Warehouse, *, is_compared: bool) -> Examination:
    folder, state = str(context.settings.warehouse), warehouse.snapshot.generation.manifest.to_json()
    if not is_compared:
        return _load_cached(folder, state, warehouse)
    with st.spinner("Checking and comparing all documents …"):
        return _run_cached(folder, state, datetime.now(UTC).date(), warehouse, context.settings)


@st.cache_resource(show_spinner=False, max_entries=2)
def _load_cached(folder: str, state: str, _warehouse: Warehouse) -> Examination:
    return load_examination(_warehouse)


@st.cache_resource(show_spinner=False, max_entries=2)
def _run_cached(folder: str, state: str, today: date, _warehouse: Warehouse, _settings: Settings) -> Examination:
    return run_examination(_warehouse, _settings)
