"""Scripts in the reader's browser: copy buttons, clicks on our own HTML, and the steps of the browser's history.

History: one action of the reader is one step, so that Back leads to what was seen before. Streamlit writes the address
of a page that is left more than once: it first adds the parameters of the next page to the path of the old one
(https://docs.streamlit.io/develop/api-reference/navigation/st.switch_page). Without `join_history_steps`, Back from a
document that was opened from a search leads to the search page without its question. A widget that is bound to the
address replaces the previous step: Back would skip what was seen.
"""

from __future__ import annotations

import streamlit as st

from dashboards.widgets import state

_COPY = """
export default function () {
  if (window.kalendsCopy) return;
  window.kalendsCopy = true;
  const byHand = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const text = button.dataset.copy;
    // Browsers hide the clipboard from pages that come from another machine without TLS.
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false) || byHand(text);
    const before = button.dataset.said ||= button.textContent;
    button.textContent = done ? "Copied" : "Select the text and copy it";
    setTimeout(() => { button.textContent = before; }, 2000);
  });
}
"""


def enable_copy_buttons() -> None:
    """Make buttons of our own HTML copy the text of their `data-copy`; call it once a page."""
    st.components.v2.component("kalends_copy", js=_COPY)(key="kalends-copy")


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
    """The value of `data-{attribute}` of the element just pressed; "" where none was.

    An element with `aria-pressed` is scrolled into view. Links that are opened in another tab work as usual.
    """
    mount = st.components.v2.component("kalends_pressed", js=_LISTEN)
    result = mount(data={"attribute": attribute}, key=state.own_key(f"pressed-{attribute}"), on_pressed_change=_ignore)
    return str(result.get("pressed") or "")


def _ignore() -> None:
    """Do nothing: Streamlit keeps a trigger's value only where there is a callback."""


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
    """Join all changes of the address between two actions of the reader into one step of the history."""
    st.components.v2.component("kalends_history", js=_ONE_STEP)(key="kalends-history")
