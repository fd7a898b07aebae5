"""Tables in parts: section lines within, page breaks with labels, notes and repeated headers between."""

from __future__ import annotations

import pytest

from tests.tasks.parsers.drawn_pdf import Drawing, Text, prose, rows

HEAD = ["", "2024", "2023", "2022"]
FIRST = [["Revenue", "1,200", "1,100", "900"], ["Cost", "(700)", "(650)", "(600)"], ["Gross", "500", "450", "300"]]
SECOND = [["Wages", "80", "70", "60"], ["Rent", "20", "20", "20"], ["Net", "400", "360", "220"]]
NOTES = ["(1) Includes the ferry to the islands.", "(2) Of which Bergen has the most.", "Source: own accounts."]


def below(top: float, *lines: str) -> list[Text]:
    return [(72, top + 12 * number, line) for number, line in enumerate(lines)]


def parts(first: list[Text], second: list[Text]) -> list[list[int]]:
    document = Drawing().page([*prose(72, 3), *first]).page([*second, *prose(250, 3)]).read()
    return [[part.page for part in table.parts] for table in document.tables]


def test_a_section_line_over_the_columns_does_not_end_the_table() -> None:
    line = "16. Restructuring and other costs of leaving the harbour of Bergen, net of tax:"
    texts = rows(180, HEAD, *FIRST, [line], *SECOND)
    table = Drawing().page(texts).read().tables[0]
    assert [row[0] for row in table.rows[1:]] == ["Revenue", "Cost", "Gross", line, "Wages", "Rent", "Net"]


def test_a_sentence_that_announces_another_table_ends_it() -> None:
    line = "What the fleet has spent in the harbour of Bergen in these years was as follows:"
    document = Drawing().page(rows(180, HEAD, *FIRST, [line], *SECOND)).read()
    assert len(document.tables) == 2


def test_notes_between_the_parts_do_not_keep_them_apart() -> None:
    first = [*rows(600, HEAD, *FIRST), *below(656, *NOTES, "See footnotes at end of table.", "(3) Not of the fleet.")]
    assert parts(first, rows(72, HEAD, *SECOND)) == [[1, 2]]


def test_a_table_of_its_own_title_stays_apart() -> None:
    first = [*rows(600, HEAD, *FIRST), *below(656, *NOTES)]
    assert parts(first, [(72, 60, "What the owners have spent"), *rows(74, HEAD, *SECOND)]) == [[1], [2]]


def test_a_header_cut_otherwise_is_known_by_its_words() -> None:
    over = [(330, 586, "Years ended June 30,")]
    again = [(340, 72, "Years ended June 30,")]
    assert parts([*over, *rows(600, HEAD, *FIRST)], [*again, *rows(86, HEAD, *SECOND)]) == [[1, 2]]


def test_leading_dots_at_the_break_are_no_end_of_a_sentence() -> None:
    label = "Other . . . . . . . . . ."
    first = [*rows(600, HEAD, *FIRST, [label])]
    document = Drawing().page([*prose(72, 3), *first]).page([*rows(72, HEAD, *SECOND), *prose(250, 3)]).read()
    assert [row[0] for row in document.tables[0].rows[3:5]] == ["Gross", "Other"]
    assert document.text.count(".") == 10


def test_the_title_of_a_note_to_the_accounts_is_no_note_of_the_table() -> None:
    texts = [*rows(180, HEAD, *FIRST), *below(240, "NOTE 8. The ships of the fleet")]
    assert Drawing().page([*texts, *prose(270, 4)]).read().tables[0].notes == ()


def test_marks_of_all_sorts_begin_notes() -> None:
    marked = ["1/ Of which Bergen.", "(NA) Not available.", "2Includes the ferry.", "r Revised."]
    table = Drawing().page([*rows(180, HEAD, *FIRST), *below(240, *marked), *prose(320, 4)]).read().tables[0]
    assert table.notes == tuple(marked)


