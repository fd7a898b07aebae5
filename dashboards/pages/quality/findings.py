"""Lists of the quality page (findings, documents, passages, near duplicates), and what its address opens of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from streamlit import column_config as config

from dashboards.html.passage_markup import render_passage
from dashboards.html.safe_text import format_markdown_label, render_empty_state, render_line, render_note
from dashboards.pages.quality.quality_html import (
    MAX_WORDS,
    is_truncated,
    render_findings,
    render_ledger,
    render_rule,
    render_side_by_side,
)
from dashboards.pages.quality.quality_queries import (
    WEAK_SCORE,
    DuplicateSide,
    Examination,
    FindingTable,
    ScoreBreakdown,
    ScoredPassage,
    count_faulty_passages,
    find_passage,
    list_lowest_passages,
    read_pair_texts,
    read_passage,
)
from dashboards.widgets import state
from dashboards.widgets.data_elements import (
    compute_table_height,
    draw_download,
    draw_row_list,
    make_text_columns,
    select_page,
)
from dashboards.widgets.navigation import draw_link, name_tab, open_page
from dashboards.widgets.page_pictures import draw_span_pages, has_page_pictures
from tasks.ask.passage_units import Span
from tasks.quality.phrases import format_count
from tasks.quality.rule import Scope, list_rules
from tasks.quality.rules.vault_notes import VAULT_RULES
from warehouse.reader import Warehouse
from warehouse.records import Finding

PAGE_SIZE = 25  # Rows of a list that are drawn at once.
_FILTERS = {"severity": "Severity", "kind": "Kind", "folder": "Folder"}
_SOURCE = "SELECT source FROM documents WHERE document_id = $id"


@dataclass(frozen=True, slots=True)
class QualityAddress:
    """Query parameters of the address: a rule code, a document id, a chunk id, and the name of a duplicate pair."""

    rule: str = ""
    document: str = ""
    chunk: str = ""
    twin: str = ""


_KEPT_PARAMETER = "together"  # The parameter that links within the page keep.


def read_address() -> QualityAddress:
    """The selection that the address of the browser names."""
    return QualityAddress(**{field.name: st.query_params.get(field.name, "") for field in fields(QualityAddress)})


def open_address(address: QualityAddress) -> NoReturn:
    """Open the selection at once, as one step of the browser's history."""
    parameters: dict[str, str | list[str]] = {name: value for name, value in asdict(address).items() if value}
    if not parameters:
        overview = state.get_value("quality", "overview") or {}
        parameters = {name: value for name, value in overview.items() if name != _KEPT_PARAMETER}
    if _KEPT_PARAMETER in st.query_params:
        parameters[_KEPT_PARAMETER] = st.query_params[_KEPT_PARAMETER]
    open_page("quality", **parameters)


def draw_open_button(address: QualityAddress, name: str, icon: str | None = None) -> None:
    """Draw a button that opens the selection (a link to the same page would not). Text of documents must be escaped."""
    key = "-".join(("quality-go", *asdict(address).values()))
    if st.button(name, key=key, icon=icon, type="tertiary"):
        open_address(address)


def draw_breadcrumbs(warehouse: Warehouse, address: QualityAddress) -> None:
    """Draw a button for each step above the selection, from all findings downwards; nothing on the overview."""
    steps = []
    if address.rule:
        rule = list_rules().get(address.rule)
        name = f"{rule.code} {rule.name}" if rule else address.rule
        steps.append((format_markdown_label(name, 40), QualityAddress(rule=address.rule)))
    if address.document:
        rows = warehouse.snapshot.query_rows(_SOURCE, {"id": address.document})
        source = str(rows[0][0]) if rows else address.document
        steps.append((format_markdown_label(source, 60), QualityAddress(rule=address.rule, document=address.document)))
    if address.chunk:
        steps.append(("Passage", address))
    if address.twin:
        steps.append(("Side by side", address))
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="quality-trail"):
        draw_open_button(QualityAddress(), "All findings", ":material/arrow_back:")
        for name, step in steps[:-1]:
            draw_open_button(step, name, ":material/chevron_right:")
        st.caption(steps[-1][0])


