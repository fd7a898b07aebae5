"""The source that the address names, opened: beside the answers in a wide window, over the page in a narrow one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.pages.chat.history import cited_source
from dashboards.pages.chat.opening import close_source, open_source, parse_source, source_in_address
from dashboards.pages.chat.turns import ChatTurn
from dashboards.widgets import sources
from dashboards.widgets.placing import LocatedSource
from dashboards.widgets.pressing import pressed_value
from warehouse.reader import Warehouse

WIDE_PIXELS = 1100
"""CSS pixels from which on an answer and a page stand side by side, each in half of them."""
_WIDTH_SCRIPT = """
export default function ({ data, setStateValue }) {
  const wide = window.matchMedia(`(min-width: ${data.least}px)`);
  const tell = () => setStateValue("wide", wide.matches);
  if (wide.matches !== data.known) tell();
  wide.addEventListener("change", tell);
  return () => wide.removeEventListener("change", tell);
}
"""


def follow_citation() -> None:
    """Open what the reader has just pressed in an answer."""
    asked = parse_source(pressed_value("cite"))
    if asked:
        open_source(*asked)


def opened_source(turns: Sequence[ChatTurn], warehouse: Warehouse) -> LocatedSource | None:
    """The source that the address names; None where it names none, or one that there is not."""
    asked = source_in_address()
    return cited_source(turns, *asked, warehouse) if asked else None


def answer_columns(source: LocatedSource | None) -> tuple[DeltaGenerator, DeltaGenerator | None]:
    """Where the answers go, and where the source does; None where it goes over the page, or there is none."""
    if not _is_wide() or source is None:
        return st.container(), None
    answers, side = st.columns([1, 1], gap="large")
    return answers, side


def draw_source(source: LocatedSource, side: DeltaGenerator | None) -> None:
    """Draw the source."""
    if side is None:
        sources.open_source_dialog(source, close_source)
        return
    with side, st.container(key="chat-beside"):
        st.button("Close", key="chat-close", type="tertiary", icon=":material/close:", on_click=close_source)
        sources.draw_source(source, beside=True)


def _is_wide() -> bool:
    """Whether the window is, as it last told; no window has told anything before it was drawn once."""
    mount = st.components.v2.component("kalends_width", js=_WIDTH_SCRIPT)
    known = bool(st.session_state.get("kalends-wide", False))
    given = mount(data={"least": WIDE_PIXELS, "known": known}, key="kalends-width", on_wide_change=_nothing)
    told = given.get("wide")
    if told is not None:
        st.session_state["kalends-wide"] = bool(told)
    return bool(st.session_state.get("kalends-wide", False))


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""
