"""The source that the address names, opened: beside the answers in a wide window, over the page in a narrow one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.pages.chat.history import cited
from dashboards.pages.chat.opening import close_source, numbers, open_source, opened_source
from dashboards.pages.chat.turns import Turn
from dashboards.widgets import sources
from dashboards.widgets.placing import Placed
from dashboards.widgets.pressing import pressed
from warehouse.reader import Warehouse

WIDE = 1100
"""CSS pixels from which on an answer and a page stand side by side, each in half of them."""
_WIDTH = """
export default function ({ data, setStateValue }) {
  const wide = window.matchMedia(`(min-width: ${data.least}px)`);
  const tell = () => setStateValue("wide", wide.matches);
  if (wide.matches !== data.known) tell();
  wide.addEventListener("change", tell);
  return () => wide.removeEventListener("change", tell);
}
"""


def follow() -> None:
    """Open what the reader has just pressed in an answer."""
    asked = numbers(pressed("cite"))
    if asked:
        open_source(*asked)


def opened(turns: Sequence[Turn], warehouse: Warehouse) -> Placed | None:
    """The source that the address names; None where it names none, or one that there is not."""
    asked = opened_source()
    return cited(turns, *asked, warehouse) if asked else None


def columns(source: Placed | None) -> tuple[DeltaGenerator, DeltaGenerator | None]:
    """Where the answers go, and where the source does; None where it goes over the page, or there is none."""
    if not _is_wide() or source is None:
        return st.container(), None
    answers, side = st.columns([1, 1], gap="large")
    return answers, side


def draw(source: Placed, side: DeltaGenerator | None) -> None:
    """Draw the source."""
    if side is None:
        sources.show(source, close_source)
        return
    with side, st.container(key="chat-beside"):
        st.button("Close", key="chat-close", type="tertiary", icon=":material/close:", on_click=close_source)
        sources.draw(source, beside=True)


def _is_wide() -> bool:
    """Whether the window is, as it last told; no window has told anything before it was drawn once."""
    mount = st.components.v2.component("kalends_width", js=_WIDTH)
    known = bool(st.session_state.get("kalends-wide", False))
    given = mount(data={"least": WIDE, "known": known}, key="kalends-width", on_wide_change=_nothing)
    told = given.get("wide")
    if told is not None:
        st.session_state["kalends-wide"] = bool(told)
    return bool(st.session_state.get("kalends-wide", False))


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""