def select_row(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], key: str, alt: str
) -> Mapping[str, Any] | None:
    """Draw rows as a list with these Streamlit columns and return the row that the reader opens, else None."""
    table = pa.table({name: [row[name] for row in rows] for name in columns})
    index = draw_row_list(table, columns, key, alt, tallest=compute_table_height(len(rows)))
    return None if index is None else rows[index]


def select_paged_row(
    read: Callable[[int, int], pa.Table],
    count: int,
    columns: Mapping[str, Any],
    name: str,
    alt: str,
    file: str,
    *,
    is_paged: bool = True,
) -> Mapping[str, Any] | None:
    """Draw a page of a list of `count` rows as `select_row` does, with page numbers and the download `file` below it.

    `read` returns so many rows after so many others. `name` is part of the list's key and of its field of the address.
    """
    list_container = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(count, PAGE_SIZE, f"{name}-page") if is_paged else 1
        draw_download(file, count, lambda: read(0, count))
    with list_container:
        rows = read((number - 1) * PAGE_SIZE, PAGE_SIZE).to_pylist()
        return select_row(rows, columns, f"quality-{name}", alt)


def filter_findings(findings: FindingTable) -> FindingTable:
    """Draw filters by severity, kind of document and folder, each if it has several values, and apply them."""
    options = {
        name: values
        for name in _FILTERS
        if len(values := findings.list_values(name)) > 1 or state.make_key("quality", name) in st.query_params
    }
    if not options:
        return findings
    with st.container(key="filters"):
        columns = st.columns(len(_FILTERS))
    conditions = {
        name: column.selectbox(
            _FILTERS[name],
            values,
            None,
            placeholder=f"Any {_FILTERS[name].lower()}",
            format_func=lambda value: format_markdown_label(value) if value else "No folder",
            **state.bind_field("quality", name),
        )
        for column, (name, values) in zip(columns, options.items(), strict=False)
    }
    return findings.filter_by({name: choice or "" for name, choice in conditions.items()})


def draw_findings(warehouse: Warehouse, examination: Examination, address: QualityAddress) -> None:
    """Draw a rule's page or a document's score, and their findings, one page of them at a time."""
    rule = list_rules().get(address.rule)
    if rule:
        name_tab(f"{rule.code} {rule.name}", "Quality")
        st.header(f"{rule.code} {rule.name}", anchor=False)
        st.html(render_rule(rule))
    if address.document:
        _draw_document(warehouse, examination, address.document)
    all_findings = examination.findings.filter_by({"code": address.rule, "document_id": address.document})
    findings = all_findings if address.document else filter_findings(all_findings)
    if len(findings):
        _draw_list(warehouse, findings, address)
    else:
        is_corpus_rule = rule is not None and (rule.scope is Scope.CORPUS or rule.name in VAULT_RULES)
        if is_corpus_rule and examination.report is None:
            cure = "This rule compares documents: switch on 'Compare documents'."
        else:
            cure = "No document breaks this rule." if rule else "Go back to all findings."
        st.html(render_empty_state("No findings.", cure))
    if address.document and not address.rule and count_faulty_passages(warehouse, address.document):
        st.header("Passages with the lowest scores", anchor=False)
        draw_passages(warehouse, address.document)


def _draw_document(warehouse: Warehouse, examination: Examination, document_id: str) -> None:
    rows = examination.documents.filter(pc.equal(examination.documents["document_id"], document_id)).to_pylist()
    if not rows:
        cure = "A later import may have removed it. Go back to all findings."
        st.html(render_empty_state("This document is not in the library.", cure))
        return
    row = rows[0]
    if row["score"] is None:
        st.caption("This file has no passages, so no search finds anything in it.")
    else:
        passages = f"{row['weak']:,} of {format_count(row['passages'], 'passage')}"
        st.caption(f"Mean score {row['score']:.3f}; {passages} below {WEAK_SCORE}.")
    draw_link("library", "Open the document", ":material/library_books:", document=document_id)


