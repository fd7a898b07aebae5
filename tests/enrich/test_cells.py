"""Tables as facts."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.tables.cells import cells
from tasks.tables.numbers import number, worded_currency, worded_scale
from warehouse.records import Cell, Document

from .documents import Draft, documents


@pytest.mark.parametrize(
    ("text", "value", "unit", "currency"),
    [
        ("1,234", 1234, "", ""),
        ("(1,234)", -1234, "", ""),
        ("$ (1,234)", -1234, "", "USD"),
        ("($1,234.5)", -1234.5, "", "USD"),
        ("1,234-", -1234, "", ""),
        ("−5", -5, "", ""),
        ("12.5%", 12.5, "%", ""),
        ("(12.5)%", -12.5, "%", ""),
        ("12 percent", 12, "%", ""),
        ("1 234,5 €", 1234.5, "", "EUR"),
        ("1.234,56", 1234.56, "", ""),
        ("£5.2 million", 5.2e6, "", "GBP"),
        ("¥ 3", 3, "", "JPY"),
        ("CHF 7", 7, "", "CHF"),
        ("42 (1)", 42, "", ""),
        ("7*", 7, "", ""),
        ("1,5", 1.5, "", ""),
        ("0", 0, "", ""),
    ],
)
def test_numbers(text: str, value: float, unit: str, currency: str) -> None:
    found = number(text)
    assert found is not None
    assert found.value == pytest.approx(value)
    assert (found.unit, found.currency) == (unit, currency)


@pytest.mark.parametrize(
    "text", ["—", "n/a", "12a", "Q1", "1-2", "1.2.3", "12/31/2023", "$", "(5", "5)", "", "1" * 500]
)
def test_not_numbers(text: str) -> None:
    assert number(text) is None


@given(st.text("0123456789,.()- $%*[1]", max_size=60))
def test_numbers_are_read_at_once(text: str) -> None:
    begun = time.perf_counter()
    number(text)
    assert time.perf_counter() - begun < 1


@given(st.integers(-(10**12), 10**12))
def test_grouped_integers_come_back(value: int) -> None:
    found = number(f"({-value:,})" if value < 0 else f"{value:,}")
    assert found is not None
    assert found.value == value


def test_words_of_scale_and_currency() -> None:
    assert [worded_scale(text) for text in ("(in millions)", "$m", "£'000", "€ million", "5 million people")] == [
        1e6,
        1e6,
        1e3,
        1e6,
        None,
    ]
    assert [worded_currency(text) for text in ("$ in millions", "thousands of euros", "tonnes")] == ["USD", "EUR", ""]


def by_text(document: Document) -> dict[str, Cell]:
    return {cell.text: cell for cell in cells(document)}


def test_headers_periods_and_scale() -> None:
    rows = [
        ["(in millions, except per share)", "Three Months Ended March 31,", ""],
        ["", "2023", "2022"],
        ["Net revenue", "$ 17,846", "16,200"],
        ["Earnings per diluted share", "1.40", "3.06"],
        ["Growth", "10.2%", ""],
    ]
    found = by_text(Draft().table(rows, header_rows=2).document())
    revenue, last = found["$ 17,846"], found["16,200"]
    assert (revenue.row_header, revenue.column_header) == ("Net revenue", "Three Months Ended March 31, / 2023")
    assert (revenue.value, revenue.scale, revenue.currency) == (17_846e6, 1e6, "USD")
    assert (revenue.period_start, revenue.period_end) == (date(2023, 1, 1), date(2023, 4, 1))
    assert (last.period_start, last.period_end) == (date(2022, 1, 1), date(2022, 4, 1))
    assert (found["1.40"].value, found["1.40"].scale) == (1.4, 1.0)
    assert (found["10.2%"].value, found["10.2%"].unit) == (10.2, "%")
    assert found["Net revenue"].value is None


def test_the_caption_and_the_row_speak_where_the_column_is_silent() -> None:
    document = (
        Draft().table([["Quarter", "Sales"], ["Q1 2023", "5"]], caption="Sales, in thousands of euros").document()
    )
    cell = by_text(document)["5"]
    assert (cell.value, cell.currency) == (5000, "EUR")
    assert (cell.period_start, cell.period_end) == (date(2023, 1, 1), date(2023, 4, 1))


@settings(max_examples=50, deadline=None)
@given(document=documents())
def test_spans_are_exact_and_every_filled_body_cell_is_there(document: Document) -> None:
    found = cells(document)
    for cell in found:
        assert document.text[cell.start : cell.end] == cell.text
        table = document.tables[cell.table - 1]
        assert cell.text.replace("\\|", "|") == table.rows[cell.row][cell.column]
    filled = sum(1 for table in document.tables for row in table.rows[table.header_rows :] for cell in row if cell)
    assert len(found) == filled
