"""Columns of a table: cells that touch, and words that only look like several numbers."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.tasks.parsers.drawn_pdf import Drawing, rows

NARROW = [["North", "8.1", "9.3", "7.1"], ["South", "4.0", "6.5", "7.9"], ["East", "1.8", "1.3", "2.2"]]


def read_wide_row(figures: list[str], header: tuple[str, ...] = ("2021", "2022", "2023")) -> list[str]:
    """The cells of a row of figures so wide that each begins where the one before it ends."""
    width = max(stringWidth(figure, "Helvetica", 10) for figure in figures)
    edges = (72, *(-(170 + width * number) for number in (1, 2, 3)))
    lines = [("", *header), *NARROW, ("West", *figures), *NARROW]
    (table,) = Drawing().page(rows(100, *lines, edges=edges)).read().tables
    return list(table.rows[4])


@pytest.mark.parametrize(
    "figures",
    [
        ["88.19", "95.30", "70.12"],
        ["188.1", "195.3", "170.1"],
        ["1,188.1", "1,195.3", "1,170.1"],
        ["12,188", "11,195", "10,170"],
        ["1.188,1", "1.195,3", "1.170,1"],
        ["188,12", "195,34", "170,17"],
        ["12.188", "11.195", "10.170"],
        ["(188.1)", "(195.3)", "(170.1)"],
        ["18.1%", "19.3%", "17.1%"],
        ["-188.1", "-195.3", "-170.1"],
        ["1,234,188", "1,234,195", "1,234,170"],
    ],
)
def test_numbers_that_touch_stand_in_their_columns(figures: list[str]) -> None:
    assert read_wide_row(figures) == ["West", *figures]


def test_years_that_touch_stand_in_their_columns() -> None:
    width = stringWidth("2021", "Helvetica", 10)
    edges = (72, *(-(170 + width * number) for number in (1, 2, 3)))
    (table,) = Drawing().page(rows(100, ("", "2021", "2022", "2023"), *NARROW, edges=edges)).read().tables
    assert table.rows[0] == ("", "2021", "2022", "2023")


@pytest.mark.parametrize("text", ["10.12.1", "188195", "12.03.2023", "A1.1.2", "192.168.1.1"])
def test_a_word_in_one_column_is_not_cut(text: str) -> None:
    lines = [("", "2021", "2022", "2023"), *NARROW, ("West", text, "19.3", "17.1"), *NARROW]
    (table,) = Drawing().page(rows(100, *lines)).read().tables
    assert table.rows[4] == ("West", text, "19.3", "17.1")
