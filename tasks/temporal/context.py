"""What an expression is read against: the day it was written, what the text has just spoken of, its calendars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time

from tasks.temporal.readings import MentionFields
from tasks.temporal.tense import ExpressionSpan, Tense
from warehouse.records import Grain
from warehouse.records.fiscal import FiscalCalendar

_NEAR = 500
"""How far the text goes on speaking of the same story, in characters."""
_RECENT_YEARS = 2
_LONG = (None, Grain.QUARTER, Grain.HALF, Grain.YEAR, Grain.DECADE, Grain.CENTURY)
"""A year that is mentioned tells no story yet: "convicted in 1998. In March"."""


@dataclass(frozen=True, slots=True)
class Context:
    """`anchor` and `clock` say when the text was written; without an anchor relative expressions keep no dates.

    `spoken` is the last dated reading of the text before `place`, the expression itself, and ends at `spoken_end`.
    `day_order` is "day first", "month first" or "" (`Attributes.day_order`): how an ambiguous 03/04/2023 is read.
    `fiscal` is the company's fiscal calendar.
    """

    anchor: date | None = None
    clock: time | None = None
    spoken: MentionFields | None = None
    place: ExpressionSpan | None = None
    day_order: str = ""
    fiscal: FiscalCalendar | None = None
    spoken_end: int = 0

    def moved(self, place: ExpressionSpan) -> Context:
        """The same at another expression."""
        return Context(self.anchor, self.clock, self.spoken, place, self.day_order, self.fiscal, self.spoken_end)

    @property
    def tense(self) -> Tense:
        """The tense of the sentence around the expression."""
        return self.place.tense if self.place else Tense.UNKNOWN

    @property
    def story(self) -> date | None:
        """The day that the paragraph has just told of, where that is years away from the anchor: a story of the past.

        Without an anchor any day will do.
        """
        spoken, place = self.spoken, self.place
        if spoken is None or spoken.closed is None or place is None or spoken.grain in _LONG:
            return None
        day, gap = spoken.closed[0], place.text[self.spoken_end : min(place.start, self.spoken_end + _NEAR + 1)]
        near = len(gap) <= _NEAR and "\n" not in gap
        far = self.anchor is None or abs(self.anchor.year - day.year) > _RECENT_YEARS
        return day if near and far else None
