"""One passage with its findings and its score explained, and near duplicates: all pairs, or two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import error_html, note_html, nothing_html
from dashboards.html.passage_markup import passage_html
from dashboards.html.safe_text import text_html
from dashboards.pages.quality.examination import DuplicatePair, DuplicateSide, Examination, read_pair_texts
from dashboards.pages.quality.html import MOST_WORDS, findings_html, is_truncated, ledger_html, side_by_side_html
from dashboards.pages.quality.queries import FindingTable, ScoredPassage, explain_score, parse_finding, read_passage
from dashboards.pages.quality.selection import (
    PAGE_SIZE,
    QualityAddress,
    draw_open_button,
    open_address,
    select_page,
    select_row,
)
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.page_pictures import draw_page_pictures, has_page_pictures, span_boxes
from dashboards.widgets.row_lists import draw_download
from tasks.ask.passage_units import Span
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Finding

MOST_FINDINGS = 500
"""Findings of a passage that are listed; a table of figures may have more."""


def draw_passage(warehouse: Warehouse, findings: FindingTable, address: QualityAddress) -> None:
    """Draw a passage with its findings; if the address names a rule, only with those of the rule."""
    passage = read_passage(warehouse, address.chunk)
    if passage is None:
        st.html(
            nothing_html(
                "This passage is not in the library.", "A later import may have removed it. Go back to all findings."
            )
        )
        return
    charges = [parse_finding(row) for row in findings.where({"chunk_id": address.chunk}).page(1, MOST_FINDINGS)]
    rows = findings.where({"document_id": passage.document_id, "code": address.rule}).page(1, MOST_FINDINGS)
    visible = [each for row in rows if _is_about(each := parse_finding(row), passage)]
    st.header(f"Passage {passage.number}", anchor=False)
    st.html(_location_html(passage))
    has_pictures = has_page_pictures(warehouse, passage.document_id)
    text_column, picture_column = st.columns([2, 3]) if has_pictures else (st.container(), st.container())
    spans = clip_spans(passage, visible)
    with text_column, st.container(key="quality-passage"):
        st.html(
            findings_html(visible)
            if visible
            else nothing_html("No findings.", "No rule found a fault in this passage.")
        )
        st.subheader("How the score comes about", anchor=False)
        st.html(ledger_html(explain_score(passage, charges), passage.stored_score))
        st.subheader("Text of the passage", anchor=False)
        quoted = [(start - passage.start, end - passage.start) for start, end in spans]
        st.html(passage_html(passage.text, frozenset(), quoted=quoted))
        draw_link("library", "Open the document", ":material/library_books:", document=passage.document_id)
    if has_pictures:
        with picture_column:
            _draw_pages(warehouse, passage, spans)


def clip_spans(passage: ScoredPassage, findings: Sequence[Finding]) -> list[Span]:
    """The spans of the findings, clipped to the passage; findings about the whole passage have none."""
    ranges = (
        (max(each.start, passage.start), min(each.end, passage.end))
        for each in findings
        if each.start is not None and each.end is not None
    )
    whole = (passage.start, passage.end)
    return sorted({span for span in ranges if span[0] < span[1] and span != whole})


def _is_about(finding: Finding, passage: ScoredPassage) -> bool:
    """Whether a finding is charged to the passage or starts in it."""
    if finding.chunk_id is not None:
        return finding.chunk_id == passage.chunk_id
    return finding.start is not None and passage.start <= finding.start < passage.end


def _location_html(passage: ScoredPassage) -> str:
    page = f"page {passage.page}" if passage.page else ""
    parts = (passage.title, passage.source, page, " › ".join(passage.section))
    return f'<p class="k-where">{" · ".join(text_html(each) for each in parts if each)}</p>'


def _draw_pages(warehouse: Warehouse, passage: ScoredPassage, spans: Sequence[Span]) -> None:
    try:
        boxes = span_boxes(warehouse, passage.document_id, spans or [(passage.start, passage.end)])
        draw_page_pictures(warehouse, passage.document_id, boxes or ({passage.page: ()} if passage.page else {}))
    except KalendsError as error:
        st.html(error_html(error))


def draw_pairs(examination: Examination) -> None:
    """Draw the list of near-duplicate pairs, the most alike first."""
    if examination.report is None:
        cure = "Switch on 'Compare documents' above; it takes a while the first time."
        st.html(nothing_html("Documents have not been compared yet.", cure))
        return
    pairs = examination.pairs
    if not pairs:
        st.html(nothing_html("No near duplicates.", "No passage repeats much of another."))
        return
    st.caption(f"{counted(len(pairs), 'pair')}, the most alike first; open one to see both side by side.")
    list_container = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(len(pairs), "pairs-page")
        draw_download("kalends-near-duplicates", len(pairs), lambda: pa.Table.from_pylist(list(map(_pair_row, pairs))))
    config = st.column_config
    columns = {
        "share": config.ProgressColumn("Alike", format="%d %%", min_value=0, max_value=100),
        "again": config.TextColumn("Duplicate", width="medium"),
        "first": config.TextColumn("Of", width="medium"),
    }
    with list_container:
        row = select_row(
            _page_of_rows(pairs, number), columns, "quality-pairs", "Near duplicates, the most alike first"
        )
    if row:
        open_address(QualityAddress(twin=row["name"]))


def draw_pair(warehouse: Warehouse, examination: Examination, name: str) -> None:
    """Draw both sides of a pair with the differing words marked."""
    pair = next((each for each in examination.pairs if each.name == name), None)
    if pair is None:
        st.html(nothing_html("This pair is not among the findings.", "Switch on 'Compare documents', or go back."))
        return
    st.header(f"{pair.share:.0%} the same", anchor=False)
    st.caption("Words that only one of the two has are marked; case and spacing do not count.")
    pair_texts = read_pair_texts(warehouse, pair)
    if is_truncated(pair_texts):
        st.html(note_html(f"Only the first {MOST_WORDS:,} words of each are compared."))
    st.html(side_by_side_html((describe_side(pair.first), describe_side(pair.duplicate)), pair_texts))
    for column, side in zip(st.columns(2), (pair.first, pair.duplicate), strict=True):
        address = QualityAddress(document=warehouse.document_id(side.source) or "", chunk=side.chunk_id)
        with column:
            draw_open_button(address, "Open the passage" if side.chunk_id else "Open the document")


def describe_side(side: DuplicateSide) -> str:
    """The source of a side, with its page and passage number."""
    page = f", page {side.page}" if side.page else ""
    return f"{side.source}{page}, passage {side.number}" if side.number else side.source


def _page_of_rows(pairs: Sequence[DuplicatePair], number: int) -> list[dict[str, Any]]:
    return [_pair_row(pair) for pair in pairs[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]]


def _pair_row(pair: DuplicatePair) -> dict[str, Any]:
    rows = {"code": pair.code, "share": round(100 * pair.share), "name": pair.name}
    return {**rows, "again": describe_side(pair.duplicate), "first": describe_side(pair.first)}
