"""What a table has beyond its body: rows over a page's end or outside its grid, no header, heads and units above."""

from __future__ import annotations

from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.assembly import Assembly
from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.lines.page_rows import are_column_numbers, is_figure
from tasks.parsers.reader import read
from tasks.parsers.table_form import guess_header_rows
from tests.tasks.parsers.drawn_pdf import Drawing, Text, prose, rows
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import BlockKind, Document, Kind, Table

HEAD = ["", "2024", "2023", "2022"]
BODY = [["Revenue", "1,200", "1,100", "900"], ["Cost", "(700)", "(650)", "(600)"], ["Gross", "500", "450", "300"]]


def two_pages(first: list[Text], second: list[Text]) -> Document:
    document = Drawing().page([*prose(72, 3), *first]).page([*second, *prose(250, 3)]).read()
    keeps_its_promises(document)
    return document


def pages_of(table: Table) -> list[int]:
    return [part.page for part in table.parts]


def test_a_single_row_on_the_next_page_is_the_last_of_the_table() -> None:
    table = two_pages(rows(640, HEAD, *BODY), rows(72, ["Net", "400", "360", "220"])).tables[0]
    assert pages_of(table) == [1, 2]
    assert table.rows[-1] == ("Net", "400", "360", "220")


def test_a_total_without_a_label_on_the_next_page_is_no_page_number() -> None:
    table = two_pages(rows(640, HEAD, *BODY), rows(64, ["", "$ 139,256"])).tables[0]
    assert table.rows[-1] == ("", "$ 139,256", "", "")


def test_a_row_of_other_columns_on_the_next_page_is_none_of_the_table() -> None:
    document = two_pages(rows(640, HEAD, *BODY), rows(72, ["Net", "400", "360"], edges=(72, -230, -345)))
    assert pages_of(document.tables[0]) == [1]


def test_a_line_of_headers_at_the_foot_of_a_page_is_a_row() -> None:
    first = [*rows(600, HEAD, *BODY), *rows(670, ["", "Cost", "Gains", "Value"])]
    table = two_pages(first, rows(72, HEAD, ["Net", "400", "360", "220"], ["Paid", "40", "36", "22"])).tables[0]
    assert pages_of(table) == [1, 2]
    assert ("", "Cost", "Gains", "Value") in table.rows


def test_prose_after_the_notes_ends_a_table() -> None:
    first = [*rows(600, HEAD, *BODY), (72, 660, "Source: own accounts."), *prose(684, 2)]
    assert [pages_of(table) for table in two_pages(first, rows(72, HEAD, *BODY)).tables] == [[1], [2]]


def test_a_row_below_the_last_rule_belongs_to_the_grid() -> None:
    texts = rows(112, ["", "2024", "2023"], ["Cod", "12", "9"], ["Hake", "7", "8"], ["Ling", "3", "4"])
    strokes = [(66, y, 420, y) for y in (100, 117, 146)] + [(x, 100, x, 146) for x in (66, 240, 320, 420)]
    assert Drawing().page(texts, strokes).read().tables[0].rows[-1] == ("Ling", "3", "4")


def test_a_table_that_reaches_into_the_margin_keeps_its_first_rows() -> None:
    lines = [[f"Row {number}", f"{number},100", f"{number},200", f"{number},300"] for number in range(1, 8)]
    table = Drawing().page([*rows(24, HEAD, *lines), *prose(200, 3)]).read().tables[0]
    assert len(table.rows) == 8
    assert table.header_rows == 1


def test_a_table_that_begins_with_its_figures_has_no_header() -> None:
    document = Drawing().page([*prose(72, 3), *rows(180, *BODY), *prose(260, 3)]).read()
    keeps_its_promises(document)
    assert document.tables[0].header_rows == 0
    assert "[TABLE 1]\n|  |  |  |  |\n| --- | --- | --- | --- |\n| Revenue |" in document.text


def test_numbers_of_columns_are_a_header() -> None:
    table = Drawing().page([*prose(72, 3), *rows(180, ["", "(1)", "(2)", "(3)"], *BODY)]).read().tables[0]
    assert table.header_rows == 1


@pytest.mark.parametrize(
    ("first", "expected"),
    [(["Tea", "1,200", "(7)"], 0), (["Tea", "$ 12", ""], 0), (["Tea", "12", "14"], 1), (["", "1,200", "7"], 1)],
)
def test_a_first_row_of_amounts_is_no_header(first: list[str], expected: int) -> None:
    assert guess_header_rows([first, ["Coffee", "1,300", "8"]]) == expected


def test_the_shown_rows_of_a_table_without_a_header_are_where_they_say() -> None:
    assembly = Assembly()
    assembly.add_table([["Tea", "1,200"], ["Milk", "900"]], header_rows=0)
    keeps_its_promises(assembly.finish(Kind.NOTE, "text/markdown"))


def test_a_running_head_close_above_each_table_is_set_aside() -> None:
    drawing = Drawing()
    for number in range(3):
        head = [(72, 40, "Prices and wages"), (-500, 40, "Yearbook 2010")]
        lines = [[f"Row {number} {line}", f"{line},100", f"{line},200", f"{line},300"] for line in range(1, 40)]
        drawing.page([*head, *rows(54, HEAD, *lines)])
    document = drawing.read()
    keeps_its_promises(document)
    assert all("Prices" not in cell for table in document.tables for row in table.rows for cell in row)
    aside = [block for block in document.blocks if block.kind is BlockKind.FURNITURE]
    assert sum("Prices" in document.text[block.start : block.end] for block in aside) == 3


def test_a_full_grid_of_numbers_is_a_table() -> None:
    lines = [["2021", "4.5", "17.25", "3"], ["2022", "6.1", "18.5", "8"], ["2023", "5.2", "16.75", "2"]]
    texts = rows(112, *lines)
    strokes = [(66, y, 510, y) for y in (100, 117, 131, 145)]
    strokes += [(x, 100, x, 145) for x in (66, 240, 320, 420, 510)]
    assert len(Drawing().page(texts, strokes).read().tables) == 1


@pytest.mark.parametrize(("heights", "tables"), [((20, 34, 50), 0), ((50, 50, 50), 1)])
def test_shades_of_many_heights_on_one_line_are_the_bars_of_a_chart(heights: tuple[int, ...], tables: int) -> None:
    out = BytesIO()
    canvas = Canvas(out, pagesize=(612, 792), invariant=1)
    canvas.setFillGray(0.9)
    for left, height in zip((252, 352, 452), heights, strict=True):
        canvas.rect(left, 620, 40, height, stroke=0, fill=1)
    canvas.setFillGray(0)
    for x, y, text in rows(125, HEAD, *BODY):
        draw = canvas.drawRightString if x < 0 else canvas.drawString
        draw(abs(x), 792 - y, text)
    canvas.save()
    assert len(read(Raw("chart.pdf", out.getvalue())).tables) == tables


@pytest.mark.parametrize("text", ["1,234¹,²", "1,234⁽²⁾", "(5.2)³"])
def test_figures_may_carry_several_marks(text: str) -> None:
    assert is_figure(text)


def test_words_after_a_number_are_no_marks() -> None:
    assert not is_figure("65 and")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["(1)", "(2)", "(3)"], True), (["A", "B", "C"], True), (["1", "2", "4"], False), (["1", "2"], False)],
)
def test_columns_are_numbered_one_after_the_other(texts: list[str], expected: bool) -> None:
    assert are_column_numbers(texts) is expected
