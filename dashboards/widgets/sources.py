"""Sources of an answer: found in their document, and shown with the quotes marked and the pages' lines boxed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.sessions import StoredSource
from dashboards.html.hits import source_heading_html
from dashboards.html.notices import error_html, note_html
from dashboards.html.passage_markup import passage_html
from dashboards.widgets import state
from dashboards.widgets.page_pictures import draw_page_pictures, has_page_pictures, span_boxes
from dashboards.widgets.resources import page_context
from tasks.ask.passage_units import Span
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse

MOST_BYTES = 200 * 2**20
"""Bytes of a file that is offered for download; a reader opens a larger one from its folder."""
_PASSAGE = """
    SELECT start, "end" FROM chunks WHERE document_id = $id AND start <= $start AND "end" >= $stop
    ORDER BY start DESC LIMIT 1
"""
_SOURCE_FIELD = " | Source: "
_PAGE_OF_LINK = re.compile(r"#page=(\d{1,6})\Z")


@dataclass(frozen=True, slots=True)
class LocatedSource:
    """A source found in its document: a passage that begins at `start` in the document's text, and the quoted `spans`.

    `citation` is its line with the link below. `file` is None where the document is no longer in the warehouse.
    """

    number: int
    citation: str
    url: str
    document_id: str
    start: int
    text: str
    spans: tuple[Span, ...]
    file: Path | None

    @property
    def quoted(self) -> tuple[Span, ...]:
        """The quoted spans with offsets in the passage."""
        return tuple((start - self.start, end - self.start) for start, end in self.spans)

    @property
    def page(self) -> int | None:
        """The page that the link names; None where it names none."""
        match = _PAGE_OF_LINK.search(self.url)
        return int(match[1]) if match else None

    @property
    def cited(self) -> tuple[Span, ...]:
        """The spans that the citation covers: the quoted ones, or all of the passage."""
        return self.spans or ((self.start, self.start + len(self.text)),)


def locate_source(warehouse: Warehouse, source: AnswerSource) -> LocatedSource:
    """Locate a source of an answer of this session."""
    hit = source.hit
    file = _find_file(warehouse, hit.document_id)
    line, url = source.citation.formatted_with_link, source.citation.url
    return LocatedSource(source.number, line, url, hit.document_id, hit.start, hit.text, source.spans, file)


def locate_kept_source(warehouse: Warehouse, source: StoredSource) -> LocatedSource:
    """Locate a source of a stored session, from its citation and quotes, in the document as it is now."""
    document_id = warehouse.document_id(source.line.rpartition(_SOURCE_FIELD)[2]) or ""
    text = warehouse.text(document_id) if document_id else ""
    starts = [(text.find(quote), len(quote)) for quote in source.quotes]
    spans = tuple((start, start + length) for start, length in starts if start >= 0)
    start, end = _enclosing_passage(warehouse, document_id, spans)
    file = _find_file(warehouse, document_id)
    line = f"{source.line}\nView Document: {source.url}" if source.url else source.line
    passage = text[start:end] or "\n\n".join(source.quotes)
    return LocatedSource(source.number, line, source.url, document_id, start, passage, spans, file)


def _enclosing_passage(warehouse: Warehouse, document_id: str, spans: tuple[Span, ...]) -> Span:
    """The chunk that contains all spans, else the text from the first to the last."""
    if not spans:
        return 0, 0
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    rows = warehouse.snapshot.rows(_PASSAGE, {"id": document_id, "start": first, "stop": last})
    return (int(rows[0][0]), int(rows[0][1])) if rows else (first, last)


def _find_file(warehouse: Warehouse, document_id: str) -> Path | None:
    entry_and_file = warehouse.file_of(document_id) if document_id else None
    return entry_and_file[1] if entry_and_file else None


def open_source_dialog(source: LocatedSource, close: Callable[[], None]) -> None:
    """Draw a source over the page. `close` is called when the reader closes it."""
    st.dialog("Source", width="large", on_dismiss=close)(draw_source)(source)


def draw_source(source: LocatedSource, *, beside: bool = False) -> None:
    """Draw the passage and its page: side by side, or, with `beside`, in one column with the page above."""
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
        _draw_download(source)
    with pictures:
        try:
            _draw_pages(warehouse, source)
        except KalendsError as error:
            st.html(error_html(error))


def _draw_pages(warehouse: Warehouse, source: LocatedSource) -> None:
    boxes = span_boxes(warehouse, source.document_id, source.cited)
    if not boxes and source.page:
        boxes = {source.page: ()}
    draw_page_pictures(warehouse, source.document_id, boxes)


def _draw_download(source: LocatedSource) -> None:
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


def draw_folded_citation(citation: str, url: str) -> None:
    """Draw the citation with its link, folded."""
    with st.expander("Citation and link", icon=":material/format_quote:", type="compact"):
        draw_citation(citation, url)


def draw_citation(citation: str, url: str) -> None:
    """Draw the citation with its link, to copy: browsers refuse to open a file from a page."""
    st.code(citation, language=None, wrap_lines=True)
    if url.startswith("obsidian://open?vault="):
        st.link_button("Open in Obsidian", url, icon=":material/open_in_new:")
