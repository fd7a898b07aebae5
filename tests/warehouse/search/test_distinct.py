"""What counts as said already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.search.grouping import Wording, is_repetition

TEXT = (
    "Herring landed at the quay fell to 410 tonnes in the second quarter of 2023, since storms kept the boats in "
    "Bergen for most of April and the ice plant stood still for want of spare parts until the middle of May."
)


def said_again(later: str, before: str) -> bool:
    return is_repetition(Wording(later), Wording(before))


@pytest.mark.parametrize(
    "later",
    [
        TEXT,
        TEXT.upper(),
        TEXT.replace(" ", "\n").replace(",", " ,"),
        TEXT.replace("spare parts", "parts"),
        TEXT[TEXT.index("since") :],
    ],
)
def test_the_same_and_a_part_of_it_are_said_already(later: str) -> None:
    assert said_again(later, f"{TEXT} Prices rose all the same.")


@pytest.mark.parametrize(
    ("old", "new"),
    [("410", "419"), ("2023", "2024"), ("second", "third"), ("Bergen", "Narvik"), ("April", "June"), ("fell", "not")],
)
def test_another_figure_name_or_period_is_news(old: str, new: str) -> None:
    assert not said_again(TEXT.replace(old, new), TEXT)


def test_what_says_more_is_news() -> None:
    assert not said_again(f"{TEXT} The catch of the third quarter came to 530 tonnes, and more boats went out.", TEXT)


def test_neighbours_that_overlap_are_two() -> None:
    words = [f"word{number}" for number in range(200)]
    assert not said_again(" ".join(words[90:190]), " ".join(words[:115]))


def test_short_texts_are_compared_whole() -> None:
    assert said_again("Not found", "not found.")
    assert not said_again("Risk factors", TEXT)
    assert not said_again("", TEXT)


def test_chinese_is_compared_by_characters() -> None:
    text = "公司第二季度营业收入同比增长百分之八，主要由于海外市场需求旺盛以及新产品上市。"
    assert said_again(text, text.replace("，", " "))
    assert not said_again(text.replace("二", "三"), text)


@given(st.text(alphabet="ab1 ,.\n年", max_size=60))
def test_whatever_it_is_a_text_repeats_itself(text: str) -> None:
    assert said_again(text, text)
