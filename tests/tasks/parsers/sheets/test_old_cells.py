"""Old Excel workbooks: cells as a new workbook shows them, what is hidden, notes, and records that are damaged."""

from __future__ import annotations

import struct
from datetime import date, datetime

import pytest
import xlwt

from tasks.parsers.office.compound_file import parse_properties
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tests.tasks.parsers.raw_office import c, read_sheets
from tests.tasks.parsers.raw_office import sheet as new_sheet
from tests.tasks.parsers.raw_workbooks import old_file, old_filter, old_note, old_object, old_record, read_old
from tests.tasks.parsers.test_workbooks import HEAD, paragraphs, tables

FORMATS = (
    "General", "0", "0.00", "#,##0.00", "0%", "0.0%", "€#,##0.00", '#,##0\\ "kr"', "[$$-409]#,##0", "0000", '"Q"0',
    "#,##0;[Red](#,##0)", "0.00E+00", "# ?/?", "@", "mmm yyyy", "mmm-yy", "d mmmm yyyy", "yyyy-mm-dd hh:mm", "h:mm:ss",
    "[h]:mm",
)  # fmt: skip


@pytest.mark.parametrize("code", FORMATS)
def test_a_value_is_shown_as_in_a_new_workbook(code: str) -> None:
    values = (0, 1, 0.125, -1234.5, 45_717, 45_720.430_555_6, 1999)
    book = xlwt.Workbook()
    old = book.add_sheet("One")
    for number, value in enumerate(values):
        old.write(number, 0, value, xlwt.easyxf(num_format_str=code))
        old.write(number, 1, "x", xlwt.easyxf(num_format_str=code))
    rows = "".join(
        f'<row r="{number}">{c(f"A{number}", value, 1)}{c(f"B{number}", "x", 1)}</row>'
        for number, value in enumerate(values, 1)
    )
    document = read_sheets(new_sheet(rows), formats=(code,))
    assert (read_old(book).text, tables(read_old(book))) == (document.text, tables(document))


