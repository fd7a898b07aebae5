"""Headers of tables: phrases over several columns stay whole, units and dates stand where they are printed."""

from __future__ import annotations

import pytest

from tasks.parsers.assembly import Assembly
from tasks.parsers.pdf.lines.page_rows import is_amount, is_in_date
from tests.tasks.parsers.drawn_pdf import Drawing, rows
from warehouse.records import Kind, Merge

BODY = [
    ["Revenue", "1,200", "1,100", "900"],
    ["Cost of sales", "(700)", "(650)", "(600)"],
    ["Gross", "500", "450", "3"],
]


def test_a_date_over_several_columns_is_not_cut() -> None:
    texts = [(294, 180, "December 31, 2024"), *rows(194, ["", "Men", "Women"], *(row[:3] for row in BODY))]
    table = Drawing().page(texts).read().tables[0]
    assert table.rows[0] == ("", "December 31, 2024", "")
    assert Merge(0, 1, 1, 2) in table.merges


def test_headers_set_close_are_parted_over_their_columns() -> None:
    texts = [(264, 180, "Net sales"), (357, 180, "All costs"), *rows(194, *[row[:3] for row in BODY])]
    assert Drawing().page(texts).read().tables[0].rows[0] == ("", "Net sales", "All costs")


def test_units_below_the_years_are_a_row_of_the_header() -> None:
    lines = rows(180, ["", "2024", "2023", "2022"], ["", "$m", "$m", "$m"], *BODY)
    table = Drawing().page(lines).read().tables[0]
    assert table.rows[:2] == (("", "2024", "2023", "2022"), ("", "$m", "$m", "$m"))
    assert table.header_rows == 2


def test_a_figure_that_stands_alone_in_its_column_keeps_it() -> None:
    lines = rows(180, ["", "2024", "2023", "Years"], *(row[:3] for row in BODY), ["Shares", "61", "65", "1.8"])
    assert Drawing().page(lines).read().tables[0].rows[-1] == ("Shares", "61", "65", "1.8")


def test_a_label_that_ends_in_brackets_below_its_figures_is_whole() -> None:
    texts = [*rows(180, ["", "2024", "2023"], *(row[:3] for row in BODY)), (72, 233, "(before the tax)")]
    assert Drawing().page(texts, size=9).read().tables[0].rows[-1][0] == "Gross (before the tax)"


@pytest.mark.parametrize(
    ("before", "after"),
    [("Years ended December", "31,"), ("At March 31,", "2024"), ("May", "3"), ("Weeks Ended", "3/25/2023")],
)
def test_parts_of_a_date(before: str, after: str) -> None:
    assert is_in_date(before, after)


@pytest.mark.parametrize(("before", "after"), [("Market", "31"), ("December", "1,234"), ("Total", "2024")])
def test_no_parts_of_a_date(before: str, after: str) -> None:
    assert not is_in_date(before, after)


@pytest.mark.parametrize("text", ["2024", "31, 2024", "FY2024", "1-3", "25–64"])
def test_what_heads_columns_is_no_amount(text: str) -> None:
    assert not is_amount(text)


def test_a_wrapped_header_stays_over_its_column_though_it_is_in_the_middle_of_others() -> None:
    edges = (72, -250, -310, -370, -430, -490, -550)
    body = [
        ["Net income", "109", "110", "7.3", "181", "182", "12.3"],
        ["Interest", "35", "36", "2.1", "70", "71", "4.4"],
    ]
    texts = [
        (240, 164, "Three Months Ended June 30, 2022"),
        (420, 164, "Three Months Ended June 30, 2023"),
        *rows(178, ["", "", "", "Earnings (diluted", "", "", "Earnings (diluted"], edges=edges),
        *rows(187, ["", "EBITDA", "EBIT", "US cents)", "EBITDA", "EBIT", "US cents)"], edges=edges),
        *rows(206, *body, edges=edges),
    ]
    table = Drawing().page(texts, size=7.5).read().tables[0]
    heads = ("", "EBITDA", "EBIT", "Earnings (diluted US cents)", "EBITDA", "EBIT", "Earnings (diluted US cents)")
    assert table.rows[table.header_rows - 1] == heads
    assert {(merge.column, merge.columns) for merge in table.merges} == {(1, 3), (4, 3)}


def test_years_over_a_rule_reach_over_all_columns_below_it() -> None:
    edges = (72, -230, -290, -350, -420, -480, -540)
    texts = [
        (272, 164, "2023"),
        (462, 164, "2022"),
        *rows(178, ["", "Tea", "Milk", "Total", "Tea", "Milk", "Total"], edges=edges),
        *rows(194, ["North", "1,092", "623", "1,715", "1,030", "609", "1,639"], edges=edges),
        *rows(208, ["South", "269", "207", "476", "251", "185", "436"], edges=edges),
    ]
    table = Drawing().page(texts, [(205, 167, 350, 167), (395, 167, 540, 167)], size=8).read().tables[0]
    assert {(merge.row, merge.column, merge.columns) for merge in table.merges} == {(0, 1, 3), (0, 4, 3)}


