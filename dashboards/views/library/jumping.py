"""Links of an outline followed without leaving the page; opened in another tab they are links like any other."""

from __future__ import annotations

import streamlit as st

_LISTEN = """
export default function ({ setTriggerValue }) {
  const heard = "kalendsTurnsLeaves";
  document.removeEventListener("click", document[heard]);
  document[heard] = (event) => {
    const link = event.target.closest?.("a[data-leaf]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    setTriggerValue("leaf", link.dataset.leaf);
  };
  document.addEventListener("click", document[heard]);
  return () => document.removeEventListener("click", document[heard]);
}
"""


def jumped() -> int | None:
    """The leaf that the reader has just gone to; None where they stayed."""
    mount = st.components.v2.component("kalends_leaves", js=_LISTEN)
    given = str(mount(key="leaves", on_leaf_change=_nothing).get("leaf") or "")
    return int(given) if given.isdecimal() else None


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""
