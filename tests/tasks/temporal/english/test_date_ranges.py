"""Ranges are one mention with one interval, and the first value/last value of ISO 8601."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

ANCHOR = date(2016, 11, 7)
RANGES = [
    ("from March to May 2021", "2021-03/2021-05", "2021-03-01", "2021-06-01"),
    ("between 2014 and 2016", "2014/2016", "2014-01-01", "2017-01-01"),
    ("from May 2011 until June 2016", "2011-05/2016-06", "2011-05-01", "2016-07-01"),
    ("2010 through 2017", "2010/2017", "2010-01-01", "2018-01-01"),
    ("2012/13", "2012/2013", "2012-01-01", "2014-01-01"),
    ("1914-18", "1914/1918", "1914-01-01", "1919-01-01"),
    ("1/2008-5/2010", "2008-01/2010-05", "2008-01-01", "2010-06-01"),
    ("between May 3, 2011, and June 1, 2016", "2011-05-03/2016-06-01", "2011-05-03", "2016-06-02"),
    ("from May 3, 2011, to June 1, 2016", "2011-05-03/2016-06-01", "2011-05-03", "2016-06-02"),
    ("Jan-Feb 2017", "2017-01/2017-02", "2017-01-01", "2017-03-01"),
    ("from Nov 2015 to March", "2015-11/2016-03", "2015-11-01", "2016-04-01"),
    ("from 2009 to the present", "2009/2016-11-07", "2009-01-01", "2016-11-08"),
    ("between January 22 and now", "2016-01-22/2016-11-07", "2016-01-22", "2016-11-08"),
    ("March 4-22, 2023", "2023-03-04/2023-03-22", "2023-03-04", "2023-03-23"),
    ("4 to 22 March 2023", "2023-03-04/2023-03-22", "2023-03-04", "2023-03-23"),
    ("from the 4th to the 22nd of March 2021", "2021-03-04/2021-03-22", "2021-03-04", "2021-03-23"),
    ("from 4 to 22 this month", "2016-11-04/2016-11-22", "2016-11-04", "2016-11-23"),
    ("28 October 1872 – 25 April 1930", "1872-10-28/1930-04-25", "1872-10-28", "1930-04-26"),
    ("from 10/1/2018-10/7/2018", "2018-10-01/2018-10-07", "2018-10-01", "2018-10-08"),
    ("2023-01-01/2023-03-31", "2023-01-01/2023-03-31", "2023-01-01", "2023-04-01"),
    ("Q1-Q3 2023", "2023-Q1/2023-Q3", "2023-01-01", "2023-10-01"),
    ("from the 1970s to the 1990s", "197/199", "1970-01-01", "2000-01-01"),
    ("2010 – present", "2010/2016-11-07", "2010-01-01", "2016-11-08"),
    ("March 2010-present", "2010-03/2016-11-07", "2010-03-01", "2016-11-08"),
    ("from June to August last year", "2015-06/2015-08", "2015-06-01", "2015-09-01"),
    ("April through September of last year", "2015-04/2015-09", "2015-04-01", "2015-10-01"),
    ("2021-22", "2021/2022", "2021-01-01", "2023-01-01"),
    ("1 Jan 24 - 31 Mar 24", "2024-01-01/2024-03-31", "2024-01-01", "2024-04-01"),
    ("1 Oct '24 – 31 Dec '24", "2024-10-01/2024-12-31", "2024-10-01", "2025-01-01"),
    ("01-Apr-23 to 31-Mar-24", "2023-04-01/2024-03-31", "2023-04-01", "2024-04-01"),
    ("1 Nov – 31 Jan 25", "2024-11-01/2025-01-31", "2024-11-01", "2025-02-01"),
]


@pytest.mark.parametrize("expected", RANGES, ids=lambda case: case[0])
def test_a_range_is_one_mention(expected: tuple[str, str, str, str]) -> None:
    (mention,) = tag(f"It ran {expected[0]}, without a break.", ANCHOR, "en")
    assert (mention.text, mention.value, str(mention.start_date), str(mention.end_date)) == expected


def test_two_times_with_something_between_are_no_range() -> None:
    found = tag("Sales rose from $5 in 2014 to $7 in 2018.", ANCHOR, "en")
    assert [mention.text for mention in found] == ["2014", "2018"]


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("The visit moves from 4 March 2016 to 6 March 2016, 10am.", "en", ["2016-03-04", "2016-03-06"]),
        ("The launch was postponed from May 2024 to July 2024.", "en", ["2024-05-01", "2024-07-01"]),
        ("La séance est reportée du 11 mars 2025 au 13 mars 2025.", "fr", ["2025-03-11", "2025-03-13"]),
        ("The launch was pushed from May to July 2016.", "en", ["2016-05-01", "2016-07-01"]),
        ("It had postponed the opening of its plant from May 2024 to July 2024.", "en", ["2024-05-01", "2024-07-01"]),
        ("The shop is open from 4 March 2016 to 6 March 2016.", "en", ["2016-03-04"]),
    ],
)
def test_what_is_moved_from_one_time_to_another_names_two(text: str, language: str, days: list[str]) -> None:
    assert [str(mention.start_date) for mention in tag(text, ANCHOR, language)] == days


@pytest.mark.parametrize("text", ["We met 3 Jan to 5 Feb 12 times.", "from 2 Jan to 4 Jan 20 people came"])
def test_a_number_behind_a_range_of_days_is_no_year(text: str) -> None:
    assert all(mention.start_date is None for mention in tag(text, None, "en"))


def test_a_range_that_runs_backwards_is_two_times() -> None:
    for text in ("from 2021 to 2019", "between 2021 and 2019"):
        assert [mention.value for mention in tag(text, None, "en")] == ["2021", "2019"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the 2023-24 season", "2023-08-01", "2024-08-01"),
        ("the 2023–2024 school year", "2023-08-01", "2024-08-01"),
        ("in academic year 2023/24", "2023-08-01", "2024-08-01"),
        ("AY 2023-24", "2023-08-01", "2024-08-01"),
        ("2023-2024学年第一学期", "2023-08-01", "2024-08-01"),
        ("the seasons 2021-2024", "2021-01-01", "2025-01-01"),
        ("sold in 2023-2024", "2023-01-01", "2025-01-01"),
    ],
)
def test_an_academic_year_or_a_season_runs_from_summer_to_summer(text: str, first: str, last: str) -> None:
    (mention,) = tag(text, ANCHOR, "en")
    assert (str(mention.start_date), str(mention.end_date)) == (first, last)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("deliver 2000 pieces", []),
        ("in 2000 sales rose", ["2000"]),
        ("the disclosures of ASU 2022-04", []),
        ("1500 French troops", []),
        ("it was $12 December 27, 2016", ["December 27, 2016"]),
        ("6,107.31 August 2019", ["August 2019"]),
    ],
)
def test_numbers_beside_dates_are_left_alone(text: str, years: list[str]) -> None:
    assert [mention.text for mention in tag(text, ANCHOR, "en")] == years
