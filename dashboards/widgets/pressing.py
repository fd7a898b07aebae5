"""Buttons and links of our own HTML that are answered without leaving the page."""

from __future__ import annotations

import streamlit as st

from dashboards.widgets import state

_LISTEN = """
export default function ({ data, setTriggerValue }) {
  const { attribute } = data;
  const heard = `kalends-${attribute}`;
  document.removeEventListener("click", document[heard]);
  document[heard] = (event) => {
    const pressed = event.target.closest?.(`[data-${attribute}]`);
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    setTriggerValue("pressed", pressed.dataset[attribute]);
  };
  document.addEventListener("click", document[heard]);
  setTimeout(() => {
    const chosen = document.querySelector(`[data-${attribute}][aria-pressed="true"]`);
    if (chosen && chosen.getBoundingClientRect().bottom > innerHeight) chosen.scrollIntoView({ block: "center" });
  }, 400);
  return () => document.removeEventListener("click", document[heard]);
}
"""


def pressed_value(attribute: str) -> str:
    """What stands in `data-{attribute}` of what the reader has just pressed; "" where nothing was.

    What bears `aria-pressed` is brought into view. A link opened in another tab is one like any other.
    """
    mount = st.components.v2.component("kalends_pressed", js=_LISTEN)
    given = mount(data={"attribute": attribute}, key=state.own_key(f"pressed-{attribute}"), on_pressed_change=_nothing)
    return str(given.get("pressed") or "")


def _nothing() -> None:
    """The value itself is read: Streamlit keeps one only where somebody waits for it."""
