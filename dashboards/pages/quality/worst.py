"""The documents and the passages with the lowest scores."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import nothing_html
from dashboards.facts.quality.checked import Examination
from dashboards.facts.quality.overview import count_faulty_passages, lowest_passages
from dashboards.pages.quality.choosing import PAGE_SIZE, select_page, select_row
from dashboards.pages.quality.going import QualityAddress, open_address
from dashboards.widgets.downloading import draw_download
from tasks.quality.wording import counted
from warehouse.reader import Warehouse


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
