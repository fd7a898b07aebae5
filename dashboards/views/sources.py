"""A source opened: the passage with what was quoted of it marked, and its page with the very lines boxed."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path

import streamlit as st

from dashboards.drawing.notices import error_html, note_html
from dashboards.drawing.pages import boxes_by_page, page_picture
from dashboards.drawing.quoted import quoted_html
from dashboards.drawing.sourcing import heading_html
from dashboards.views.citing import cite
from dashboards.views.placing import Placed
from dashboards.views.resources import place
from warehouse.errors import KalendsError, UnreadableFile
from warehouse.records import Box

PAGES = 3
"""Pages of one source that are drawn."""
MOST_BYTES = 200 * 2**20
"""A larger file is not offered for download: the browser opens it from its folder."""


@st.dialog("Source", width="large")
def show(source: Placed) -> None:
    """Draw it over the page."""
    st.html(heading_html(source.number, source.citation))
    has_pages = source.file is not None and source.file.suffix.lower() == ".pdf"
    words, pictures = st.columns([2, 3]) if has_pages else (st.container(), st.container())
    with words:
        st.html(quoted_html(source.text, source.quoted))
        if source.file is None:
            st.html(note_html("The document is no longer in the warehouse: this is what was quoted of it."))
        cite(source.citation, source.url)
        _file(source)
    with pictures:
        try:
            _pages(source)
        except KalendsError as error:
            st.html(error_html(error))


def _pages(source: Placed) -> None:
    if source.file is None:
        return
    warehouse = place().warehouse
    spans = [warehouse.regions(source.document_id, start, end) for start, end in source.meant]
    boxes = boxes_by_page(sorted((each for regions in spans for each in regions), key=lambda each: each.start))
    if not boxes and source.page:
        boxes = {source.page: ()}
    if boxes and _digest(source.file) != source.sha256:
        st.html(note_html("The file has changed since it was read, so its pages are not shown."))
        return
    for page, own in list(boxes.items())[:PAGES]:
        with st.spinner(f"Drawing page {page} …"):
            picture = _picture(str(source.file), source.sha256, page, own)
        st.image(picture, caption=f"Page {page}", width="stretch", alt=f"Page {page} with the source boxed")


@st.cache_data(show_spinner=False, max_entries=32)
def _picture(file: str, sha256: str, page: int, boxes: tuple[Box, ...]) -> bytes:
    return page_picture(Path(file), page, boxes)


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise UnreadableFile(
            f"{file.name} cannot be opened ({error.strerror})", "put it back, or ingest anew"
        ) from None


def _file(source: Placed) -> None:
    file = source.file
    if file is None or not file.is_file() or file.stat().st_size > MOST_BYTES:
        return
    st.download_button(
        "Download the file", file.read_bytes, file.name, on_click="ignore", icon=":material/download:", key="file"
    )
