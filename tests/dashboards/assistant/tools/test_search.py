"""What is shown of a passage is its own, fits its share, and of a long table are the rows that are asked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.tools.search import extract_table_head, format_passage
from tasks.token_budget import count_tokens
from warehouse.records import Citation, Hit
from warehouse.store.words import split_words

HEAD = "[TABLE 1]\n| Item | 2023 | 2022 |\n| --- | --- | --- |"
ROWS = [f"| Item {number} of many | {number * 11} | {number * 7} |" for number in range(80)]
TABLE = "\n".join([HEAD, *ROWS, "[END TABLE]"])
PROSE = "It rained for a long time before anybody saw the table. " * 12


def hit(text: str, excerpt: tuple[int, int] | None = None) -> Hit:
    citation = Citation("d", "T", "s", 1, 0, 0, (), 1.0, None, "T", "")
    return Hit("c", "d", 0, text, 1.0, dense=None, keyword=None, citation=citation, excerpt=excerpt)


@given(
    st.sampled_from([TABLE, PROSE, f"{PROSE}\n\n{TABLE}", f"{TABLE}\n\n{PROSE}"]),
    st.integers(40, 3000),
    st.integers(0, 90),
    st.sampled_from(["", "Item 33", "long time"]),
)
def test_it_fits_and_adds_nothing(text: str, budget: int, line: int, asked: str) -> None:
    lines = text.split("\n")
    place = len("\n".join(lines[: line % len(lines)]))
    found = format_passage(hit(text, (place, place + 10)), budget, frozenset(split_words(asked)))
    assert count_tokens(found) <= budget
    whole = [line for line in found.split("\n") if not line.startswith("…") and not line.endswith("…")]
    assert set(whole) <= {*lines, ""}


def test_the_row_that_is_asked_for_is_shown_below_the_head() -> None:
    found = format_passage(hit(TABLE, (0, len(TABLE))), 120, frozenset(split_words("item 63")))
    assert found.startswith(HEAD)
    assert ROWS[63] in found
    assert "\n…\n" in found


def test_a_title_above_a_table_does_not_hide_the_row_that_is_asked_for() -> None:
    found = format_passage(hit(f"Items by number\n\n{TABLE}"), 120, frozenset(split_words("item 63")))
    assert found.startswith(f"Items by number\n\n{HEAD}")
    assert ROWS[63] in found


def test_what_fits_is_shown_whole() -> None:
    assert format_passage(hit(TABLE), 100_000, ()) == TABLE


def test_an_excerpt_inside_a_table_stands_below_its_head() -> None:
    place = TABLE.index(ROWS[40])
    found = format_passage(hit(TABLE, (place, place + len(ROWS[40]))), 120, ())
    assert found.startswith(f"{HEAD}\n…\n{ROWS[40]}")


def test_what_stands_after_a_table_has_no_head() -> None:
    text = f"{TABLE}\n\nAfter it."
    assert extract_table_head(text, text.index("After")) == ""
