"""Sources of an answer: found in their document, and shown with the quotes marked and the pages' lines boxed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.sessions import StoredSource
from dashboards.html.hits import render_source_heading
from dashboards.html.passage_markup import render_passage
from dashboards.html.safe_text import render_note
from dashboards.widgets import state
from dashboards.widgets.page_pictures import draw_span_pages, has_page_pictures
from dashboards.widgets.resources import load_page_context
from tasks.ask.passage_units import Span
from warehouse.reader import Warehouse

MAX_BYTES = 200 * 2**20  # Bytes of a file that is offered for download; a reader opens a larger one from its folder.
_PASSAGE = """
    SELECT start, "end", table_head FROM chunks WHERE document_id = $id AND start <= $start AND "end" >= $stop
    ORDER BY start DESC LIMIT 1
"""
_SOURCE_FIELD = " | Source: "
_PAGE_OF_LINK = re.compile(r"#page=(\d{1,6})\Z")


@dataclass(frozen=True, slots=True)
class LocatedSource:
    """A source found in its document: a passage that begins at `start` in the document's text, and the quoted `spans`.

    `citation` is its line with the link below. `file` is None where the document is no longer in the warehouse.
    `table_head` is that of the table which goes on at `start`, if one does.
    """

    number: int
    citation: str
    url: str
    document_id: str
    start: int
    text: str
    spans: tuple[Span, ...]
    file: Path | None
    table_head: str = ""


def locate_source(warehouse: Warehouse, source: AnswerSource) -> LocatedSource:
    """Locate a source of an answer of this session."""
    hit, line, url = source.hit, source.citation.formatted_with_link, source.citation.url
    file = _find_file(warehouse, hit.document_id)
    place = hit.document_id, hit.start, hit.text
    return LocatedSource(source.number, line, url, *place, source.spans, file, hit.table_head)


def locate_kept_source(warehouse: Warehouse, source: StoredSource) -> LocatedSource:
    """Locate a source of a stored session, from its citation and quotes, in the document as it is now."""
    document_id = warehouse.find_document_id(source.line.rpartition(_SOURCE_FIELD)[2]) or ""
    text = warehouse.read_text(document_id) if document_id else ""
    starts = [(text.find(quote), len(quote)) for quote in source.quotes]
    spans = tuple((start, start + length) for start, length in starts if start >= 0)
    start, end = min((low for low, _ in spans), default=0), max((high for _, high in spans), default=0)
    head = ""
    if spans:
        # The chunk that contains all quotes, if there is one.
        rows = warehouse.snapshot.query_rows(_PASSAGE, {"id": document_id, "start": start, "stop": end})
        start, end, head = rows[0] if rows else (start, end, head)
    file = _find_file(warehouse, document_id)
    line = f"{source.line}\nView Document: {source.url}" if source.url else source.line
    passage = text[start:end] or "\n\n".join(source.quotes)
    return LocatedSource(source.number, line, source.url, document_id, start, passage, spans, file, head)


def _find_file(warehouse: Warehouse, document_id: str) -> Path | None:
    entry_and_file = warehouse.find_file(document_id) if document_id else None
    return entry_and_file[1] if entry_and_file else None


def open_source_dialog(source: LocatedSource, close: Callable[[], None]) -> None:
    """Draw a source over the page. `close` is called when the reader closes it."""
    st.dialog("Source", width="large", on_dismiss=close)(draw_source)(source)


def draw_source(source: LocatedSource, *, is_stacked: bool = False) -> None:
    """Draw the passage and its page: side by side, or, with `is_stacked`, in one column with the page above."""
    warehouse = load_page_context().warehouse
    st.html(render_source_heading(source.number, source.citation))
    has_pages = source.file is not None and has_page_pictures(warehouse, source.document_id)
    if is_stacked or not has_pages:
        pictures, words = st.container(), st.container()
    else:
        words, pictures = st.columns([2, 3])
    with words:
        quoted_spans = [(start - source.start, end - source.start) for start, end in source.spans]
        st.html(render_passage(source.text, frozenset(), quotes=quoted_spans, table_head=source.table_head))
        if source.file is None:
            st.html(render_note("The document is no longer in the library; this is what was quoted from it."))
        with st.expander("Citation and link", icon=":material/format_quote:", type="compact"):
            draw_citation(source.citation, source.url)
        if source.file:
            draw_file_download("Download the file", source.file, state.make_page_key("source-file"))
    with pictures:
        match = _PAGE_OF_LINK.search(source.url)
        # The spans that the citation covers: the quoted ones, or all of the passage.
        spans = source.spans or ((source.start, source.start + len(source.text)),)
        draw_span_pages(warehouse, source.document_id, spans, int(match[1]) if match else None)


def draw_file_download(label: str, file: Path, key: str) -> None:
    """Draw a button that downloads a document's file, if it is there and not too large."""
    if file.is_file() and file.stat().st_size <= MAX_BYTES:
        icon = ":material/download:"
        st.download_button(label, file.read_bytes, file.name, on_click="ignore", icon=icon, key=key)


def draw_citation(citation: str, url: str) -> None:
    """Draw the citation with its link, to copy: browsers refuse to open a file from a page."""
    st.code(citation, language=None, wrap_lines=True)
    if url.startswith("obsidian://open?vault="):
        st.link_button("Open in Obsidian", url, icon=":material/open_in_new:")
