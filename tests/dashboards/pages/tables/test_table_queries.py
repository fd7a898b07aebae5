"""What is told of tables and cells, without a page."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from dashboards.pages.tables.parsed_table import (
    ParsedTable,
    build_cell_rows,
    build_printed_rows,
    read_parsed_table,
    render_grid,
)
from dashboards.pages.tables.table_queries import (
    ORDERS,
    CellFilters,
    TableFilters,
    count_cells,
    list_cells,
    list_tables,
    list_units,
)
from dashboards.widgets.page_pictures import find_cell_box
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading
from warehouse.reader import Warehouse
from warehouse.records import Box, CatalogEntry, Cell, Merge, Region, SourceFile, Status, Table

SAMPLES = Path(__file__).parents[4] / "samples"
OF_NOBODY = CatalogEntry("", SourceFile("", "", "", "", 0, 0), Status.PUBLISHED)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("w"), SAMPLES / "reports").pin_generation()


@pytest.fixture(scope="module")
def first(reports: Warehouse) -> ParsedTable:
    sql = (
        "SELECT document_id, number FROM tables JOIN documents USING (document_id) WHERE len(parts) > 0 ORDER BY source"
    )
    found = read_parsed_table(reports, *reports.snapshot.query_rows(sql)[0])
    assert found
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_pages_of_the_list_are_the_list(reports: Warehouse, order: str) -> None:
    whole = list_tables(reports, TableFilters(), order, 1000)
    parts = [list_tables(reports, TableFilters(), order, 2, past) for past in range(0, len(whole), 2)]
    assert [row for part in parts for row in part] == whole
    assert {row["matches"] for row in whole} == {len(whole)}


def test_tables_are_of_a_time_where_a_cell_is(reports: Warehouse) -> None:
    def count(since: date | None, until: date | None) -> int:
        return len(list_tables(reports, TableFilters(during=(since, until)), "document", 1000))

    assert count(date(2025, 1, 1), date(2025, 2, 1))
    assert count(date(2025, 1, 1), None) >= count(date(2025, 1, 1), date(2025, 2, 1))
    assert not count(None, date(1950, 1, 1))


def test_cells_are_counted_as_they_are_listed(reports: Warehouse) -> None:
    wanted = CellFilters(row="margin", units=("%",))
    found = list_cells(reports, wanted, 1000)
    assert len(found) == count_cells(reports, wanted) > 0
    assert all("margin" in cell.row.lower() and cell.unit == "%" for cell in found)
    assert all(cell.page for cell in found if cell.source.endswith(".pdf"))
    assert "USD" in list_units(reports)


def test_a_table_is_taken_along_as_printed_and_as_cells(first: ParsedTable) -> None:
    printed = build_printed_rows(first)
    assert printed.num_rows == len(first.table.rows) - first.table.header_rows
    assert len(set(printed.column_names)) == printed.num_columns == len(first.table.rows[0])
    cells = build_cell_rows(first)
    assert cells.num_rows == len(first.cells)
    assert cells["value"].null_count < cells.num_rows


def test_merged_cells_span_and_cover() -> None:
    rows = (("", "Q2", ""), ("Name", "2024", "2025"), ("Sales", "1", "2"))
    table = Table(1, 0, 0, rows, (), header_rows=2, merges=(Merge(0, 1, columns=2), Merge(0, 0, rows=2)))
    of = ParsedTable(OF_NOBODY, table, {}, {})
    html = render_grid(of, range(2, 3), None)
    assert '<th scope="colgroup" colspan="2"><bdi>Q2</bdi></th>' in html
    assert 'rowspan="2"' in html
    assert Reading(html).text == "Q220242025Sales12"
    assert of.headers == ["column 1", "Q2 / 2024", "Q2 / 2025"]


def test_each_column_has_a_name_of_its_own() -> None:
    table = Table(1, 0, 0, (("A", "A", ""), ("1", "2", "3")), ())
    assert ParsedTable(OF_NOBODY, table, {}, {}).headers == ["A", "A (column 2)", "column 3"]


def row_region(reports: Warehouse, of: ParsedTable, cell: Cell) -> Region | None:
    return next(iter(reports.read_lines(of.entry.document_id, cell.start, cell.end)), None)


def test_a_cell_is_boxed_inside_its_row(reports: Warehouse, first: ParsedTable) -> None:
    cells = [cell for cell in first.cells.values() if cell.column and cell.row == 2]
    row = row_region(reports, first, cells[0])
    found = reports.find_file(first.entry.document_id)
    assert row
    assert found
    boxes = [find_cell_box(found[1], row, first.table.rows[cell.row], cell.column) for cell in cells]
    assert all(box != row.box and box.top > row.box.top - 3 and box.bottom < row.box.bottom + 3 for box in boxes)
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))


def test_what_the_page_does_not_have_is_boxed_by_its_row(
    reports: Warehouse, first: ParsedTable, tmp_path: Path
) -> None:
    cell = next(cell for cell in first.cells.values() if cell.column)
    row = row_region(reports, first, cell)
    found = reports.find_file(first.entry.document_id)
    assert row
    assert found
    assert find_cell_box(found[1], row, ["no", "such words"], 1) == row.box
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    assert find_cell_box(tmp_path / "broken.pdf", row, ["1"], 0) == row.box
    assert isinstance(row.box, Box)
