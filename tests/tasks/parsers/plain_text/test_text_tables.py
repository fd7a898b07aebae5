"""Tables in plain text are read as they were printed, in each notation; text that is no table stays text."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.plain_text.aligned_tables import read_aligned
from tasks.parsers.plain_text.text_tables import split_tables
from tasks.parsers.reader import parse_as, read
from tasks.parsers.table_form import TextTable
from tests.call_counts import count_calls
from warehouse.records import Merge

_WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9)
_LABEL = st.lists(_WORD, min_size=1, max_size=4).map(lambda words: " ".join(words).capitalize())
_FIGURE = st.one_of(
    st.integers(1_000, 99_999_999).map(lambda number: f"{number:,}"),
    st.integers(1_000, 9_999_999).map(lambda number: f"({number:,})"),
    st.floats(0, 999, allow_nan=False).map(lambda number: f"{number:.2f}"),
    st.floats(0, 99, allow_nan=False).map(lambda number: f"{number:.1f}%"),
    st.just("--"),
)
_YEARS = st.integers(1985, 2030)


@st.composite
def _statements(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """The header, a year for each column, and rows of a label and figures, at least one of them with a digit."""
    width, last = draw(st.integers(2, 5)), draw(_YEARS)
    labels = draw(st.lists(_LABEL, min_size=3, max_size=8, unique=True))
    figures = st.lists(_FIGURE, min_size=width, max_size=width).filter(lambda row: row[-1] != "--")
    return [str(last - number) for number in range(width)], [[label, *draw(figures)] for label in labels]


def _print_aligned(header: list[str], rows: list[list[str]], *, left: bool, leaders: bool, gap: int) -> str:
    wide = max(len(row[0]) for row in rows) + 6
    widths = [max(map(len, column)) for column in zip(header, *(row[1:] for row in rows), strict=True)]

    def lay(cells: list[str]) -> str:
        return "".join(
            " " * gap + (cell.ljust(width) if left else cell.rjust(width))
            for cell, width in zip(cells, widths, strict=True)
        )

    lines = [" " * wide + lay(header), " " * wide + lay(["-" * width for width in widths])]
    lines += [row[0].ljust(wide, "." if leaders else " ") + lay(row[1:]) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _tables(text: str) -> list[TextTable]:
    return [part for part in split_tables(text) if isinstance(part, TextTable)]


@given(_statements(), st.booleans(), st.booleans(), st.integers(2, 9))
def test_a_statement_is_read_as_it_was_printed(
    statement: tuple[list[str], list[list[str]]], left: bool, leaders: bool, gap: int
) -> None:
    header, rows = statement
    printed = _print_aligned(header, rows, left=left, leaders=leaders, gap=gap)
    text = f"The company reports its results.\n\n{printed}\n\nThe notes are part of the statements."
    (table,) = _tables(text)
    assert table.rows == [["", *header], *rows]
    assert table.header_rows == 1


@given(_statements())
def test_nothing_of_a_text_is_lost(statement: tuple[list[str], list[list[str]]]) -> None:
    printed = f"Before it.\n\n{_print_aligned(*statement, left=False, leaders=False, gap=3)}\nBehind it, a sentence."
    words = Counter(
        word
        for part in split_tables(printed)
        for line in ([part] if isinstance(part, str) else [cell for row in part.rows for cell in row])
        for word in line.split()
    )
    assert words == Counter(word for word in printed.split() if word == "--" or word.strip("-"))


@given(_statements())
def test_boxes_and_pipes_say_the_same(statement: tuple[list[str], list[list[str]]]) -> None:
    header, rows = ["item", *statement[0]], statement[1]
    widths = [max(len(row[place]) for row in (header, *rows)) for place in range(len(header))]

    def lay(row: list[str]) -> str:
        return " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))

    border = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    body = [f"| {lay(row)} |" for row in rows]
    mysql = "\n".join([border, f"| {lay(header)} |", border, *body, border])
    grid = "\n".join([border, f"| {lay(header)} |", border.replace("-", "="), *(f"{row}\n{border}" for row in body)])
    psql = "\n".join([f" {lay(header)}", border.strip("+"), *(f" {lay(row)}" for row in rows)])
    markdown = "\n".join([f"| {lay(header)} |", border.replace("+", "|"), *body])
    for notation in (mysql, grid, psql, markdown):
        (table,) = _tables(f"Above it:\n\n{notation}\n\nBelow it.")
        assert table.rows == [header, *rows], notation
        assert table.header_rows == 1, notation


def test_a_header_reaches_over_the_columns_it_is_centred_on() -> None:
    (table,) = _tables(
        "                        Three Months Ended       Six Months Ended\n"
        "                             June 30,                 June 30,\n"
        "                          1997       1996         1997       1996\n"
        "                       ---------  ---------    ---------  ---------\n"
        "Net sales              $  24,310  $  21,877    $  47,100  $  42,200\n"
        "Operating expenses:\n"
        "  Selling, general and\n"
        "    administrative         6,120      5,733       11,950     11,020\n"
        "Operating income (loss)   (2,771)     1,798        4,100         --\n"
    )
    assert table.rows == [
        ["", "Three Months Ended", "", "Six Months Ended", ""],
        ["", "June 30,", "", "June 30,", ""],
        ["", "1997", "1996", "1997", "1996"],
        ["Net sales", "$ 24,310", "$ 21,877", "$ 47,100", "$ 42,200"],
        ["Operating expenses:", "", "", "", ""],
        ["Selling, general and administrative", "6,120", "5,733", "11,950", "11,020"],
        ["Operating income (loss)", "(2,771)", "1,798", "4,100", "--"],
    ]
    assert table.merges == [Merge(row, column, 1, 2) for row in (0, 1) for column in (1, 3)]
    assert table.header_rows == 3


def test_dashes_below_some_heads_and_the_units_above_all_are_no_header() -> None:
    (table,) = _tables(
        "                           SEGMENTS\n"
        "                         (In millions)\n"
        "                        Quarter Ended\n"
        "                         December 31,\n"
        "                       ----------------    Percent\n"
        "                        1998     1997      Change\n"
        "                       ------   -------    -------\n"
        "Frozen                 $118.2   $109.9       7.6%\n"
        "Refrigerated             93.2     88.4       5.4\n"
    )
    assert table.header_rows == 3
    assert table.rows[:3] == [
        ["", "Quarter Ended", "", ""],
        ["", "December 31,", "", ""],
        ["", "1998", "1997", "Percent Change"],
    ]
    assert table.merges == [Merge(0, 1, 1, 2), Merge(1, 1, 1, 2)]


def test_a_row_out_of_line_costs_no_table() -> None:
    rows = [f"Line {number:<10}{number * 1111:>12,}{number * 777:>12,}" for number in range(10, 50)]
    rows[20] = "Line 30              33,330  23,310"
    (table,) = _tables("                       2024        2023\n" + "\n".join(rows) + "\n")
    assert len(table.rows) == 41
    assert table.rows[20] == ["Line 29", "32,219", "22,533"]


def test_words_above_dashes_head_columns_of_words() -> None:
    (table,) = _tables(
        "Name       Position    Start\n"
        "---------  ----------  ----------\n"
        "J. Smith   Engineer    2019-03-01\n"
        "A. Jones   Designer    2020-11-15\n"
    )
    assert table.rows[0] == ["Name", "Position", "Start"]
    assert table.rows[2] == ["A. Jones", "Designer", "2020-11-15"]
    (simple,) = _tables("=====  ======\nA      B\n=====  ======\none    two\nthree  four\n=====  ======\n")
    assert simple.rows == [["A", "B"], ["one", "two"], ["three", "four"]]


def test_tables_of_wikis_are_tables() -> None:
    (table,) = _tables(
        'Levels:\n\n{| class="wikitable"\n|+ Yields\n! Year !! Level\n|-\n| 2022 || align="right" | 3.1\n'
        "|-\n! 2023\n| 3.4\nmore\n|}\n"
    )
    assert table.rows == [["Year", "Level"], ["2022", "3.1"], ["2023", "3.4 more"]]
    assert table.header_rows == 1
    assert list(split_tables("{| never closed\n| 1\n")) == ["{| never closed\n| 1\n"]


def test_a_single_column_of_days_or_values_needs_a_header() -> None:
    (table,) = _tables(
        "Milestone        Due\nDesign           2021-03-04\nTests            2021-05-01\nRelease          2021-04-30\n"
    )
    assert table.rows[1] == ["Design", "2021-03-04"]


@pytest.mark.parametrize("joint", ["....", " . . . .", "\t....\t"])
def test_dots_may_lead_to_figures_that_grow(joint: str) -> None:
    rows = [("Sales", "10", "12"), ("Costs", "20", "22"), ("Taxes", "31", "33"), ("Others", "40", "44")]
    lines = "\n".join(f"{label:8}{joint}{first:>8}{second:>8}" for label, first, second in rows)
    document = read(Raw("a.txt", f"           {'':>8}    2022    2023\n{lines}\n".encode()))
    assert [row[0] for row in document.tables[0].rows[-4:]] == [label for label, *_ in rows]


NO_TABLES = {
    "prose": "It was 5 miles  to the mill and\n12 more  to the sea, and they\nwalked all of 3 days  there.\n",
    "contents": "Introduction ........ 1\nMethods ............. 4\nResults ............. 9\nDiscussion ......... 15\n",
    "contents with tabs": "1\tIntroduction\t........\t3\n2\tMethods\t........\t5\n3\tResults\t........\t9\n",
    "poem": "    The tide is full,     the moon lies fair\n    Upon the straits;\n",
    "log": "2024-03-01 12:00:01  INFO   started\n2024-03-01 12:00:05  WARN   slow answer\n",
    "schedule": "Week 1     Introduction\nWeek 2     Sorting algorithms\nWeek 3     Graphs\n",
    "axis": "450                      450\n400                      400\n350                      350\n",
    "banner": "*****************\n*               *\n*  1. Licence   *\n*               *\n*****************\n",
    "list": "1.  Go to the shop\n2.  Buy 3 eggs\n3.  Come home\n",
}


@pytest.mark.parametrize("text", NO_TABLES.values(), ids=NO_TABLES)
def test_what_is_no_table_stays_as_it_is(text: str) -> None:
    assert list(split_tables(text)) == [text]


@given(st.text(st.sampled_from(" .-=|+$0123456789ab\n\t"), max_size=300))
def test_any_text_is_read(text: str) -> None:
    """Tables are rectangular, their merges lie inside, and the words beside them are lines of the text."""
    lines = set(text.split("\n"))
    for part in split_tables(text):
        if isinstance(part, str):
            assert set(part.split("\n")) <= lines | {""}
            continue
        assert 0 <= part.header_rows <= len(part.rows)
        for merge in part.merges:
            assert 0 < merge.column < merge.column + merge.columns <= len(part.rows[0])
            assert merge.row < part.header_rows
    read_aligned(text.split("\n"), (0, 5, 9))


def test_a_text_and_a_mail_have_their_tables() -> None:
    printed = "           2024     2023\nSales    12,345   11,220\nCosts     9,876    9,001\n"
    text = read(Raw("figures.txt", f"Our figures:\n\n{printed}\nThey rose.".encode()))
    header = "From: a@example.org\nTo: b@example.org\nSubject: Figures\nDate: Mon, 4 Mar 2024 10:00:00 +0000\n"
    mail = f"{header}\nHello,\n\n{printed}\nBye\n"
    message = parse_as("eml", Raw("figures.eml", mail.encode()))
    for document in (text, message):
        (table,) = document.tables
        assert table.rows == (("", "2024", "2023"), ("Sales", "12,345", "11,220"), ("Costs", "9,876", "9,001"))


@pytest.mark.parametrize("text", ["{{|\n|+ a\n", "{{|\n", "{{|\n|}}\n", "{{|\n| a\n"])
def test_tables_of_a_wiki_without_an_end_cost_no_more_than_others(text: str) -> None:
    piece = text.format()
    small, large = (count_calls(lambda size=size: list(split_tables(piece * size))) for size in (200, 800))
    assert large < 6 * small + 2_000
    assert "".join(map(str, split_tables("{|\n|-\n|}"))) == "{|\n|-\n|}"


@pytest.mark.parametrize(
    "written",
    [
        "^ Host ^ Area ^ Since ^\n| [[web:one|One]] | 2^3 m | 2024 |\n^ Two | | 2023 |",
        "||Host||Area||Since||\n|[[web:one|One]]|2^3 m|2024|\n|Two| |2023|",
    ],
)
def test_marks_of_wikis_say_which_cells_are_heads(written: str) -> None:
    before, table, after = split_tables(f"Hosts\n{written}\nend")
    assert isinstance(table, TextTable)
    assert table.rows == [["Host", "Area", "Since"], ["[[web:one|One]]", "2^3 m", "2024"], ["Two", "", "2023"]]
    assert (str(before).strip(), table.header_rows, str(after).strip()) == ("Hosts", 1, "end")


@pytest.mark.parametrize("text", ["  ^~~~~^\n| a |", "|| ok ||\n| a |", "^ one ^ two ^\nthree"])
def test_marks_without_heads_and_rows_are_text(text: str) -> None:
    assert not any(isinstance(part, TextTable) for part in split_tables(text))


def test_a_list_of_prices_with_every_cell_filled_is_a_table() -> None:
    lines = [
        "Code      Description              Size (mm)    Unit    Price",
        "ST-2438   Sawn softwood, treated   47 x 100     m        2.15",
        "PL-1218   Plywood, birch           18 x 1220    sheet   48.90",
        "DK-2814   Decking, larch           28 x 145     m        4.75",
    ]
    (table,) = read(Raw("a.txt", "\n".join(["All prices in GBP.", "", *lines]).encode())).tables
    assert table.rows[0] == ("Code", "Description", "Size (mm)", "Unit", "Price")
    assert [row[-1] for row in table.rows[1:]] == ["2.15", "48.90", "4.75"]


def test_lines_above_a_full_header_and_a_blank_are_no_part_of_it() -> None:
    lines = ["BIO 210 - Ecology                        Fall 2024", "", "Week  Dates           Topic          Points"]
    lines += ["1     Aug 26 - 30     Introduction      2.5", "2     Sep 2 - 6       Populations       3.5"]
    lines += ["3     Sep 9 - 13      Histories         4.0"]
    (table,) = read(Raw("a.txt", "\n".join(lines).encode())).tables
    assert table.rows[0] == ("Week", "Dates", "Topic", "Points")


def test_cells_of_a_wiki_span_rows_and_columns() -> None:
    rows = '! rowspan=2 | Player !! colspan="2" | 2021 !! 2022\n|-\n! Home !! Away !! Home\n|-\n| Berg || 4 || 2 || 6'
    table = _tables(f"{{|\n{rows}\n|}}")[0]
    assert table.rows == [["Player", "2021", "", "2022"], ["", "Home", "Away", "Home"], ["Berg", "4", "2", "6"]]
    assert table.header_rows == 2
    assert {(merge.row, merge.column, merge.rows, merge.columns) for merge in table.merges} == {
        (0, 0, 2, 1),
        (0, 1, 1, 2),
    }
