"""Tables with spanning cells laid out on a grid, columns of signs, header rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.table_form import (
    LaidTable,
    SpanCell,
    count_header_rows,
    guess_header_rows,
    join_signs,
    lay_out,
    tidy,
)
from warehouse.records import Merge


def test_a_cell_stands_at_its_first_place_and_says_how_far_it_reaches() -> None:
    rows = [[SpanCell("a", 2, 1), SpanCell("b", 1, 2)], [SpanCell("c"), SpanCell("d")], [SpanCell("e", 1, 3)]]
    laid = lay_out(rows, header_rows=1)
    assert laid.rows == [["a", "b"], ["", "c", "d"], ["e"]]
    assert laid.merges == [Merge(0, 0, rows=2), Merge(0, 1, columns=2), Merge(2, 0, columns=3)]
    assert laid.header_rows == 1


def test_absurd_spans_are_bounded() -> None:
    laid = lay_out([[SpanCell("a", 10**9, 10**9), SpanCell("b")], [SpanCell("c")]])
    assert max(map(len, laid.rows)) <= 200
    assert laid.merges[0] == Merge(0, 0, rows=2, columns=200)
    assert {"a", "b", "c"} <= {word for row in laid.rows for cell in row for word in cell.split()}


CELLS = st.builds(SpanCell, st.sampled_from("abcdefgh"), st.integers(1, 4), st.integers(1, 4))


@given(st.lists(st.lists(CELLS, max_size=5), max_size=6))
def test_no_cell_is_lost_or_covered_by_another(rows: list[list[SpanCell]]) -> None:
    laid = lay_out(rows)
    assert sorted(cell.text for row in rows for cell in row) == sorted(
        filter(None, (c for row in laid.rows for c in row))
    )
    places = [(row, column) for row, cells in enumerate(laid.rows) for column, text in enumerate(cells) if text]
    taken = {
        (row, column): merge
        for merge in laid.merges
        for row in range(merge.row, merge.row + merge.rows)
        for column in range(merge.column, merge.column + merge.columns)
    }
    assert all(place not in taken or place == (taken[place].row, taken[place].column) for place in places)
    assert len(taken) == sum(merge.rows * merge.columns for merge in laid.merges)


def test_merges_are_counted_in_the_rows_and_columns_that_stay() -> None:
    rows = [["h", "wide", "", ""], ["", "", "", ""], ["x", "1", "", "2"]]
    grid = tidy(rows, merges=[Merge(0, 1, columns=3), Merge(0, 0, rows=2)])
    assert grid.rows == (("h", "wide", ""), ("x", "1", "2"))
    assert grid.merges == (Merge(0, 1, columns=2),)


def test_signs_join_the_numbers_they_stand_beside() -> None:
    rows = [
        ["", "2025", "", "", "2024", "", ""],
        ["Revenue", "$", "1,204", "", "$", "(99", ")"],
        ["Cost", "", "7", "", "", "8", ""],
    ]
    laid = join_signs(LaidTable(rows, None, [Merge(0, 1, columns=3), Merge(0, 4, columns=3)]))
    assert laid.rows == [["", "2025", "", "2024"], ["Revenue", "$ 1,204", "", "$ (99)"], ["Cost", "7", "", "8"]]
    assert laid.merges == [Merge(0, 1, columns=2)]


@pytest.mark.parametrize(
    "rows",
    [
        [["Unit", "Value"], ["$", "5"], ["kg", "6"]],
        [["Sign", "Name"], ["$", "Dollar"], ["€", "Euro"]],
        [["a", "b", "c"], ["1", "2", "%"]],
    ],
)
def test_columns_of_signs_with_a_meaning_of_their_own_stay(rows: list[list[str]]) -> None:
    assert join_signs(LaidTable(rows, None, [])).rows == rows


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["", "2025", "2024"], ["Revenue", "412.5", "(3)"]], 1),
        ([["", "Three months"], ["in millions", "2025"], ["Revenue", "$ 1,200"]], 2),
        ([["Name", "Town"], ["Ann", "Oslo"]], 1),
        ([["Name", "Ann"], ["Town", "Oslo"], ["Post", "Clerk"], ["Salary", "1,200"]], 1),
        ([["Item", "Price"], ["", "EUR"], ["Pump", "120"]], 2),
        ([["x", "5"], ["y", "6"]], 1),
        ([["($m)", "2023", "2022"], ["Cash", "(775)", "(689)"], ["Debt", "136", "80"]], 1),
    ],
)
def test_header_rows_are_those_before_the_first_figures(rows: list[list[str]], expected: int) -> None:
    assert guess_header_rows(rows) == expected


def test_figures_in_brackets_are_no_units_below_a_header() -> None:
    rows = [["($m)", "2023", "2022"], ["(loss)", "(775)", "(689)"], ["Debt", "136", "80"], ["Net", "5", "6"]]
    assert count_header_rows(rows, 1) == 1
    assert count_header_rows([*rows[:1], ["(a)", "(°C)", "(%)"], *rows[1:]], 1) == 2


def test_a_bracket_joins_the_cell_that_covers_the_place_before_it() -> None:
    plain = [SpanCell("a"), SpanCell("x"), SpanCell("7"), SpanCell("")]
    wide = [SpanCell("b"), SpanCell("(1.4", columns=2), SpanCell(")")]
    signed = [SpanCell("c"), SpanCell("$"), SpanCell("9"), SpanCell("")]
    joined = join_signs(lay_out([plain, wide, signed]))
    assert joined.rows == [["a", "x", "7"], ["b", "(1.4)", ""], ["c", "$", "9"]]
    assert joined.merges == [Merge(1, 1, columns=2)]
    assert join_signs(lay_out([wide, signed])).rows == [["b", "(1.4)"], ["c", "$ 9"]]
