"""Tables are read as they were written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from warehouse.table_notation import (
    BAR,
    HEAD,
    TABLE,
    count_tables,
    find_first_rows_end,
    format_table,
    has_complete_tables,
    has_table,
    is_marker,
    iter_table_spans,
    opens_table,
    unescape_cell,
)

CELL = st.text(st.characters(exclude_categories=("Cs", "Cc", "Z"), exclude_characters="\\"), max_size=8)
ROWS = st.integers(2, 4).flatmap(lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=2))


@given(ROWS, st.integers(0, 1))
def test_what_is_written_is_read(rows: list[list[str]], header_rows: int) -> None:
    lines = format_table(3, rows, header_rows)
    text = "\n".join(lines)
    assert opens_table(text)
    assert [match[0] for match in TABLE.finditer(f"Above\n{text}\nbelow")] == [text]
    head = HEAD.match(text)
    assert head is not None
    assert head[0].count("\n") == 3
    shown = [line for line in lines if not is_marker(line)]
    cells = [[unescape_cell(cell.strip()) for cell in BAR.split(line)[1:-1]] for line in shown]
    assert cells[2:] == rows[header_rows:]
    assert cells[0] == (rows[0] if header_rows else [""] * len(rows[0]))


def test_parts_of_tables() -> None:
    whole = "\n".join(format_table(1, [["a", "b"], ["1", "2"]], 1))
    assert has_complete_tables(f"{whole}\n\n{whole}")
    assert count_tables(f"{whole}\n\n{whole}") == 2
    rest = whole.partition("\n")[2]
    assert has_table(rest)
    assert not has_complete_tables(rest)
    assert count_tables(rest) == 0
    assert has_complete_tables("no table")
    assert not has_table("[TABLE]")


def test_a_passage_may_hold_some_rows_of_a_table() -> None:
    whole = "\n".join(format_table(1, [["a", "b"], ["1", "2"], ["3", "4"]], 1))
    rows, head = "| 1 | 2 |\n| 3 | 4 |\n[END TABLE]", whole.partition("\n| 3")[0]
    assert find_first_rows_end(f"{rows}\n\nMore") == len(rows)
    assert find_first_rows_end("| 1 | 2 |") == len("| 1 | 2 |")
    assert [find_first_rows_end(text) for text in (whole, "Words | 1 |", "|x| is small.", "")] == [0, 0, 0, 0]
    passage = f"{rows}\n\nMore\n\n{whole}\n\nMore\n\n{head}"
    assert [passage[slice(*span)] for span in iter_table_spans(passage)] == [rows, whole, head]
    assert (opens_table(rows), opens_table("|x| is small."), opens_table(passage, len(rows) + 2)) == (
        True,
        False,
        False,
    )
