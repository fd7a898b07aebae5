"""Lists whose last member says the year or the month of all."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal.tagger import tag

ANCHOR = date(2025, 6, 11)
NAMES = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")


def values(text: str) -> list[str]:
    return [mention.value for mention in tag(text, ANCHOR, "en")]


def listed(members: list[str], word: str, comma: str) -> str:
    *before, last = members
    return f"{', '.join(before)}{comma} {word} {last}"


WORDS = st.sampled_from(["and", "or", "&"])
COMMAS = st.sampled_from(["", ","])


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4, unique=True), st.integers(1990, 2060), WORDS, COMMAS)
def test_quarters(quarters: list[int], year: int, word: str, comma: str) -> None:
    expected = [f"{year}-Q{quarter}" for quarter in quarters]
    for form in ("Q{}", "{}Q"):
        assert values(listed([form.format(quarter) for quarter in quarters], word, comma) + f" {year}") == expected
    assert values("/".join(f"Q{quarter}" for quarter in quarters) + f" {year}") == expected


@given(st.lists(st.integers(1, 11), min_size=2, max_size=6, unique=True), st.integers(1990, 2060), WORDS, COMMAS)
def test_months(months: list[int], year: int, word: str, comma: str) -> None:
    text = listed([NAMES[month - 1] for month in months], word, comma)
    assert values(f"in {text} {year}") == [f"{year}-{month:02}" for month in months]


@given(st.lists(st.integers(1, 28), min_size=2, max_size=6, unique=True), st.integers(1990, 2060), WORDS, COMMAS)
def test_days_before_their_month(days: list[int], year: int, word: str, comma: str) -> None:
    text = listed(list(map(str, days)), word, comma)
    assert values(f"on {text} November {year}") == [f"{year}-11-{day:02}" for day in days]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the 1st, 8th and 15th of June 2024", ["2024-06-01", "2024-06-08", "2024-06-15"]),
        ("on 5 and 12 June", ["2025-06-05", "2025-06-12"]),
        ("H1 and H2 2024", ["2024-H1", "2024-H2"]),
        ("Q1 and Q2 FY24", ["FY2024-Q1", "FY2024-Q2"]),
        ("the first and second halves of 2024", ["2024-H1", "2024-H2"]),
        ("the first, third and fourth quarters of 2024", ["2024-Q1", "2024-Q3/2024-Q4"]),
        ("Q2 2024 vs. Q2 2023", ["2024-Q2", "2023-Q2"]),
        ("on Monday, Wednesday and Friday of next week", ["2025-06-09", "2025-06-11", "2025-06-20"]),
        ("sections 5 and 12", []),
    ],
)
def test_forms(text: str, expected: list[str]) -> None:
    assert values(text) == expected
