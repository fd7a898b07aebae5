"""The browser's history: one action of the reader is one step of it, so that Back leads to what was seen before.

Streamlit writes the address of a page that is left more than once: it first adds the parameters of the next page to the
path of the old one (https://docs.streamlit.io/develop/api-reference/navigation/st.switch_page). Without this, Back from
a document that was opened from a search leads to the search page without its question. And what is chosen in a widget
that is bound to the address is written over the step before: Back would lead past what was seen.
"""

from __future__ import annotations

import streamlit as st

_ONE_STEP = """
// What is opened begins at its top.
const OPENS = ["document", "rule", "chunk", "twin"];
export default function () {
  if (window.kalendsHistory) return;
  window.kalendsHistory = true;
  let acted = true, chose = false;
  const act = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    acted = true;
    chose = event.type !== "popstate";
  };
  for (const kind of ["pointerdown", "click", "keydown", "popstate"]) window.addEventListener(kind, act, true);
  const opened = (url) => url.pathname + OPENS.map((name) => url.searchParams.get(name));
  const push = window.history.pushState.bind(window.history);
  const replace = window.history.replaceState.bind(window.history);
  window.history.pushState = (state, unused, address) => {
    const before = opened(new URL(location.href));
    if (acted) push(state, unused, address);
    else replace(state, unused, address);
    if (opened(new URL(location.href)) !== before) document.querySelector(".stMain")?.scrollTo(0, 0);
    acted = chose = false;
  };
  window.history.replaceState = (state, unused, address) => {
    const elsewhere = address && new URL(address, location.href).href !== location.href;
    if (chose && elsewhere) window.history.pushState(state, unused, address);
    else replace(state, unused, address);
  };
}
"""


def join_history_steps() -> None:
    """Join what is written into the address between two actions of the reader into one step."""
    st.components.v2.component("kalends_history", js=_ONE_STEP)(key="kalends-history")
