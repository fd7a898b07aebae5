"""Calendars as documents: an entry for each day, in the order of days."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.temporal.entries import find_entries
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_mail import headings
from warehouse.records import DateOrigin, Document

HARBOUR = (Path(__file__).parent / "files/harbour.ics").read_bytes()


def calendar(*lines: str) -> Document:
    return read(Raw("a.ics", "\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR"]).encode()))


@pytest.mark.parametrize("name", ["a.ics", "a.vcs", "a.txt", "a"])
def test_a_calendar_is_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, HARBOUR)) == "ics"
    assert choose_parser(Raw(name, HARBOUR[HARBOUR.index(b"BEGIN:VEVENT") :])) == "ics"


def test_each_day_is_an_entry() -> None:
    document = read(Raw("a.ics", HARBOUR))
    assert document.title == "Harbour works"
    assert [words for _, words in headings(document)] == [
        "2021-01-11 Stand-up of the crew",
        "2021-03-12 Meet Tom about the pump",
        "2021-03-13 Pump opened",
        "2021-03-20 Order seals for the pump",
        "2021-04-02 to 2021-04-05 Harbour closed for Easter",
        "2021-06-15 Night watch",
        "Paint the bollards",
    ]
    days = [entry.days for entry in find_entries(document)]
    assert days[1:3] == [(date(2021, 1, 11), date(2021, 1, 12)), (date(2021, 3, 12), date(2021, 3, 13))]
    assert days[5] == (date(2021, 4, 2), date(2021, 4, 6))


def test_days_of_a_calendar_are_claimed_as_those_of_entries() -> None:
    document = calendar("BEGIN:VEVENT", "SUMMARY:a", "DTSTART:20210312", "DTSTAMP:20240101T000000Z", "END:VEVENT")
    assert [(claim.date, claim.origin) for claim in document.dates] == [(date(2021, 3, 12), DateOrigin.HEADING)]


def test_an_appointment_without_a_time_or_words_is_kept() -> None:
    document = calendar(
        "BEGIN:VEVENT", "SUMMARY:a", "END:VEVENT", "BEGIN:VEVENT", "DTSTART:20210312", "DESCRIPTION:b", "END:VEVENT",
        "BEGIN:VEVENT", "UID:1", "END:VEVENT",
    )  # fmt: skip
    assert document.text == "2021-03-12 (no title)\n\nWhen: 2021-03-12 (all day)\nb\n\na\n\nWhen: no day is given"


def test_what_a_calendar_has_twice_stands_once() -> None:
    event = "BEGIN:VEVENT", "SUMMARY:Yoga", "DTSTART:20210312T180000", "RRULE:FREQ=WEEKLY;COUNT=3", "END:VEVENT"
    once = calendar(*event)
    again = calendar(*event, *event[:-1], "UID:2", "END:VEVENT")
    other = calendar(*event, *event[:-1], "LOCATION:Hall", "END:VEVENT")
    assert again.text == once.text
    assert len(other.tables) == 2


def test_words_too_long_for_a_heading_stand_below_it() -> None:
    words = "pump " * 60 + "end"
    document = calendar("BEGIN:VEVENT", f"SUMMARY:{words}", "DTSTART:20210312", "END:VEVENT")
    assert headings(document)[0][1].startswith("2021-03-12 pump pump")
    assert f"…\n\n{words}\n\nWhen:" in document.text


@pytest.mark.parametrize("share", [0.2, 0.5, 0.7, 0.9])
def test_a_cut_calendar_is_read_as_far_as_it_goes(share: float) -> None:
    document = read(Raw("a.ics", HARBOUR[: int(len(HARBOUR) * share)]))
    keeps_its_promises(document)
    assert document.blocks
    assert [finding.name for finding in document.findings] == ["lost-part"]


def test_a_calendar_without_items_says_so() -> None:
    assert [finding.name for finding in calendar("VERSION:2.0").findings] == ["empty-file"]


def test_hours_of_availability_are_items() -> None:
    text = (
        "BEGIN:VCALENDAR\nBEGIN:VAVAILABILITY\nSUMMARY:Office hours\nDTSTART:20240401T000000Z\nDTEND:20240701T000000Z\n"
        "BEGIN:AVAILABLE\nDTSTART:20240401T090000Z\nDTEND:20240401T120000Z\nEND:AVAILABLE\nEND:VAVAILABILITY\n"
        "END:VCALENDAR\n"
    )
    found = read(Raw("hours.ics", text.encode()))
    assert [block.section[-1] for block in found.blocks if block.level] == [
        "2024-04-01 Office hours",
        "2024-04-01 Available",
    ]
