"""A source opened: the passage with what was quoted of it marked, and its page with the very lines boxed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboards.drawing.notices import error_html, note_html
from dashboards.drawing.passages import passage_html
from dashboards.drawing.sourcing import heading_html
from dashboards.widgets import state
from dashboards.widgets.citing import cite
from dashboards.widgets.pictures import boxes_of, draw_pages, drawable
from dashboards.widgets.placing import Placed
from dashboards.widgets.resources import place
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse

MOST_BYTES = 200 * 2**20
"""A larger file is not offered for download: the browser opens it from its folder."""


def show(source: Placed, close: Callable[[], None]) -> None:
    """Draw it over the page. `close` is called when the reader closes it."""
    st.dialog("Source", width="large", on_dismiss=close)(draw)(source)


def draw(source: Placed, *, beside: bool = False) -> None:
    """The passage and its page: side by side, or, with `beside`, the page above in a column of its own."""
    warehouse = place().warehouse
    st.html(heading_html(source.number, source.citation))
    has_pages = source.file is not None and drawable(warehouse, source.document_id)
    if beside or not has_pages:
        pictures, words = st.container(), st.container()
    else:
        words, pictures = st.columns([2, 3])
    with words:
        st.html(passage_html(source.text, frozenset(), quoted=source.quoted))
        if source.file is None:
            st.html(note_html("The document is no longer in the library; this is what was quoted from it."))
        cite(source.citation, source.url)
        _file(source)
    with pictures:
        try:
            _pages(warehouse, source)
        except KalendsError as error:
            st.html(error_html(error))


def _pages(warehouse: Warehouse, source: Placed) -> None:
    boxes = boxes_of(warehouse, source.document_id, source.meant)
    if not boxes and source.page:
        boxes = {source.page: ()}
    draw_pages(warehouse, source.document_id, boxes)


def _file(source: Placed) -> None:
    file = source.file
    if file is None or not file.is_file() or file.stat().st_size > MOST_BYTES:
        return
    st.download_button(
        "Download the file",
        file.read_bytes,
        file.name,
        on_click="ignore",
        icon=":material/download:",
        key=state.own_key("source-file"),
    )
