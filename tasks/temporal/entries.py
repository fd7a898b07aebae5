"""Entries of diaries and logs: stretches of a document, each with its day, week or month.

An entry begins at a date heading, at the heading of a section that a line in it dates ("Release date: 2023-02-07",
"CLOSED: [2024-03-04 Mon]"), or at a line that begins with a date and says something after it, and goes on until the
next one. Text below a heading inside an entry belongs to it. Text before the first entry, and all of a note without
entries, has the day by which the note itself is dated: its front matter, its name or its dateline. The year, month or
week of a heading's day may be given by the headings above it or by the note's name; a day without a year
("Sun 14 Feb") is in the year in which it is nearest to the entry before it.

In exports an entry also begins at lines "name: value" of which one says the day ("Date:", "Sent:"), and at a line that
only announces it ("--- Day changed Fri Mar 12 2021", "Alice, [12.03.2021 14:05]").

Lines of a log that name no year, or seconds, are entries of the days that `tasks.parsers.dated_lines` finds for them.
Each message of a mail or mailbox is an entry of the day on which it was sent, whatever dates stand in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice

from tasks.parsers.dated_lines import (
    LOG_OF_SECONDS,
    LOG_WITHOUT_YEAR,
    begins_with_clock,
    begins_with_hour,
    begins_with_hours,
    is_chat,
    list_log_days,
    parse_day_marker,
    parse_header_day,
    parse_nearest_day,
    parse_section_days,
)
from tasks.parsers.document_head import VALIDITY_LEAD
from tasks.parsers.written_dates import (
    parse_closing_date,
    parse_entry_interval,
    parse_labelled_date,
    parse_line_entry,
    parse_signed_date,
    parse_whole_date,
)
from tasks.temporal.reported_periods import find_own_period
from tasks.temporal.tagger import tag
from warehouse.message_notation import MAIL, MAILBOX, MESSAGE_LEVEL, SUBJECT_LEVEL, parse_message_heading
from warehouse.records import Block, BlockKind, DateClaim, DateOrigin, Document, Grain, Kind
from warehouse.records.calendars import DAY, WEEK, Interval, add_months

WHOLE_NOTE_ORIGINS = frozenset({
    DateOrigin.CORRECTED, DateOrigin.NOTE_NAME, DateOrigin.FRONT_MATTER, DateOrigin.PUBLICATION, DateOrigin.DATELINE,
    DateOrigin.FILE_NAME,
})  # fmt: skip
"""Origins of dates that date a note as a whole; a date heading dates only the text below it."""
_WHOLE_TEXT_ORIGINS = frozenset({DateOrigin.NOTE_NAME})
"""Origins that date a whole text that is no note: its name is its day, as in logs and diaries in plain text."""
_LOG_ORIGINS = _WHOLE_TEXT_ORIGINS | {DateOrigin.FILE_NAME, DateOrigin.DATELINE, DateOrigin.TEXT}
"""Origins that date a text whose lines begin with hours and name no day."""
FEWEST_DAYS = 2  # Different days that must head entries where a document is no note, to be a log or a list of changes.
_FEWEST_MOMENTS = 3  # Lines that begin with a moment, by which a text of one day is a log or chat of that day.
_PLANNED = re.compile(r"\s*(?:(?:SCHEDULED|DEADLINE|CLOSED):\s*[<\[][^<>\[\]\n]{10,60}[>\]]\s*)+")
_PLANNING_LABELS = ("CLOSED", "SCHEDULED", "DEADLINE")
"""The labels of a planning line of Org mode; the first that it has dates the task."""
_TASK = re.compile(r"(?P<done>x )?(?:\([A-Z]\) )?(?P<iso>\d{4}-\d\d-\d\d )?(?:\d{4}-\d\d-\d\d )?\S")
_DUE = re.compile(r"(?<=\s)due:(\d{4}-\d\d-\d\d)(?=\s|\Z)")
"""A line of todo.txt, and when it is due: "x 2024-03-01 2024-02-20 pay rent due:2024-03-05"."""
_RELEASE_REMARK = re.compile(r"\s*[\[(][A-Z][A-Z -]{2,20}[\])]\Z")
"""A remark on a release after its day: "1.2 - 2021-05-03 [YANKED]"."""
_CLOSING_MARKS = ")]）】 .。:："
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST)
_NEW_LINE = re.compile(r"\n[ \t]*")
_LONGEST_LINE = 120  # Characters of a line that are searched for a date.
_LONGEST_PART = 40  # Characters of a paragraph that says a part of its day, as "Friday 12" below "March 2021".
_WORD = re.compile(r"[^\W\d_]{2}")  # A number alone may be that of a page.
_DATED_LINES = 4  # Of a paragraph below a heading, one of which may say when the section was written.


@dataclass(frozen=True, slots=True)
class Entry:
    """A stretch of a text that begins at `start`, and its days, half-open; None where nothing dates it."""

    start: int
    days: Interval | None
    origin: DateOrigin | None = None


def find_entries(
    document: Document, claim: DateClaim | None = None, name_days: Interval | None = None
) -> tuple[Entry, ...]:
    """The entries in the order of the text, the first at 0; `claim` is the date of the document, if it has one.

    `name_days` are the days in the name of a note, more than one for a weekly note. Neighbours differ in their days,
    unless they are messages. Reports, papers, courses and books have no entries. Texts that are no notes have them only
    if at least `FEWEST_DAYS` different days head entries, moments of one day begin the first and other lines, or the
    name is that day.
    """
    if document.media_type in MAIL:
        return tuple(_iter_messages(document))
    if document.kind not in (Kind.NOTE, Kind.TEXT):
        return ()
    if document.media_type in (LOG_WITHOUT_YEAR, LOG_OF_SECONDS):
        lines = list_log_days(document.text, document.media_type, claim.date if claim else None)
        log_entries = [
            Entry(offset, (day, day + DAY), DateOrigin.LINE) if day else Entry(offset, None) for offset, day in lines
        ]
        return (*([Entry(0, None)] if log_entries and log_entries[0].start else []), *log_entries)
    is_note = document.kind is Kind.NOTE
    # A note that reports on a period is dated by the period, not by the day on which it was published.
    is_dated_note = is_note and document.attributes.reported_start is None
    origins = frozenset[DateOrigin]()
    if is_dated_note:
        origins = WHOLE_NOTE_ORIGINS
    elif not is_note:
        is_day = claim is not None and claim.origin in _LOG_ORIGINS and begins_with_hours(document.text)
        origins = _LOG_ORIGINS if is_day else _WHOLE_TEXT_ORIGINS
    note_claim = claim if claim and claim.origin in origins else None
    entries = [Entry(0, None)]
    if note_claim:
        days = name_days if note_claim.origin is DateOrigin.NOTE_NAME else None
        entries = [Entry(0, days or (note_claim.date, note_claim.date + DAY), note_claim.origin)]
    context = name_days or _find_year(note_claim) or _find_titled_month(document)
    moments: set[int] = set()
    for block_entry in _iter_block_entries(document, entries[0], context):
        is_first = not moments and not block_entry.start
        if block_entry.origin is DateOrigin.LINE and (is_first or 0 < len(moments) < _FEWEST_MOMENTS):
            moments |= {block_entry.start} if begins_with_hour(document.text, block_entry.start) else set()
        if block_entry.days != entries[-1].days:
            entries.append(block_entry)
    different_days = {entry.days for entry in entries if entry.days}
    is_log = note_claim is not None or len(different_days) >= FEWEST_DAYS or len(moments) >= _FEWEST_MOMENTS
    return tuple(entries) if different_days and (is_note or is_log) else ()


def begins_with_dated_line(document: Document) -> bool:
    """Whether the first line below the headings, if any, heads an entry; reads no more than the beginning."""
    if document.media_type in (LOG_WITHOUT_YEAR, LOG_OF_SECONDS):
        return True
    first_entries = islice(_iter_block_entries(document, Entry(0, None), None), 2)
    return any(entry.start == 0 and entry.origin is DateOrigin.LINE for entry in first_entries)


def _find_year(claim: DateClaim | None) -> Interval | None:
    """The year in the name of a note, by which its headings are read; None if something else dates the note."""
    if claim is None or claim.origin is not DateOrigin.FILE_NAME:
        return None
    return date(claim.date.year, 1, 1), date(claim.date.year + 1, 1, 1)


def _find_titled_month(document: Document) -> Interval | None:
    """The month that a line at the head of a diary names, in which its days without one are: "Diary, May 2024"."""
    if document.tables or document.attributes.reported_start:
        return None
    days = find_own_period(document)
    return days if days and days[1] == add_months(days[0], 1) else None


def _iter_messages(document: Document) -> Iterator[Entry]:
    """An entry for each message, from the heading of its subject on; one that nothing dates has no days.

    A person who corrects the date of a mail says when it was sent.
    """
    correction = next((claim.date for claim in document.dates if claim.origin is DateOrigin.CORRECTED), None)
    corrected_day = correction if document.media_type != MAILBOX else None
    previous_block: Block | None = None
    start: int | None = None
    for block in document.blocks:
        is_heading = block.kind is BlockKind.HEADING and block.level == MESSAGE_LEVEL
        if is_heading and (heading := parse_message_heading(block.section[-1])):
            is_first, message_start = start is None, block.start
            if previous_block is not None and previous_block.level == SUBJECT_LEVEL:
                message_start = previous_block.start
            start = 0 if is_first else message_start
            day = corrected_day if corrected_day and is_first else heading.day
            origin = DateOrigin.CORRECTED if corrected_day and is_first else DateOrigin.MESSAGE
            yield Entry(start, (day, day + DAY), origin) if day else Entry(start, None)
        previous_block = block


def _iter_block_entries(document: Document, default_entry: Entry, context: Interval | None) -> Iterator[Entry]:
    """An entry for each block, and for each line that begins one; it starts at the headings directly above it.

    `context` are the days of the note's name; they complete headings that name only a part of their day.
    """
    headings: int | None = None
    line_entry: Entry | None = None
    month = latest_days = context
    has_messages = is_chat(document.text)
    order, is_note = document.attributes.day_order, document.kind is Kind.NOTE
    section_days = _find_section_days(document)
    for block, heading_starts in _iter_blocks(document):
        if block.kind is BlockKind.HEADING:
            headings, line_entry = block.start if headings is None else headings, None
            continue
        start, headings = block.start if headings is None else headings, None
        heading_dates = (
            days
            for level, start_of_heading in reversed(list(enumerate(heading_starts, 1)))
            if (days := _parse_path_days(block.section[:level], order, context, trailing=is_note))
            or (days := section_days.get(start_of_heading))
        )
        days = next(heading_dates, None)
        if days is None and latest_days and block.section:
            days = parse_nearest_day(block.section[-1], order, latest_days)
        latest_days = days or latest_days
        month = days if days and days[1] - days[0] > WEEK else month
        block_entry = (
            Entry(start, days, DateOrigin.HEADING) if days else Entry(start, default_entry.days, default_entry.origin)
        )
        yield line_entry or block_entry
        is_header = block.kind in _PROSE and not is_note  # The first such lines of a note are its properties.
        header = parse_header_day(document.text[block.start : block.end], order) if is_header else None
        for offset in _iter_line_starts(document, block):
            is_only_line = False
            if header:
                days = header if offset == block.start else None
            else:
                line = document.text[offset : min(offset + _LONGEST_LINE, block.end)]
                days = parse_line_entry(line, order)
                if days and has_messages and not begins_with_clock(document.text, offset):
                    days = None  # It is in the words of a message.
                days = days or parse_task_day(line) or parse_day_marker(line, order)
                if days is None and block.end - block.start < _LONGEST_PART and month and _WORD.search(line):
                    days = parse_section_days([line], order, month)
                month = days if days and days[1] - days[0] > WEEK else month
                if days is None and latest_days and (offset == block.start or line_entry):
                    days = parse_nearest_day(line.partition("\n")[0], order, latest_days)
                    is_only_line = days is not None and "\n" not in document.text[block.start : block.end].strip()
                latest_days = days or latest_days
            if days is None and start < offset == block.start:
                days = parse_planned_date(document.text[offset : block.end].partition("\n")[0])
            if days and (is_only_line or _can_contain(block_entry, days)):
                line_entry = Entry(start if offset == block.start else offset, days, DateOrigin.LINE)
                yield line_entry


def parse_planned_date(line: str) -> Interval | None:
    """The day, half-open, of a planning line of Org mode: when a task was closed, else is scheduled, else is due."""
    if not _PLANNED.fullmatch(line):
        return None
    stamps = {
        label: parse_entry_interval(stamp) for label, stamp in re.findall(r"([A-Z]+):\s*([<\[][^<>\[\]]+[>\]])", line)
    }
    return next((days for label in _PLANNING_LABELS if (days := stamps.get(label))), None)


def parse_task_day(text: str) -> Interval | None:
    """The day, half-open, of a line of todo.txt: when a task was done, else is due, else was noted with a priority."""
    line = text.partition("\n")[0]
    task, due = _TASK.match(line), _DUE.search(line)
    if task is None or not (due or task["done"] or line.startswith("(")):
        return None
    return parse_whole_date(((task["iso"] if task["done"] or not due else due[1]) or "").strip())


def _iter_blocks(document: Document) -> Iterator[tuple[Block, tuple[int, ...]]]:
    """The blocks that are not empty, each with the offsets of the headings of its section."""
    heading_starts: tuple[int, ...] = ()
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE or block.end <= block.start:
            continue
        heading_starts = heading_starts[: len(block.section)]
        heading_starts += (block.start,) * (len(block.section) - len(heading_starts))
        if block.kind is BlockKind.HEADING:
            heading_starts = (*heading_starts[:-1], block.start)
        yield block, heading_starts


def _find_section_days(document: Document) -> dict[int, Interval]:
    """The days of sections by the offset of their heading, from a line right below it or from a signature.

    A single section at the top level is the document itself, which is dated as a whole.
    """
    section_days: dict[int, Interval] = {}
    heading: int | None = None
    top_sections = 0
    for block, heading_starts in _iter_blocks(document):
        if block.kind is BlockKind.HEADING:
            heading, top_sections = block.start, top_sections + (len(heading_starts) == 1)
        elif heading_starts:
            lines, order = document.text[block.start : block.end].split("\n"), document.attributes.day_order
            line_days = (
                [parse_labelled_date(line, order) for line in lines[:_DATED_LINES]]
                if heading == heading_starts[-1]
                else []
            )
            if days := next(filter(None, [*line_days, parse_signed_date(lines[-1], order)]), None):
                section_days.setdefault(heading_starts[-1], days)
            heading = None
    if top_sections <= 1:
        section_days.pop(next((block.start for block in document.blocks if block.kind is BlockKind.HEADING), -1), None)
    return section_days


def _can_contain(entry: Entry, days: Interval) -> bool:
    """Whether a line with other days may begin an entry: below a heading or name with days, only within those days.

    "2026-01-05: renew the passport" below the heading of an earlier day is a plan made on that day.
    """
    if entry.days is None or entry.origin not in (DateOrigin.HEADING, DateOrigin.NOTE_NAME, DateOrigin.FILE_NAME):
        return True
    return entry.days[0] <= days[0] and days[1] <= entry.days[1]


@lru_cache(maxsize=4096)
def _parse_path_days(path: tuple[str, ...], order: str, context: Interval | None, *, trailing: bool) -> Interval | None:
    """The days at the beginning of the last heading of a path, or in brackets at its end.

    `trailing` allows a bare day at its end. None for a day from which something is valid or by which it is due.
    """
    heading = _RELEASE_REMARK.sub("", path[-1])
    if days := parse_section_days((*path[:-1], heading), order, context):
        return days
    closing = parse_closing_date(heading, order)
    if closing or trailing:
        for mention in tag(heading, None, "und", day_order=order):
            is_last = not heading[mention.end :].strip(_CLOSING_MARKS)
            is_day = mention.grain is Grain.DAY and not mention.relative
            if is_last and is_day and VALIDITY_LEAD.search(heading[: mention.start]):
                return None
            if trailing and is_last and is_day and mention.days:
                return closing or mention.days
    return closing


def _iter_line_starts(document: Document, block: Block) -> Iterator[int]:
    """The offsets of the lines of a paragraph or list; none for other blocks."""
    if block.kind in _PROSE:
        yield block.start
        yield from (match.end() for match in _NEW_LINE.finditer(document.text, block.start, block.end))


def find_entry(entries: Sequence[Entry], offset: int) -> Entry | None:
    """The entry that contains an offset of the text; None where there are no entries."""
    return entries[bisect_right(entries, offset, key=lambda entry: entry.start) - 1] if entries else None
