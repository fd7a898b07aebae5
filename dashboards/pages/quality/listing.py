"""The findings of a rule, of a document, or of both, with the rule's page or the document's score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.drawing.notices import nothing_html
from dashboards.drawing.quality.findings import rule_html
from dashboards.facts.quality.checked import Examination
from dashboards.facts.quality.findings import FindingTable
from dashboards.facts.quality.overview import WEAK_SCORE, count_faulty_passages
from dashboards.facts.quality.scores import find_passage
from dashboards.pages.quality.choosing import PAGE_SIZE, select_page, select_row
from dashboards.pages.quality.filtering import filter_findings
from dashboards.pages.quality.going import QualityAddress, open_address
from dashboards.pages.quality.worst import draw_passages
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.frame import name_tab
from dashboards.widgets.navigation import draw_link
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
