"""Line items: kinds of statements by title and by rows, and the labels of the rows that chunks show."""

from __future__ import annotations

import pytest
from hypothesis import given

from tasks.tables.cells import read_cells as cells_of
from tasks.tables.line_items import MAX_LABEL_LENGTH, MAX_ROWS, iter_row_labels
from tasks.tables.totals import find_totals
from tests.tasks.documents import Draft, documents
from tests.tasks.quality.checking import chunks as chunks_of
from warehouse.records import Cell, Document, StatementKind

HEAD = [["", "2023", "2022"]]
PLAIN = [[f"Item {letter}", "10", "20"] for letter in "abcdefg"]
OF_A_BALANCE_SHEET = ("Cash", "Inventories", "Total assets", "Loans", "Total liabilities", "Total shareholders' equity")
OF_CASH_FLOWS = (
    "Net income",
    "Net cash provided by operating activities",
    "Purchases of property",
    "Net cash used in investing activities",
    "Net cash used in financing activities",
)
OF_INCOME = ("Net sales", "Cost of sales", "Income taxes", "Net income", "Net income per share")


def cells(document: Document) -> tuple[Cell, ...]:
    return cells_of(document, find_totals(document))


def kind(document: Document) -> StatementKind | None:
    (found,) = {cell.statement for cell in cells(document)}
    return found


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("CONSOLIDATED STATEMENTS OF INCOME (In millions)", StatementKind.INCOME),
        ("Condensed Consolidated Statement of Operations", StatementKind.INCOME),
        ("Consolidated statement of profit or loss", StatementKind.INCOME),
        ("Group income statement", StatementKind.INCOME),
        ("合并利润表", StatementKind.INCOME),
        ("Consolidated Balance Sheets (unaudited)", StatementKind.BALANCE_SHEET),
        ("Statement of Financial Position", StatementKind.BALANCE_SHEET),
        ("資產負債表", StatementKind.BALANCE_SHEET),
        ("Consolidated Statements of Cash Flows", StatementKind.CASH_FLOWS),
        ("Group cash flow statement", StatementKind.CASH_FLOWS),
        ("CONSOLIDATED STATEMENTS OF STOCKHOLDERS’ EQUITY", StatementKind.EQUITY),
        ("Consolidated Statement of Changes in Equity", StatementKind.EQUITY),
        ("Consolidated Statements of Comprehensive Income (Loss)", StatementKind.COMPREHENSIVE_INCOME),
        ("Reconciliation of net income to adjusted net income", None),
        ("Balance Sheets for Obligor Group", None),
        ("Location in the Consolidated Balance Sheets", None),
        ("Notes to the Consolidated Balance Sheets", None),
        ("Revenue by region", None),
    ],
)
def test_a_title_says_which_statement_a_table_is(title: str, expected: StatementKind | None) -> None:
    for above in (
        Draft().heading(title).table(HEAD + PLAIN),
        Draft().heading("Item 8").paragraph(title).table(HEAD + PLAIN),
        Draft().table(HEAD + PLAIN, caption=title),
    ):
        assert kind(above.document()) is expected


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (OF_A_BALANCE_SHEET, StatementKind.BALANCE_SHEET),
        (OF_CASH_FLOWS, StatementKind.CASH_FLOWS),
        (OF_INCOME, StatementKind.INCOME),
        ((*OF_INCOME[:4], "Other"), None),
        ((*OF_A_BALANCE_SHEET[:4], "Other"), None),
    ],
)
def test_a_table_without_a_title_is_known_by_its_rows(labels: tuple[str, ...], expected: StatementKind | None) -> None:
    rows = HEAD + [[label, "10", "20"] for label in labels]
    assert kind(Draft().paragraph("The figures follow.").table(rows).document()) is expected
    assert kind(Draft().heading("Selected financial data").table(rows).document()) is None


def test_an_extract_of_a_statement_is_none() -> None:
    assert kind(Draft().heading("Balance Sheet").table(HEAD + PLAIN[:3]).document()) is None


def labels_of(document: Document) -> list[tuple[str, int, str, StatementKind | None]]:
    return [tuple(each) for each in iter_row_labels(chunks_of(document), cells(document))]


def test_each_row_of_figures_has_its_own_label_once() -> None:
    rows = [*HEAD, ["Assets:", "", ""], ["Cash", "1", "2"], ["Cash", "3", "4"], ["n" * 400, "5", "6"], ["", "7", "8"]]
    found = labels_of(Draft().paragraph("Before.").table(rows).document())
    assert [(row, label) for _, row, label, _ in found] == [(0, "Cash"), (1, "n" * MAX_LABEL_LENGTH), (2, "Assets:")]


def test_the_rows_of_a_long_table_of_data_have_none() -> None:
    rows = [*HEAD, *([f"Sensor reading {n}x", "1", "2"] for n in range(MAX_ROWS + 1))]
    assert labels_of(Draft().table(rows).document()) == []
    assert labels_of(Draft().table(rows[:-1]).document())


@given(documents())
def test_labels_stand_in_the_passage_that_has_them(document: Document) -> None:
    chunks = {chunk.chunk_id: chunk for chunk in chunks_of(document)}
    found = list(iter_row_labels(list(chunks.values()), cells(document)))
    assert len({(each.chunk_id, each.row) for each in found}) == len({(each.chunk_id, each.label) for each in found})
    for each in found:
        text = chunks[each.chunk_id].text.replace("\\|", "|")
        assert any(word in text for word in each.label.split())
