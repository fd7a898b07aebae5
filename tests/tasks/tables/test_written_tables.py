"""Cells of whole files: headers, periods, units and values of tables as people and programs write them, by format."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tests.tasks.documents import Draft
from tests.tasks.parsers.drawn_pdf import Drawing, Text
from tests.tasks.parsers.raw_docx import p, package, r, tc
from tests.tasks.parsers.raw_docx import table as word_table
from warehouse.records import Cell, Document

Rows = list[list[str]]


def split(text: str) -> Rows:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def write_html(rows: Rows) -> Document:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return read(Raw("a.html", f"<p>Text</p><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>".encode()))


def write_markdown(rows: Rows) -> Document:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return read(Raw("a.md", "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]).encode()))


def write_csv(rows: Rows) -> Document:
    return read(Raw("a.csv", "\n".join(";".join(row) for row in rows).encode()))


def write_word(rows: Rows) -> Document:
    return read(Raw("a.docx", package(word_table(*([tc(p(cell)) for cell in row] for row in rows)))))


def write_pdf(rows: Rows) -> Document:
    texts: list[Text] = [(60, 80, "Our readings of the days are told in what stands below, each with its own words.")]
    for place, row in enumerate(rows):
        texts.append((60.0, 125 + 15 * place, row[0]))
        texts += [(-(60.0 + 85 + 75 * at), 125 + 15 * place, cell) for at, cell in enumerate(row[1:], 1) if cell]
    return read(Raw("a.pdf", Drawing().page(texts, size=9).data()))


WRITERS = [write_html, write_markdown, write_csv, write_word, write_pdf]
Writer = Callable[[Rows], Document]


def by_text(document: Document) -> dict[str, Cell]:
    return {cell.text: cell for cell in read_cells(document, ())}


HOURS = split(
    "|3 May 2024||4 May 2024|\nStation|06:00|12:00|06:00|12:00\nNorth|11.2|14.5|10.2|15.5\nSouth|12.2|16.5|11.7|17.5"
)
STOPS = split(
    "|3 May 2024||4 May 2024|\nStop|08:00|10:00|08:30|10:30\nHall|8:05|10:05|8:35|10:35\nMuseum|8:12|10:12|8:42|10:42"
)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(("rows", "cells"), [(HOURS, "11.2 14.5 10.2 15.5"), (STOPS, "8:05 10:05 8:35 10:35")])
def test_hours_below_days_are_of_these_days(rows: Rows, cells: str, write: Writer) -> None:
    found = by_text(write(rows))
    days = [date(2024, 5, 3), date(2024, 5, 3), date(2024, 5, 4), date(2024, 5, 4)]
    for text, day, hour in zip(cells.split(), days, rows[1][1:], strict=True):
        assert (found[text].period_start, found[text].period_end) == (day, day + timedelta(days=1))
        assert found[text].column_header.endswith(hour)


@pytest.mark.parametrize("write", WRITERS[1:3])
def test_units_below_names_are_of_the_header(write: Writer) -> None:
    rows = split("Time|Temp|Humidity|PM2.5\n(UTC)|(°C)|(%)|[µg/m³]\n2024-05-03|12.4|71|8.2\n2024-05-04|13.1|69|9.0")
    found = by_text(write(rows))
    assert found["12.4"].column_header == "Temp / (°C)"
    assert (found["71"].unit, found["71"].value) == ("%", 71.0)


@pytest.mark.parametrize("write", WRITERS[:4])
def test_rows_that_begin_with_a_rank_have_the_name(write: Writer) -> None:
    rows = split(
        "Rank|Lane|Name|Club|Time\n1|4|SMITH Ann|Leeds|56.12\n2|5|JONES Beth|York|56.90\n3|3|BROWN Cath|Hull|57.33"
    )
    assert by_text(write(rows))["56.90"].row_header == "2 / JONES Beth"


@pytest.mark.parametrize(
    "text",
    ["Year|Sales|Remark\n2022|12|good times\n2023|15|hard times", "A|B|C\n1|4|low\n2|5|low\n3|6|low\n4|7|low"],
)
def test_remarks_are_no_names(text: str) -> None:
    assert by_text(write_csv(split(text)))[split(text)[2][1]].row_header == split(text)[2][0]


PAY = split(
    "Payments|Hours|Amount|Deductions|Amount\nBasic|150.00|2,730.00|Tax|336.40\nOvertime|6.50|177.45|Pension|145.37\n"
    "Total payments||2,907.45|Total deductions|481.77"
)


@pytest.mark.parametrize("write", WRITERS[:4])
def test_totals_on_both_sides_part_tables_of_different_width(write: Writer) -> None:
    found = by_text(write(PAY))
    assert [found[text].row_header for text in ("177.45", "145.37", "481.77")] == [
        "Overtime",
        "Pension",
        "Total deductions",
    ]


def test_raised_marks_behind_a_figure_are_none_of_its_digits() -> None:
    html = "<table><tr><th>A<th>B<tr><td>North<td>1,310<sup>1</sup><tr><td>South<td>12.5<sup>a</sup></table>"
    found = by_text(read(Raw("a.html", html.encode())))
    raised = r("1", '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>')
    figure = f"<w:p>{r('1,310')}{raised}</w:p>"
    body = word_table([tc(p("A")), tc(p("B"))], [tc(p("North")), tc(figure)], [tc(p("South")), tc(p("7"))])
    found |= {f"Word {text}": cell for text, cell in by_text(read(Raw("a.docx", package(body)))).items()}
    values = [found[text].value for text in ("1,310¹", "12.5ᵃ", "Word 1,310¹")]
    assert values == [1310.0, 12.5, 1310.0]


@pytest.mark.parametrize(
    ("header", "month"),
    [("gen 2024", 1), ("Okt 2024", 10), ("Dez. 2024", 12), ("févr. 2024", 2), ("ene 2024", 1), ("out 2024", 0)],
)
def test_months_of_another_language_beside_a_year(header: str, month: int) -> None:
    found = by_text(Draft().table([["Item", header], ["Rent", "450"]]).document())["450"]
    assert (found.period_start, found.period_end) == (
        (date(2024, month, 1), date(2024 + month // 12, month % 12 + 1, 1))
        if month
        else (date(2024, 1, 1), date(2025, 1, 1))
    )


@pytest.mark.parametrize(
    ("above", "value"),
    [
        ("Bilanz zum 31.12.2023", 1200.0),
        ("Mean and cases", 1.2),
        ("(x € 1.000)", 1.2e6),
        ("× € 1.000", 1.2e6),
        ("in T€", 1.2e6),
    ],
)
def test_figures_like_1_200_beside_450_are_thousands_where_days_have_points(above: str, value: float) -> None:
    rows = [["Aktiva", "2023"], ["Anlagen", "1.200"], ["Kasse", "450"]]
    assert by_text(Draft().paragraph(above).table(rows).document())["1.200"].value == value


def test_names_and_values_above_a_csv_table_are_no_rows_of_it() -> None:
    above = 'Account,8812\nPeriod,"Apr 3, 2024"\nAmount Due,$142.17\n\n'
    text = f"{above}Date,Reading,Usage,Cost\n2024-04-03,18220,,\n2024-05-02,18931,711,9.20\n"
    (table,) = read(Raw("a.csv", text.encode())).tables
    assert table.rows[0] == ("Date", "Reading", "Usage", "Cost")


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [("11,4 +", 11.4, ""), ("11.4 ++", 11.4, ""), ("1 476,00 zł", 1476.0, "PLN"), ("2 400 Kč", 2400.0, "CZK")],
)
def test_flags_and_currencies_behind_a_reading(text: str, value: float, currency: str) -> None:
    found = by_text(write_csv([["Item", "Result"], ["A", text], ["B", "7"]]))[text]
    assert (found.value, found.currency) == (value, currency)


def test_debits_and_credits_of_a_printed_statement_are_columns_of_their_own() -> None:
    text = (
        "EXAMPLE BANK                                Statement\n\n"
        "Date        Text                           Debit      Credit       Balance\n"
        "01/09       Brought forward                                       1,520.30\n"
        "03/09       Water                          45.90                  1,474.40\n"
        "05/09       Transfer                                2,300.00      3,774.40\n"
        "28/09       Rent                        1,200.00                  2,574.40\n"
    )
    found = by_text(read(Raw("a.txt", text.encode())))
    assert [found[text].column_header for text in ("45.90", "2,300.00", "1,200.00")] == ["Debit", "Credit", "Debit"]


@pytest.mark.parametrize(
    "caption", ["Persons (in 1 000)", "Persons (in 1.000)", "Sales in 1,000 EUR", "Ventes (1 000 €)", "Sales in 1000 €"]
)
def test_a_thousand_in_figures_is_a_scale(caption: str) -> None:
    found = by_text(Draft().table([["", "2023"], ["North", "12.5"]], caption=caption).document())
    assert found["12.5"].value == 12_500


@pytest.mark.parametrize(
    "caption", ["Sales of 1 000 shops", "In 1000 shops", "Index (2015 = 1 000)", "In 1 000 000 years"]
)
def test_a_thousand_of_something_else_is_none(caption: str) -> None:
    found = by_text(Draft().table([["", "2023"], ["North", "12.5"]], caption=caption).document())
    assert found["12.5"].value == 12.5


def test_sections_stand_above_labels_in_small_letters_that_come_again() -> None:
    rows = [["Age", "2023"], ["Men", ""], ["under 20", "11"], ["20 to 65", "12"], ["Women", ""], ["under 20", "13"]]
    found = by_text(Draft().table(rows).document())
    assert [found[text].row_header for text in ("11", "12", "13")] == [
        "Men / under 20",
        "Men / 20 to 65",
        "Women / under 20",
    ]
    wrapped = [["", "2023"], ["Proceeds from sale", ""], ["of equipment", "11"], ["Other", "12"]]
    assert by_text(Draft().table(wrapped).document())["11"].row_header == "Proceeds from sale of equipment"


@pytest.mark.parametrize(("corner", "value"), [("Headcount", 12.0), ("Employees", 12.0), ("Department", 12_000.0)])
def test_what_all_rows_count_may_stand_above_their_labels(corner: str, value: float) -> None:
    rows = [[corner, "Jan-24", "Feb-24"], ["Research", "12", "13"], ["Sales", "9", "8"]]
    assert by_text(Draft().table(rows, caption="Budget (USD thousands)").document())["12"].value == value


def test_a_blank_header_of_markdown_is_none() -> None:
    text = "| | |\n|---|---|\n| Coach | Ben |\n| Goal | 10 km |\n| Start weight | 82.4 kg |\n"
    (table,) = read(Raw("a.md", text.encode())).tables
    assert (table.header_rows, table.rows[0]) == (0, ("Coach", "Ben"))


def test_a_column_of_currencies_before_all_amounts_is_of_each() -> None:
    rows = [["Name", "Currency", "Gross", "Fee", "Count"], ["A", "USD", "1,250.00", "-36.55", "3"]]
    found = by_text(write_csv([*rows, ["B", "EUR", "-900.00", "-0.10", "4"]]))
    assert [found[text].currency for text in ("1,250.00", "-36.55", "-900.00", "-0.10", "3")] == ["USD"] * 2 + [
        "EUR"
    ] * 2 + [""]


def test_a_number_of_a_note_in_brackets_behind_a_figure_is_none_of_it() -> None:
    found = by_text(write_csv([["A", "2023"], ["x", "24.401,0 1)"], ["y", "12,5"]]))
    assert found["24.401,0 1)"].value == 24401.0


def test_a_figure_right_behind_a_label_stands_in_its_column() -> None:
    text = (
        "Day   Tmin   Tmax   Rain   Sun\n  1    4.2   15.8    0.0   11.2\n  2    5.0   17.1    0.3    9.8\n"
        "  3    7.7   14.9   12.4    1.0\nMiddle 5.6   15.9    4.2    7.3\n"
    )
    found = by_text(read(Raw("a.txt", text.encode())))
    assert (found["5.6"].row_header, found["5.6"].column_header) == ("Middle", "Tmin")