def test_numeric_dates_are_a_header_and_nil_balances_are_none() -> None:
    lines = rows(180, ["", "3/25/2023", "3/19/2022"], ["Balances", "$ -", "$ -"], ["Charges", "1,200", "34"])
    table = Drawing().page(lines).read().tables[0]
    assert table.rows[: table.header_rows] == (("", "3/25/2023", "3/19/2022"),)


def test_lengths_of_time_reach_over_the_dates_below_though_they_are_set_off_their_middle() -> None:
    edges = (72, -330, -420, -510)
    dates = ["", "9/6/2018", "9/7/2017", "9/8/2016"]
    texts = [(300, 166, "26 Weeks Ended"), *rows(180, dates, *(row[:4] for row in BODY), edges=edges)]
    table = Drawing().page(texts).read().tables[0]
    assert table.rows[:2] == (("", "26 Weeks Ended", "", ""), tuple(dates))
    assert table.merges == (Merge(0, 1, 1, 3),)


def test_a_header_wider_than_its_figures_is_no_label() -> None:
    edges, lines = (72, -326, -401, -476, -552), ["", *["September 30,"] * 4]
    body = [
        ["Shares used to compute net income per share", "8.5", "9.1", "7.7", "6.4"],
        ["Cost", "70", "(65)", "(60)", "5"],
    ]
    texts = [
        (282, 164, "Three Months Ended"),
        (432, 164, "Nine Months Ended"),
        *rows(178, lines, ["", "2018", "2017", "2018", "2017"], *body, edges=edges),
    ]
    table = Drawing().page(texts).read().tables[0]
    assert table.rows[1] == ("", "September 30, 2018", "September 30, 2017", "September 30, 2018", "September 30, 2017")
    assert {(merge.row, merge.column, merge.columns) for merge in table.merges} == {(0, 1, 2), (0, 3, 2)}


def test_a_date_is_not_cut_below_words_over_several_columns() -> None:
    edges = (72, -452, -552)
    texts = [
        (422, 166, "13-Weeks-Ended"),
        *rows(
            180, ["", "May 11, 2015", "May 12, 2014"], ["Taxes", "86,509", "86,399"], ["Cost", "84", "72"], edges=edges
        ),
    ]
    table = Drawing().page(texts).read().tables[0]
    assert table.rows[1] == ("", "May 11, 2015", "May 12, 2014")


@pytest.mark.parametrize(
    ("header", "merges", "parted"),
    [
        (["", "July 29, 2023 July 30, 2022", ""], (), ["", "July 29, 2023", "July 30, 2022"]),
        (["", "", "2023 2022"], (), ["", "2023", "2022"]),
        (["", "2023 $m 2022 $m", ""], (Merge(0, 1, 1, 2),), ["", "2023 $m", "2022 $m"]),
        (["", "3/25/2023 3/19/2022", ""], (), ["", "3/25/2023", "3/19/2022"]),
        (["", "2023年 2022年", ""], (), ["", "2023年", "2022年"]),
        (["", "2019 vs. 2018", ""], (), ["", "2019 vs. 2018", ""]),
        (["", "July 29, 2023", ""], (), ["", "July 29, 2023", ""]),
        (["", "2023 to 2022", ""], (), ["", "2023 to 2022", ""]),
    ],
)
def test_dates_run_together_in_one_header_each_head_a_column(
    header: list[str], merges: tuple[Merge, ...], parted: list[str]
) -> None:
    assembly = Assembly()
    assembly.add_table([header, ["Revenue", "5", "6"]], header_rows=1, merges=merges)
    table = assembly.finish(Kind.REPORT, "text/html").tables[0]
    assert list(table.rows[0]) == parted


def test_dates_together_over_four_columns_head_two_each() -> None:
    assembly = Assembly()
    rows = [["", "2023 2022", "", "", ""], ["", "Tea", "Milk", "Tea", "Milk"], ["Sales", "1", "2", "3", "4"]]
    assembly.add_table(rows, header_rows=2, merges=[Merge(0, 1, 1, 4)])
    table = assembly.finish(Kind.REPORT, "text/html").tables[0]
    assert table.rows[0] == ("", "2023", "", "2022", "")
    assert table.merges == (Merge(0, 1, 1, 2), Merge(0, 3, 1, 2))
