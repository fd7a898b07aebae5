"""The cells of a grid as what they look like: buttons that choose one."""

from __future__ import annotations

import streamlit as st

from dashboards.facts.tables_shown import Place

_LISTEN = """
export default function ({ setTriggerValue }) {
  const heard = "kalendsChoosesCells";
  document.removeEventListener("click", document[heard]);
  document[heard] = (event) => {
    const cell = event.target.closest?.("button[data-cell]");
    if (cell) setTriggerValue("chosen", cell.dataset.cell);
  };
  document.addEventListener("click", document[heard]);
  setTimeout(() => {
    const cell = document.querySelector('.k-grid button[aria-pressed="true"]');
    if (cell && cell.getBoundingClientRect().bottom > innerHeight) cell.scrollIntoView({ block: "center" });
  }, 400);
  return () => document.removeEventListener("click", document[heard]);
}
"""


def chosen() -> Place | None:
    """The cell that is chosen: the one just pressed, which goes into the address, or the one that stands there.

    To press the cell that is chosen already lets it go.
    """
    mount = st.components.v2.component("kalends_cells", js=_LISTEN)
    pressed = str(mount(key="cells", on_chosen_change=_nothing).get("chosen") or "")
    if pressed and pressed == st.query_params.get("cell"):
        del st.query_params["cell"]
    elif pressed:
        st.query_params["cell"] = pressed
    row, _, column = st.query_params.get("cell", "").partition(".")
    return (int(row), int(column)) if row.isdecimal() and column.isdecimal() else None


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""
