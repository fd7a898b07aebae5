"""Tables set below each other are tables of their own, each with its header."""

from __future__ import annotations

from tests.tasks.parsers.drawn_pdf import Drawing, Text, rows


def weeks(top: float, year: str, *body: tuple[str, ...]) -> list[Text]:
    heads: list[Text] = [(380, top, f"Weeks of {year}"), *rows(top + 14, ("", "Reported", "Impact of", "Core"))]
    return [*heads, *rows(top + 26, ("Profit", "measure", "foreign trade", "measure"), *body)]


UPPER = weeks(
    100, "2023", ("North", "1,599", "7", "1,606"), ("South", "188", "5", "193"), ("Total", "1,787", "12", "1,799")
)
LOWER = weeks(
    200, "2022", ("North", "1,296", "3", "1,299"), ("South", "159", "2", "161"), ("Total", "1,455", "5", "1,460")
)


def test_a_header_set_off_below_figures_begins_a_table() -> None:
    first, second = Drawing().page([*UPPER, *LOWER]).read().tables
    assert first.rows[-1] == ("Total", "1,787", "12", "1,799")
    assert second.rows[0][1:] in (("Weeks of 2022", "", ""), ("", "Weeks of 2022", ""), ("", "", "Weeks of 2022"))
    assert second.rows[1] == ("Profit", "Reported measure", "Impact of foreign trade", "Core measure")


def test_a_label_set_off_below_figures_begins_none() -> None:
    below = rows(190, ("Per share:",), ("Basic", "1.20", "1.10", "0.90"), ("Diluted", "1.18", "1.09", "0.89"))
    (table,) = Drawing().page([*UPPER, *below]).read().tables
    assert table.rows[-1] == ("Diluted", "1.18", "1.09", "0.89")


def test_shades_that_end_a_hair_apart_are_no_bars() -> None:
    document = Drawing()
    for number, right in enumerate((500, 501, 499.5, 500.6, 501.2, 500.2)):
        document.shade(60, 128 + 28 * number, right, 142 + 28 * number)
    labels = [(f"Line {number}", f"{number + 3},120", f"{number},310", f"{90 + number}") for number in range(12)]
    (table,) = document.page(rows(110, ("", "2023", "2022", "2021"), *labels)).read().tables
    assert len(table.rows) == 13


def test_lines_that_end_the_cells_of_the_last_row_are_of_the_table() -> None:
    lines = [(f"Consent {number} of the old", f"{number}4", "1", "2") for number in range(4)]
    body = [text for number, line in enumerate(lines) for text in rows(100 + 20 * number, line)]
    (table,) = Drawing().page([*body, (72, 171.5, "Company of Accountants")]).read().tables
    assert table.rows[-1] == ("Consent 3 of the old Company of Accountants", "34", "1", "2")


def test_a_line_as_far_below_the_last_row_as_rows_are_is_none_of_its_cells() -> None:
    body = [line for number in range(4) for line in rows(100 + 12 * number, (f"Line {number}", f"{number}4", "1", "2"))]
    found = Drawing().page([*body, (72, 148, "All figures of this year")]).read()
    assert found.tables[0].rows[-1] == ("Line 3", "34", "1", "2")
    assert found.text.endswith("All figures of this year")


def test_a_form_above_a_table_is_none_of_its_rows() -> None:
    edges = (72, 200, 320, 420)
    form = rows(100, ("Patient:", "Jane Doe", "Born:", "04/12/1979"), ("Taken:", "10:15", "Room:", "12"), edges=edges)
    heads = ("Test", "Result", "Unit", "Range")
    tests = [("Hemoglobin", "13.2", "g/dL", "12 - 15"), ("Glucose", "98", "mg/dL", "70 - 99"), ("TSH", "0.3", "U", "4")]
    found = Drawing().page([*form, *rows(150, heads, *tests, edges=(72, 180, 260, 360))]).read()
    assert found.tables[-1].rows[0] == heads
    assert found.tables[-1].rows[1] == tests[0]


def test_each_line_of_a_form_is_a_row() -> None:
    lines = (("Invoice no.", "2024-0117"), ("Invoice date", "March 15, 2024"), ("Hours", "12"), ("Amount", "1,140.00"))
    for table in Drawing().page(rows(100, *lines, edges=(72, 200))).read().tables:
        assert table.rows == lines
