"""One passage: what was found in it marked in its words and boxed on its page, and its score explained."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.drawing.escaping import text_html
from dashboards.drawing.notices import error_html, nothing_html
from dashboards.drawing.passages import passage_html
from dashboards.drawing.quality.findings import findings_html, ledger_html
from dashboards.facts.quality.findings import FindingTable, finding_of
from dashboards.facts.quality.scores import ScoredPassage, explain_score, read_passage
from dashboards.pages.quality.going import QualityAddress
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.pictures import draw_page_pictures, has_page_pictures, span_boxes
from tasks.ask.units import Span
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
