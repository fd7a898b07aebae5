"""English holidays, whose days are in `holidays.tsv`: "Thanksgiving", "last Christmas", "Labor Day weekend"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

from tasks.temporal import readings
from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.holidays import read_holidays
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring, SteppedUnit, UnitOfYear
from tasks.temporal.readings import Meaning, MentionFields
from warehouse.records import Grain
from warehouse.records.calendars import DAY

_HOLIDAYS = read_holidays(Path(__file__).with_suffix(".tsv"))


def _normalize_name(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


_HOLIDAYS_BY_NAME = {_normalize_name(name): holiday for name, holiday in _HOLIDAYS.items()}
_OPTIONAL_MARKS = {".": r"\.?", "'": "['’]?", " ": S}  # The apostrophe and the point are often left out.
_PATTERNS = (
    re.sub("[.' ]", lambda match: _OPTIONAL_MARKS[match[0]], name) for name in sorted(_HOLIDAYS, key=len, reverse=True)
)
_NAME = f"(?P<name>{'|'.join(_PATTERNS)})(?![A-Za-z])"
_HEADS = frozenset(re.split(r"[ .'-]", name)[0] for name in _HOLIDAYS) | {
    "mothers",
    "fathers",
    "presidents",
    "valentines",
}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "following": 1}
_OTHER_CALENDARS = "".join(rf"(?<!{name} )" for name in ("islamic", "hijri", "arabic", "jewish", "persian", "orthodox"))
_STEP = rf"{_OTHER_CALENDARS}(?:(?P<step>last|past|previous|this|next|coming|following){S})?"
_YEAR = rf"(?:,?{S}(?:of{S})?(?P<year>{YEAR}))?"
_NO_THING = (
    r"(?!['’]s\b|-|\s(?:trees?|carols?|cards?|songs?|gifts?|presents?|lights?|shopping|part(?:y|ies)|markets?"
    r"|decorations?|specials?|islands?|dinners?|puddings?|turkeys?|eggs?|bunn(?:y|ies)|costumes?|candy|parades?|sales?"
    r"|bonus|stockings?|movies?|rush|greetings?|resolutions?)\b)"
)


def _make_weekend(day: date) -> MentionFields:
    """The weekend next to the holiday, with the holiday where it is the Friday before or the Monday after."""
    reading = readings.make_weekend(day - 3 * DAY if day.weekday() <= 1 else day)
    start, end = reading.bounds or (day, day)
    return replace(
        reading, interval=(min(start, day) if day + DAY == start else start, day + DAY if day == end else end)
    )


def _read_recurring(match: re.Match[str]) -> Recurring:
    holiday, value = _HOLIDAYS_BY_NAME[_normalize_name(match["name"])]
    weekend = bool(match["weekend"] or match["last_weekend"])

    def make_instance(first: date) -> MentionFields:
        day = holiday(first.year)
        return _make_weekend(day) if weekend else readings.make_day(day)

    return Recurring(Grain.WEEKEND if weekend else Grain.DAY, Grain.YEAR, make_instance, value)


_NEXT_NAME_WORD = re.compile(r"\s[A-Z][a-z]")
_TIME_PREPOSITION = re.compile(
    r"\b(?:at|on|by|before|after|since|until|till|over|during|for|from|to|and|of|every|each)\s\Z", re.IGNORECASE
)
_PREPOSITION_REACH = 8


def _read_holiday(match: re.Match[str]) -> Meaning | None:
    """The holiday; None where it begins a name, with no word before it that times have: "Easter Ross"."""
    recurring, year, step = _read_recurring(match), match["year"], match["step"]
    begins_name = not (year or step) and _NEXT_NAME_WORD.match(match.string, match.end())
    if begins_name and not _TIME_PREPOSITION.search(
        match.string, max(0, match.start() - _PREPOSITION_REACH), match.start()
    ):
        return None
    if year:
        return UnitOfYear(recurring, Period(Grain.YEAR, int(year)))
    return SteppedUnit(recurring, _STEPS[step.lower()]) if step else recurring


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        _HEADS,
        rf"{_NAME}(?P<weekend>{S}weekend\b)?{_YEAR}(?P<last_weekend>{S}weekend\b)?{_NO_THING}",
        _read_holiday,
        lead=_STEP,
    ),
)
