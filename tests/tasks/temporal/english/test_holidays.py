"""Holidays, seasons, decades and centuries."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

ANCHOR = date(2016, 11, 7)
CASES = [
    ("easter sunday 2018", "2018-04-01", "2018-04-01", "2018-04-02"),
    ("Good Friday 2024", "2024-03-29", "2024-03-29", "2024-03-30"),
    ("Thanksgiving 2010", "2010-11-25", "2010-11-25", "2010-11-26"),
    ("Black Friday 2010", "2010-11-26", "2010-11-26", "2010-11-27"),
    ("Memorial Day 2021", "2021-05-31", "2021-05-31", "2021-06-01"),
    ("Martin Luther King Day 2018", "2018-01-15", "2018-01-15", "2018-01-16"),
    ("Election Day 2016", "2016-11-08", "2016-11-08", "2016-11-09"),
    ("last Christmas", "2015-12-25", "2015-12-25", "2015-12-26"),
    ("New Year's Eve of 1999", "1999-12-31", "1999-12-31", "2000-01-01"),
    ("Labor Day weekend 2021", "2021-W35-WE", "2021-09-04", "2021-09-07"),
    ("the summer of 2009", "2009-SU", "2009-06-01", "2009-09-01"),
    ("winter 2020", "2020-WI", "2020-12-01", "2021-03-01"),
    ("last spring", "2016-SP", "2016-03-01", "2016-06-01"),
    ("this fall", "2016-FA", "2016-09-01", "2016-12-01"),
    ("the 1990s", "199", "1990-01-01", "2000-01-01"),
    ("the '80s", "198", "1980-01-01", "1990-01-01"),
    ("the nineties", "199", "1990-01-01", "2000-01-01"),
    ("the nineteen seventies", "197", "1970-01-01", "1980-01-01"),
    ("the 19th century", "18", "1800-01-01", "1900-01-01"),
    ("the twenty-first century", "20", "2000-01-01", "2100-01-01"),
    ("the 5th century BC", "BC04", "None", "None"),
    ("500 BC", "BC0500", "None", "None"),
    ("week 12 of 2023", "2023-W12", "2023-03-20", "2023-03-27"),
    ("the week of March 5, 2023", "2023-W09", "2023-02-27", "2023-03-06"),
    ("the last Monday in May 2017", "2017-05-29", "2017-05-29", "2017-05-30"),
    ("the twenty-second of June 2010", "2010-06-22", "2010-06-22", "2010-06-23"),
    ("June of nineteen ninety-nine", "1999-06", "1999-06-01", "1999-07-01"),
    ("2023-W09-1", "2023-02-27", "2023-02-27", "2023-02-28"),
    ("2023-064", "2023-03-05", "2023-03-05", "2023-03-06"),
    ("the 15th of next month", "2016-12-15", "2016-12-15", "2016-12-16"),
    ("Tuesday, May 9", "2016-05-09", "2016-05-09", "2016-05-10"),
]


@pytest.mark.parametrize("expected", CASES, ids=lambda case: case[0])
def test_named_times(expected: tuple[str, str, str, str]) -> None:
    (mention,) = tag(f"It was {expected[0]} when we met.", ANCHOR, "en")
    assert (mention.text, mention.value, str(mention.start_date), str(mention.end_date)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "the fall of Rome",
        "a spring in the bed",
        "prices fall",
        "winter sports",
        "in his 70s",
        "the Christmas tree",
        "the 15th anniversary",
        "he finished 5th overall",
        "the Easter Bunny",
        "a cup of 1/2 milk",
    ],
)
def test_no_named_time(text: str) -> None:
    assert tag(text, ANCHOR, "en") == ()


@pytest.mark.parametrize(
    "text",
    [
        "The Summer Court reopened.",
        "We met at the Winter Garden.",
        "Easter Ross and Autumn Leaves deliver.",
        "The school day is long, the working day too.",
        "April will write to them, August asked for it, and June Castellanos said so.",
    ],
)
def test_seasons_holidays_and_months_in_names_are_no_times(text: str) -> None:
    assert tag(text, ANCHOR, "en") == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("On Christmas Grandma came.", "2015-12-25"),
        ("The summer was hot.", "2016-SU"),
        ("April will be wet.", "2017-04"),
        ("The day was hot.", "2016-11-07"),
    ],
)
def test_words_beside_them_are_no_names(text: str, value: str) -> None:
    assert [each.value for each in tag(text, ANCHOR, "en")] == [value]
