"""Times that come again."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag
from warehouse.records import TimexType

SETS = [
    ("daily", "P1D", "EVERY", ""),
    ("biweekly", "P2W", "EVERY", ""),
    ("semi-annually", "P6M", "EVERY", ""),
    ("annually", "P1Y", "EVERY", ""),
    ("semimonthly", "P1M", "", "2X"),
    ("semi-monthly", "P1M", "", "2X"),
    ("bi-weekly", "P2W", "EVERY", ""),
    ("each year", "P1Y", "EACH", ""),
    ("every three weeks", "P3W", "EVERY", ""),
    ("every other week", "P2W", "EVERY", ""),
    ("every 30 seconds", "PT30S", "EVERY", ""),
    ("every Monday", "XXXX-WXX-1", "EVERY", ""),
    ("every other Friday", "XXXX-WXX-5", "EVERY OTHER", ""),
    ("every January", "XXXX-01", "EVERY", ""),
    ("every Monday at 4pm", "XXXX-WXX-1T16:00", "EVERY", ""),
    ("9am on Sundays", "XXXX-WXX-7T09:00", "EVERY", ""),
    ("every night at 9", "XXXX-XX-XXT21:00", "EVERY", ""),
    ("Friday mornings", "XXXX-WXX-5TMO", "EVERY", ""),
    ("twice a month", "P1M", "", "2X"),
    ("three times every day", "P1D", "EVERY", "3X"),
    ("the third Thursday of each month", "XXXX-XX-WXX-4-3", "EACH", ""),
    ("the last Friday of every month", "XXXX-XX-WXX-5-L", "EVERY", ""),
    ("every first Monday", "XXXX-XX-WXX-1-1", "EVERY", ""),
    ("each second Thursday of the month", "XXXX-XX-WXX-4-2", "EACH", ""),
    ("the 15th of each month", "XXXX-XX-15", "EACH", ""),
    ("the first of every month", "XXXX-XX-01", "EVERY", ""),
    ("the 1st day of every month", "XXXX-XX-01", "EVERY", ""),
    ("Mon-Fri", "XXXX-WXX-1/XXXX-WXX-5", "EVERY", ""),
    ("every Tue", "XXXX-WXX-2", "EVERY", ""),
    ("every 2nd Tuesday", "XXXX-WXX-2", "EVERY OTHER", ""),
    ("every 6 hrs", "PT6H", "EVERY", ""),
    ("q8h", "PT8H", "EVERY", ""),
    ("b.i.d.", "P1D", "", "2X"),
    ("Mon-Fri 9am", "XXXX-WXX-WDT09:00", "EVERY", ""),
    ("Tue-Thu 9am-5pm", "XXXX-WXX-2T09:00/XXXX-WXX-4T17:00", "EVERY", ""),
    ("Mondays 3:00-5:30pm", "XXXX-WXX-1T15:00/XXXX-WXX-1T17:30", "EVERY", ""),
    ("every Sunday 10am until noon", "XXXX-WXX-7T10:00/XXXX-WXX-7T12:00", "EVERY", ""),
]


@pytest.mark.parametrize("expected", SETS, ids=lambda case: case[0])
def test_a_set_says_how_often(expected: tuple[str, str, str, str]) -> None:
    (mention,) = tag(f"They meet {expected[0]}, as agreed.", date(2023, 5, 17), "en")
    assert (mention.text, mention.value, mention.quant, mention.freq) == expected
    assert mention.type is TimexType.SET
    assert (mention.start_date, mention.end_date) == (None, None)


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("We meet every second and fourth Tuesday.", [("every second", "2-2"), ("fourth Tuesday", "2-4")]),
        ("We meet each 1st or 3rd Friday of the month.", [("each 1st", "5-1"), ("3rd Friday of the month", "5-3")]),
    ],
)
def test_each_of_two_weekdays_of_the_month_is_a_set(text: str, sets: list[tuple[str, str]]) -> None:
    found = [(text[each.start : each.end], each.value) for each in tag(text, None, "en")]
    assert found == [(extent, f"XXXX-XX-WXX-{value}") for extent, value in sets]


def test_each_of_two_days_of_the_month_is_a_set() -> None:
    text = "It is paid on the 1st and 15th of each month."
    assert [each.value for each in tag(text, None, "en")] == ["XXXX-XX-01", "XXXX-XX-15"]


@pytest.mark.parametrize("text", ["the Daily Mail", "each of them", "every reader", "bought twice the amount"])
def test_no_set(text: str) -> None:
    assert tag(text, date(2023, 5, 17), "en") == ()


@pytest.mark.parametrize(
    ("text", "value", "freq"),
    [
        ("every 4 to 6 hours", "PT6H", ""),
        ("every two or three weeks", "P3W", ""),
        ("650 mg q4-6h PRN", "PT6H", ""),
        ("metformin 500 mg BID", "P1D", "2X"),
        ("labetalol 200 mg once, then BID", "P1D", "2X"),
        ("melatonin qhs", "XXXX-XX-XXTNI", ""),
        ("furosemide 40 mg PO tid", "P1D", "3X"),
        ("2 drops QID", "P1D", "4X"),
        ("aspirin 81 mg QD", "P1D", ""),
        ("warfarin 5 mg qHS", "XXXX-XX-XXTNI", ""),
    ],
)
def test_prescriptions(text: str, value: str, freq: str) -> None:
    (found,) = tag(text, None, "en")
    assert (found.type, found.value, found.freq) == (TimexType.SET, value, freq)


def test_a_bid_is_no_dose() -> None:
    assert tag("The BID was 20 and the transaction TID", None, "en") == ()
    assert [each.text for each in tag("Aspirin 100 mg daily; a BID of 30.", None, "en")] == ["daily"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the last business day of each month", "P1M"),
        ("the 15th day of each calendar quarter", "P3M"),
        ("the first day of each month", "XXXX-XX-01"),
        ("Th 1-2pm", "XXXX-WXX-4T13:00/XXXX-WXX-4T14:00"),
        ("F 10:00-11:30", "XXXX-WXX-5T10:00/XXXX-WXX-5T11:30"),
    ],
)
def test_days_of_contracts_and_office_hours(text: str, value: str) -> None:
    (found,) = tag(f"It is {text}.", None, "en")
    assert (found.text, found.type, found.value) == (text, TimexType.SET, value)


def test_what_comes_again_has_its_last_day_apart() -> None:
    found = tag("every Monday and Wednesday at 6 until June 15", date(2023, 5, 17), "en")
    assert [each.value for each in found] == ["XXXX-WXX-1T06:00", "XXXX-WXX-3T06:00", "2023-06-15"]


def test_a_week_in_which_something_is_counted_is_a_length() -> None:
    values = [each.value for each in tag("5 lbs in a week, 15 a week", None, "en")]
    types = [each.type for each in tag("5 lbs in a week, 15 a week", None, "en")]
    assert (values, types) == (["P1W", "P1W"], [TimexType.DURATION, TimexType.SET])
