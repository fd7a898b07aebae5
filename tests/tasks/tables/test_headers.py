"""Header cells over several columns reach each column below them, in every format that a table can come in."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO

import openpyxl
import pytest

from tasks.parsers.assembly import Assembly
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.parsers.table_form import find_repeats
from tasks.tables.cells import read_cells
from tests.tasks.parsers import raw_docx
from tests.tasks.parsers.drawn_pdf import Drawing, Text
from warehouse.records import Document, Kind, Merge

Group = tuple[str, Sequence[str]]
"""A header cell and the labels below it."""
QUARTERS = ["Q1", "Q2", "Q3", "Q4"]
EVEN: list[Group] = [("2022", QUARTERS), ("2023", QUARTERS)]
UNEVEN: list[Group] = [("2022", [*QUARTERS, "Total"]), ("2023", ["Q1", "Q2", "Q3"])]
GROWING: list[Group] = [("2021", ["H1", "H2"]), ("2022", ["H1", "H2", "Total"]), ("2023", ["H1", "H2", "Total"])]
PLANTS: list[Group] = [("Emden", ["2021", "2020", "2019"]), ("Leer", ["2021", "2020"])]
ROWS = [("Pallets", 137), ("Repairs", 274), ("Scrapped", 411)]
PITCH, LEFT = 46, 230  # Points from one column of the PDF to the next, and to the right edge of its first.


def list_heads(groups: Sequence[Group]) -> list[str]:
    return [f"{head} / {label}" for head, labels in groups for label in labels]


def make_grid(groups: Sequence[Group]) -> list[list[str]]:
    """The rows of the table, a header cell above the first of its columns."""
    upper = [text for head, labels in groups for text in [head, *[""] * (len(labels) - 1)]]
    lower = [label for _, labels in groups for label in labels]
    body = [[name, *(str(first + column) for column in range(len(lower)))] for name, first in ROWS]
    return [["", *upper], ["Item", *lower], *body]


def make_csv(groups: Sequence[Group]) -> Raw:
    out = StringIO()
    csv.writer(out).writerows(make_grid(groups))
    return Raw("a.csv", out.getvalue().encode())


def make_markdown(groups: Sequence[Group]) -> Raw:
    head, *body = (f"| {' | '.join(row)} |" for row in make_grid(groups))
    return Raw("a.md", "\n".join(["# Pallets", "", head, "| --- " * len(make_grid(groups)[0]) + "|", *body]).encode())


def make_page(groups: Sequence[Group]) -> Raw:
    rows = ["".join(f"<td>{cell}</td>" for cell in row) for row in make_grid(groups)]
    return Raw("a.html", f"<h1>Pallets</h1><table><tr>{'<tr>'.join(rows)}</table>".encode())


def make_spanned_page(groups: Sequence[Group]) -> Raw:
    upper = "".join(f"<td colspan={len(labels)}>{head}</td>" for head, labels in groups)
    rows = ["".join(f"<td>{cell}</td>" for cell in row) for row in make_grid(groups)[1:]]
    return Raw("a.html", f"<table><tr><td></td>{upper}</tr><tr>{'<tr>'.join(rows)}</table>".encode())


def make_workbook(groups: Sequence[Group]) -> Raw:
    book, out = openpyxl.Workbook(), BytesIO()
    for row in make_grid(groups):
        book.active.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    book.save(out)
    return Raw("a.xlsx", out.getvalue())


def make_merged_workbook(groups: Sequence[Group]) -> Raw:
    book, out, first = openpyxl.load_workbook(BytesIO(make_workbook(groups).data)), BytesIO(), 2
    for _, labels in groups:
        book.active.merge_cells(start_row=1, end_row=1, start_column=first, end_column=first + len(labels) - 1)
        first += len(labels)
    book.save(out)
    return Raw("a.xlsx", out.getvalue())


def make_word_file(groups: Sequence[Group]) -> Raw:
    head = [raw_docx.tc("")]
    head += [raw_docx.tc(name, f'<w:gridSpan w:val="{len(labels)}"/>') for name, labels in groups]
    return Raw("a.docx", raw_docx.package(raw_docx.table(head, *make_grid(groups)[1:])))


def make_text(groups: Sequence[Group], place: Callable[[str, int], str]) -> Raw:
    upper = " " * 24 + "".join(place(head, 8 * len(labels)) for head, labels in groups)
    lines = [
        "".join(cell.rjust(8) if at else cell.ljust(24) for at, cell in enumerate(row)) for row in make_grid(groups)
    ]
    return Raw("a.txt", "\n".join(["Pallets", "", upper.rstrip(), *lines[1:], ""]).encode())


def make_centred_text(groups: Sequence[Group]) -> Raw:
    return make_text(groups, lambda head, width: "     " + head.center(width - 5))


def make_flush_text(groups: Sequence[Group]) -> Raw:
    """The words of the upper line begin where the first label below them does."""
    return make_text(groups, lambda head, width: (" " * 6 + head if len(head) < 6 else head).ljust(width))


def make_pdf(groups: Sequence[Group], place: Callable[[float, float, str], Text]) -> Raw:
    texts: list[Text] = [(50, 60, "Pallets of the northern pool, counted at the end of each period.")]
    first = 0
    for head, labels in groups:
        texts.append(place(LEFT + PITCH * first - 20, LEFT + PITCH * (first + len(labels) - 1), head))
        first += len(labels)
    for number, row in enumerate(make_grid(groups)[1:]):
        y = 134 + 15 * number
        texts += [(-(LEFT + PITCH * (at - 1)), y, cell) if at else (50, y, cell) for at, cell in enumerate(row)]
    return Raw("a.pdf", Drawing().page(texts, size=9).data())


def make_centred_pdf(groups: Sequence[Group]) -> Raw:
    return make_pdf(groups, lambda left, right, head: ((left + right) / 2 - 2.5 * len(head), 120, head))


def make_flush_pdf(groups: Sequence[Group]) -> Raw:
    return make_pdf(groups, lambda left, _, head: (left, 120, head))


def list_column_headers(document: Document) -> list[str]:
    """The headers of the first row of figures."""
    cells = [cell for cell in read_cells(document, ()) if cell.value is not None]
    return [cell.column_header for cell in cells if cell.row == cells[0].row]


FORMATS = [
    make_csv, make_markdown, make_page, make_spanned_page, make_workbook, make_merged_workbook, make_word_file,
    make_centred_text, make_flush_text, make_centred_pdf, make_flush_pdf,
]  # fmt: skip


@pytest.mark.parametrize("groups", [EVEN, UNEVEN, GROWING, PLANTS], ids=["even", "uneven", "growing", "plants"])
@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_a_header_reaches_each_column_below_it(make: Callable[[Sequence[Group]], Raw], groups: Sequence[Group]) -> None:
    assert list_column_headers(read(make(groups))) == list_heads(groups)


@pytest.mark.parametrize("upper", [["Quarter ended April 30,"], ["Quarter ended", "April 30,"]], ids=["one", "two"])
@pytest.mark.parametrize("is_centred", [True, False])
def test_a_length_of_time_heads_all_years_below_it(upper: list[str], is_centred: bool) -> None:
    edges = (320, 390, 460, 530)
    texts: list[Text] = [(50, 60, "Harrow Textiles: statements of operations"), (50, 76, "(in thousands)")]
    for number, words in enumerate(upper):
        for left, right, text in ((290, 390, words), (430, 530, words.replace("Quarter", "Six months"))):
            x = (left + right) / 2 - 2.2 * len(text) if is_centred else left
            texts.append((x, 110 + 12 * number, text))
    for number, row in enumerate(
        [["", "2021", "2020", "2021", "2020"], ["Net sales", "4,120", "3,988", "8,011", "7,654"]]
    ):
        y = 110 + 12 * len(upper) + 14 * number
        texts += [(-edge, y, cell) for edge, cell in zip(edges, row[1:], strict=True)]
        texts += [(50, y, row[0])] if row[0] else []
    texts += [(-edge, 160, cell) for edge, cell in zip(edges, ["801", "790", "1,602", "1,580"], strict=True)]
    texts.append((50, 160, "Cost of sales"))
    cells = read_cells(Drawing().page(texts, size=8).read(), ())
    ends = {cell.text: cell.period_end and (cell.period_start, cell.period_end) for cell in cells if cell.value}
    days = {text: tuple(day.isoformat() for day in found) if found else None for text, found in ends.items()}
    assert days["3,988"] == ("2020-02-01", "2020-05-01")
    assert days["7,654"] == ("2019-11-01", "2020-05-01")


@pytest.mark.parametrize(
    ("heads", "leaves", "homes"),
    [
        ([("2022", 1, 1), ("2023", 2, 2)], ["Plan", "Actual"], [1, 2]),
        ([("2022", 1, 1), ("2023", 3, 3)], ["Q3", "Q4", "Q1", "Q2", "Q3", "Q4"], [1, 3]),
        ([("2022", 2, 2)], ["Q1", "Q2", "Q1", "Q2"], [2]),
        ([("Earnings", 2, 2), ("Earnings", 4, 4)], ["EBIT", "cents", "EBIT", "cents"], [2, 4]),
        ([("2022", 1, 1), ("2023", 3, 3)], ["2021", "%", "2020", "%"], [1, 2]),
        ([("2022", 1, 1), ("2023", 2, 2), ("2024", 3, 3)], ["Q1", "Q2", "Q1", "Q2"], [1, 2, 3]),
    ],
    ids=["each its own", "begun in the midst", "one for all", "wrapped", "head of another group", "more than groups"],
)
def test_labels_that_do_not_begin_anew_under_each_head_say_nothing(
    heads: list[tuple[str, int, int]], leaves: list[str], homes: list[int]
) -> None:
    assert find_repeats(heads, [(text, place, place) for place, text in enumerate(leaves, 1)], homes) is None


def list_paths(rows: list[list[str]], header_rows: int, merges: Sequence[Merge] = ()) -> list[str]:
    assembly = Assembly()
    assembly.add_table(rows, header_rows=header_rows, merges=merges)
    return list_column_headers(assembly.finish(Kind.REPORT, "text/plain"))


def test_a_time_in_the_middle_of_all_columns_heads_them_though_its_cell_is_narrower() -> None:
    rows = [
        ["", "", "Weeks ended 3/25/2023", "", ""],
        ["", "Reported", "Items", "Other", "Core"],
        ["Net", "4", "1", "2", "1"],
    ]
    heads = [f"Weeks ended 3/25/2023 / {name}" for name in rows[1][1:]]
    assert list_paths(rows, 2, [Merge(0, 2, 1, 2)]) == heads
    rows[0][2] = "Items that differ"
    assert list_paths(rows, 2, [Merge(0, 2, 1, 2)])[::3] == ["Reported", "Core"]


def test_the_same_label_twice_side_by_side_is_no_group() -> None:
    rows = [
        ["", "", "Net additions", "", "Share", ""],
        ["", "2019", "2019", "2018", "2019", "2018"],
        ["A", "4", "1", "2", "1", "3"],
    ]
    assert list_paths(rows, 2) == ["2019", "Net additions / 2019", "2018", "Share / 2019", "2018"]


def test_words_over_a_label_each_keep_the_columns_that_they_are_known_to_reach() -> None:
    heads = [("Ordinary", 1, 2), ("Treasury", 3, 4)]
    assert find_repeats(heads, [("Number of", 1, 1), ("Number of", 3, 3)], [1, 3]) == [(1, 2), (3, 4)]


def test_a_lone_column_behind_the_last_group_is_not_headed() -> None:
    groups: list[Group] = [("2022", QUARTERS), ("2023", [*QUARTERS, "Change"])]
    assert list_column_headers(read(make_page(groups)))[-1] == "Change"


@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "Port", ""], ["Alma", "Leer", "Emden"], ["Berta", "Emden", "Leer"], ["Cora", "Leer", "Leer"]],
        [["Item", "2022", ""], ["Pallets", "12", "14"], ["Repairs", "3", "4"], ["Scrapped", "1", "2"]],
        [["Item", "2022", "2023"], ["Unit", "t", "t"], ["Repairs", "3", "4"], ["Scrapped", "1", "2"]],
    ],
    ids=["words", "figures", "a whole header"],
)
def test_only_a_row_that_names_blank_columns_above_figures_is_a_second_header(rows: list[list[str]]) -> None:
    text = "\n".join(",".join(row) for row in rows)
    assert read(Raw("a.csv", text.encode())).tables[0].header_rows == 1
