"""Entries of diaries and logs: which stretch of a document is of which day, week or month.

An entry begins at a date heading, at the heading of a section that a line in it dates ("Release date: 2023-02-07",
"CLOSED: [2024-03-04 Mon]"), or at a line that begins with a date and says something after it, and goes on until the
next one. Text below a heading inside an entry belongs to it. What stands before the first entry, and all of a note
without entries, is of the day that the note itself is dated by its front matter, its name or its dateline.

Lines of a log that name no year, or seconds, are entries of the days that `tasks.parsers.log_lines` finds for them.
Each message of a mail or mailbox is an entry of the day on which it was sent, whatever dates stand in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tasks.parsers.log_lines import LOG_OF_SECONDS, LOG_WITHOUT_YEAR, log_days
from tasks.parsers.written_dates import (
    closing_date,
    entry_interval,
    labelled_date,
    line_entry,
    signed_date,
)
from tasks.temporal.tagger import tag
from warehouse.message_notation import MAIL, MAILBOX, MESSAGE_LEVEL, SUBJECT_LEVEL, read_message_heading
from warehouse.records import Block, BlockKind, DateClaim, DateOrigin, Document, Grain, Kind
from warehouse.records.fiscal import DAY, Interval

OWN = frozenset({
    DateOrigin.CORRECTED, DateOrigin.NOTE_NAME, DateOrigin.FRONT_MATTER, DateOrigin.PUBLICATION, DateOrigin.DATELINE,
    DateOrigin.FILE_NAME,
})  # fmt: skip
"""What dates a note as a whole; a date heading dates what stands below it."""
FEWEST = 2  # Different days that must head entries where a document is no note, to be a log or a list of changes.
_PLANNED = re.compile(r"\s*(?:(?:SCHEDULED|DEADLINE|CLOSED):\s*[<\[][^<>\[\]\n]{10,60}[>\]]\s*)+")
_PLANS = ("CLOSED", "SCHEDULED", "DEADLINE")
"""What a planning line of Org mode says of a task, in falling order of what dates it."""
_CLOSING = ")]）】 .。:："
_NEW_LINE = re.compile(r"\n[ \t]*")
_LONGEST_LINE = 120  # Characters of a line that are looked at.
_FEW_LINES = 4  # Of a paragraph below a heading, one of which may say when the section was written.


@dataclass(frozen=True, slots=True)
class Entry:
    """A stretch of a text that begins at `start`, and its days, half-open; None where nothing dates it."""

    start: int
    days: Interval | None
    origin: DateOrigin | None = None


def entries_of(document: Document, claim: DateClaim | None = None, named: Interval | None = None) -> tuple[Entry, ...]:
    """The entries in the order of the text, the first at 0; `claim` is how the document is dated, if it is.

    `named` are the days that the name of a note says it is of, which are more than one in a weekly note. Neighbours
    differ in their days, unless they are messages. Reports, papers, courses and books have none, and texts that are no
    notes only where at least `FEWEST` different days head entries.
    """
    if document.media_type in MAIL:
        return tuple(_messages(document))
    if document.kind not in (Kind.NOTE, Kind.TEXT):
        return ()
    if document.media_type in (LOG_WITHOUT_YEAR, LOG_OF_SECONDS):
        lines = log_days(document.text, document.media_type, claim.date if claim else None)
        logged = [
            Entry(place, (day, day + DAY), DateOrigin.LINE) if day else Entry(place, None) for place, day in lines
        ]
        return (*([Entry(0, None)] if logged and logged[0].start else []), *logged)
    is_note = document.kind is Kind.NOTE
    # A note that reports on a period is of that, not of the day on which it was published.
    is_own = is_note and document.attributes.reported_start is None
    own = claim if is_own and claim and claim.origin in OWN else None
    whole = named if own and own.origin is DateOrigin.NOTE_NAME else None
    entries = [Entry(0, whole or (own.date, own.date + DAY), own.origin) if own else Entry(0, None)]
    for found in _found(document, entries[0]):
        if found.days != entries[-1].days:
            entries.append(found)
    days = {entry.days for entry in entries if entry.days}
    return tuple(entries) if days and (is_note or len(days) >= FEWEST) else ()


def _messages(document: Document) -> Iterator[Entry]:
    """An entry for each message, from the heading of its subject on; one that nothing dates has no days.

    A person who corrects the date of a mail says when it was sent.
    """
    corrected = next((claim.date for claim in document.dates if claim.origin is DateOrigin.CORRECTED), None)
    own = corrected if document.media_type != MAILBOX else None
    before: Block | None = None
    start: int | None = None
    for block in document.blocks:
        is_heading = block.kind is BlockKind.HEADING and block.level == MESSAGE_LEVEL
        if is_heading and (heading := read_message_heading(block.section[-1])):
            is_first, own_start = start is None, block.start
            if before is not None and before.level == SUBJECT_LEVEL:
                own_start = before.start
            start = 0 if is_first else own_start
            day = own if own and is_first else heading.day
            origin = DateOrigin.CORRECTED if own and is_first else DateOrigin.MESSAGE
            yield Entry(start, (day, day + DAY), origin) if day else Entry(start, None)
        before = block


def _found(document: Document, base: Entry) -> Iterator[Entry]:
    """What each block is of, and each line that begins an entry, with the headings straight above it."""
    headings: int | None = None
    line: Entry | None = None
    order, is_note = document.attributes.day_order, document.kind is Kind.NOTE
    labels = _labels(document)
    for block, opened in _in_sections(document):
        if block.kind is BlockKind.HEADING:
            headings, line = block.start if headings is None else headings, None
            continue
        start, headings = block.start if headings is None else headings, None
        headed = (
            days
            for heading, place in zip(reversed(block.section), reversed(opened), strict=True)
            if (days := heading_days(heading, order, trailing=is_note) or labels.get(place))
        )
        days = next(headed, None)
        found = Entry(start, days, DateOrigin.HEADING) if days else Entry(start, base.days, base.origin)
        yield line or found
        for place in _line_starts(document, block):
            days = line_entry(document.text[place : place + _LONGEST_LINE], order)
            if days is None and start < place == block.start:
                days = planned_date(document.text[place : block.end].partition("\n")[0])
            if days and _may_hold(found, days):
                line = Entry(start if place == block.start else place, days, DateOrigin.LINE)
                yield line


def planned_date(line: str) -> Interval | None:
    """The day, half-open, of a planning line of Org mode: when a task was closed, else is scheduled, else is due."""
    if not _PLANNED.fullmatch(line):
        return None
    stamps = {label: entry_interval(stamp) for label, stamp in re.findall(r"([A-Z]+):\s*([<\[][^<>\[\]]+[>\]])", line)}
    return next((days for label in _PLANS if (days := stamps.get(label))), None)


def _in_sections(document: Document) -> Iterator[tuple[Block, tuple[int, ...]]]:
    """The blocks with something in them, and where the headings of the section of each begin."""
    opened: tuple[int, ...] = ()
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE or block.end <= block.start:
            continue
        opened = opened[: len(block.section)]
        opened += (block.start,) * (len(block.section) - len(opened))
        if block.kind is BlockKind.HEADING:
            opened = (*opened[:-1], block.start)
        yield block, opened


def _labels(document: Document) -> dict[int, Interval]:
    """The days of sections by where their headings begin: of a line right below the heading, or of a signature.

    The only section of its level at the top is the document itself, which is dated as a whole.
    """
    labels: dict[int, Interval] = {}
    heading: int | None = None
    tops = 0
    for block, opened in _in_sections(document):
        if block.kind is BlockKind.HEADING:
            heading, tops = block.start, tops + (len(opened) == 1)
        elif opened:
            lines, order = document.text[block.start : block.end].split("\n"), document.attributes.day_order
            below = [labelled_date(line, order) for line in lines[:_FEW_LINES]] if heading == opened[-1] else []
            if days := next(filter(None, [*below, signed_date(lines[-1], order)]), None):
                labels.setdefault(opened[-1], days)
            heading = None
    return labels if tops > 1 else {place: days for place, days in labels.items() if place != _first_heading(document)}


def _first_heading(document: Document) -> int | None:
    return next((block.start for block in document.blocks if block.kind is BlockKind.HEADING), None)


def _may_hold(entry: Entry, days: Interval) -> bool:
    """Whether a line of other days may begin an entry: in what a heading or name dates, only days of those.

    "2026-01-05: renew the passport" below the heading of an earlier day is a plan made on that day.
    """
    if entry.days is None or entry.origin not in (DateOrigin.HEADING, DateOrigin.NOTE_NAME, DateOrigin.FILE_NAME):
        return True
    return entry.days[0] <= days[0] and days[1] <= entry.days[1]


@lru_cache(maxsize=4096)
def heading_days(heading: str, order: str, *, trailing: bool) -> Interval | None:
    """The days that a heading is dated with: at its beginning, or in brackets at its end.

    Also a whole day at its end without brackets where `trailing` allows it.
    """
    if days := entry_interval(heading, order) or closing_date(heading, order):
        return days
    if trailing:
        for mention in tag(heading, None, "und", day_order=order):
            at_end = not heading[mention.end :].strip(_CLOSING)
            if (
                at_end
                and mention.grain is Grain.DAY
                and not mention.relative
                and mention.start_date
                and mention.end_date
            ):
                return mention.start_date, mention.end_date
    return None


def _line_starts(document: Document, block: Block) -> Iterator[int]:
    """Where the lines of a paragraph or list begin."""
    if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
        yield block.start
        yield from (match.end() for match in _NEW_LINE.finditer(document.text, block.start, block.end))


def entry_at(entries: Sequence[Entry], place: int) -> Entry | None:
    """The entry that holds a place of the text; None where there are no entries."""
    return entries[bisect_right(entries, place, key=lambda entry: entry.start) - 1] if entries else None
