"""Lists of the quality page (findings, documents, passages, near duplicates), one passage, and a pair side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from dashboards.html.passage_markup import passage_html
from dashboards.html.safe_text import line_html, note_html, nothing_html
from dashboards.pages.quality import quality_html, quality_queries
from dashboards.pages.quality.examination import DuplicateSide, Examination, read_pair_texts
from dashboards.pages.quality.selection import (
    QualityAddress,
    draw_open_button,
    filter_findings,
    open_address,
    select_paged_row,
)
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.page_pictures import draw_span_pages, has_page_pictures
from tasks.ask.passage_units import Span
from tasks.quality.phrases import counted
from tasks.quality.rule import Scope, every_rule
from tasks.quality.rules.vault_notes import VAULT_RULES
from warehouse.reader import Warehouse
from warehouse.records import Finding


def draw_findings(warehouse: Warehouse, examination: Examination, address: QualityAddress) -> None:
    """Draw a rule's page or a document's score, and their findings, one page of them at a time."""
    rule = every_rule().get(address.rule)
    if rule:
        name_tab(f"{rule.code} {rule.name}", "Quality")
        st.header(f"{rule.code} {rule.name}", anchor=False)
        st.html(quality_html.rule_html(rule))
    if address.document:
        _draw_document(warehouse, examination, address.document)
    all_findings = examination.findings.where({"code": address.rule, "document_id": address.document})
    findings = all_findings if address.document else filter_findings(all_findings)
    if not len(findings):
        st.html(nothing_html("No findings.", _suggest_cure(address.rule, together=examination.report is not None)))
    else:
        _draw_list(warehouse, findings, address)
    if address.document and not address.rule and quality_queries.count_faulty_passages(warehouse, address.document):
        st.header("Passages with the lowest scores", anchor=False)
        draw_passages(warehouse, address.document)


def _draw_document(warehouse: Warehouse, examination: Examination, document_id: str) -> None:
    rows = examination.documents.filter(pc.equal(examination.documents["document_id"], document_id)).to_pylist()
    if not rows:
        cure = "A later import may have removed it. Go back to all findings."
        st.html(nothing_html("This document is not in the library.", cure))
        return
    row = rows[0]
    if row["score"] is None:
        st.caption("This file has no passages, so no search finds anything in it.")
    else:
        passages = f"{row['weak']:,} of {counted(row['passages'], 'passage')}"
        st.caption(f"Mean score {row['score']:.3f}; {passages} below {quality_queries.WEAK_SCORE}.")
    draw_link("library", "Open the document", ":material/library_books:", document=document_id)


def _suggest_cure(code: str, *, together: bool) -> str:
    rule = every_rule().get(code)
    is_corpus_rule = rule is not None and (rule.scope is Scope.CORPUS or rule.name in VAULT_RULES)
    if is_corpus_rule and not together:
        return "This rule compares documents: switch on 'Compare documents'."
    return "No document breaks this rule." if rule else "Go back to all findings."


def _draw_list(warehouse: Warehouse, findings: quality_queries.FindingTable, address: QualityAddress) -> None:
    (st.subheader if address.rule else st.header)(counted(len(findings), "finding"), anchor=False)
    st.caption("Open one to see it in its passage and on its page.")
    row = select_paged_row(
        findings.table.slice,
        len(findings),
        _finding_columns(address),
        "quality-findings",
        "Findings, each in its document",
        file="kalends-findings",
        page_field="findings-page",
    )
    if row:
        # The passage that the finding is charged to or starts in; without one, its document.
        chunk = row["chunk_id"] or ""
        if not chunk and row["start"] is not None:
            chunk = quality_queries.find_passage(warehouse, row["document_id"], row["start"])
        open_address(QualityAddress(rule=address.rule, document=row["document_id"], chunk=chunk))


def _finding_columns(address: QualityAddress) -> dict[str, Any]:
    config = st.column_config
    columns = {
        "source": None if address.document else config.TextColumn("Document", width="medium"),
        "code": None if address.rule else config.TextColumn("Rule"),
        "severity": config.TextColumn("Severity"),
        "page": config.NumberColumn("Page"),
        "message": config.TextColumn("Finding", width="large"),
        "penalty": config.NumberColumn("Lowers the score by", format="%.2f"),
    }
    return {name: column for name, column in columns.items() if column is not None}


def draw_documents(examination: Examination) -> None:
    """Draw all documents, those without a score first, then the lowest score first."""
    table, config = examination.documents, st.column_config
    st.caption(f"{counted(table.num_rows, 'file')}, the lowest score first. Open one to see its findings.")
    columns = {
        "source": config.TextColumn("Document", width="large"),
        "kind": config.TextColumn("Kind"),
        "score": config.ProgressColumn("Score", format="%.3f", min_value=0, max_value=1),
        "passages": config.NumberColumn("Passages", format="localized"),
        "weak": config.NumberColumn("Below 0.8", format="localized", help="Passages with a score below 0.8"),
        "findings": config.NumberColumn("Findings", format="localized"),
    }
    row = select_paged_row(
        table.slice,
        table.num_rows,
        columns,
        "quality-documents",
        "Documents, the lowest score first",
        file="kalends-quality-documents",
        page_field="documents-page",
    )
    if row:
        open_address(QualityAddress(document=row["document_id"]))


def draw_passages(warehouse: Warehouse, document: str = "") -> None:
    """Draw the passages of a document, or of all, that score below 1, the lowest first."""
    count, config = quality_queries.count_faulty_passages(warehouse, document), st.column_config
    if not count:
        st.html(nothing_html("Every passage scores 1.", "No rule found a fault that lowers a score."))
        return
    st.caption(f"{counted(count, 'passage')} below 1, the lowest first. Open one to see why.")
    columns = {
        "score": config.NumberColumn("Score", format="%.2f"),
        "source": config.TextColumn("Document", width="medium"),
        "page": config.NumberColumn("Page"),
        "begins": config.TextColumn("Begins", width="large"),
    }
    row = select_paged_row(
        partial(quality_queries.lowest_passages, warehouse, document),
        count,
        columns,
        "quality-passages",
        "Passages, the lowest score first",
        file="kalends-quality-passages",
        page_field="" if document else "passages-page",
    )
    if row:
        open_address(QualityAddress(document=row["document_id"], chunk=row["chunk_id"]))


MOST_FINDINGS = 500  # Findings of a passage that are listed; a table of figures may have more.


def draw_passage(warehouse: Warehouse, findings: quality_queries.FindingTable, address: QualityAddress) -> None:
    """Draw a passage with its findings; if the address names a rule, only with those of the rule."""
    passage = quality_queries.read_passage(warehouse, address.chunk)
    if passage is None:
        cure = "A later import may have removed it. Go back to all findings."
        st.html(nothing_html("This passage is not in the library.", cure))
        return
    charges = findings.where({"chunk_id": address.chunk}).first(MOST_FINDINGS)
    ours = findings.where({"document_id": passage.document_id, "code": address.rule}).first(MOST_FINDINGS)
    visible = [each for each in ours if _is_about(each, passage)]
    st.header(f"Passage {passage.number}", anchor=False)
    page = f"page {passage.page}" if passage.page else ""
    st.html(line_html((passage.title, passage.source, page, " › ".join(passage.section))))
    has_pictures = has_page_pictures(warehouse, passage.document_id)
    text_column, picture_column = st.columns([2, 3]) if has_pictures else (st.container(), st.container())
    spans = clip_spans(passage, visible)
    with text_column, st.container(key="quality-passage"):
        nothing = nothing_html("No findings.", "No rule found a fault in this passage.")
        st.html(quality_html.findings_html(visible) if visible else nothing)
        st.subheader("How the score comes about", anchor=False)
        st.html(quality_html.ledger_html(quality_queries.explain_score(passage, charges), passage.stored_score))
        st.subheader("Text of the passage", anchor=False)
        quoted = [(start - passage.start, end - passage.start) for start, end in spans]
        st.html(passage_html(passage.text, frozenset(), quoted=quoted))
        draw_link("library", "Open the document", ":material/library_books:", document=passage.document_id)
    if has_pictures:
        with picture_column:
            draw_span_pages(warehouse, passage.document_id, spans or [(passage.start, passage.end)], passage.page)


def clip_spans(passage: quality_queries.ScoredPassage, findings: Sequence[Finding]) -> list[Span]:
    """The spans of the findings, clipped to the passage; findings about the whole passage have none."""
    ranges = (
        (max(each.start, passage.start), min(each.end, passage.end))
        for each in findings
        if each.start is not None and each.end is not None
    )
    whole = (passage.start, passage.end)
    return sorted({span for span in ranges if span[0] < span[1] and span != whole})


def _is_about(finding: Finding, passage: quality_queries.ScoredPassage) -> bool:
    """Whether a finding is charged to the passage or starts in it."""
    if finding.chunk_id is not None:
        return finding.chunk_id == passage.chunk_id
    return finding.start is not None and passage.start <= finding.start < passage.end


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
    config = st.column_config
    columns = {
        "share": config.ProgressColumn("Alike", format="%d %%", min_value=0, max_value=100),
        "again": config.TextColumn("Duplicate", width="medium"),
        "first": config.TextColumn("Of", width="medium"),
    }
    table = pa.Table.from_pylist(
        [
            {
                "code": pair.code,
                "share": round(100 * pair.share),
                "name": pair.name,
                "again": describe_side(pair.duplicate),
                "first": describe_side(pair.first),
            }
            for pair in pairs
        ]
    )
    row = select_paged_row(
        table.slice,
        len(pairs),
        columns,
        "quality-pairs",
        "Near duplicates, the most alike first",
        file="kalends-near-duplicates",
        page_field="pairs-page",
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
    if quality_html.is_truncated(pair_texts):
        st.html(note_html(f"Only the first {quality_html.MOST_WORDS:,} words of each are compared."))
    st.html(quality_html.side_by_side_html((describe_side(pair.first), describe_side(pair.duplicate)), pair_texts))
    for column, side in zip(st.columns(2), (pair.first, pair.duplicate), strict=True):
        address = QualityAddress(document=warehouse.document_id(side.source) or "", chunk=side.chunk_id)
        with column:
            draw_open_button(address, "Open the passage" if side.chunk_id else "Open the document")


def describe_side(side: DuplicateSide) -> str:
    """The source of a side, with its page and passage number."""
    page = f", page {side.page}" if side.page else ""
    return f"{side.source}{page}, passage {side.number}" if side.number else side.source
