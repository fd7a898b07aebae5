"""English names of holidays: "Thanksgiving", "last Christmas", "Easter 2018", "Labor Day weekend"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.holidays import Holiday, fixed, from_easter, lunar_day, nth
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring, Stepped
from tasks.temporal.meanings.units import OfYear
from tasks.temporal.readings import FixedDate, Meaning, MentionFields
from warehouse.months import DAY
from warehouse.records import Grain

_MONDAY, _TUESDAY, _THURSDAY, _SUNDAY = 0, 1, 3, 6


def _lunar(month: int, day: int) -> Holiday:
    return lambda year: lunar_day(year, month, day)


_NAMES: dict[str, Holiday] = {
    "new year's day|new year day|new year": fixed(1, 1),
    "new year's eve|new year eve": fixed(12, 31),
    "epiphany": fixed(1, 6),
    "martin luther king jr. day|martin luther king day|mlk day": nth(3, _MONDAY, 1),
    "australia day": fixed(1, 26),
    "groundhog day": fixed(2, 2),
    "valentine's day|st. valentine's day": fixed(2, 14),
    "presidents' day|president's day|washington's birthday": nth(3, _MONDAY, 2),
    "international women's day": fixed(3, 8),
    "st. patrick's day|saint patrick's day": fixed(3, 17),
    "april fools' day|april fool's day": fixed(4, 1),
    "earth day": fixed(4, 22),
    "anzac day": fixed(4, 25),
    "may day|international workers' day|international labour day": fixed(5, 1),
    "cinco de mayo": fixed(5, 5),
    "mother's day": nth(2, _SUNDAY, 5),
    "memorial day": nth(-1, _MONDAY, 5),
    "flag day": fixed(6, 14),
    "juneteenth": fixed(6, 19),
    "father's day": nth(3, _SUNDAY, 6),
    "canada day": fixed(7, 1),
    "independence day|july fourth": fixed(7, 4),
    "bastille day": fixed(7, 14),
    "labor day|labour day": nth(1, _MONDAY, 9),
    "columbus day": nth(2, _MONDAY, 10),
    "halloween|hallowe'en": fixed(10, 31),
    "all saints' day": fixed(11, 1),
    "all souls' day": fixed(11, 2),
    "guy fawkes night|guy fawkes day": fixed(11, 5),
    "election day": nth(1, _MONDAY, 11, later=1),
    "veterans day|veterans' day|armistice day|remembrance day": fixed(11, 11),
    "thanksgiving day|thanks giving day|thanksgiving": nth(4, _THURSDAY, 11),
    "black friday": nth(4, _THURSDAY, 11, later=1),
    "cyber monday": nth(4, _THURSDAY, 11, later=4),
    "christmas eve": fixed(12, 24),
    "christmas day|christmas|xmas": fixed(12, 25),
    "boxing day|st. stephen's day": fixed(12, 26),
    "mardi gras|shrove tuesday|fat tuesday": from_easter(-47),
    "ash wednesday": from_easter(-46),
    "palm sunday": from_easter(-7),
    "maundy thursday|holy thursday": from_easter(-3),
    "good friday": from_easter(-2),
    "holy saturday|easter saturday|easter eve": from_easter(-1),
    "easter sunday|easter day|easter": from_easter(0),
    "easter monday": from_easter(1),
    "ascension day": from_easter(39),
    "whit sunday|whitsun|pentecost": from_easter(49),
    "whit monday": from_easter(50),
    "corpus christi": from_easter(60),
    "chinese new year|lunar new year": _lunar(1, 1),
    "lantern festival": _lunar(1, 15),
    "dragon boat festival": _lunar(5, 5),
    "mid-autumn festival": _lunar(8, 15),
}


def _key(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _written(name: str) -> str:
    """The apostrophe and the point are often left out."""
    escaped = name.replace(".", r"\.?").replace("'", "['’]?")
    return escaped.replace(" ", S)


_ALL = {name: holiday for names, holiday in _NAMES.items() for name in names.split("|")}
_BY_KEY = {_key(name): holiday for name, holiday in _ALL.items()}
_NAME = "(?P<name>" + "|".join(_written(name) for name in sorted(_ALL, key=len, reverse=True)) + r")(?![A-Za-z])"
_HEADS = frozenset(re.split(r"[ .'-]", name)[0] for name in _ALL) | {"mothers", "fathers", "presidents", "valentines"}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "following": 1}
_OTHER_CALENDARS = "".join(rf"(?<!{name} )" for name in ("islamic", "hijri", "arabic", "jewish", "persian", "orthodox"))
_STEP = rf"{_OTHER_CALENDARS}(?:(?P<step>last|past|previous|this|next|coming|following){S})?"
_YEAR = rf"(?:,?{S}(?:of{S})?(?P<year>{YEAR}))?"
_THINGS = (
    r"(?!['’]s\b|-|\s(?:trees?|carols?|cards?|songs?|gifts?|presents?|lights?|shopping|part(?:y|ies)|markets?"
    r"|decorations?|specials?|islands?|dinners?|puddings?|turkeys?|eggs?|bunn(?:y|ies)|costumes?|candy|parades?|sales?"
    r"|bonus|stockings?|movies?|rush|greetings?|resolutions?)\b)"
)


def _weekend(day: date) -> MentionFields:
    """The weekend beside the holiday, with the holiday where it is the Friday before or the Monday after."""
    reading = readings.of_weekend(day - 3 * DAY if day.weekday() <= _TUESDAY else day)
    start, end = reading.closed or (day, day)
    return replace(
        reading, interval=(min(start, day) if day + DAY == start else start, day + DAY if day == end else end)
    )


def _holiday(match: re.Match[str]) -> Recurring:
    holiday = _BY_KEY[_key(match["name"])]
    weekend = bool(match["weekend"] or match["last_weekend"])

    def instance(first: date) -> FixedDate:
        day = holiday(first.year)
        return FixedDate(_weekend(day) if weekend else readings.of_day(day))

    known, other = holiday(2001), holiday(2002)
    blank = f"XXXX-{known:%m-%d}" if known.replace(year=2002) == other else "XXXX-XX-XX"
    return Recurring(Grain.WEEKEND if weekend else Grain.DAY, Grain.YEAR, instance, blank)


def _read(match: re.Match[str]) -> Meaning:
    recurring, year, step = _holiday(match), match["year"], match["step"]
    if year:
        return OfYear(recurring, Period(Grain.YEAR, int(year), 1))
    return Stepped(recurring, _STEPS[step.lower()]) if step else recurring


RULES: tuple[GrammarRule, ...] = (
    rule(
        _HEADS,
        rf"{_STEP}{_NAME}(?P<weekend>{S}weekend\b)?{_YEAR}(?P<last_weekend>{S}weekend\b)?{_THINGS}",
        _read,
        lead=_STEP.replace("?P<step>", "?:"),
    ),
)
