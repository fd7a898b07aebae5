"""Headings of diaries that leave a part of their day to those above them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tasks.parsers.dated_lines import parse_section_days

DAY = timedelta(days=1)
FORMS = (
    ("{d:%B %Y}", "{d:%a} {d.day}"),
    ("{d:%B %Y}", "{d.day}."),
    ("{d:%B %Y}", "{d.day} {d:%A}: at the canal"),
    ("{d:%Y-%m}", "{d:%A}, {d.day}"),
    ("{d.year}", "{d:%B}", "{d.day}"),
    ("Journal {d.year}", "{d:%m} {d:%B}", "{d:%A} {d.day}"),
    ("{d.year}", "{d:%B} {d.day}"),
    ("{d.year}", "{d.day} {d:%b}"),
    ("{d.year}", "{d:%A}, {d.day} {d:%B} - at the canal"),
    ("{d.year}年", "{d.month}月", "{d.day}日"),
)


@given(day=st.dates(date(1950, 1, 1), date(2049, 12, 31)), form=st.sampled_from(FORMS))
def test_the_headings_above_complete_a_day(day: date, form: tuple[str, ...]) -> None:
    # "10 Oct" below a year is the month with its number before it, as in "03 March".
    assume(not (form[-1] == "{d.day} {d:%b}" and day.day == day.month > 9))
    assert parse_section_days([part.format(d=day) for part in form]) == (day, day + DAY)


@pytest.mark.parametrize(
    ("path", "days"),
    [
        (("März 2021", "Freitag, 12."), (date(2021, 3, 12), date(2021, 3, 13))),
        (("März 2021", "Samstag, 13.3."), (date(2021, 3, 13), date(2021, 3, 14))),
        (("2021", "March"), (date(2021, 3, 1), date(2021, 4, 1))),
        (("2021-W10", "Monday"), (date(2021, 3, 8), date(2021, 3, 9))),
        (("2021-W10", "Friday: at the canal"), (date(2021, 3, 12), date(2021, 3, 13))),
        (("Annual report 2021", "March"), None),
        (("March 2021", "Sat 12"), None),  # It was a Friday.
        (("March 2021", "12 Angry Men"), None),
        (("March 2021", "12. Results"), None),
        (("March 2021", "32"), None),
        (("Strategy 2021", "1.2"), None),
        (("Strategy 2021", "3"), None),
        (("Minutes", "Fri 12"), None),
        (("Monday",), None),
    ],
)
def test_parts_that_say_enough(path: tuple[str, ...], days: tuple[date, date] | None) -> None:
    assert parse_section_days(path) == days
