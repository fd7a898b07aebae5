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
from dashboards.pages.quality.queries import FindingTable, ScoredPassage, explain_score, finding_of, read_passage
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
from tasks.ask.units import Span
from tasks.quality.wording import counted
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Finding

MOST_FINDINGS = 500
"""Findings of a passage that are told; a table of figures may have more."""


def draw_passage(warehouse: Warehouse, every: FindingTable, what: QualityAddress) -> None:
    """Draw it; where a rule is opened its findings alone are marked."""
    passage = read_passage(warehouse, what.chunk)
    if passage is None:
        st.html(
            nothing_html(
                "This passage is not in the library.", "A later import may have removed it. Go back to all findings."
            )
        )
        return
    charged = [finding_of(row) for row in every.narrowed({"chunk_id": what.chunk}).page(1, MOST_FINDINGS)]
    own = every.narrowed({"document_id": passage.document_id, "code": what.rule}).page(1, MOST_FINDINGS)
    shown = [each for row in own if _is_about(each := finding_of(row), passage)]
    st.header(f"Passage {passage.number}", anchor=False)
    st.html(_where(passage))
    has_pages = has_page_pictures(warehouse, passage.document_id)
    words, picture = st.columns([2, 3]) if has_pages else (st.container(), st.container())
    spans = spans_of_findings(passage, shown)
    with words, st.container(key="quality-passage"):
        st.html(
            findings_html(shown) if shown else nothing_html("No findings.", "No rule found a fault in this passage.")
        )
        st.subheader("How the score comes about", anchor=False)
        st.html(ledger_html(explain_score(passage, charged), passage.stored))
        st.subheader("Text of the passage", anchor=False)
        quoted = [(start - passage.start, end - passage.start) for start, end in spans]
        st.html(passage_html(passage.text, frozenset(), quoted=quoted))
        draw_link("library", "Open the document", ":material/library_books:", document=passage.document_id)
    if has_pages:
        with picture:
            _pages(warehouse, passage, spans)


def spans_of_findings(passage: ScoredPassage, findings: Sequence[Finding]) -> list[Span]:
    """What the findings are about within the passage; those about all of it point to nothing in it."""
    found = (
        (max(each.start, passage.start), min(each.end, passage.end))
        for each in findings
        if each.start is not None and each.end is not None
    )
    whole = (passage.start, passage.end)
    return sorted({span for span in found if span[0] < span[1] and span != whole})


def _is_about(finding: Finding, passage: ScoredPassage) -> bool:
    """Whether it is charged to the passage, or stands in it."""
    if finding.chunk_id is not None:
        return finding.chunk_id == passage.chunk_id
    return finding.start is not None and passage.start <= finding.start < passage.end


def _where(passage: ScoredPassage) -> str:
    page = f"page {passage.page}" if passage.page else ""
    told = (passage.title, passage.source, page, " › ".join(passage.section))
    return f'<p class="k-where">{" · ".join(text_html(each) for each in told if each)}</p>'


def _pages(warehouse: Warehouse, passage: ScoredPassage, spans: Sequence[Span]) -> None:
    try:
        boxes = span_boxes(warehouse, passage.document_id, spans or [(passage.start, passage.end)])
        draw_page_pictures(warehouse, passage.document_id, boxes or ({passage.page: ()} if passage.page else {}))
    except KalendsError as error:
        st.html(error_html(error))


def draw_pairs(examined: Examination) -> None:
    """The pairs, the most alike first."""
    if examined.report is None:
        cure = "Switch on 'Compare documents' above; it takes a while the first time."
        st.html(nothing_html("Documents have not been compared yet.", cure))
        return
    pairs = examined.pairs
    if not pairs:
        st.html(nothing_html("No near duplicates.", "No passage repeats much of another."))
        return
    st.caption(f"{counted(len(pairs), 'pair')}, the most alike first; open one to see both side by side.")
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(len(pairs), "pairs-page")
        draw_download("kalends-near-duplicates", len(pairs), lambda: pa.Table.from_pylist(list(map(_row, pairs))))
    config = st.column_config
    columns = {
        "share": config.ProgressColumn("Alike", format="%d %%", min_value=0, max_value=100),
        "again": config.TextColumn("Duplicate", width="medium"),
        "first": config.TextColumn("Of", width="medium"),
    }
    with place:
        row = select_row(_rows(pairs, number), columns, "quality-pairs", "Near duplicates, the most alike first")
    if row:
        open_address(QualityAddress(twin=row["name"]))


def draw_pair(warehouse: Warehouse, examined: Examination, name: str) -> None:
    """Both sides of a pair, with the words marked in which they differ."""
    pair = next((each for each in examined.pairs if each.name == name), None)
    if pair is None:
        st.html(nothing_html("This pair is not among the findings.", "Switch on 'Compare documents', or go back."))
        return
    st.header(f"{pair.share:.0%} the same", anchor=False)
    st.caption("Words that only one of the two has are marked; case and spacing do not count.")
    both = read_pair_texts(warehouse, pair)
    if is_truncated(both):
        st.html(note_html(f"Only the first {MOST_WORDS:,} words of each are compared."))
    st.html(side_by_side_html((describe_side(pair.first), describe_side(pair.again)), both))
    for column, side in zip(st.columns(2), (pair.first, pair.again), strict=True):
        what = QualityAddress(document=warehouse.document_id(side.source) or "", chunk=side.chunk_id)
        with column:
            draw_open_button(what, "Open the passage" if side.chunk_id else "Open the document")


def describe_side(side: DuplicateSide) -> str:
    """A side in words."""
    page = f", page {side.page}" if side.page else ""
    return f"{side.source}{page}, passage {side.number}" if side.number else side.source


def _rows(pairs: Sequence[DuplicatePair], number: int) -> list[dict[str, Any]]:
    return [_row(pair) for pair in pairs[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]]


def _row(pair: DuplicatePair) -> dict[str, Any]:
    own = {"code": pair.code, "share": round(100 * pair.share), "name": pair.name}
    return {**own, "again": describe_side(pair.again), "first": describe_side(pair.first)}
