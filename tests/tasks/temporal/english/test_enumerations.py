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


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WORDS = st.sampled_from(["and", "or", "&"])
COMMAS = st.sampled_from(["", ","])


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4, unique=True), st.integers(1990, 2060), WORDS, COMMAS)
def test_quarters(quarters: list[int], year: int, word: str, comma: str) -> None:
    expected = [f"{year}-Q{quarter}" for quarter in quarters]
    for form in ("Q{}", "{}Q"):
        assert values(listed([form.format(quarter) for quarter in quarters], word, comma) + f" {year}") == expected
    assert values("/".join(f"Q{quarter}" for quarter in quarters) + f" {year}") == expected


@given(
    st.lists(st.integers(1, 11), min_size=2, max_size=6, unique=True).map(sorted),
    st.integers(1990, 2060),
    WORDS,
    COMMAS,
)
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
        ("the first and third quarter of 2024", ["2024-Q1", "2024-Q3"]),
        ("the second and fourth quarters of 2024", ["2024-Q2", "2024-Q4"]),
        ("from the first to the third quarter of 2024", ["2024-Q1/2024-Q3"]),
        ("the first and third Mondays of May 2024", ["2024-05-06", "2024-05-20"]),
        ("the first and last Fridays in June 2024", ["2024-06-07", "2024-06-28"]),
        ("the 1st, 2nd and 4th Tuesday of May 2024", ["2024-05-07", "2024-05-14", "2024-05-28"]),
        ("the second and fourth Tuesday of every month", ["XXXX-XX-WXX-2-2", "XXXX-XX-WXX-2-4"]),
        ("collected the 2nd and 4th Tuesdays", ["XXXX-XX-WXX-2-2", "XXXX-XX-WXX-2-4"]),
        ("We met last Fridays", ["XXXX-WXX-5"]),
        ("sections 5 and 12", []),
    ],
)
def test_forms(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4, unique=True), st.sampled_from(WEEKDAYS), WORDS, COMMAS)
def test_weekdays_of_each_month(ranks: list[int], weekday: str, word: str, comma: str) -> None:
    text = listed([("first", "second", "third", "fourth")[rank - 1] for rank in ranks], word, comma)
    day = WEEKDAYS.index(weekday) + 1
    for form in (f"{weekday}s of each month", f"{weekday} of every month", f"{weekday}s"):
        assert values(f"on the {text} {form}") == [f"XXXX-XX-WXX-{day}-{rank}" for rank in ranks]


@given(
    st.sampled_from([(3, 6), (6, 9), (3, 9), (6, 12)]),
    st.dates(date(1990, 1, 1), date(2050, 1, 1)),
    st.sampled_from(["{0:%-m/%-d/%Y}", "{0:%m/%d/%y}", "{0:%Y-%m-%d}"]),
)
def test_lengths_that_end_on_one_day_in_numbers(lengths: tuple[int, int], day: date, form: str) -> None:
    """As with the day in words."""
    numeric, words = form.format(day), f"{day:%B} {day.day}, {day.year}"
    for lead in ("{} and {} months ended", "{}- and {}-month periods ended"):
        found = values(f"the {lead.format(*lengths)} {numeric}")
        assert len(found) == 2
        assert found == values(f"the {lead.format(*lengths)} {words}")


@given(
    st.integers(1, 12),
    st.lists(st.integers(1, 28), min_size=2, max_size=5, unique=True).map(sorted).filter(lambda days: days[-1] > 12),
    WORDS,
    COMMAS,
    st.dates(date(2020, 1, 1), date(2030, 12, 31)),
)
def test_numbers_that_can_only_be_days_are_of_one_year(
    month: int, days: list[int], word: str, comma: str, anchor: date
) -> None:
    slashed = [f"{month}/{day}" for day in days]
    for text in (listed(slashed, word, comma), ", ".join(slashed)):
        found = [mention.start_date for mention in tag(f"Homework is due {text}.", anchor, "en")]
        assert len({day.year for day in found if day}) == 1
    found = [mention.start_date for mention in tag(f"Homework is due {', '.join(slashed)}.", anchor, "en")]
    if not all(day in (2, 4, 8, 16) for day in days):
        assert [(day.month, day.day) for day in found if day] == [(month, day) for day in days]


@pytest.mark.parametrize(
    "text",
    [
        "use 1/8, 1/4 or 1/2 inch bits",
        "chapters 1/2, 3/4, 5/6",
        "bits of 1/16, 3/16 and 5/16",
        "won 9/10, 8/10",
        "3/5, 4/5 and 5/5",
    ],
)
def test_fractions_are_no_days(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exams Jan 16, 18; homework", ["2025-01-16", "2025-01-18"]),
        ("on Jan 16, 18 people came", ["2025-01-16"]),
        ("Spring & Fall 2005", ["2005-SP", "2005-FA"]),
        ("Winter/Spring 2003", ["2002-WI", "2003-SP"]),
        ("Spring, Summer and Fall 2006", ["2006-SP", "2006-SU", "2006-FA"]),
    ],
)
def test_days_without_a_word_between_and_seasons(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the first and last weeks of May 2024", [("the first", "2024-W18"), ("last weeks of May 2024", "2024-W22")]),
        (
            "the second and the third weekends of May 2024",
            [("the second", "2024-W19-WE"), ("the third weekends of May 2024", "2024-W20-WE")],
        ),
        ("the first and last weeks of school", []),
    ],
)
def test_units_of_a_month(text: str, expected: list[tuple[str, str]]) -> None:
    found = tag(text, None, "en")
    assert [(each.text, each.value) for each in found if each.start_date] == expected