def _draw_list(warehouse: Warehouse, findings: FindingTable, address: QualityAddress) -> None:
    (st.subheader if address.rule else st.header)(format_count(len(findings), "finding"), anchor=False)
    st.caption("Open one to see it in its passage and on its page.")
    columns = {
        **({} if address.document else {"source": config.TextColumn("Document", width="medium")}),
        **make_text_columns(**({} if address.rule else {"code": "Rule"}), severity="Severity"),
        "page": config.NumberColumn("Page"),
        "message": config.TextColumn("Finding", width="large"),
        "penalty": config.NumberColumn("Lowers the score by", format="%.2f"),
    }
    alt, file = "Findings, each in its document", "kalends-findings"
    if row := select_paged_row(findings.table.slice, len(findings), columns, "findings", alt, file):
        # The passage that the finding is charged to or starts in; without one, its document.
        chunk = row["chunk_id"] or ""
        if not chunk and row["start"] is not None:
            chunk = find_passage(warehouse, row["document_id"], row["start"])
        open_address(QualityAddress(rule=address.rule, document=row["document_id"], chunk=chunk))


def draw_documents(examination: Examination) -> None:
    """Draw all documents, those without a score first, then the lowest score first."""
    table = examination.documents
    st.caption(f"{format_count(table.num_rows, 'file')}, the lowest score first. Open one to see its findings.")
    columns = {
        "source": config.TextColumn("Document", width="large"),
        "kind": config.TextColumn("Kind"),
        "score": config.ProgressColumn("Score", format="%.3f", min_value=0, max_value=1),
        "passages": config.NumberColumn("Passages", format="localized"),
        "weak": config.NumberColumn("Below 0.8", format="localized", help="Passages with a score below 0.8"),
        "findings": config.NumberColumn("Findings", format="localized"),
    }
    alt, file = "Documents, the lowest score first", "kalends-quality-documents"
    if row := select_paged_row(table.slice, table.num_rows, columns, "documents", alt, file):
        open_address(QualityAddress(document=row["document_id"]))


def draw_passages(warehouse: Warehouse, document: str = "") -> None:
    """Draw the passages of a document, or of all, that score below 1, the lowest first."""
    count = count_faulty_passages(warehouse, document)
    if not count:
        st.html(render_empty_state("Every passage scores 1.", "No rule found a fault that lowers a score."))
        return
    st.caption(f"{format_count(count, 'passage')} below 1, the lowest first. Open one to see why.")
    columns = {
        "score": config.NumberColumn("Score", format="%.2f"),
        "source": config.TextColumn("Document", width="medium"),
        "page": config.NumberColumn("Page"),
        "begins": config.TextColumn("Begins", width="large"),
    }
    read, is_paged = partial(list_lowest_passages, warehouse, document), not document
    alt, file = "Passages, the lowest score first", "kalends-quality-passages"
    if row := select_paged_row(read, count, columns, "passages", alt, file, is_paged=is_paged):
        open_address(QualityAddress(document=row["document_id"], chunk=row["chunk_id"]))


MAX_FINDINGS = 500  # Findings of a passage that are listed; a table of figures may have more.


