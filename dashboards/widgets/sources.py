"""A source opened: the passage with what was quoted of it marked, and its page with the very lines boxed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboards.drawing.notices import error_html, note_html
from dashboards.drawing.passages import passage_html
from dashboards.drawing.sourcing import source_heading_html
from dashboards.widgets import state
from dashboards.widgets.citing import draw_folded_citation
from dashboards.widgets.pictures import draw_page_pictures, has_page_pictures, span_boxes
from dashboards.widgets.placing import LocatedSource
from dashboards.widgets.resources import page_context
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse

MOST_BYTES = 200 * 2**20
"""A larger file is not offered for download: the browser opens it from its folder."""


def open_source_dialog(source: LocatedSource, close: Callable[[], None]) -> None:
    """Draw it over the page. `close` is called when the reader closes it."""
    st.dialog("Source", width="large", on_dismiss=close)(draw_source)(source)


def draw_source(source: LocatedSource, *, beside: bool = False) -> None:
    """The passage and its page: side by side, or, with `beside`, the page above in a column of its own."""
    warehouse = page_context().warehouse
    st.html(source_heading_html(source.number, source.citation))
    has_pages = source.file is not None and has_page_pictures(warehouse, source.document_id)
    if beside or not has_pages:
        pictures, words = st.container(), st.container()
    else:
        words, pictures = st.columns([2, 3])
    with words:
        st.html(passage_html(source.text, frozenset(), quoted=source.quoted))
        if source.file is None:
            st.html(note_html("The document is no longer in the library; this is what was quoted from it."))
        draw_folded_citation(source.citation, source.url)
        _file(source)
    with pictures:
        try:
            _pages(warehouse, source)
        except KalendsError as error:
            st.html(error_html(error))


def _pages(warehouse: Warehouse, source: LocatedSource) -> None:
    boxes = span_boxes(warehouse, source.document_id, source.meant)
    if not boxes and source.page:
        boxes = {source.page: ()}
    draw_page_pictures(warehouse, source.document_id, boxes)


def _file(source: LocatedSource) -> None:
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
