"""Calendars (iCalendar, RFC 5545; vCalendar 1.0): each appointment, task and journal entry is an entry of its day.

Items are in order of day and hour, undated ones at the end. Programs write them in order of creation or by random ids;
in order of days the text reads as a diary, and a passage is of one day. A repeated appointment is at the day of its
first occurrence, with its rule and a table of all its days, whose rows are found by their days
(`tasks.temporal.row_dates`). Items that a file repeats in the same words, as after repeated imports, are kept once.
"""

from __future__ import annotations

from datetime import datetime

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, shorten_heading
from tasks.parsers.decoder import decode_text
from tasks.parsers.mail.calendar_text import BEGINNING, CalendarItem, read_calendar
from tasks.parsers.mail.calendar_times import CALENDAR
from tasks.parsers.parser_contract import Raw, Signature
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind

_NO_SUMMARY = "(no title)"
_MAX_HEADER_LENGTH = 80  # Characters of a summary in the header of the table of its days.


class Ics:
    """A heading of day and summary for each item, with its time, place, participants and description below."""

    version = 3
    media_type = CALENDAR
    suffixes: tuple[str, ...] = (".ics", ".ical", ".ifb", ".vcs")
    heavy = False
    signature: Signature | None = Signature(text=BEGINNING)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        if not decode_text(raw.data).strip():
            raise refusals.empty()
        calendar = read_calendar(raw.data)
        assembly = Assembly()
        for words in calendar.descriptions:
            assembly.add(BlockKind.PARAGRAPH, words)
        for item in dict.fromkeys(sorted(calendar.items, key=_get_start)):
            _add_item(assembly, item)
        days = {item.span.start.day for item in calendar.items if item.span}
        cut = refusals.report_lost_part("the end of the calendar", "the file ends in the middle of an entry")
        return assembly.finish(
            Kind.TEXT,
            self.media_type,
            title=next(iter(calendar.names), ""),
            dates=[DateClaim(day, DateOrigin.HEADING) for day in sorted(days)],
            findings=[cut] if calendar.is_cut else [],
        )


def _get_start(item: CalendarItem) -> datetime:
    """The moment by which items are sorted, in their local time: zones are not compared."""
    return item.span.start.local if item.span else datetime.max  # noqa: DTZ901


def _add_item(assembly: Assembly, item: CalendarItem) -> None:
    """Adds an item below its heading; a long summary is shortened there and given in full below."""
    heading = item.heading if item.summary else " ".join(filter(None, (item.heading, _NO_SUMMARY)))
    shown_heading = shorten_heading(heading)
    assembly.add_heading(shown_heading, 1)
    if shown_heading != heading:
        assembly.add(BlockKind.PARAGRAPH, item.summary)
    assembly.add(BlockKind.PARAGRAPH, "\n".join(item.lines))
    if item.rows:
        words = heading.removeprefix(item.span.heading).strip() if item.span else heading
        assembly.add_table([("Day", words[:_MAX_HEADER_LENGTH]), *item.rows], header_rows=1)


member = Ics()
