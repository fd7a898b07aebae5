"""The times that an answer names: intervals, not numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from tasks.temporal.tagger import tag
from warehouse.records import Grain, Mention, TimexType

_DAY = timedelta(days=1)
_FINE = {Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.DAY}


def moments(text: str, written: date | None = None) -> list[Mention]:
    """The dates that a text names, in order; relative ones count from the day on which it was `written`, if any."""
    return [each for each in tag(text, written, "und") if each.type in {TimexType.DATE, TimexType.TIME}]


def told(claimed: Mention, given: Sequence[Mention]) -> bool:
    """Whether a time is among those given: a day must be the same, or end a period; a longer time must touch one.

    Fiscal calendars make longer times differ by months where both say the same quarter.
    """
    start, end = claimed.start_date, claimed.end_date
    if start is None or end is None:
        return True
    if claimed.grain in _FINE:
        return any(start == each.start_date or end == each.end_date for each in given)
    return any(_touches(start, end, each) for each in given)


def _touches(start: date, end: date, other: Mention) -> bool:
    first, last = other.start_date or date.min, other.end_date or date.max
    return first < end and start < last


def spans(mentions: Iterable[Mention]) -> list[tuple[int, int]]:
    """Where they stand."""
    return [(each.start, each.end) for each in mentions]
