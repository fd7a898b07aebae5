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
from tasks.quality.contract import Scope
from tasks.quality.listing import every_rule
from tasks.quality.vault_lint import VAULT_RULES
from tasks.quality.wording import counted
from warehouse.reader import Warehouse


def draw_findings(warehouse: Warehouse, examined: Examination, what: QualityAddress) -> None:
    """Draw what is told of the rule and the document, and their findings a page at a time."""
    rule = every_rule().get(what.rule)
    if rule:
        name_tab(f"{rule.code} {rule.name}", "Quality")
        st.header(f"{rule.code} {rule.name}", anchor=False)
        st.html(rule_html(rule))
    if what.document:
        _document(warehouse, examined, what.document)
    every = examined.findings.narrowed({"code": what.rule, "document_id": what.document})
    found = every if what.document else filter_findings(every)
    if not len(found):
        st.html(nothing_html("No findings.", _cure(what.rule, together=examined.report is not None)))
    else:
        _list(warehouse, found, what)
    if what.document and not what.rule and count_faulty_passages(warehouse, what.document):
        st.header("Passages with the lowest scores", anchor=False)
        draw_passages(warehouse, what.document)


def _document(warehouse: Warehouse, examined: Examination, document_id: str) -> None:
    rows = examined.documents.filter(_is(examined.documents["document_id"], document_id)).to_pylist()
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


def _is(column: Any, value: str) -> Any:
    import pyarrow.compute as pc

    return pc.equal(column, value)


def _cure(code: str, *, together: bool) -> str:
    rule = every_rule().get(code)
    among = rule is not None and (rule.scope is Scope.CORPUS or code in VAULT_RULES)
    if among and not together:
        return "This rule compares documents: switch on 'Compare documents'."
    return "No document breaks this rule." if rule else "Go back to all findings."


def _list(warehouse: Warehouse, found: FindingTable, what: QualityAddress) -> None:
    (st.subheader if what.rule else st.header)(counted(len(found), "finding"), anchor=False)
    st.caption("Open one to see it in its passage and on its page.")
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(len(found), "findings-page")
        draw_download("kalends-findings", len(found), lambda: found.table)
    with place:
        row = select_row(
            found.page(number, PAGE_SIZE), _columns(what), "quality-findings", "Findings, each in its document"
        )
    if row:
        open_address(_opened(warehouse, row, what))


def _opened(warehouse: Warehouse, row: Mapping[str, Any], what: QualityAddress) -> QualityAddress:
    """The passage of a finding, the one that it is charged to or begins in; else its document."""
    chunk = row["chunk_id"] or ""
    if not chunk and row["start"] is not None:
        chunk = find_passage(warehouse, row["document_id"], row["start"])
    return QualityAddress(rule=what.rule, document=row["document_id"], chunk=chunk)


def _columns(what: QualityAddress) -> dict[str, Any]:
    config = st.column_config
    own = {
        "source": None if what.document else config.TextColumn("Document", width="medium"),
        "code": None if what.rule else config.TextColumn("Rule"),
        "severity": config.TextColumn("Severity"),
        "page": config.NumberColumn("Page"),
        "message": config.TextColumn("Finding", width="large"),
        "penalty": config.NumberColumn("Lowers the score by", format="%.2f"),
    }
    return {name: column for name, column in own.items() if column is not None}


def draw_documents(examined: Examination) -> None:
    """Every document, those without a score first, then the worst."""
    table, config = examined.documents, st.column_config
    st.caption(f"{counted(table.num_rows, 'file')}, the lowest score first. Open one to see its findings.")
    place = st.container()
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
    with place:
        row = select_row(
            table.slice((number - 1) * PAGE_SIZE, PAGE_SIZE).to_pylist(),
            columns,
            "quality-documents",
            "Documents, the lowest score first",
        )
    if row:
        open_address(QualityAddress(document=row["document_id"]))


def draw_passages(warehouse: Warehouse, document: str = "") -> None:
    """The passages that score less than 1, the lowest first; of one document, or of all."""
    count, config = count_faulty_passages(warehouse, document), st.column_config
    if not count:
        st.html(nothing_html("Every passage scores 1.", "No rule found a fault that lowers a score."))
        return
    st.caption(f"{counted(count, 'passage')} below 1, the lowest first. Open one to see why.")
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = 1 if document else select_page(count, "passages-page")
        draw_download("kalends-quality-passages", count, lambda: lowest_passages(warehouse, document, 0, count))
    columns = {
        "score": config.NumberColumn("Score", format="%.2f"),
        "source": config.TextColumn("Document", width="medium"),
        "page": config.NumberColumn("Page"),
        "begins": config.TextColumn("Begins", width="large"),
    }
    with place:
        rows = lowest_passages(warehouse, document, (number - 1) * PAGE_SIZE, PAGE_SIZE).to_pylist()
        row = select_row(rows, columns, "quality-passages", "Passages, the lowest score first")
    if row:
        open_address(QualityAddress(document=row["document_id"], chunk=row["chunk_id"]))
