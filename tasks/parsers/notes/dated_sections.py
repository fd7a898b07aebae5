"""Sections of a diary: a heading that is a date stands below no other date with which it shares no day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from tasks.parsers.assembly import Assembly
from warehouse.records import DateClaim, DateOrigin
from warehouse.records.fiscal import Interval

_LONGEST_ENTRY = timedelta(days=62)
"""A heading of a day, week, month or journey dates a note by its first day, one of a quarter or a year does not."""


class DatedSections:
    """Adds headings to a document, knowing the levels and days of the dates that the next one is below."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._dated: list[tuple[int, Interval]] = []

    def add_heading(self, words: str, level: int, days: Interval | None) -> None:
        """A heading; however deep a date is, it stands below no other date with which it shares no day."""
        self._dated = [(above, dates) for above, dates in self._dated if above < level]
        if days:
            others = [above for above, dates in self._dated if days[1] <= dates[0] or dates[1] <= days[0]]
            if others:
                self._assembly.end_sections(min(others))
                self._dated = [(above, dates) for above, dates in self._dated if above < min(others)]
            self._dated.append((level, days))
        self._assembly.add_heading(words, level)


def make_heading_claims(intervals: Iterable[Interval | None]) -> list[DateClaim]:
    """What headings of these days, half-open, say of the date of their note."""
    known = (days for days in intervals if days)
    return [DateClaim(first, DateOrigin.HEADING) for first, end in known if end - first <= _LONGEST_ENTRY]