OVER = ["", "Fleet", "Docks", "All"]


@pytest.mark.parametrize("heads", [[HEAD], [OVER, HEAD]], ids=["one line", "two lines"])
@pytest.mark.parametrize("foot", [[], [(300, 770, "12")]], ids=["", "numbered pages"])
def test_a_header_alone_at_the_foot_of_a_page_heads_the_next(heads: list[list[str]], foot: list[Text]) -> None:
    first = [*prose(72, 3), *rows(700, *heads), *foot]
    document = Drawing().page(first).page([*rows(72, *FIRST, *SECOND), *prose(250, 3), *foot]).read()
    (table,) = document.tables
    assert [part.page for part in table.parts] == [1, 2]
    assert (table.header_rows, table.rows[len(heads) - 1][1:]) == (len(heads), ("2024", "2023", "2022"))
    assert len(table.rows) == len(heads) + 6


EDGES = (72, -330, -400, -470, -540)
FIGURES = [[label, "1,200", "1,100", "300", "280"] for label in ("Sales", "Costs", "Wages", "Rent", "Net")]
YEARS = ["", "2023", "2022", "2023", "2022"]
PERIODS = {
    "two periods": ([(265, "Year ended June 30,"), (415, "Quarter ended June 30,")], YEARS),
    "one period": ([(380, "Year ended June 30,")], ["", "2023", "2022", "2021", "2020"]),
    "words": (
        [(310, "Net"), (372, "Gross"), (445, "Cash"), (512, "Other")],
        ["Item", "sales", "sales", "flow", "items"],
    ),
}


@pytest.mark.parametrize("name", PERIODS)
@pytest.mark.parametrize("repeated", ["nothing", "second line", "both lines"])
@pytest.mark.parametrize("on_first", [0, 1, 3, 4], ids=["line 1", "header", "two rows", "three rows"])
def test_a_header_of_two_lines_is_whole_wherever_the_page_ends(name: str, repeated: str, on_first: int) -> None:
    over, under = PERIODS[name]

    def head(top: float, *, first: bool = True, second: bool = True) -> list[Text]:
        lines = [(x, top, text) for x, text in over] if first else []
        return [*lines, *(rows(top + 14 if first else top, under, edges=EDGES) if second else [])]

    count = max(on_first - 1, 0)  # of rows on the first page
    top = 700 - 14 * count
    first = [*head(top, second=on_first > 0), *rows(top + 28, *FIGURES[:count], edges=EDGES)]
    again = {"nothing": on_first == 0, "second line": True, "both lines": True}[repeated]
    second = head(72, first=repeated == "both lines", second=again)
    lines = (1 + (repeated == "both lines")) * again
    body = rows(72 + 14 * lines, *FIGURES[count:], edges=EDGES)
    document = Drawing().page([*prose(72, 30), *first]).page([*second, *body, *prose(230, 5)]).read()
    (table,) = document.tables
    assert [list(row) for row in table.rows[table.header_rows :]] == FIGURES
    shown = " ".join(" ".join(row) for row in table.rows[: table.header_rows]).split()
    assert sorted(shown) == sorted(" ".join([text for _, text in over] + under).split())


@pytest.mark.parametrize(
    "last",
    [
        [(72, 700, "The fleet has spent more in the harbour of Bergen than in 2023.")],
        rows(700, ["Wages", "80", "70", "60"]),
        rows(700, ["", "2024", "2023"]),
        [(80, 700, "2024"), (90, 712, "2023")],
    ],
    ids=["prose", "figures", "fewer columns", "other places"],
)
def test_other_lines_at_the_foot_of_a_page_head_nothing(last: list[Text]) -> None:
    document = Drawing().page([*prose(72, 3), *last]).page([*rows(72, *FIRST, *SECOND), *prose(250, 3)]).read()
    assert [[part.page for part in table.parts] for table in document.tables] == [[2]]
