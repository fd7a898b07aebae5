"""Appointments in words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.calendar_text import calendar_paragraphs, is_calendar

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
    visit, task = calendar_paragraphs(EVENT)
    assert visit.split("\n") == [
        "Site visit, pier 4",
        "When: 2025-04-02 10:00 (Europe/Berlin) to 2025-04-02 11:30 (Europe/Berlin)",
        "Where: Gate 2",
        "Bring the logbook.",
        "And boots.",
        "With: Hill, Grace, anna@x.example",
    ]
    assert task == "Order seals\nWhen: 2025-04-01"


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    list(calendar_paragraphs(b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + data + b"\nEND:VEVENT"))
