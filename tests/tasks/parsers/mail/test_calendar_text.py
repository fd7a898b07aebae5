"""Appointments in words: when they are, how they repeat, and what broken files still say."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.calendar_text import CalendarItem, is_calendar, iter_calendar_paragraphs, read_calendar
from tasks.parsers.mail.calendar_times import describe_rule

EVENT = b"""BEGIN:VCALENDAR\r
BEGIN:VEVENT\r
DTSTART;TZID=Europe/Berlin:20250402T100000\r
DTEND;TZID=Europe/Berlin:20250402T113000\r
SUMMARY:Site visit\\, pier 4\r
LOCATION:Gate 2\r
ORGANIZER;CN="Hill, Grace":mailto:grace@x.example\r
ATTENDEE:mailto:anna@x.example\r
DESCRIPTION:Bring the log\r
 book.\\nAnd boots.\r
END:VEVENT\r
BEGIN:VTODO\r
DUE;VALUE=DATE:20250401\r
SUMMARY:Order seals\r
END:VTODO\r
END:VCALENDAR\r
"""


def test_an_appointment_says_when_and_where() -> None:
    assert is_calendar(EVENT)
    visit, task = iter_calendar_paragraphs(EVENT)
    assert visit.split("\n") == [
        "Site visit, pier 4",
        "When: 2025-04-02 10:00 to 11:30 (Europe/Berlin)",
        "Where: Gate 2",
        "With: Hill, Grace, anna@x.example",
        "Bring the logbook.",
        "And boots.",
    ]
    assert task == "Order seals\nDue: 2025-04-01"


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    list(iter_calendar_paragraphs(b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + data + b"\nEND:VEVENT"))


def item(*lines: str, kind: str = "VEVENT") -> CalendarItem:
    """The only item of a calendar with these lines."""
    text = "\r\n".join(["BEGIN:VCALENDAR", f"BEGIN:{kind}", "SUMMARY:x", *lines, f"END:{kind}", "END:VCALENDAR"])
    (found,) = read_calendar(text.encode()).items
    return found


@pytest.mark.parametrize(
    ("lines", "heading", "when"),
    [
        (["DTSTART;VALUE=DATE:20250402"], "2025-04-02 x", "2025-04-02 (all day)"),
        (["DTSTART;VALUE=DATE:20250402", "DTEND;VALUE=DATE:20250403"], "2025-04-02 x", "2025-04-02 (all day)"),
        (["DTSTART;VALUE=DATE:20250402", "DTEND;VALUE=DATE:20250405"], "2025-04-02 to 2025-04-04 x",
         "2025-04-02 to 2025-04-04 (all day)"),
        (["DTSTART;VALUE=DATE:20250402", "DURATION:P2D"], "2025-04-02 to 2025-04-03 x",
         "2025-04-02 to 2025-04-03 (all day)"),
        (["DTSTART:20250402T000000", "DTEND:20250404T000000"], "2025-04-02 to 2025-04-03 x",
         "2025-04-02 to 2025-04-03 (all day)"),
        (["DTSTART:20250402T100000Z", "DURATION:PT1H"], "2025-04-02 x", "2025-04-02 10:00 to 11:00 (UTC)"),
        (["DTSTART:20250402T220000", "DTEND:20250403T020000"], "2025-04-02 x", "2025-04-02 22:00 to 2025-04-03 02:00"),
        (["DTSTART;TZID=Asia/Tokyo:20250402T220000", "DTEND;TZID=Europe/Rome:20250403T090000"], "2025-04-02 x",
         "2025-04-02 22:00 (Asia/Tokyo) to 2025-04-03 09:00 (Europe/Rome)"),
        (["DTSTART;VALUE=DATE:20250101", "DTEND;VALUE=DATE:20260101"], "2025-01-01 x",
         "2025-01-01 to 2025-12-31 (all day)"),
        (["DTSTART:20250402T100000", "DTEND:20250402T090000"], "2025-04-02 x", "2025-04-02 10:00"),
        (["DTSTART:20250402T100000", "DURATION:-PT5M"], "2025-04-02 x", "2025-04-02 10:00"),
        (["DTSTART:2025-04-02T10:00:00Z"], "2025-04-02 x", "2025-04-02 10:00 (UTC)"),
        (["DTSTART:20250230"], "x", "20250230"),
        (["DTSTART:99991231T230000", "DURATION:PT5H"], "9999-12-31 x", "9999-12-31 23:00"),
    ],
)  # fmt: skip
def test_when_it_is(lines: list[str], heading: str, when: str) -> None:
    found = item(*lines)
    assert (found.heading, found.lines) == (heading, (f"When: {when}",))


def test_utc_is_shown_by_the_clock_of_the_calendar() -> None:
    text = b"BEGIN:VCALENDAR\nX-WR-TIMEZONE:Europe/Berlin\nBEGIN:VEVENT\nDTSTART:20250402T223000Z\nEND:VEVENT\n"
    (found,) = read_calendar(text).items
    assert found.heading == "2025-04-03"
    assert found.lines == ("When: 2025-04-03 00:30 (Europe/Berlin)",)
    (unknown,) = read_calendar(text.replace(b"Europe/Berlin", b"../../Nowhere")).items
    assert unknown.lines == ("When: 2025-04-02 22:30 (UTC)",)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20250630", "every 2 weeks on Monday and Friday until 2025-06-30"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10;WKST=MO", "every week on weekdays 10 times"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "every month on the first weekday"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on day 1 and day 15"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "every year on the second Sunday in March"),
        ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30", "every day at 09:30 and 17:30"),
        ("FREQ=YEARLY;BYWEEKNO=20", "every year (BYWEEKNO=20)"),
        ("W1 MO #0", "W1 MO #0"),
    ],
)
def test_how_it_repeats(rule: str, words: str) -> None:
    assert describe_rule(rule) == words


def test_what_alarms_and_zones_say_is_not_said_of_the_appointment() -> None:
    alarm = ["BEGIN:VALARM", "DESCRIPTION:Reminder", "TRIGGER:-PT10M", "END:VALARM"]
    assert item(*alarm, "DTSTART:20250402T100000", "LOCATION:Quay").lines == ("When: 2025-04-02 10:00", "Where: Quay")


def test_lines_that_are_no_properties_go_on_with_the_text_above() -> None:
    found = item("DESCRIPTION:Bring:", "the log", "https://harbour.example/log", "Note: and boots", "LOCATION:Quay")
    assert found.lines == (
        "When: no day is given",
        "Where: Quay",
        "Bring:\nthe log\nhttps://harbour.example/log\nNote: and boots",
    )


def test_quoted_printable_of_the_old_format_is_decoded() -> None:
    text = "SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:"
    (found,) = read_calendar(f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{text}Gr=C3=BC=\n=C3=9Fe\nEND:VEVENT".encode()).items
    assert found.summary == "Grüße"


@pytest.mark.parametrize("lines", ["SUMMARY;QUOTED-PRINTABLE:x\n" + "a=\n" * 100_000, "SUMMARY:x\n" + "y\n" * 100_000])
def test_lines_that_go_on_for_ever_are_read_in_linear_time(lines: str) -> None:
    started = process_time()
    assert len(read_calendar(f"BEGIN:VEVENT\n{lines}".encode()).items) == 1
    assert process_time() - started < 10


def test_an_item_that_does_not_end_is_read_as_far_as_it_goes() -> None:
    cut = read_calendar(EVENT[: EVENT.index(b"book.")])
    assert cut.is_cut
    assert cut.items[0].lines[-1] == "Bring the log"
    lost_end = read_calendar(EVENT.replace(b"END:VEVENT\r\n", b""))
    assert [each.summary for each in lost_end.items] == ["Site visit, pier 4", "Order seals"]
