"""The periods of reports."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

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
    ("six months to June 30, 2023", "2023-H1", "2023-01-01", "2023-07-01"),
    ("year to date", "2016-01-01/2016-11-07", "2016-01-01", "2016-11-08"),
    ("MTD", "2016-11-01/2016-11-07", "2016-11-01", "2016-11-08"),
    ("the trailing twelve months", "P12M", "2015-11-07", "2016-11-08"),
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


def test_years_after_fiscal_are_fiscal() -> None:
    found = tag("fiscal years 2023 and 2022", ANCHOR, "en")
    assert [mention.value for mention in found] == ["FY2023", "FY2022"]