def draw_passage(warehouse: Warehouse, findings: FindingTable, address: QualityAddress) -> None:
    """Draw a passage with its findings; if the address names a rule, only with those of the rule."""
    passage = read_passage(warehouse, address.chunk)
    if passage is None:
        cure = "A later import may have removed it. Go back to all findings."
        st.html(render_empty_state("This passage is not in the library.", cure))
        return
    charges = findings.filter_by({"chunk_id": address.chunk}).list_first(MAX_FINDINGS)
    ours = findings.filter_by({"document_id": passage.document_id, "code": address.rule}).list_first(MAX_FINDINGS)
    visible = [
        our_finding
        for our_finding in ours
        if (our_finding.chunk_id == passage.chunk_id)
        or (
            our_finding.chunk_id is None
            and our_finding.start is not None
            and passage.start <= our_finding.start < passage.end
        )
    ]
    st.header(f"Passage {passage.number}", anchor=False)
    page = f"page {passage.page}" if passage.page else ""
    st.html(render_line((passage.title, passage.source, page, " › ".join(passage.section))))
    has_pictures = has_page_pictures(warehouse, passage.document_id)
    text_column, picture_column = st.columns([2, 3]) if has_pictures else (st.container(), st.container())
    spans = clip_spans(passage, visible)
    with text_column, st.container(key="quality-passage"):
        nothing = render_empty_state("No findings.", "No rule found a fault in this passage.")
        st.html(render_findings(visible) if visible else nothing)
        st.subheader("How the score comes about", anchor=False)
        st.html(render_ledger(ScoreBreakdown(*passage.base_score, tuple(charges)), passage.stored_score))
        st.subheader("Text of the passage", anchor=False)
        quoted_spans = [(start - passage.start, end - passage.start) for start, end in spans]
        st.html(render_passage(passage.text, frozenset(), quotes=quoted_spans, table_head=passage.table_head))
        draw_link("library", "Open the document", ":material/library_books:", document=passage.document_id)
    if has_pictures:
        with picture_column:
            draw_span_pages(warehouse, passage.document_id, spans or [(passage.start, passage.end)], passage.page)


def clip_spans(passage: ScoredPassage, findings: Sequence[Finding]) -> list[Span]:
    """The spans of the findings, clipped to the passage; findings about the whole passage have none."""
    ranges = (
        (max(finding.start, passage.start), min(finding.end, passage.end))
        for finding in findings
        if finding.start is not None and finding.end is not None
    )
    whole = (passage.start, passage.end)
    return sorted({span for span in ranges if span[0] < span[1] and span != whole})


def draw_pairs(examination: Examination) -> None:
    """Draw the list of near-duplicate pairs, the most alike first."""
    if examination.report is None:
        cure = "Switch on 'Compare documents' above; it takes a while the first time."
        st.html(render_empty_state("Documents have not been compared yet.", cure))
        return
    pairs = examination.pairs
    if not pairs:
        st.html(render_empty_state("No near duplicates.", "No passage repeats much of another."))
        return
    st.caption(f"{format_count(len(pairs), 'pair')}, the most alike first; open one to see both side by side.")
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
    alt, file = "Near duplicates, the most alike first", "kalends-near-duplicates"
    if row := select_paged_row(table.slice, len(pairs), columns, "pairs", alt, file):
        open_address(QualityAddress(twin=row["name"]))


def draw_pair(warehouse: Warehouse, examination: Examination, name: str) -> None:
    """Draw both sides of a pair with the differing words marked."""
    pair = next((pair for pair in examination.pairs if pair.name == name), None)
    if pair is None:
        cure = "Switch on 'Compare documents', or go back."
        st.html(render_empty_state("This pair is not among the findings.", cure))
        return
    st.header(f"{pair.share:.0%} the same", anchor=False)
    st.caption("Words that only one of the two has are marked; case and spacing do not count.")
    pair_texts = read_pair_texts(warehouse, pair)
    if is_truncated(pair_texts):
        st.html(render_note(f"Only the first {MAX_WORDS:,} words of each are compared."))
    st.html(render_side_by_side((describe_side(pair.first), describe_side(pair.duplicate)), pair_texts))
    for column, side in zip(st.columns(2), (pair.first, pair.duplicate), strict=True):
        address = QualityAddress(document=warehouse.find_document_id(side.source) or "", chunk=side.chunk_id)
        with column:
            draw_open_button(address, "Open the passage" if side.chunk_id else "Open the document")


def describe_side(side: DuplicateSide) -> str:
    """The source of a side, with its page and passage number."""
    page = f", page {side.page}" if side.page else ""
    return f"{side.source}{page}, passage {side.number}" if side.number else side.source
