"""Lists of the quality page: findings of a rule or document, documents by score, and passages by score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.html.notices import nothing_html
from dashboards.pages.quality.examination import Examination
from dashboards.pages.quality.html import rule_html
from dashboards.pages.quality.queries import (
    WEAK_SCORE,
    FindingTable,
    count_faulty_passages,
    find_passage,
    lowest_passages,
)
from dashboards.pages.quality.selection import (
    PAGE_SIZE,
    QualityAddress,
    filter_findings,
    open_address,
    select_page,
    select_row,
)
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.row_lists import draw_download
from tasks.quality.phrases import counted
from tasks.quality.rule import Scope, every_rule
from tasks.quality.rules.mdlint_obsidian import VAULT_RULES
from warehouse.reader import Warehouse


def draw_findings(warehouse: Warehouse, examination: Examination, address: QualityAddress) -> None:
    """Draw a rule's page or a document's score, and their findings, one page of them at a time."""
    rule = every_rule().get(address.rule)
    if rule:
        name_tab(f"{rule.code} {rule.name}", "Quality")
        st.header(f"{rule.code} {rule.name}", anchor=False)
        st.html(rule_html(rule))
    if address.document:
        _draw_document(warehouse, examination, address.document)
    all_findings = examination.findings.where({"code": address.rule, "document_id": address.document})
    findings = all_findings if address.document else filter_findings(all_findings)
    if not len(findings):
        st.html(nothing_html("No findings.", _suggest_cure(address.rule, together=examination.report is not None)))
    else:
        _draw_list(warehouse, findings, address)
    if address.document and not address.rule and count_faulty_passages(warehouse, address.document):
        st.header("Passages with the lowest scores", anchor=False)
        draw_passages(warehouse, address.document)


def _draw_document(warehouse: Warehouse, examination: Examination, document_id: str) -> None:
    rows = examination.documents.filter(_equals(examination.documents["document_id"], document_id)).to_pylist()
    if not rows:
        st.html(
            nothing_html(
                "This document is not in the library.", "A later import may have removed it. Go back to all findings."
            )
        )
        return
    row = rows[0]
    if row["score"] is None:
        st.caption("This file has no passages, so no search finds anything in it.")
    else:
        passages = f"{row['weak']:,} of {counted(row['passages'], 'passage')}"
        st.caption(f"Mean score {row['score']:.3f}; {passages} below {WEAK_SCORE}.")
    draw_link("library", "Open the document", ":material/library_books:", document=document_id)


def _equals(column: Any, value: str) -> Any:
    import pyarrow.compute as pc

    return pc.equal(column, value)


def _suggest_cure(code: str, *, together: bool) -> str:
    rule = every_rule().get(code)
    is_corpus_rule = rule is not None and (rule.scope is Scope.CORPUS or code in VAULT_RULES)
    if is_corpus_rule and not together:
        return "This rule compares documents: switch on 'Compare documents'."
    return "No document breaks this rule." if rule else "Go back to all findings."


def _draw_list(warehouse: Warehouse, findings: FindingTable, address: QualityAddress) -> None:
    (st.subheader if address.rule else st.header)(counted(len(findings), "finding"), anchor=False)
    st.caption("Open one to see it in its passage and on its page.")
    list_container = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(len(findings), "findings-page")
        draw_download("kalends-findings", len(findings), lambda: findings.table)
    with list_container:
        row = select_row(
            findings.page(number, PAGE_SIZE),
            _finding_columns(address),
            "quality-findings",
            "Findings, each in its document",
        )
    if row:
        open_address(_finding_address(warehouse, row, address))


def _finding_address(warehouse: Warehouse, row: Mapping[str, Any], address: QualityAddress) -> QualityAddress:
    """The address of the passage that a finding is charged to or starts in; without one, of its document."""
    chunk = row["chunk_id"] or ""
    if not chunk and row["start"] is not None:
        chunk = find_passage(warehouse, row["document_id"], row["start"])
    return QualityAddress(rule=address.rule, document=row["document_id"], chunk=chunk)


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
    list_container = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(table.num_rows, "documents-page")
        draw_download("kalends-quality-documents", table.num_rows, lambda: table)
    columns = {
        "source": config.TextColumn("Document", width="large"),
        "kind": config.TextColumn("Kind"),
        "score": config.ProgressColumn("Score", format="%.3f", min_value=0, max_value=1),
        "passages": config.NumberColumn("Passages", format="localized"),
        "weak": config.NumberColumn("Below 0.8", format="localized", help="Passages with a score below 0.8"),
        "findings": config.NumberColumn("Findings", format="localized"),
    }
    with list_container:
        row = select_row(
            table.slice((number - 1) * PAGE_SIZE, PAGE_SIZE).to_pylist(),
            columns,
            "quality-documents",
            "Documents, the lowest score first",
        )
    if row:
        open_address(QualityAddress(document=row["document_id"]))


def draw_passages(warehouse: Warehouse, document: str = "") -> None:
    """Draw the passages of a document, or of all, that score below 1, the lowest first."""
    count, config = count_faulty_passages(warehouse, document), st.column_config
    if not count:
        st.html(nothing_html("Every passage scores 1.", "No rule found a fault that lowers a score."))
        return
    st.caption(f"{counted(count, 'passage')} below 1, the lowest first. Open one to see why.")
    list_container = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = 1 if document else select_page(count, "passages-page")
        draw_download("kalends-quality-passages", count, lambda: lowest_passages(warehouse, document, 0, count))
    columns = {
        "score": config.NumberColumn("Score", format="%.2f"),
        "source": config.TextColumn("Document", width="medium"),
        "page": config.NumberColumn("Page"),
        "begins": config.TextColumn("Begins", width="large"),
    }
    with list_container:
        rows = lowest_passages(warehouse, document, (number - 1) * PAGE_SIZE, PAGE_SIZE).to_pylist()
        row = select_row(rows, columns, "quality-passages", "Passages, the lowest score first")
    if row:
        open_address(QualityAddress(document=row["document_id"], chunk=row["chunk_id"]))
