"""Quality page: how well passages can be found and understood, their faults, and what to correct first."""

from __future__ import annotations

from datetime import UTC, date, datetime

import streamlit as st

from dashboards.pages.quality.examination import Examination, load_examination, run_examination
from dashboards.pages.quality.findings import draw_findings
from dashboards.pages.quality.overview import draw_overview, offer_reports
from dashboards.pages.quality.passages import draw_pair, draw_passage
from dashboards.pages.quality.selection import QualityAddress, draw_breadcrumbs, read_address
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings

_SWITCH = state.key("quality", "together")


def page() -> None:
    """Draw what the address opens: all of the generation, a rule, a document, a passage, or two that are alike."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="quality-head"):
        st.title("Quality")
        here = page_context()
        warehouse = here.warehouse.at()
        with st.container(key="quality-how", width="content"):
            st.session_state[_SWITCH] = st.query_params.get("together") == "true"
            together = st.toggle(
                "Compare documents",
                key=_SWITCH,
                on_change=_switched,
                args=(st.session_state[_SWITCH],),
                help="Also finds duplicates, broken links and contradictions between documents, as 'kalends check' "
                "does; findings that a file asks to hide are left out. Takes a while the first time.",
            )
        offer_reports(lambda: _examined(here, warehouse, together=True))
    examined = _examined(here, warehouse, together=together)
    _draw(warehouse, examined, read_address())


def _switched(before: object) -> None:
    """Not bound to the address by Streamlit: what it binds cannot be kept on the way to what is opened."""
    # Streamlit calls this too for what the browser still holds after Back.
    if st.session_state[_SWITCH] == before:
        return
    if st.session_state[_SWITCH]:
        st.query_params["together"] = "true"
    else:
        st.query_params.pop("together", None)


def _draw(warehouse: Warehouse, examined: Examination, what: QualityAddress) -> None:
    draw_breadcrumbs(warehouse, what)
    if what.twin:
        draw_pair(warehouse, examined, what.twin)
    elif what.chunk:
        draw_passage(warehouse, examined.findings, what)
    elif what.rule or what.document:
        draw_findings(warehouse, examined, what)
    else:
        draw_overview(warehouse, examined)


def _examined(here: PageContext, warehouse: Warehouse, *, together: bool) -> Examination:
    folder, state = str(here.settings.warehouse), warehouse.snapshot.generation.manifest.to_json()
    if not together:
        return _ingested(folder, state, warehouse)
    with st.spinner("Checking and comparing all documents …"):
        return _checked(folder, state, datetime.now(UTC).date(), warehouse, here.settings)


@st.cache_resource(show_spinner=False, max_entries=2)
def _ingested(folder: str, state: str, _warehouse: Warehouse) -> Examination:
    return load_examination(_warehouse)


@st.cache_resource(show_spinner=False, max_entries=2)
def _checked(folder: str, state: str, today: date, _warehouse: Warehouse, _settings: Settings) -> Examination:
    return run_examination(_warehouse, _settings)
