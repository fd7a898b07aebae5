"""Temporal expressions and names in a text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class TimexType(StrEnum):
    """The TIMEX3 types of ISO-TimeML."""

    DATE = "DATE"
    TIME = "TIME"
    DURATION = "DURATION"
    SET = "SET"


class Grain(StrEnum):
    """The size of the unit an expression names."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART = "part of day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


class Modifier(StrEnum):
    """The attribute `mod` of TIMEX3: how an expression modifies the unit that it names."""

    BEFORE = "BEFORE"
    AFTER = "AFTER"
    ON_OR_BEFORE = "ON_OR_BEFORE"
    ON_OR_AFTER = "ON_OR_AFTER"
    LESS_THAN = "LESS_THAN"
    MORE_THAN = "MORE_THAN"
    EQUAL_OR_LESS = "EQUAL_OR_LESS"
    EQUAL_OR_MORE = "EQUAL_OR_MORE"
    START = "START"
    MID = "MID"
    END = "END"
    APPROX = "APPROX"


class Calendar(StrEnum):
    """The calendar an expression was read with."""

    GREGORIAN = "calendar"
    FISCAL = "fiscal"


@dataclass(frozen=True, slots=True)
class Mention:
    """A temporal expression: `text == document.text[start:end]`, half-open interval [start_date, end_date).

    `value` is the TIMEX3 value; `modifier`, `quant` and `freq` are its attributes of those names. A side of the
    interval that the expression leaves open ("since 2019") is None; a duration or a set has neither. `anchor` is the
    date a relative expression was resolved against. Where a second reading was possible (the other order of day and
    month, the other calendar), `other_start` and `other_end` are its interval, and `basis` says why this one was
    chosen. `table`, `row_header` and `column_header` give its location in a table.
    """

    start: int
    end: int
    text: str
    type: TimexType
    value: str
    start_date: date | None
    end_date: date | None
    grain: Grain | None
    relative: bool = False
    anchor: date | None = None
    calendar: Calendar = Calendar.GREGORIAN
    modifier: Modifier | None = None
    quant: str = ""
    freq: str = ""
    other_start: date | None = None
    other_end: date | None = None
    basis: str = ""
    table: int | None = None
    row_header: str = ""
    column_header: str = ""

    @property
    def days(self) -> tuple[date, date] | None:
        """The interval; None if a side is unknown."""
        return (self.start_date, self.end_date) if self.start_date and self.end_date else None


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in the text: `text == document.text[start:end]`; `label` as in OntoNotes; `name` is normalised."""

    start: int
    end: int
    text: str
    label: str
    name: str
