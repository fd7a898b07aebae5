"""Periods in words: their days, what a company calls them, and both readings of one that a question names."""

from __future__ import annotations

import re
from calendar import month_abbr
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from warehouse.months import DAY, Interval
from warehouse.records import Hit, Question, Window
from warehouse.search.intervals import overlap
from warehouse.search.name_variants import company_key
from warehouse.search.readings import readings
from warehouse.store.clocks import UNKNOWN
from warehouse.store.snapshot import Snapshot
from warehouse.store.spans import day

ALIKE = 0.75
"""From which fit on two readings of a period are the same to a reader: quarters of weeks differ from those of months
by some days, a fiscal year that ends in January from that of the calendar by a month."""
_MONTHS = tuple(month_abbr)
_NAME = re.compile(r"(?P<part>[QH][1-4]) (?P<year>\d{4})")
_MOST_COMPANIES = 3
_QUARTER = 77
"""Days of the shortest time that companies report on."""
_CALLED = """
    SELECT document_id, company, reported_name, reported_start, reported_end, fiscal_year_start
    FROM documents WHERE document_id IN (SELECT unnest($ids))
"""


@dataclass(frozen=True, slots=True)
class Readings:
    """Two readings of a period that a question names, in words with their days.

    `taken` is the one that the search takes, `other` the other; `instead` are words that mean the other one alone.
    """

    text: str
    taken: str
    other: str
    instead: str


def days_words(start: date, end: date) -> str:
    """A half-open period by its first and last day: "Feb 13 to May 7, 2023", "Nov 21, 2022 to Feb 12, 2023"."""
    last = end - DAY
    if start >= last:
        return f"{_day(start)}, {start.year}"
    first = _day(start) if start.year == last.year else f"{_day(start)}, {start.year}"
    return f"{first} to {_day(last)}, {last.year}"


def reported_words(name: str, start: date, end: date, first_month: int | None) -> str:
    """A period that a document reports on, with its days: "Q2 fiscal 2023 (Nov 21, 2022 to Feb 12, 2023)"."""
    called = _NAME.sub(r"\g<part> fiscal \g<year>", name) if (first_month or 1) > 1 else name
    return f"{called} ({days_words(start, end)})"


def both_readings(window: Window) -> Readings | None:
    """Both readings of a window that may be the calendar's period or its company's; None where there is only one.

    There is only one, too, where the words say which is meant or where both are nearly the same days.
    """
    sides = window.start, window.end, window.other_start, window.other_end
    if window.period is None or window.fiscal or window.excluded or not all(sides):
        return None
    taken, other = (window.start, window.end), (window.other_start, window.other_end)
    if taken[0] is None or taken[1] is None or other[0] is None or other[1] is None:
        return None
    if _fit((taken[0], taken[1]), (other[0], other[1])) >= ALIKE:
        return None
    year, month, count = window.period
    is_plain = (taken[0].year, taken[0].month, taken[0].day) == (year, month, 1)
    own, plain = (_called(year, month, count, fiscal=fiscal) for fiscal in (True, False))
    first, second = (plain, own) if is_plain else (own, plain)
    return Readings(
        _bare(window.text),
        f"{first} ({days_words(taken[0], taken[1])})",
        f"{second} ({days_words(other[0], other[1])})",
        second,
    )


def reading_notes(snapshot: Snapshot, question: Question, hits: Sequence[Hit]) -> tuple[str, ...]:
    """A sentence for each period of a question with two readings: which was taken, and how to ask for the other.

    Where the question names no company, a period is each company's own: which days that are for those that were found.
    """
    if not question.ranking.times:
        return ()
    notes = []
    for window in question.windows:
        both = both_readings(window)
        if both:
            whose = f" of {question.subjects[0].name}" if len(question.subjects) == 1 else ""
            notes.append(
                f"“{both.text}” was read as {_of(both.taken, whose)}; the other reading is {_of(both.other, whose)}: "
                f"ask for “{both.instead}” to mean that"
            )
        elif window.period and not window.excluded and not window.other_start:
            notes += _own_readings(snapshot, window, hits)
    return tuple(dict.fromkeys(notes))


def _bare(text: str) -> str:
    """The words of a time without their article."""
    return re.sub(r"^the ", "", text, flags=re.IGNORECASE)


def _of(words: str, whose: str) -> str:
    """A fiscal period with its company's name before its days."""
    return words if words.startswith("calendar") else words.replace(" (", f"{whose} (", 1)


