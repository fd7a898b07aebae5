"""Days of what repeats in calendars: as Google, Outlook and old telephones write rules, exceptions and moved times."""

from __future__ import annotations

from datetime import date, timedelta
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.calendar_recurrence import MAX_LISTED, read_rule
from tasks.parsers.mail.calendar_text import CalendarItem, read_calendar

BERLIN = "DTSTART;TZID=Europe/Berlin:20240109T180000", "DTEND;TZID=Europe/Berlin:20240109T193000"
OUTLOOK_ZONE = (
    "BEGIN:VTIMEZONE", "TZID:W. Europe Standard Time", "BEGIN:STANDARD", "TZOFFSETTO:+0100", "END:STANDARD",
    "BEGIN:DAYLIGHT", "TZOFFSETTO:+0200", "END:DAYLIGHT", "END:VTIMEZONE",
)  # fmt: skip


def items(*lines: str, before: tuple[str, ...] = (), stamp: str = "20240401T080000Z") -> list[CalendarItem]:
    """The items of a calendar with one event of these lines, which may end and begin others."""
    event = ("BEGIN:VEVENT", "UID:1", f"DTSTAMP:{stamp}", "SUMMARY:Yoga", *lines, "END:VEVENT")
    text = "\r\n".join(["BEGIN:VCALENDAR", "X-WR-TIMEZONE:Europe/Berlin", *before, *event, "END:VCALENDAR"])
    return read_calendar(text.encode()).items


def days(*lines: str, before: tuple[str, ...] = (), stamp: str = "20240401T080000Z") -> list[str]:
    return [day for day, _ in items(*lines, before=before, stamp=stamp)[0].rows]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([*BERLIN, "RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20240129T225959Z;BYDAY=TU",
          "EXDATE;TZID=Europe/Berlin:20240116T180000"], ["2024-01-09", "2024-01-23"]),
        # The end is that of the last time in UTC, as Outlook writes it.
        ([*BERLIN, "RRULE:FREQ=WEEKLY;UNTIL=20240123T170000Z;BYDAY=TU"], ["2024-01-09", "2024-01-16", "2024-01-23"]),
        ([*BERLIN, "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20240116T170000Z"], ["2024-01-09", "2024-01-23"]),
        ([*BERLIN, "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20240116"], ["2024-01-09", "2024-01-23"]),
        # Midnight in Berlin is another day in UTC, and summer time moves the hour and not the day.
        (["DTSTART:20240325T230000Z", "RRULE:FREQ=WEEKLY;COUNT=3"], ["2024-03-26", "2024-04-02", "2024-04-09"]),
        (["DTSTART;VALUE=DATE:20240301", "RRULE:FREQ=MONTHLY;BYMONTHDAY=1;COUNT=3", "RDATE;VALUE=DATE:20240318",
          "EXDATE;VALUE=DATE:20240401"], ["2024-03-01", "2024-03-18", "2024-05-01"]),
        (["DTSTART;VALUE=DATE:20240301", "RDATE;VALUE=DATE:20240318,20240320"],
         ["2024-03-01", "2024-03-18", "2024-03-20"]),
        (["DTSTART;VALUE=DATE:20240131", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20240401"],
         ["2024-01-31", "2024-02-29", "2024-03-31"]),
        (["DTSTART;VALUE=DATE:20240329", "DTEND;VALUE=DATE:20240331", "RRULE:FREQ=YEARLY;COUNT=2"],
         ["2024-03-29 to 2024-03-30", "2025-03-29 to 2025-03-30"]),
        (["DTSTART;TZID=Europe/Berlin:20240301T091500", "RRULE:FREQ=DAILY;COUNT=5"],
         ["2024-03-01 to 2024-03-03", "2024-03-04", "2024-03-05"]),
        (["DTSTART:20240102T200000", "RRULE:W1 TU #3", "EXDATE:20240109T200000"], ["2024-01-02", "2024-01-16"]),
        (["DTSTART:20240109T180000", "RRULE:FREQ=HOURLY;COUNT=3"], []),
        (["DTSTART:20240109T180000", "RRULE:FREQ=WEEKLY;COUNT=1"], ["2024-01-09"]),
    ],
)  # fmt: skip
def test_days_of_what_repeats(lines: list[str], expected: list[str]) -> None:
    assert days(*lines) == expected


def test_an_end_in_utc_counts_by_a_zone_that_only_the_file_defines() -> None:
    lines = ["DTSTART;TZID=W. Europe Standard Time:20240105T003000", "RRULE:FREQ=WEEKLY;UNTIL=20240118T233000Z"]
    assert days(*lines, before=OUTLOOK_ZONE) == ["2024-01-05", "2024-01-12", "2024-01-19"]