def one_sheet(*rows: tuple[object, ...], formats: dict[tuple[int, int], str] | None = None) -> xlwt.Workbook:
    """A workbook of a sheet with rows of values; `formats` are those of cells."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("One")
    for number, values in enumerate(rows):
        for column, value in enumerate(values):
            code = (formats or {}).get((number, column), "General")
            sheet.write(number, column, value, xlwt.easyxf(num_format_str=code))
    return book


def test_percents_prices_and_times_of_an_old_workbook_are_shown_with_their_formats() -> None:
    moment = datetime(2025, 3, 4, 13, 5)  # noqa: DTZ001
    formats = {(1, 1): "0.0%", (2, 1): "€#,##0.00", (3, 1): "d mmm yyyy h:mm"}
    book = one_sheet(HEAD[:2], ("Share", 0.125), ("Price", 1234.5), ("At", moment), ("Open", True), formats=formats)
    assert [each[1] for each in tables(read_old(book))[0][1:]] == ["12.5%", "€1,234.50", "4 Mar 2025 13:05", "TRUE"]


def test_figures_below_a_month_of_an_old_workbook_are_of_that_month() -> None:
    head = ("Item", date(2025, 3, 1), date(2025, 4, 1))
    book = one_sheet(head, ("Dues (EUR)", 12, 13), formats={(0, 1): "mmm yyyy", (0, 2): "mmm yyyy"})
    document = read_old(book)
    assert tables(document)[0][0] == ("Item", "Mar 2025", "Apr 2025")
    assert [(each.value, each.period_start, each.period_end) for each in read_cells(document, ()) if each.value] == [
        (12.0, date(2025, 3, 1), date(2025, 4, 1)),
        (13.0, date(2025, 4, 1), date(2025, 5, 1)),
    ]


def test_errors_of_an_old_workbook_are_shown_and_named() -> None:
    book = one_sheet(HEAD, ("North", 1, 2))
    book.get_sheet(0).row(2).set_cell_error(1, "#DIV/0!")
    book.get_sheet(0).row(2).set_cell_error(2, "#N/A!")  # As xlwt names it.
    document = read_old(book)
    assert tables(document)[0][2] == ("", "#DIV/0!", "#N/A")
    assert [(each.name, each.message) for each in document.findings] == [
        ("cell-errors", "a cell of sheet “One” shows #DIV/0!: B3"),
        ("cell-errors", "a cell of sheet “One” shows #N/A: C3"),
    ]


def test_formulas_of_an_old_workbook_that_nobody_calculated_are_named() -> None:
    book = one_sheet(HEAD, ("North", 1, xlwt.Formula("B2*2")))
    assert [each.message for each in read_old(book).findings] == ["a formula of sheet “One” has no saved value: C2"]
    calculated = old_record(0x06, struct.pack("<HHHdHIH", 2, 1, 0, 7.0, 0, 0, 0))
    document = read_old(book, calculated)
    assert tables(document)[0][1:] == (("North", "1", ""), ("", "7", ""))
    assert not document.findings


def test_rows_and_columns_hidden_by_hand_are_left_out_of_an_old_workbook() -> None:
    book = one_sheet((*HEAD, "Secret"), *((f"N{number}", number, number, "unseen") for number in range(1, 7)))
    sheet = book.get_sheet(0)
    sheet.col(3).hidden = True
    for number in (2, 4, 5):
        sheet.row(number).hidden = True
    sheet.row(4).level = 1
    document = read_old(book, old_filter(4, 6, 2))
    assert [each[0] for each in tables(document)[0]] == ["Item", "N1", "N3", "N4", "N5", "N6"]
    assert "unseen" not in document.text
    assert [each.message for each in document.findings] == ["sheet “One”: 1 row and 1 column hidden and left out"]


def test_notes_shapes_and_frozen_rows_of_an_old_workbook_are_read() -> None:
    book = one_sheet(("", "North", "South"), ("Plan", "a", "b"), ("x", "y", "z"), ("x", "y", "w"))
    sheet = book.get_sheet(0)
    sheet.panes_frozen, sheet.horz_split_pos = True, 2
    button = old_object(7, 3, "Press")
    document = read_old(book, old_object(25, 1, "Bo:\nChecked"), old_object(6, 2, "In a box\n\nsaid Ö"), button,
                        old_note(2, 1, 1))  # fmt: skip
    assert document.tables[0].header_rows == 2
    assert paragraphs(document) == ["One", "In a box\nsaid Ö", "B3: Bo: Checked"]


def test_records_of_an_old_workbook_that_nobody_needs_may_be_damaged() -> None:
    everywhere = old_record(0x01B8, struct.pack("<HHHH", 0, 65_535, 0, 65_535) + bytes(24))
    book = one_sheet(HEAD, ("North", 0.5, 2), formats={(1, 1): "0%"})
    document = read_old(book, everywhere, old_record(0x01B1), old_record(0x18, b"\x20"))
    assert tables(document) == [(HEAD, ("North", "50%", "2"))]
    assert not document.findings


@pytest.mark.parametrize(
    ("damaged", "shown", "lost"),
    [
        (old_record(0x1C, b"\1"), ("North", "50%", "2", "4-Mar-2025"), "notes"),
        (old_record(0xE5, b"\5"), ("North", "0.5", "2", "2025-03-04"), "formats of cells, hidden rows and notes"),
    ],
)
def test_an_old_workbook_with_a_damaged_record_loses_what_stands_in_it(
    damaged: bytes, shown: tuple[str, ...], lost: str
) -> None:
    book = one_sheet((*HEAD, "Day"), ("North", 0.5, 2, date(2025, 3, 4)), formats={(1, 1): "0%", (1, 3): "d-mmm-yy"})
    document = read_old(book, damaged)
    assert tables(document) == [((*HEAD, "Day"), shown)]
    assert [each.message for each in document.findings] == [f"{lost} could not be read: its parts do not fit together"]


def test_an_old_workbook_of_1995_is_read_with_formats_and_its_code_page() -> None:
    begin = [old_record(0x0809, struct.pack("<HHHH", 0x0500, kind, 2412, 1996)) for kind in (5, 16)]
    styles = (old_record(0xE0, struct.pack("<HH12x", 0, number)) for number in (0, 164, 10))
    custom = old_record(0x041E, struct.pack("<HB", 164, 8) + b"mmm yyyy")
    head = begin[0] + old_record(0x42, struct.pack("<H", 1252)) + custom + b"".join(styles)
    entry = struct.pack("<IBBB", len(head) + 19, 0, 0, 4) + b"Caf\xe9"
    texts = (
        old_record(0x0204, struct.pack("<HHHH", at, 0, 0, 4) + text) for at, text in enumerate((b"Item", b"D\xfces"))
    )
    cells = ((0, 1, 45_717.0), (1, 2, 0.125))
    figures = (old_record(0x0203, struct.pack("<HHHd", at, 1, style, value)) for at, style, value in cells)
    note = old_record(0x1C, struct.pack("<HHH", 1, 1, 4) + b"Late")
    end = old_record(0x0A)
    sheet = begin[1] + b"".join([*texts, *figures]) + note + end
    document = read(Raw("a.xls", old_file(head + old_record(0x85, entry) + end + sheet)))
    assert tables(document) == [(("Item", "Mar 2025"), ("Dües", "12.50%"))]
    assert paragraphs(document) == ["Café", "B2: Late"]


def test_what_an_old_workbook_says_of_itself() -> None:
    values = {
        1: struct.pack("<IHxx", 2, 1251),
        2: struct.pack("<II", 0x1E, 6) + "Сборы".encode("cp1251") + b"\0",
        4: struct.pack("<II", 0x1F, 3) + "Bo\0".encode("utf-16-le"),
        12: struct.pack("<IQ", 0x40, 133_855_704_000_000_000),
        13: struct.pack("<IQ", 0x40, 0),
    }
    listed, body = b"", b""
    for key, value in values.items():
        listed += struct.pack("<II", key, 8 + 8 * len(values) + len(body))
        body += value
    stream = bytes(44) + struct.pack("<I", 48) + struct.pack("<II", 0, len(values)) + listed + body
    assert parse_properties(stream) == ("Сборы", "Bo", [datetime(2025, 3, 4, 14)])  # noqa: DTZ001
    assert parse_properties(b"") == ("", "", [])
