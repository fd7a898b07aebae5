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
        ("three to five years", "P5Y"),
        ("six straight days", "P6D"),
        ("several decades", "PXDE"),
        ("a couple of weeks", "P2W"),
        ("millions of years", "PXY"),
        ("30 mins", "PT30M"),
        ("a fortnight", "P2W"),
    ],
)
def test_lengths(extent: str, value: str) -> None:
    assert read(f"It took {extent}.") == [(extent, value)]


@pytest.mark.parametrize(
    ("extent", "value"),
    [("18-month", "P18M"), ("33-year-old", "P33Y"), ("decades-long", "PXDE"), ("two-and-a-half-year", "P2.5Y")],
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


def test_so_many_a_year_is_a_set() -> None:
    (mention,) = tag("It sold 200 cars a year.", None, "en")
    assert (mention.text, mention.type, mention.value) == ("a year", TimexType.SET, "P1Y")


@pytest.mark.parametrize(
    "text", ["a quarter of its dealers", "three quarters of the people", "the minutes of the meeting", "a second look"]
)
def test_not_a_length(text: str) -> None:
    assert read(text) == []
