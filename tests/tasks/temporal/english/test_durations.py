"""Lengths of time: their extent, value and modifier, and what only looks like one."""

from __future__ import annotations

import pytest

from tasks.temporal.tagger import tag
from warehouse.records import Modifier, TimexType


def read(text: str) -> list[tuple[str, str]]:
    return [(mention.text, mention.value) for mention in tag(text, None, "en")]


@pytest.mark.parametrize(
    ("extent", "value"),
    [
        ("two years", "P2Y"),
        ("fifty-two weeks", "P52W"),
        ("two hundred and fifty years", "P250Y"),
        ("5.2 years", "P5.2Y"),
        ("two and a half years", "P2.5Y"),
        ("a year and a half", "P1.5Y"),
        ("half an hour", "PT30M"),
        ("half a century", "P50Y"),
        ("two years and three months", "P2Y3M"),
        ("three or four years", "P4Y"),
        ("six straight days", "P6D"),
        ("several decades", "PXY"),
        ("a decade and two years", "P12Y"),
        ("two centuries", "P200Y"),
        ("a quarter of a century", "P25Y"),
        ("2-1/2 hours", "PT2.5H"),
        ("a couple of weeks", "P2W"),
        ("millions of years", "PXY"),
        ("30 mins", "PT30M"),
        ("a fortnight", "P2W"),
        ("1h30", "PT1H30M"),
        ("1h 30m", "PT1H30M"),
        ("2 hrs 15 mins", "PT2H15M"),
        ("thirty (30) days", "P30D"),
        ("twenty-four (24) hours", "PT24H"),
        ("one hundred twenty (120) days", "P120D"),
        ("fourteen (14) business days", "P14D"),
        ("30 (thirty) calendar days", "P30D"),
    ],
)
def test_lengths(extent: str, value: str) -> None:
    assert read(f"It took {extent}.") == [(extent, value)]


@pytest.mark.parametrize(
    ("extent", "value"),
    [("18-month", "P18M"), ("decades-long", "PXY"), ("two-and-a-half-year", "P2.5Y")],
)
def test_before_a_noun_the_article_is_the_nouns(extent: str, value: str) -> None:
    assert read(f"He met the {extent} man.") == [(extent, value)]


@pytest.mark.parametrize(
    ("extent", "modifier"),
    [
        ("about two years", Modifier.APPROX),
        ("nearly two years", Modifier.LESS_THAN),
        ("over a decade", Modifier.MORE_THAN),
        ("at least two years", Modifier.EQUAL_OR_MORE),
        ("no more than two years", Modifier.EQUAL_OR_LESS),
    ],
)
def test_modifiers_belong_to_the_length(extent: str, modifier: Modifier) -> None:
    (mention,) = tag(f"It took {extent}.", None, "en")
    assert (mention.text, mention.modifier) == (extent, modifier)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("between 12 and 18 months", [("12", "P12M"), ("18 months", "P18M")]),
        ("for 12 and 18 months", [("12", "P12M"), ("18 months", "P18M")]),
        ("a 12- to 18-month term", [("12", "P12M"), ("18-month", "P18M")]),
        ("three to five years", [("three", "P3Y"), ("five years", "P5Y")]),
        ("30-, 60- and 90-day notes", [("30", "P30D"), ("60", "P60D"), ("90-day", "P90D")]),
        ("on May 5 and 10 days later", [("May 5", "XXXX-05-05"), ("10 days later", "XXXX")]),
    ],
)
def test_each_of_several_lengths_is_one(text: str, found: list[tuple[str, str]]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He finished the marathon in 3:07:35.", [("3:07:35", "PT3H7M35S")]),
        ("She set a record of 2:19:12 there.", [("2:19:12", "PT2H19M12S")]),
        ("ran in 2:15.30", [("2:15.30", "PT2M15.3S")]),
        ("won the marathon in 2:09", [("2:09", "PT2H9M")]),
        ("The winner crossed the line at 3:07:35", [("3:07:35", "XXXX-XX-XXT03:07:35")]),
        ("The log says 13:07:35 there.", [("13:07:35", "XXXX-XX-XXT13:07:35")]),
    ],
)
def test_the_time_of_a_race_is_a_length(text: str, found: list[tuple[str, str]]) -> None:
    assert read(text) == found


AGES = [
    ("the 22-year-old man", "22-year-old"),
    ("they are 22 years old", "22 years old"),
    ("five-year-olds", "five-year-olds"),
    ("children 6 months and older", "6 months"),
    ("adults of 65 years or over", "65 years"),
    ("at the age of 12 years", "12 years"),
    ("under 5 years of age", "under 5 years"),
    ("men aged 65 years", "65 years"),
]


@pytest.mark.parametrize(("text", "extent"), AGES)
def test_an_age_is_no_time_that_a_text_tells_but_a_length_in_timex3(text: str, extent: str) -> None:
    (age,) = tag(text, None, "en", ages=True)
    assert (age.text, age.type) == (extent, TimexType.DURATION)
    assert read(text) == []


def test_both_ends_of_a_range_of_ages_are_ages() -> None:
    text = "adults aged 18 to 65 years, 7- to 9-year-olds"
    assert [age.value for age in tag(text, None, "en", ages=True)] == ["P18Y", "P65Y", "P7Y", "P9Y"]
    assert read(text) == []


def test_a_term_that_ends_with_or_over_is_no_age() -> None:
    assert read("loans of 5 years or over") == [("5 years", "P5Y")]


def test_so_many_a_year_is_a_set() -> None:
    (mention,) = tag("It sold 200 cars a year.", None, "en")
    assert (mention.text, mention.type, mention.value) == ("a year", TimexType.SET, "P1Y")


@pytest.mark.parametrize(
    "text", ["a quarter of its dealers", "three quarters of the people", "the minutes of the meeting", "a second look"]
)
def test_not_a_length(text: str) -> None:
    assert read(text) == []


def test_a_mark_behind_a_number_means_as_many_or_more() -> None:
    (found,) = tag("She has 10+ years of experience.", None, "en")
    assert (found.text, found.value, found.modifier) == ("10+ years", "P10Y", Modifier.EQUAL_OR_MORE)


@pytest.mark.parametrize(
    "text", ["The mean age was 54.3 years.", "patients (median age, 54 years)", "Age: 2 days.", "mean age of 9 years"]
)
def test_the_age_of_people_is_none(text: str) -> None:
    assert read(text) == []


def test_the_hour_behind_the_day_of_a_message_is_how_long_nothing_took() -> None:
    text = "[13/03/2024, 08:01:00] Anna: last night was fun! same time?"
    assert "PT8H1M0S" not in [value for _, value in read(text)]
    assert read("He won the race in 3:07:35.") == [("3:07:35", "PT3H7M35S")]
