"""Tables in PDFs: ruled, parted by white space, wrapped, spanned, over several pages; and what only looks like one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from reportlab.lib.utils import simpleSplit

from benchmarks.tables import kalends, score, truth_of
from tasks.parsers.pdf.lines.page_rows import is_figure
from tests.tasks.parsers.drawn_pdf import Drawing, prose, rows
from warehouse.records import BlockKind, Document, Merge

ICDAR = Path(__file__).resolve().parents[5] / "../shared/data/tables/icdar2013"
FEW = "eu-01[02578].pdf"
"""The documents whose tables are the hardest among them, and three that are quickly read."""
STATEMENT = [
    ["", "2024", "2023", "2022"],
    ["Revenue", "1,200", "1,100", "900"],
    ["Cost of sales", "(700)", "(650)", "(600)"],
    ["Gross profit", "500", "450", "300"],
]


def grid(document: Document, number: int = 1) -> list[tuple[str, ...]]:
    return list(document.tables[number - 1].rows)


def aside(document: Document) -> str:
    kept = (block for block in document.blocks if block.kind is BlockKind.FURNITURE)
    return "\n".join(document.text[block.start : block.end] for block in kept)


def test_white_space_alone_makes_a_table() -> None:
    document = Drawing().page([*prose(72, 4), *rows(180, *STATEMENT), *prose(320, 4)]).read()
    assert grid(document) == [tuple(row) for row in STATEMENT]
    table = document.tables[0]
    assert table.header_rows == 1
    assert 0.5 <= table.confidence < 1
    assert document.text.count("Gross profit") == 1
    kinds = [block.kind for block in document.blocks]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]


def test_a_ruled_grid_keeps_its_merged_cells() -> None:
    texts = [(80, 112, "Ship"), (180, 112, "Catch"), (180, 132, "2023"), (280, 132, "2024"),
             (80, 152, "Aurora"), (180, 152, "12"), (280, 152, "15")]  # fmt: skip
    strokes = [(72, y, 372, y) for y in (100, 140, 160)] + [(172, 120, 372, 120)]
    strokes += [(x, 100, x, 160) for x in (72, 172, 372)] + [(272, 120, 272, 160)]
    table = Drawing().page(texts, strokes).read().tables[0]
    assert table.rows == (("Ship", "Catch", ""), ("", "2023", "2024"), ("Aurora", "12", "15"))
    assert set(table.merges) == {Merge(0, 0, 2, 1), Merge(0, 1, 1, 2)}
    assert table.confidence == 1.0


def test_rules_that_leave_rows_out_are_helped_by_white_space() -> None:
    texts = rows(112, ["", "2024", "2023"], ["Cod", "12", "9"], ["Hake", "7", "8"], ["Ling", "3", "4"])
    strokes = [(66, y, 420, y) for y in (100, 117, 160)] + [(x, 100, x, 160) for x in (66, 240, 320, 420)]
    assert grid(Drawing().page(texts, strokes).read())[1:] == [
        ("Cod", "12", "9"),
        ("Hake", "7", "8"),
        ("Ling", "3", "4"),
    ]


def test_currency_signs_and_brackets_stay_with_their_figures() -> None:
    lines = rows(
        180, ["", "2024", "2023"], ["Revenue", "1,200", "1,100"], ["Loss", "(70", "(65"], ["Net", "500", "450"]
    )
    signs = [(250, 194, "$"), (350, 194, "$"), (301, 208, ")"), (401, 208, ")")]
    document = Drawing().page([*lines, *signs]).read()
    assert [[cell.replace(" ", "") for cell in row] for row in grid(document)[1:3]] == [
        ["Revenue", "$1,200", "$1,100"],
        ["Loss", "(70)", "(65)"],
    ]


def test_wrapped_labels_are_one_row_and_section_rows_their_own() -> None:
    texts = rows(
        180,
        ["", "2024", "2023"],
        ["Operating activities:", "", ""],
        ["Proceeds from the sale of property and", "", ""],
        ["equipment", "12", "10"],
        ["Depreciation", "7", "8"],
        ["Other", "1", "2"],
    )
    assert [row[0] for row in grid(Drawing().page(texts).read())] == [
        "",
        "Operating activities:",
        "Proceeds from the sale of property and equipment",
        "Depreciation",
        "Other",
    ]


def test_a_header_over_several_columns_spans_them() -> None:
    texts = [(330, 166, "Years ended June 30,"), *rows(180, *STATEMENT)]
    table = Drawing().page(texts).read().tables[0]
    assert table.rows[0] == ("", "Years ended June 30,", "", "")
    assert Merge(0, 1, 1, 3) in table.merges
    assert table.header_rows == 2


def test_leading_dots_are_set_aside() -> None:
    texts = rows(180, *STATEMENT)
    texts = [(x, y, f"{words} . . . . . . . ." if words[0].isalpha() else words) for x, y, words in texts]
    document = Drawing().page(texts).read()
    assert [row[0] for row in grid(document)[1:]] == ["Revenue", "Cost of sales", "Gross profit"]
    assert aside(document).count(".") == 24


def test_title_and_notes_belong_to_the_table() -> None:
    title = [(72, 164, "Table 3. Results of the year (in millions)")]
    notes = [(72, 240, "(1) Includes the ferry."), (72, 252, "Source: own accounts.")]
    document = Drawing().page([*title, *rows(180, *STATEMENT), *notes, *prose(300, 3)]).read()
    assert document.tables[0].caption == "Table 3. Results of the year (in millions)"
    assert document.tables[0].notes == ("(1) Includes the ferry.", "Source: own accounts.")
    assert document.text.count("Includes the ferry") == 1


@pytest.mark.parametrize("again", [True, False], ids=["header-again", "no-header"])
def test_a_table_goes_on_over_the_page(again: bool) -> None:
    more = [["Wages", "80", "70", "60"], ["Rent", "20", "20", "20"], ["Net profit", "400", "360", "220"]]
    first = [*prose(72, 3), *rows(640, *STATEMENT), (300, 770, "1")]
    second = [*rows(72, *([STATEMENT[0]] if again else []), *more), *prose(200, 3), (300, 770, "2")]
    document = Drawing().page(first).page(second).read()
    assert grid(document) == [tuple(row) for row in (*STATEMENT, *more)]
    parts = document.tables[0].parts
    assert [(part.page, part.first_row, part.last_row) for part in parts] == [(1, 0, 3), (2, 4, 6)]
    assert parts[0].box.top > 600
    assert parts[1].box.bottom < 200
    assert ("2024 2023 2022" in aside(document)) is again


def test_a_label_at_the_page_break_is_a_row_of_the_joined_table() -> None:
    first = [*prose(72, 3), *rows(640, *STATEMENT, ["Expenses", "", "", ""])]
    second = [*rows(72, ["Wages", "80", "70", "60"], ["Rent", "20", "20", "20"]), *prose(200, 3)]
    document = Drawing().page(first).page(second).read()
    assert [row[0] for row in grid(document)][-3:] == ["Expenses", "Wages", "Rent"]
    assert document.text.count("Expenses") == 1


def test_another_table_on_the_next_page_is_not_joined() -> None:
    other = [["", "Men", "Women", "All"], ["Cooks", "1", "2", "3"], ["Mates", "4", "5", "9"], ["All", "5", "7", "12"]]
    first = [*prose(72, 3), *rows(640, *STATEMENT)]
    second = [(72, 60, "Table 9. The crew"), *rows(80, *other), *prose(200, 3)]
    assert [len(table.parts) for table in Drawing().page(first).page(second).read().tables] == [1, 1]


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    left = prose(100, 12, 60, "Left side words that fill the line of text")
    right = prose(100, 12, 320, "Right side words that fill the line of text")
    document = (
        Drawing().page([*left, *right, (60, 80, "One title over both of the columns of this page of ours")]).read()
    )
    assert not document.tables
    assert document.text.index("Left side words that fill the line of text 11") < document.text.index("Right side")


def test_a_table_in_one_of_two_columns() -> None:
    left = prose(100, 24, 60, "Left side words that fill the line of text")
    right = prose(100, 6, 320, "Right side words that fill the line of text")
    inside = rows(
        200, ["", "2024", "2023"], ["Cod", "12", "9"], ["Hake", "7", "8"], ["Ling", "3", "4"], edges=(320, -480, -540)
    )
    document = (
        Drawing().page([*left, *right, *inside, *prose(300, 6, 320, "Right side words again fill lines of it")]).read()
    )
    assert grid(document) == [("", "2024", "2023"), ("Cod", "12", "9"), ("Hake", "7", "8"), ("Ling", "3", "4")]


@pytest.mark.parametrize(
    "texts",
    [
        [*rows(100, *([f"Chapter {n} about the sea", f"{n * 7}"] for n in range(1, 9)))],
        [*rows(100, *([f"{n * 50}", "x" if n == 3 else "", "", ""] for n in range(8)), edges=(72, 300, 400, 500))],
        [(72, 100 + 20 * n, text) for n, text in enumerate(["a = b + c", "d = e / f"])]
        + [(500, 100, "(1)"), (500, 120, "(2)")],
        [*rows(100, *(["•", f"an item of a list number {n} that says something"] for n in range(6)), edges=(72, 90))],
        [*rows(100, ["Jane Miller", "John Smith"], ["Chair", "Secretary"], edges=(72, 320))],
    ],
    ids=["contents", "axis", "formulas", "bullets", "signatures"],
)
def test_what_only_looks_like_a_table(texts: list[tuple[float, float, str]]) -> None:
    assert not Drawing().page([*texts, *prose(400, 5)]).read().tables


@pytest.mark.parametrize(
    "text", ["1,234", "(1,234)", "$ 5.2", "12.5%", "—", "n/a", "-3", "1 234", "42 (1)", "7*", "(3.1)%"]
)
def test_figures(text: str) -> None:
    assert is_figure(text)


@pytest.mark.parametrize("text", ["Total", "Q1 2024", "March 3, 2024", "net of tax", "3 ships", "12 Weeks Ended"])
def test_no_figures(text: str) -> None:
    assert not is_figure(text)


@pytest.mark.skipif(not ICDAR.exists(), reason=f"there is no {ICDAR}")
@pytest.mark.parametrize("names", [FEW, pytest.param("*.pdf", marks=pytest.mark.slow)], ids=["some", "all"])
def test_the_competition_tables_are_found_cell_by_cell(names: str) -> None:
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    scores = [score(truth_of(pdf), kalends(pdf)).f1 for pdf in sorted(ICDAR.glob(names))]
    assert sum(scores) / len(scores) > 0.97
    assert min(scores) > 0.8


COURSE = [
    ["Week", "Topic", "Reading", "Assignment"],
    ["1", "Introduction to the course; history of money", "Mishkin, chapters 1 and 2; Goodhart, page 40", "None"],
    ["2", "Money demand", "Mishkin, chapter 19", "Problem set handed out in class"],
    ["3", "Central bank independence in small economies", "Alesina and Summers; Svensson, section 2", "Essay outline"],
    ["4", "Midterm examination", "", "Covers the weeks one to three, with all readings"],
]


def draw_cells(padding: float, *, centred: bool) -> Document:
    """A page with `COURSE`, its rows `padding` points apart, their cells level at the top or half way down."""
    texts, top = list[tuple[float, float, str]](), 200.0
    for row in COURSE:
        cells = [
            simpleSplit(text, "Helvetica", 10, width) for text, width in zip(row, (30, 120, 120, 110), strict=True)
        ]
        most = max(map(len, cells))
        for x, lines in zip((72, 112, 242, 372), cells, strict=True):
            down = (most - len(lines)) * 6 if centred else 0
            texts += [(x, top + down + 12 * number, line) for number, line in enumerate(lines)]
        top += 12 * most + padding
    return Drawing().page([*prose(72, 4), *texts, *prose(top + 30, 4)]).read()


@pytest.mark.parametrize(("padding", "centred"), [(6, False), (0, False), (8, True)])
def test_cells_of_words_that_run_over_several_lines_are_whole(padding: float, centred: bool) -> None:
    table = draw_cells(padding, centred=centred).tables[0]
    assert [list(row) for row in table.rows] == COURSE
    assert table.header_rows == 1


def test_a_label_that_wraps_beside_its_text_is_whole() -> None:
    lines = [("2021 to", "Analyst at the port authority who leads a"), ("present", "team of four and writes reports."),
             ("2017 to", "Assistant at the statistics office; built a"), ("2021", "survey of the small importers."),
             ("2016", "Student of econometrics in Rotterdam.")]  # fmt: skip
    places = (200, 212, 232, 244, 264)
    texts = [
        (x, y, text) for y, pair in zip(places, lines, strict=True) for x, text in zip((72, 122), pair, strict=True)
    ]
    assert grid(Drawing().page(texts).read()) == [
        ("2021 to present", "Analyst at the port authority who leads a team of four and writes reports."),
        ("2017 to 2021", "Assistant at the statistics office; built a survey of the small importers."),
        ("2016", "Student of econometrics in Rotterdam."),
    ]


@pytest.mark.parametrize("spread", ["(7.0)", "(72.7%)", "[960–3310]", "(5.9 to 11.0)", "(12, 46)", "(−1.2–0.4)"])
def test_rows_of_figures_with_their_spread(spread: str) -> None:
    """Studies print each figure with its deviation, share or interval; no line of them is a part of the header."""
    lines = [
        ("", "Early", "Usual"),
        *((label, f"81.2 {spread}", f"80.9 {spread}") for label in ("Age", "Pulse", "Pain")),
    ]
    table = Drawing().page(rows(100, *lines, edges=(72, -300, -420))).read().tables[0]
    assert (table.header_rows, table.rows[1:]) == (1, tuple(lines[1:]))