def _own_readings(snapshot: Snapshot, window: Window, hits: Sequence[Hit]) -> list[str]:
    """What a period without a company means for each of the companies found, where that is another time."""
    year, month, count = window.period or (0, 1, 0)
    ordinals = snapshot.passages.ordinal_of
    best = hits[:_MOST_COMPANIES]
    found = {hit.document_id: ordinals[hit.document_id] for hit in best if hit.document_id in ordinals}
    if not found or window.start is None or window.end is None:
        return []
    own = readings(window, snapshot.clocks, np.array(list(found.values())))[-1]
    rows = {row["document_id"]: row for row in snapshot.records(_CALLED, {"ids": list(found)})}
    told: dict[str, str] = {}
    for place, document in enumerate(found):
        # Only where the calendar of the document's company is known has its own reading the whole weight.
        if own.weight[place] < 1 or not rows[document]["company"] or not snapshot.clocks.first_month[found[document]]:
            continue
        interval = _dates(int(own.start[place]), int(own.end[place]))
        if _fit(interval, (window.start, window.end)) < ALIKE:
            name = _called(year, month, count, fiscal=True)
            company = rows[document]["company"]
            told.setdefault(company_key(company), f"{name} of {company} ({days_words(*interval)})")
    if not told:
        return []
    plain = f"{_called(year, month, count, fiscal=False)} ({days_words(window.start, window.end)})"
    if window.fiscal:
        return [f"“{_bare(window.text)}” is each company's own: {', '.join(told.values())}"]
    said = (
        f"“{_bare(window.text)}” was read as {plain}, and also as {', '.join(told.values())}: ask for "
        f"“{_called(year, month, count, fiscal=False)}” or “{_called(year, month, count, fiscal=True)}” to mean one"
    )
    return [said]


def hits_touch(snapshot: Snapshot, window: Window, hits: Sequence[Hit]) -> bool:
    """Whether a passage found is of a window: it names the time, or its document reports on some of it.

    Of a time shorter than a quarter, on which nobody reports, a passage is also that names a day of it, or whose
    document was published then.
    """
    ordinals, clocks, mentions = snapshot.passages.ordinal_of, snapshot.clocks, snapshot.mentions
    known = [hit for hit in hits if hit.document_id in ordinals]
    if not known:
        return False
    documents = np.array([ordinals[hit.document_id] for hit in known])
    places, rows = mentions.inside(
        documents, np.array([hit.start for hit in known]), np.array([hit.end for hit in known])
    )
    start, end = clocks.reported_start[documents].astype(np.int64), clocks.reported_end[documents].astype(np.int64)
    for asked in readings(window, clocks, documents):
        reports = (start != UNKNOWN) & (start < asked.end) & (end > asked.start) & (asked.weight > 0)
        begin, until = mentions.start_date[rows], mentions.end_date[rows]
        first, last = asked.start[places], asked.end[places]
        is_short = asked.end - asked.start < _QUARTER
        named = overlap(begin, until, first, last) >= ALIKE
        named |= is_short[places] & (begin >= first) & (until <= last)
        published = is_short & (clocks.published[documents] >= asked.start) & (clocks.published[documents] < asked.end)
        if (reports | published & (asked.weight > 0)).any() or (named & (asked.weight[places] > 0)).any():
            return True
    return False


def _called(year: int, month: int, count: int, *, fiscal: bool) -> str:
    """What a year, half or quarter is called: "Q3 fiscal 2023", "calendar Q3 2023", "fiscal 2023"."""
    part = {12: "", 6: f"H{month // 6 + 1} ", 3: f"Q{month // 3 + 1} "}.get(count, "")
    return f"{part}fiscal {year}" if fiscal else f"calendar {part}{year}"


def _fit(one: Interval, other: Interval) -> float:
    """The common days of two half-open periods by those of either, 0 to 1."""
    common = (min(one[1], other[1]) - max(one[0], other[0])).days
    return max(0, common) / max(1, (max(one[1], other[1]) - min(one[0], other[0])).days)


def _dates(start: int, end: int) -> Interval:
    """Days since 1970 as dates, within the years of the calendar."""
    ends = (min(max(each, day(date.min)), day(date.max)) for each in (start, end))
    first, last = (date(1970, 1, 1) + DAY * each for each in ends)
    return first, last


def _day(moment: date) -> str:
    return f"{_MONTHS[moment.month]} {moment.day}"
