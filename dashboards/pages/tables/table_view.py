"""View of one table: its grid beside its pages, the chosen cell in words and boxed, wrong totals, downloads."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from dashboards.html.notices import error_html, note_html, nothing_html
from dashboards.html.text import markdown_label
from dashboards.pages.tables.cell_boxes import cell_box
from dashboards.pages.tables.html import cell_html, grid_html, heading_html, notes_html, wrong_html
from dashboards.pages.tables.parsed_table import (
    CellPosition,
    ParsedTable,
    boxes_by_page,
    cell_rows,
    parsed_table,
    printed_rows,
    region_of_row,
)
from dashboards.pages.tables.parsed_table import CellPosition as Spot
from dashboards.pages.tables.queries import table_numbers
from dashboards.widgets import import_status
from dashboards.widgets.browser_scripts import pressed_value
from dashboards.widgets.correction_form import CorrectionTarget, draw_correction_form, draw_corrections
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.page_pictures import draw_page_pictures, has_page_pictures
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import draw_download
from tasks.quality.wording import counted
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Box, Cell, CorrectedField, Region
from warehouse.records.corrections import SCALES

ROWS_A_PAGE = 60
"""Rows of a table that are drawn together."""
PAGES = 4
"""Pages that are drawn of a table that runs over more."""


def draw_table(here: PageContext) -> None:
    """Draw the table of the address, if it names one."""
    document_id, number = st.query_params.get("document", ""), st.query_params.get("table", "")
    if not document_id or not number.isdecimal():
        return
    held = here.warehouse.at()
    table = parsed_table(held, document_id, int(number[:9]))
    if table is None:
        st.html(nothing_html("This table is not in the library.", "Choose one from the list above."))
        return
    import_status.draw_imports(here)
    name_tab(f"Table {table.table.number}", table.entry.title or table.entry.file.path, "Tables")
    _draw_head(here, held, table)
    spot = chosen_cell()
    cell = table.cells.get(spot) if spot else None
    with st.container(key="table"):
        grid, beside = st.columns([3, 2], gap="large")
    with grid:
        _draw_grid(table, spot)
    with beside:
        _draw_cell(table, cell)
        if has_page_pictures(held, document_id):
            _draw_pages(held, table, cell)


def _draw_head(here: PageContext, held: Warehouse, table: ParsedTable) -> None:
    st.html(heading_html(table))
    document_id, own = table.entry.document_id, table.table.number
    numbers = table_numbers(held, document_id)
    place = numbers.index(own)
    with st.container(horizontal=True, vertical_alignment="center", key="tables-beside"):
        for name, icon, other in (("Previous", "arrow_back", place - 1), ("Next", "arrow_forward", place + 1)):
            if 0 <= other < len(numbers):
                _link_table(name, icon, document_id, numbers[other])
        _link_table(f"{counted(len(numbers), 'table')} of this document", "list", document_id, None)
        title = markdown_label(table.entry.title or table.entry.file.path, 60)
        draw_link("library", title, ":material/library_books:", document=document_id)
        found = held.file_of(document_id)
        every = partial(held.tables, document_id)
        subject = CorrectionTarget(table.entry, found[1], table.table, every) if found else None
        if subject and table.figure_columns:
            _draw_correction(here, subject, table)
    if subject:
        draw_corrections(here, subject)


def _draw_correction(here: PageContext, subject: CorrectionTarget, table: ParsedTable) -> None:
    """The form that says what the amounts of the table are counted in."""
    known = {CorrectedField.SCALE: table.scale, CorrectedField.CURRENCY: table.currency}

    def ask() -> dict[CorrectedField, str]:
        keys = {field: f"{subject.key(field)}-{subject.of(value)}" for field, value in known.items()}
        words = list(SCALES) if table.scale in SCALES else [table.scale, *SCALES]
        scale = st.selectbox("Amounts are in", words, words.index(table.scale), key=keys[CorrectedField.SCALE])
        currency = st.text_input(
            "Currency", table.currency, help="Three letters, like USD.", key=keys[CorrectedField.CURRENCY]
        )
        return {CorrectedField.SCALE: scale, CorrectedField.CURRENCY: currency}

    draw_correction_form(here, subject, known, ask)


def _link_table(told: str, icon: str, document_id: str, number: int | None) -> None:
    """A button that leads to another table, or to the list of the document's."""
    st.button(
        told,
        icon=f":material/{icon}:",
        type="tertiary",
        on_click=link_to_table,
        args=(document_id, number),
        key=f"tables-{told}",
    )