@pytest.mark.parametrize("status", ["STATUS:CONFIRMED", "STATUS:CANCELLED"])
def test_a_moved_time_is_an_item_of_its_own_day(status: str) -> None:
    moved = ("END:VEVENT", "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;TZID=Europe/Berlin:20240116T180000", status,
             "DTSTART;TZID=Europe/Berlin:20240117T190000", "SUMMARY:Yoga (moved)")  # fmt: skip
    master, other = items(*BERLIN, "RRULE:FREQ=WEEKLY;COUNT=3", *moved)
    assert [day for day, _ in master.rows] == ["2024-01-09", "2024-01-23"]
    assert (other.heading, other.rows) == ("2024-01-17 Yoga (moved)", ())


def test_what_has_no_end_is_listed_up_to_a_horizon_that_is_named() -> None:
    (weekly,) = items(*BERLIN, "RRULE:FREQ=WEEKLY")
    assert weekly.lines[1] == "Repeats: every week without end; listed are the days up to 2026-04-01"
    assert weekly.rows[-1] == ("2026-03-31", "18:00 to 19:30")
    (yearly,) = items("DTSTART;VALUE=DATE:19580714", "RRULE:FREQ=YEARLY")
    assert (len(yearly.rows), yearly.rows[-1]) == (76, ("2033-07-14", "all day"))
    (old,) = items("DTSTART:20000103T180000", "RRULE:FREQ=WEEKLY;UNTIL=20991231")
    assert len(old.rows) == MAX_LISTED
    assert old.lines[1] == (
        f"Repeats: every week until 2099-12-31; listed are the days from {old.rows[0][0]} up to 2026-04-01"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("D2 #5", "FREQ=DAILY;INTERVAL=2;COUNT=5"),
        ("W2 MO TH 20241231T000000", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20241231T000000"),
        ("W1", "FREQ=WEEKLY;INTERVAL=1;COUNT=2"),
        ("MP1 1+ WE 2- FR #6", "FREQ=MONTHLY;INTERVAL=1;BYDAY=1WE,-2FR;COUNT=6"),
        ("MD1 1 15 LD #0", "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=1,15,-1"),
        ("YM1 6 7 #0", "FREQ=YEARLY;INTERVAL=1;BYMONTH=6,7"),
        ("FREQ=DAILY", "FREQ=DAILY"),
    ],
)
def test_rules_of_the_old_format(old: str, new: str) -> None:
    assert read_rule(old) == new


_WORD = st.sampled_from(["", "0", "1", "-1", "13", "31", "99", "366", "MO", "2TU", "-5SU", "XX", "20240301", "é"])
_RULES = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "INTERVAL",
                "COUNT",
                "UNTIL",
                "WKST",
                "BYDAY",
                "BYMONTH",
                "BYMONTHDAY",
                "BYWEEKNO",
                "BYHOUR",
                "BYSETPOS",
                "X",
            ]
        ),
        st.lists(_WORD, max_size=3).map(",".join),
    ),
    max_size=4,
).map(lambda parts: ";".join(f"{name}={value}" for name, value in parts))


@given(
    st.sampled_from(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "", "x"]),
    _RULES,
    st.sampled_from(["20240109T180000Z", "20240109", "00010101", "99991231T230000", "16010101T000000"]),
    st.sampled_from(["20240401T000000Z", "99991231", "x"]),
)
def test_any_rule_is_read(frequency: str, rule: str, start: str, stamp: str) -> None:
    for item in items(f"DTSTART:{start}", "DURATION:PT5H", f"RRULE:FREQ={frequency};{rule}", "RDATE:99991231T230000",
                      stamp=stamp):  # fmt: skip
        assert len(item.rows) <= MAX_LISTED


@pytest.mark.parametrize(
    "rule", ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYHOUR=1,2,3,4,5,6;BYMINUTE=1,2,3,4,5,6;UNTIL=20991231"]
)
def test_a_rule_that_never_comes_true_or_too_often_ends_soon(rule: str) -> None:
    started = process_time()
    assert days("DTSTART:19000101T000000", f"RRULE:{rule}") == []
    assert process_time() - started < 2


def test_a_thousand_exceptions_are_looked_up_and_not_compared_one_by_one() -> None:
    exceptions = [f"EXDATE:{date(2024, 1, 10) + timedelta(days=day):%Y%m%d}T170000Z" for day in range(1000)]
    started = process_time()
    found = days(*BERLIN, "RRULE:FREQ=DAILY;COUNT=1000", *exceptions)
    assert found[0] == "2024-01-09"
    assert "2024-01-10" not in found
    assert process_time() - started < 5
