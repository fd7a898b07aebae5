"""Time and names in a text."""

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

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


class Calendar(StrEnum):
    """The calendar an expression was read with."""

    GREGORIAN = "calendar"
    FISCAL = "fiscal"


@dataclass(frozen=True, slots=True)
class Mention:
    """A temporal expression: `text == document.text[start:end]`, half-open interval [start_date, end_date).

    `value` is the TIMEX3 value. A side of the interval that the expression leaves open is None; a duration has
    neither. `anchor` is the date a relative expression was resolved against. `table`, `row_header` and
    `column_header` say where in a table it stands.
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
    table: int | None = None
    row_header: str = ""
    column_header: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in the text: `text == document.text[start:end]`; `label` as in OntoNotes; `name` is normalised."""

    start: int
    end: int
    text: str
    label: str
    name: str