def _draw_cell(table: ParsedTable, cell: Cell | None) -> None:
    if cell:
        with st.container(border=True, key="cell"):
            st.html(cell_html(table, cell))
    elif table.cells:
        st.caption("Select a cell to see its value, unit and period, and its place on the page.")


def _draw_grid(table: ParsedTable, spot: Spot | None) -> None:
    st.html(grid_html(table, _rows(table, spot), spot))
    if table.wrong:
        some = f"{len(table.wrong)} of {counted(len(table.totals), 'checked total')}"
        st.html(note_html(f"Totals that do not add up: {some}."))
        st.html(wrong_html(table))
    elif table.totals:
        checked = (
            "The one checked total adds" if len(table.totals) == 1 else f"All {len(table.totals)} checked totals add"
        )
        st.caption(f"{checked} up.")
    if table.table.notes:
        st.html(notes_html(table.table.notes))
    name = f"kalends-{table.entry.document_id[:8]}-table-{table.table.number}"
    with st.container(horizontal=True):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.caption("As printed", width="content")
            draw_download(name, len(table.table.rows), lambda: printed_rows(table))
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.caption("As parsed cells", width="content")
            draw_download(f"{name}-cells", len(table.cells), lambda: cell_rows(table))


def _rows(table: ParsedTable, spot: Spot | None) -> range:
    """The rows that are drawn now: at first those around the chosen cell."""
    depth, count = table.table.header_rows, len(table.table.rows)
    pages = -(-(count - depth) // ROWS_A_PAGE)
    if pages <= 1:
        return range(depth, count)
    own = min(max((spot[0] - depth) // ROWS_A_PAGE, 0) + 1, pages) if spot else 1
    page = st.pagination(pages, default=own, key=f"tables-rows-{table.entry.document_id}-{table.table.number}")
    first = depth + (page - 1) * ROWS_A_PAGE
    return range(first, min(first + ROWS_A_PAGE, count))


def _draw_pages(held: Warehouse, table: ParsedTable, cell: Cell | None) -> None:
    """The pages of the table with its boxes, first that of the chosen cell with the cell alone."""
    row = region_of_row(held, table, cell) if cell else None
    boxed = boxes_by_page(table)
    try:
        if cell and row:
            boxed = {row.page: (_box(held, table, cell, row),), **{p: b for p, b in boxed.items() if p != row.page}}
        draw_page_pictures(held, table.entry.document_id, boxed, most=PAGES)
    except KalendsError as error:
        st.html(error_html(error))


def _box(held: Warehouse, table: ParsedTable, cell: Cell, row: Region) -> Box:
    found = held.file_of(table.entry.document_id)
    return (
        _cached_box(str(found[1]), found[0].file.sha256, row, table.table.rows[cell.row], cell.column)
        if found
        else row.box
    )


@st.cache_data(show_spinner=False, max_entries=256)
def _cached_box(file: str, sha256: str, row: Region, cells: tuple[str, ...], column: int) -> Box:
    return cell_box(Path(file), row, cells, column)


def open_table(document_id: str, number: int, cell: tuple[int, int] | None = None) -> None:
    """Put a table, and a cell of it, into the address, and draw the page anew."""
    link_to_table(document_id, number, cell)
    st.rerun()


def link_to_table(document_id: str, number: int | None, cell: tuple[int, int] | None = None) -> None:
    """Put a table into the address, or only its document, where no number is given."""
    named = {"table": number, "cell": f"{cell[0]}.{cell[1]}" if cell else None}
    st.query_params["document"] = document_id
    for name, value in named.items():
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = str(value)


def chosen_cell() -> CellPosition | None:
    """The cell that is chosen: the one just pressed, which goes into the address, or the one that stands there.

    To press the cell that is chosen already lets it go.
    """
    cell = pressed_value("cell")
    if cell and cell == st.query_params.get("cell"):
        del st.query_params["cell"]
    elif cell:
        st.query_params["cell"] = cell
    row, _, column = st.query_params.get("cell", "").partition(".")
    return (int(row), int(column)) if row.isdecimal() and column.isdecimal() else None
