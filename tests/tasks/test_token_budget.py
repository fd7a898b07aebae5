"""Texts are cut to budgets, and nothing is counted for less than it costs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.token_budget import clip, count_tokens, measure_fitting_length, paginate, split_budget, take_fitting_lines

TEXTS = st.text(max_size=400)
BUDGETS = st.integers(5, 120)


@given(TEXTS, TEXTS)
def test_a_longer_text_costs_no_less_and_parts_no_less_than_the_whole(one: str, other: str) -> None:
    assert (
        max(count_tokens(one), count_tokens(other))
        <= count_tokens(one + other)
        <= count_tokens(one) + count_tokens(other)
    )


def test_the_estimate_is_of_the_right_size() -> None:
    assert 10 <= count_tokens("The quick brown fox jumps over the lazy dog near the river") <= 16
    assert count_tokens("营业收入") == 4
    assert 8 <= count_tokens("| Net sales | $ 3,642 |") <= 14


@given(TEXTS, BUDGETS)
def test_what_is_clipped_fits_and_is_the_beginning(text: str, budget: int) -> None:
    found = clip(text, budget)
    assert count_tokens(found) <= budget
    assert found == text or text.startswith(found.removesuffix(" …"))


@given(TEXTS, BUDGETS)
def test_the_head_of_a_text_fits(text: str, budget: int) -> None:
    length = measure_fitting_length(text, budget)
    assert count_tokens(text[:length]) <= budget
    assert length == len(text) or length > 0


@given(st.lists(st.integers(0, 500), min_size=1, max_size=12), st.integers(0, 2000))
def test_shares_give_all_that_is_needed_or_all_there_is(needs: list[int], budget: int) -> None:
    found = split_budget(needs, budget)
    assert all(0 <= share <= need for share, need in zip(found, needs, strict=True))
    assert sum(found) <= budget
    assert found == needs or sum(found) > budget - len(needs)


@given(st.lists(TEXTS, min_size=1, max_size=20), BUDGETS)
def test_what_fits_are_the_first_lines_and_one_at_least(lines: list[str], budget: int) -> None:
    found = take_fitting_lines(lines, budget)
    assert found
    assert len(found) == 1 or found == lines[: len(found)]
    assert sum(map(count_tokens, found)) <= budget


@given(st.lists(TEXTS, max_size=20), BUDGETS)
def test_pages_hold_every_line_and_keep_the_budget(lines: list[str], budget: int) -> None:
    found = list(paginate(lines, budget))
    assert sum(map(len, found)) == len(lines)
    assert all(sum(map(count_tokens, page)) <= budget for page in found)
