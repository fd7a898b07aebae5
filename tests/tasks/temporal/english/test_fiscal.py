"""The periods of reports."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag
from warehouse.records.calendars import FiscalCalendar, Weeks

ANCHOR = date(2016, 11, 7)
PERIODS = [
    ("fiscal 2023 second quarter", "FY2023-Q2", "2023-04-01", "2023-07-01"),
    ("2013's third quarter", "2013-Q3", "2013-07-01", "2013-10-01"),
    ("the third quarter of 2012", "2012-Q3", "2012-07-01", "2012-10-01"),
    ("Q1 FY24", "FY2024-Q1", "2024-01-01", "2024-04-01"),
    ("1H 2024", "2024-H1", "2024-01-01", "2024-07-01"),
    ("4Q22", "2022-Q4", "2022-10-01", "2023-01-01"),
    ("CY18", "2018", "2018-01-01", "2019-01-01"),
    ("the first and second quarters of 2023", "2023-Q1/2023-Q2", "2023-01-01", "2023-07-01"),
    ("the first half of this year", "2016-H1", "2016-01-01", "2016-07-01"),
    ("the nine-month period ended 30 September 2023", "2023-01-01/2023-09-30", "2023-01-01", "2023-10-01"),
    ("the half-year ended 30 June 2012", "2012-H1", "2012-01-01", "2012-07-01"),
    ("the quarter ended March 2023", "2023-Q1", "2023-01-01", "2023-04-01"),
    ("the quarter ended March 31", "2016-Q1", "2016-01-01", "2016-04-01"),
    ("the week ended May 18, 2012", "2012-05-12/2012-05-18", "2012-05-12", "2012-05-19"),
    ("three months ended 9/30/2023", "2023-Q3", "2023-07-01", "2023-10-01"),
    ("FY ended March 31, 2023", "FY2023", "2022-04-01", "2023-04-01"),
    ("FY ended 3/31/23", "FY2023", "2022-04-01", "2023-04-01"),
    ("nine months 2023", "2023-01-01/2023-09-30", "2023-01-01", "2023-10-01"),
    ("the quarter ended 6/30/14", "2014-Q2", "2014-04-01", "2014-07-01"),
    ("the nine months ended 30.09.2013", "2013-01-01/2013-09-30", "2013-01-01", "2013-10-01"),
    ("year ended 2015-12-31", "2015", "2015-01-01", "2016-01-01"),
    ("the 13 weeks ended 4/1/2023", "2023-01-01/2023-04-01", "2023-01-01", "2023-04-02"),
    ("week ending 12/31/22", "2022-12-25/2022-12-31", "2022-12-25", "2023-01-01"),
    ("w/e 12 May 2021", "2021-05-06/2021-05-12", "2021-05-06", "2021-05-13"),
    ("the latter half of 2022", "2022-H2", "2022-07-01", "2023-01-01"),
    ("the back half of this year", "2016-H2", "2016-07-01", "2017-01-01"),
    ("six months to June 30, 2023", "2023-H1", "2023-01-01", "2023-07-01"),
    ("three months to end-March 2014", "2014-Q1", "2014-01-01", "2014-04-01"),
    ("the six months ended end September 2013", "2013-04-01/2013-09-30", "2013-04-01", "2013-10-01"),
    ("the year to end-June 2013", "2012-07-01/2013-06-30", "2012-07-01", "2013-07-01"),
    ("the three months ending at the end of March 2014", "2014-Q1", "2014-01-01", "2014-04-01"),
    ("end-March 2014", "2014-03", "2014-03-21", "2014-04-01"),
    ("year to date", "2016-01-01/2016-11-07", "2016-01-01", "2016-11-08"),
    ("MTD", "2016-11-01/2016-11-07", "2016-11-01", "2016-11-08"),
    ("the trailing twelve months", "P12M", "2015-11-07", "2016-11-08"),
    ("TTM ended 31 March 2014", "2013-04-01/2014-03-31", "2013-04-01", "2014-04-01"),
    ("LTM Jun-14", "2013-07-01/2014-06-30", "2013-07-01", "2014-07-01"),
    ("YTD September 2014", "2014-01-01/2014-09-30", "2014-01-01", "2014-10-01"),
    ("YTD through Q3 2014", "2014-01-01/2014-09-30", "2014-01-01", "2014-10-01"),
    ("YTD 2014", "2014-01-01/2014-12-31", "2014-01-01", "2015-01-01"),
    ("YTD 2016", "2016-01-01/2016-11-07", "2016-01-01", "2016-11-08"),
    ("9M 2014", "2014-01-01/2014-09-30", "2014-01-01", "2014-10-01"),
    ("6M14", "2014-H1", "2014-01-01", "2014-07-01"),
    ("the year to 31 March 2014", "2013-04-01/2014-03-31", "2013-04-01", "2014-04-01"),
    ("the half-year to 30 June 2014", "2014-H1", "2014-01-01", "2014-07-01"),
    ("the three years in the period ended December 31, 2014", "2012-01-01/2014-12-31", "2012-01-01", "2015-01-01"),
    ("FY2024E", "FY2024", "2024-01-01", "2025-01-01"),
    ("YE25", "FY2025", "2025-01-01", "2026-01-01"),
    ("FYE 2023", "FY2023", "2023-01-01", "2024-01-01"),
    ("2025E", "2025", "2025-01-01", "2026-01-01"),
    ("3Q24E", "2024-Q3", "2024-07-01", "2024-10-01"),
    ("24Q2", "2024-Q2", "2024-04-01", "2024-07-01"),
]


def read(text: str) -> list[tuple[str, str, str]]:
    found = tag(text, ANCHOR, "en")
    return [(mention.text, str(mention.start_date), str(mention.end_date)) for mention in found]


@pytest.mark.parametrize("expected", PERIODS, ids=lambda case: case[0])
def test_a_period_of_a_report(expected: tuple[str, str, str, str]) -> None:
    (mention,) = tag(f"Sales for {expected[0]} were up.", ANCHOR, "en")
    assert (mention.text, mention.value, str(mention.start_date), str(mention.end_date)) == expected


def test_each_length_and_year_of_a_list_is_a_period() -> None:
    assert read("for the three and nine months ended September 30, 2023 and 2022") == [
        ("three", "2023-07-01", "2023-10-01"),
        ("nine months ended September 30, 2023", "2023-01-01", "2023-10-01"),
        ("2022", "2022-01-01", "2022-10-01"),
    ]


def test_each_year_of_a_list_ends_on_the_same_day() -> None:
    assert read("years ended June 30, 2023, 2022 and 2021") == [
        ("years ended June 30, 2023", "2022-07-01", "2023-07-01"),
        ("2022", "2021-07-01", "2022-07-01"),
        ("2021", "2020-07-01", "2021-07-01"),
    ]


def test_each_year_of_a_balance_sheet_is_its_day() -> None:
    assert read("as of December 31, 2023 and 2022") == [
        ("December 31, 2023", "2023-12-31", "2024-01-01"),
        ("2022", "2022-12-31", "2023-01-01"),
    ]


def test_what_then_ended_ends_on_the_day_last_spoken_of() -> None:
    text = "The balance sheet as of June 30, 2014 and the statements of income for the year then ended"
    assert read(text)[1:] == [("the year then ended", "2013-07-01", "2014-07-01")]
    assert read(text.replace("the year", "the nine-month period"))[1:] == [
        ("the nine-month period then ended", "2013-10-01", "2014-07-01")
    ]
    assert read("It is over for the year then ended") == []


def test_a_year_that_is_compared_is_that_of_the_period() -> None:
    for word in ("and", "vs.", "versus", "compared to", "compared with"):
        assert read(f"three months ended June 30, 2014 {word} 2013") == [
            ("three months ended June 30, 2014", "2014-04-01", "2014-07-01"),
            ("2013", "2013-04-01", "2013-07-01"),
        ]


def test_months_of_a_fiscal_year_are_the_company_s() -> None:
    calendar = FiscalCalendar(9, "stated")
    (nine,) = tag("9M FY24", ANCHOR, "en", fiscal=calendar)
    (to_date,) = tag("YTD Q3 FY24", ANCHOR, "en", fiscal=calendar)
    assert (nine.start_date, nine.end_date) == (to_date.start_date, to_date.end_date)
    assert (str(nine.start_date), str(nine.end_date)) == ("2023-10-01", "2024-07-01")


def test_years_after_fiscal_are_fiscal() -> None:
    found = tag("fiscal years 2023 and 2022", ANCHOR, "en")
    assert [mention.value for mention in found] == ["FY2023", "FY2022"]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the March 2014 quarter", "2014-01-01", "2014-04-01"),
        ("The June quarter of 2013", "2013-04-01", "2013-07-01"),
        ("the January 2014 quarter", "2013-11-01", "2014-02-01"),
        ("The December quarter", "2015-10-01", "2016-01-01"),
    ],
)
def test_a_quarter_named_by_a_month_ends_with_it(text: str, start: str, end: str) -> None:
    assert read(f"{text} was strong.") == [(text, start, end)]


def test_a_year_before_a_quarter_counts_none() -> None:
    assert read("the 2014 quarter") == [("2014", "2014-01-01", "2015-01-01")]


def test_a_quarter_named_by_a_month_is_the_company_s_of_whole_weeks() -> None:
    calendar = FiscalCalendar(1, "stated", weeks=Weeks(5))
    (found,) = tag("the July 2023 quarter", ANCHOR, "en", fiscal=calendar)
    (told,) = tag("the quarter ended July 29, 2023", ANCHOR, "en", fiscal=calendar)
    assert (found.value, found.start_date, found.end_date) == (told.value, told.start_date, told.end_date)
    assert found.value == "FY2024-Q2"


@pytest.mark.parametrize("joint", [" and ", ", compared with ", " versus ", ", ", " vs. "])
@pytest.mark.parametrize(
    ("first", "second"),
    [("June 30, 2015", "June 30, 2014"), ("30 June 2015", "30 June 2014"), ("6/30/15", "6/30/14")],
)
def test_each_day_of_a_list_ends_a_period_of_its_own(first: str, second: str, joint: str) -> None:
    found = tag(f"for the three months ended {first}{joint}{second}", ANCHOR, "en")
    assert [mention.value for mention in found] == ["2015-Q2", "2014-Q2"]
    alone = tag(f"It had debts at {first}{joint}{second}.", ANCHOR, "en")
    assert [mention.value for mention in alone] == ["2015-06-30", "2014-06-30"]


def test_a_period_that_ends_on_a_written_day_is_the_companys_own() -> None:
    (found,) = tag("the three months ended 12/31/2015", ANCHOR, "en", fiscal=FiscalCalendar(9, ""))
    assert (found.value, str(found.start_date), str(found.end_date)) == ("FY2016-Q1", "2015-10-01", "2016-01-01")


def test_a_day_that_can_be_read_two_ways_gives_both_periods() -> None:
    (found,) = tag("the month ended 3/4/2015", ANCHOR, "en")
    assert (found.start_date, found.other_start) == (date(2015, 2, 5), date(2015, 3, 4))
