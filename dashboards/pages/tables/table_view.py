"""View of one table: its grid next to its pages, the chosen cell in words and boxed, wrong totals, downloads."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from dashboards.html.safe_text import (
    escape_text,
    format_markdown_label,
    render_empty_state,
    render_error,
    render_facts,
    render_list,
    render_note,
)
from dashboards.pages.tables.parsed_table import (
    CellPosition,
    ParsedTable,
    build_cell_rows,
    build_printed_rows,
    iter_cell_facts,
    read_parsed_table,
    render_grid,
    render_heading,
    render_wrong_totals,
)
from dashboards.pages.tables.table_queries import list_table_numbers
from dashboards.widgets import imports
from dashboards.widgets.browser_scripts import get_pressed_value
from dashboards.widgets.correction_form import CorrectionTarget, draw_correction_form, draw_corrections
from dashboards.widgets.data_elements import draw_download
from dashboards.widgets.navigation import draw_link, name_tab
from dashboards.widgets.page_pictures import draw_page_pictures, find_cell_box, has_page_pictures
from dashboards.widgets.resources import PageContext
from tasks.quality.phrases import format_count
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Box, Cell, CorrectedField, Region
from warehouse.records.corrections import SCALES

ROWS_A_PAGE = 60  # Rows of a table that are drawn together.
PAGES = 4  # Pages of a long table that are drawn.


def draw_table(here: PageContext) -> None:
    """Draw the table of the address, if it names one."""
    document_id, number = st.query_params.get("document", ""), st.query_params.get("table", "")
    if not document_id or not number.isdecimal():
        return
    warehouse = here.warehouse.pin_generation()
    table = read_parsed_table(warehouse, document_id, int(number[:9]))
    if table is None:
        st.html(render_empty_state("This table is not in the library.", "Choose one from the list above."))
        return
    imports.draw_imports(here)
    name_tab(f"Table {table.table.number}", table.entry.title or table.entry.file.path, "Tables")
    _draw_head(here, warehouse, table)
    position = read_chosen_cell()
    cell = table.cells.get(position) if position else None
    with st.container(key="table"):
        grid, beside = st.columns([3, 2], gap="large")
    with grid:
        _draw_grid(table, position)
    with beside:
        if cell:
            with st.container(border=True, key="cell"):
                st.html(render_facts(list(iter_cell_facts(table, cell))))
        elif table.cells:
            st.caption("Select a cell to see its value, unit and period, and its place on the page.")
        if has_page_pictures(warehouse, document_id):
            _draw_pages(warehouse, table, cell)


def _draw_head(here: PageContext, warehouse: Warehouse, table: ParsedTable) -> None:
    st.html(render_heading(table))
    document_id, number = table.entry.document_id, table.table.number
    numbers = list_table_numbers(warehouse, document_id)
    place = numbers.index(number)
    with st.container(horizontal=True, vertical_alignment="center", key="tables-beside"):
        for name, icon, other in (("Previous", "arrow_back", place - 1), ("Next", "arrow_forward", place + 1)):
            if 0 <= other < len(numbers):
                _draw_table_button(name, icon, document_id, numbers[other])
        _draw_table_button(f"{format_count(len(numbers), 'table')} of this document", "list", document_id, None)
        title = format_markdown_label(table.entry.title or table.entry.file.path, 60)
        draw_link("library", title, ":material/library_books:", document=document_id)
        file = warehouse.find_file(document_id)
        tables = partial(warehouse.read_tables, document_id)
        target = CorrectionTarget(table.entry, file[1], table.table, tables) if file else None
        if target and table.figure_columns:
            _draw_correction(here, target, table)
    if target:
        draw_corrections(here, target)


def _draw_correction(here: PageContext, target: CorrectionTarget, table: ParsedTable) -> None:
    values = {CorrectedField.SCALE: table.scale, CorrectedField.CURRENCY: table.currency}

    def draw_fields() -> dict[CorrectedField, str]:
        keys = {field: target.make_value_key(field, value) for field, value in values.items()}
        words = list(SCALES) if table.scale in SCALES else [table.scale, *SCALES]
        scale = st.selectbox("Amounts are in", words, words.index(table.scale), key=keys[CorrectedField.SCALE])
        currency = st.text_input(
            "Currency", table.currency, help="Three letters, like USD.", key=keys[CorrectedField.CURRENCY]
        )
        return {CorrectedField.SCALE: scale, CorrectedField.CURRENCY: currency}

    draw_correction_form(here, target, values, draw_fields)


def _draw_table_button(text: str, icon: str, document_id: str, number: int | None) -> None:
    """Draw a button that opens another table of a document, or the list of its tables where `number` is None."""
    arguments, key = (document_id, number), f"tables-{text}"
    st.button(text, icon=f":material/{icon}:", type="tertiary", on_click=link_to_table, args=arguments, key=key)


def _draw_grid(table: ParsedTable, position: CellPosition | None) -> None:
    st.html(render_grid(table, _select_rows(table, position), position))
    if table.wrong_totals:
        share = f"{len(table.wrong_totals)} of {format_count(len(table.totals), 'checked total')}"
        st.html(render_note(f"Totals that do not add up: {share}."))
        st.html(render_wrong_totals(table))
    elif table.totals:
        one, count = "The one checked total adds up.", len(table.totals)
        st.caption(one if count == 1 else f"All {count} checked totals add up.")
    if table.table.notes:
        st.html(render_list("k-notes", list(map(escape_text, table.table.notes))))
    name = f"kalends-{table.entry.document_id[:8]}-table-{table.table.number}"
    downloads = (
        ("As printed", name, len(table.table.rows), build_printed_rows),
        ("As parsed cells", f"{name}-cells", len(table.cells), build_cell_rows),
    )
    with st.container(horizontal=True):
        for title, file, count, rows in downloads:
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.caption(title, width="content")
                draw_download(file, count, partial(rows, table))


def _select_rows(table: ParsedTable, position: CellPosition | None) -> range:
    """The rows of the page that is drawn: at first the page with the chosen cell."""
    depth, count = table.table.header_rows, len(table.table.rows)
    pages = -(-(count - depth) // ROWS_A_PAGE)
    if pages <= 1:
        return range(depth, count)
    first_page = min(max((position[0] - depth) // ROWS_A_PAGE, 0) + 1, pages) if position else 1
    page = st.pagination(pages, default=first_page, key=f"tables-rows-{table.entry.document_id}-{table.table.number}")
    first = depth + (page - 1) * ROWS_A_PAGE
    return range(first, min(first + ROWS_A_PAGE, count))


def _draw_pages(warehouse: Warehouse, table: ParsedTable, cell: Cell | None) -> None:
    """Draw the pages of the table with its boxes, first the page of the chosen cell, where only the cell is boxed."""
    document_id = table.entry.document_id
    lines = warehouse.read_lines(document_id, cell.start, cell.end) if cell else ()
    row = next(iter(lines), None)
    areas = {part.page: (part.box,) for part in table.table.parts}
    try:
        if cell and row:
            file = warehouse.find_file(document_id)
            cells = table.table.rows[cell.row]
            box = _find_cached_box(file[1], file[0].file.sha256, row, cells, cell.column) if file else row.box
            areas = {row.page: (box,), **{page: boxes for page, boxes in areas.items() if page != row.page}}
        draw_page_pictures(warehouse, document_id, areas, max_pages=PAGES)
    except KalendsError as error:
        st.html(render_error(error))


@st.cache_data(show_spinner=False, max_entries=256)
def _find_cached_box(file: Path, sha256: str, row: Region, cells: tuple[str, ...], column: int) -> Box:
    return find_cell_box(file, row, cells, column)


def open_table(document_id: str, number: int, cell: tuple[int, int] | None = None) -> None:
    """Put a table, and a cell of it, into the address, and draw the page again."""
    link_to_table(document_id, number, cell)
    st.rerun()


def link_to_table(document_id: str, number: int | None, cell: tuple[int, int] | None = None) -> None:
    """Put a table into the address, or only its document where no number is given."""
    parameters = {"table": number, "cell": f"{cell[0]}.{cell[1]}" if cell else None}
    st.query_params["document"] = document_id
    for name, value in parameters.items():
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = str(value)


def read_chosen_cell() -> CellPosition | None:
    """The cell just pressed, which is put in the address, else that of the address; pressing it again clears it."""
    cell = get_pressed_value("cell")
    if cell and cell == st.query_params.get("cell"):
        del st.query_params["cell"]
    elif cell:
        st.query_params["cell"] = cell
    row, _, column = st.query_params.get("cell", "").partition(".")
    return (int(row), int(column)) if row.isdecimal() and column.isdecimal() else None
