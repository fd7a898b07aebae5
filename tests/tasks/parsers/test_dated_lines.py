"""Logs whose lines name no year or count seconds: the day of each line."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.document_date import choose_date
from tasks.parsers.dated_lines import (
    LOG_OF_SECONDS,
    LOG_WITHOUT_YEAR,
    detect_log_type,
    list_log_days,
    make_file_time_claims,
)
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.entries import find_entries
from warehouse.records import DateClaim, DateOrigin

SYSLOG = """Dec 30 23:01:04 pluto sshd[12]: Failed password for admin
Dec 31 01:00:00 pluto kernel: usb 1-1: USB disconnect
    a line that goes on
Jan  1 00:00:07 pluto CRON[77]: (root) CMD (anacron)
Mar  3 04:12:01 pluto mdadm[812]: DegradedArray event
Mar  3 04:12:05 pluto mdadm[812]: mail sent
"""
LOGCAT = """--------- beginning of main
03-02 22:15:10.001  1021  1044 I ActivityManager: Start proc
03-03 04:12:01.123  1021  1044 E AndroidRuntime: FATAL EXCEPTION
"""
SECONDS = """1709420398.101    112 192.0.2.8 TCP_MISS/200 5120 GET http://a.example/
1709439121.300     40 192.0.2.8 TCP_DENIED/403 3900 GET http://b.example/
"""
DAY = timedelta(days=1)


def test_the_year_of_a_log_is_that_of_its_end_and_turns_with_it() -> None:
    document = read(Raw("syslog", SYSLOG.encode()))
    assert document.media_type == LOG_WITHOUT_YEAR
    claim = DateClaim(date(2024, 3, 5), DateOrigin.FILE_TIME)
    days = [date(2023, 12, 30), date(2023, 12, 31), date(2024, 1, 1), date(2024, 3, 3)]
    assert [entry.days for entry in find_entries(document, claim)] == [(day, day + DAY) for day in days]
    assert [found.start_date for found in find_mentions(document, claim.date) if "04:12:01" in found.text] == days[3:]
    # Without a date the lines of a day still stand together, of no day.
    assert [entry.days for entry in find_entries(document)] == [None] * 4


@pytest.mark.parametrize(
    ("end", "year"),
    [(date(2024, 3, 3), 2024), (date(2024, 3, 2), 2024), (date(2024, 3, 1), 2023), (date(2025, 1, 1), 2024)],
)
def test_a_log_does_not_end_after_its_file(end: date, year: int) -> None:
    assert [day and day.year for _, day in list_log_days(LOGCAT, LOG_WITHOUT_YEAR, end)] == [year, year]


def test_a_leap_day_is_of_a_leap_year() -> None:
    lines = "Feb 28 04:12:01 a b: c\nFeb 29 04:12:01 a b: c\n"
    assert [day for _, day in list_log_days(lines, LOG_WITHOUT_YEAR, date(2026, 5, 1))][-1] == date(2024, 2, 29)


def test_seconds_are_days_of_utc() -> None:
    document = read(Raw("access.log", SECONDS.encode()))
    assert document.media_type == LOG_OF_SECONDS
    assert [entry.days and entry.days[0] for entry in find_entries(document)] == [date(2024, 3, 2), date(2024, 3, 3)]


@given(st.lists(st.dates(date(2015, 1, 1), date(2024, 12, 31)), min_size=2, max_size=40, unique=True), st.booleans())
def test_days_up_to_half_a_year_apart_are_found_in_both_orders(days: list[date], is_newest_first: bool) -> None:
    found = sorted(days)
    found = [day for number, day in enumerate(found) if number == 0 or day - found[number - 1] < timedelta(days=140)]
    run = [found[0]]
    for day in found[1:]:
        if day - run[-1] < timedelta(days=140):
            run.append(day)
    ordered = run[::-1] if is_newest_first else run
    text = "".join(f"{day:%b} {day.day:2} 10:00:00 host program: text\n" for day in ordered)
    assert [day for _, day in list_log_days(text, LOG_WITHOUT_YEAR, run[-1])] == ordered


@pytest.mark.parametrize(
    "text", ["", "May 14 10:00:00 we met.\nThen we left.\nAnd came back.\n", "1709420398\n17\n", "a\n" * 9]
)
def test_other_texts_are_no_such_logs(text: str) -> None:
    assert detect_log_type(text) == ""


def test_only_a_log_without_years_is_dated_by_the_time_of_its_file() -> None:
    claims = make_file_time_claims(LOG_WITHOUT_YEAR, 1_709_640_000 * 10**9)
    assert claims == (DateClaim(date(2024, 3, 5), DateOrigin.FILE_TIME),)
    assert make_file_time_claims("text/plain", 1_709_640_000 * 10**9) == ()
    named = choose_date(claims, "syslog-20240306.log", read(Raw("syslog", SYSLOG.encode())).kind)
    assert named == DateClaim(date(2024, 3, 6), DateOrigin.FILE_NAME)


def test_lines_with_a_moment_are_not_joined() -> None:
    line = "2024-03-0{}T23:00:11+0100 pluto systemd[1]: Starting Cleanup of Temporary Directories..."
    text = "\n".join(line.format(day) for day in (2, 3, 4))
    assert read(Raw("journal.txt", text.encode())).text == text


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        (("12/03/24, 09:16 - Ann: Are you coming?", "13/03/24, 10:01 - Bob: Bring cake"), date(2024, 3, 13)),
        (("[13/03/24, 09:16:01] Ann: Yes", "[12/03/24, 10:01:00] Bob: Lunch?"), date(2024, 3, 13)),
        (("2024-03-05 10:00:00 INFO up", "of 1 May 2010", "2024-03-06 10:00:00 INFO down"), date(2024, 3, 6)),
        (("Dear Ann,", "2024-03-05 10:00: we met", "2024-03-06 10:00: we left"), date(2024, 3, 5)),
        (("2024-03-05: one", "2024-01-06: two", "2024-02-07: three"), date(2024, 3, 5)),
    ],
)
def test_a_chat_or_log_is_as_new_as_its_last_line(lines: tuple[str, ...], day: date) -> None:
    document = with_times(read(Raw("a.txt", "\n".join(lines).encode())))
    claim = choose_date(document.dates, "a.txt", document.kind)
    assert claim is not None
    assert claim.date == day
