"""When two readings of a line are the same words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.verify.quote_verification import Agreement, compare_readings


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Net sales fell.", "Net  sales\nfell."),
        ("Net sales fell.", "1 Net sales fell. 2"),
        ("the ﬁrst", "the first"),
        ("non-controlling", "non\x02controlling"),
        ("development", "devel\x02opment"),
        ("| Net \\| sales | $ 3,642 |  |", "Net | sales $ 3,642"),
        ("| --- | --- |", ""),
        ("x Yes (cid:0) No", "\uf078 Yes No"),
        ("the first fiscal year", "the \ufffdrst \ufffescal year"),
        ("an official offer", "an ocial o er"),
        ("the committee", "the commiƩee"),
        ("☐ Annual report ☒ Interim report", "o Annual report x Interim report"),
    ],
)
def test_what_readers_write_differently_is_the_same(said: str, found: str) -> None:
    assert compare_readings(said, found) is Agreement.TEXT


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("3,642", "3,624"),
        ("-5", "5"),
        ("fell by", "rose by"),
        ("all of it", "all it"),
        ("a b", ""),
        ("nation", "naon"),
        ("fi", ""),
        ("first", "last"),
    ],
)
def test_other_words_and_figures_are_not(said: str, found: str) -> None:
    assert compare_readings(said, found) is Agreement.NONE


def test_cells_of_several_lines_are_met_in_another_order() -> None:
    row, met = (
        "| ($ in millions) | Carrying Value | Fair Value (Level 2) |",
        "Carrying Fair Value ($ in millions) Value (Level 2)",
    )
    assert compare_readings(row, met) is Agreement.WORDS
    assert compare_readings(row, met, "".join(row.split("|"))) is Agreement.TEXT
    assert compare_readings(row, met.replace("2", "3")) is Agreement.NONE


@given(st.text(max_size=40), st.text(max_size=10))
def test_every_text_agrees_with_itself(text: str, more: str) -> None:
    assert compare_readings(text, f"{text} {more}") is not Agreement.NONE
