"""Scripts in the reader's browser (`scripts/`): copy buttons, clicks on our own HTML, row keys, popovers, the history.

History: one action of the reader is one step, so that Back leads to what was seen before. Streamlit writes the address
of a page that is left more than once: it first adds the parameters of the next page to the path of the old one
(https://docs.streamlit.io/develop/api-reference/navigation/st.switch_page). Without `history.js`, Back from a document
that was opened from a search leads to the search page without its question. A widget that is bound to the address
replaces the previous step: Back would skip what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from dashboards.widgets import state

_FOLDER = Path(__file__).parent / "scripts"


def mount_script(name: str, file: Path | None = None, *, isolate_styles: bool = True, **options: Any) -> Any:
    """Run a script of the folder, or `file`, as a component of Streamlit with these options; returns its values.

    `copy` makes buttons of our own HTML copy the text of their `data-copy`; `rows` lets Enter and Space select a row in
    every list of `data_elements`; `history` joins all changes of the address between two actions of the reader.
    """
    source = _read_source(file or _FOLDER / f"{name}.js")
    return st.components.v2.component(f"kalends_{name}", js=source, isolate_styles=isolate_styles)(**options)


@cache
def _read_source(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def get_pressed_value(attribute: str) -> str:
    """The `data-{attribute}` of the element just pressed, else ""; one with `aria-pressed` is scrolled into view."""
    # Streamlit keeps a trigger's value only where there is a callback.
    key, data = state.make_page_key(f"pressed-{attribute}"), {"attribute": attribute}
    return str(mount_script("pressed", data=data, key=key, on_pressed_change=lambda: None).get("pressed") or "")


@contextmanager
def draw_field_popover(label: str, page: str, names: Sequence[str], **options: Any) -> Iterator[None]:
    """A popover around the widgets of these fields, with these options of `st.popover`, of which `key` is one.

    Fields that the server has set while it was closed keep their values; see `state`.
    """
    before = state.hold_values(page, names)
    with st.popover(label, **options):
        yield
        if state.has_pending_values(page, names, before):
            release = partial(state.release_values, page, names)
            mount_script("opened", key=f"{options['key']}-opened", on_opened_change=release)


def is_wide_window(pixels: int) -> bool:
    """Whether the window has at least so many CSS pixels, as it last reported; not at a session's first display."""
    was_wide = bool(st.session_state.get("kalends-wide", False))
    data = {"least": pixels, "known": was_wide}
    wide = mount_script("width", data=data, key="kalends-width", on_wide_change=lambda: None).get("wide")
    if wide is not None:
        st.session_state["kalends-wide"] = bool(wide)
    return bool(st.session_state.get("kalends-wide", False))
