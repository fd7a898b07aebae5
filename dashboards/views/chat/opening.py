"""The marks [n] of answers as what they look like: buttons that open a source."""

from __future__ import annotations

import streamlit as st

_LISTEN = """
export default function ({ setTriggerValue }) {
  const heard = "kalendsOpensSources";
  document.removeEventListener("click", document[heard]);
  document[heard] = (event) => {
    const mark = event.target.closest?.("button[data-cite]");
    if (mark) setTriggerValue("opened", mark.dataset.cite);
  };
  document.addEventListener("click", document[heard]);
  return () => document.removeEventListener("click", document[heard]);
}
"""


def pressed() -> tuple[int, int] | None:
    """The answer and the number of the source that the reader has just asked for; None where nothing was."""
    mount = st.components.v2.component("kalends_cites", js=_LISTEN)
    given = mount(key="cites", on_opened_change=_nothing).get("opened")
    turn, _, number = str(given or "").partition(".")
    return (int(turn), int(number)) if turn.isdecimal() and number.isdecimal() else None


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""
