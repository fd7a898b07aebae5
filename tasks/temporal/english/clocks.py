"""English times of day: "3:30 p.m.", "18:00 UTC", "half past seven", "noon"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import NUMBER_WORDS, NUMBERS, S, any_of, number
from tasks.temporal.grammar import LONG_NUMBER, MARKED, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.clocks import Bare, Clock, of_hands

_HALF = r"(?P<half>[ap]\.\s?m\.|[ap]m)(?![A-Za-z0-9])"
_LETTER = r"(?P<half>[ap])(?![A-Za-z0-9.])"
_OFFSET = r"(?:\s?(?P<offset>[+-]\s?[01]?\d(?::?[0-5]\d)?)(?!\d))?"
_NAMED_ZONE = r"(?-i:[ECMP][SD]?T|CES?T|[BIJM]ST|HKT|SGT|KST|AE[SD]?T|MSK|WIB)"
_SPOKEN_ZONE = rf"(?:local|(?:Eastern|Central|Mountain|Pacific)(?:{S}(?:Standard|Daylight))?){S}time\b"
ZONE = (
    rf"(?:{S}{_SPOKEN_ZONE}"
    rf"|{S}?(?P<paren>\()?(?:(?P<utc>(?-i:UTC|GMT|Z)){_OFFSET}|{_NAMED_ZONE})(?![A-Za-z0-9])(?(paren)\)))?"
)
"""A zone, optional: Greenwich's with what it is away from it, in the value; others by name, not in the value."""
ZONED = r"(?:(?P<utc>Z)|(?P<offset>[+-][01]\d(?::?[0-5]\d)?)|\s(?P<named>UTC|GMT))?(?![A-Za-z0-9])"
"""The zone of an ISO 8601 time."""
_HANDS = r"(?<![0-9:.,/$€£-])(?P<hour>[01]?\d|2[0-4])"
_COUNT = rf"(?:\d{{1,2}}|{NUMBER_WORDS})"
_HOUR_WORDS = {word: value for word, value in NUMBERS.items() if value <= 12}
_HOUR = rf"(?P<hour>1[0-2]|[1-9]|{any_of(_HOUR_WORDS)})(?![0-9])"
_NO_UNIT = rf"(?!(?:{S}|-)(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent)\b)"
_DAY_HALF = rf"(?:{S}o['’]?clock)?(?:{S}?{_HALF})?"
_NOTED = {"noon": 12, "midday": 12, "midnight": 0}
_MINUTES = {"half": 30, "quarter": 15}

_BEFORE_SCORES = re.compile(r"(?:ratio|odds|score|aspect|[Pp]s(?:alms?)?|of|in|\b[A-Z][a-z]{2,20})\s$")
_BEFORE_CLOCKS = re.compile(
    r"\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|[JFMASOND][a-z]{2,8}ber|(?:Jan|Febr)uary|March"
    r"|April|May|June|July|August|[A-Z][a-z]{2}|At|By|From|Until|Till|The|Around|About|Before|After|Between|Today"
    r"|Tomorrow|Yesterday|Time|Tonight)\s$"
)


def zone_of(match: re.Match[str]) -> str:
    """Z, +08:00 or, for times of nowhere said, nothing."""
    groups = match.groupdict()
    offset = (groups.get("offset") or "").replace(" ", "").replace(":", "")
    if not (offset or groups.get("utc") or groups.get("named")):
        return ""
    if not offset.strip("+-0"):
        return "Z"
    digits = offset[1:].rjust(2, "0") if len(offset) <= 3 else offset[1:].rjust(4, "0")
    return f"{offset[0]}{digits[:2]}:{digits[2:] or '00'}"


def _halved(hour: int, half: str | None) -> int:
    """The hour of the whole day. Raises `ValueError` for 15 p.m."""
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"no {hour} {half}")
    return hour % 12 + (12 if half.lower().startswith("p") else 0)


def _clock(match: re.Match[str]) -> Clock:
    second = int(match["second"]) if match["second"] else None
    return of_hands(_halved(int(match["hour"]), match["half"]), int(match["minute"] or 0), second, zone_of(match))


def _plain_clock(match: re.Match[str]) -> Clock | None:
    """A time with a colon, unless the word before makes it a verse or a score."""
    before = match.string[max(0, match.start() - 24) : match.start()]
    second, zone = (int(match["second"]) if match["second"] else None), zone_of(match)
    if not zone and _BEFORE_SCORES.search(before) and not _BEFORE_CLOCKS.search(before):
        return None
    loose = not zone and not match["hour"].startswith("0") and second is None
    return of_hands(int(match["hour"]), int(match["minute"]), second, zone, loose=loose)


def _military(match: re.Match[str]) -> Clock:
    return of_hands(int(match["hour"]), int(match["minute"]), zone=zone_of(match))


def _noted(match: re.Match[str]) -> Clock:
    return of_hands(_NOTED[match["name"].lower().replace(" ", "")], zone=zone_of(match))


def _hour(match: re.Match[str]) -> int:
    return number(match["hour"])


def _of_words(hour: int, minute: int, match: re.Match[str]) -> Clock:
    hour, minute = (hour, minute) if minute >= 0 else ((hour - 2) % 12 + 1, minute + 60)
    return of_hands(_halved(hour, match["half"]), minute, loose=not match["half"])


def _past(match: re.Match[str]) -> Clock:
    """Half past seven, a quarter to seven, twenty minutes past five."""
    text = match["minutes"].lower()
    minutes = _MINUTES[text] if text in _MINUTES else number(text)
    sign = -1 if match["side"].lower() in ("to", "till", "before") else 1
    return _of_words(_hour(match), sign * minutes, match)


def _o_clock(match: re.Match[str]) -> Clock:
    return _of_words(_hour(match), 0, match)


def _spelled(match: re.Match[str]) -> Bare:
    return Bare(_hour(match), number(match["minutes"].replace("-", " ")))


def _bare(match: re.Match[str]) -> Bare | None:
    value = number(match[0])
    return Bare(value) if 0 < value <= 31 else None


_SMALL = rf"[0-3]?\d(?![0-9A-Za-z]|[.,:/]\d|{S}?%){_NO_UNIT}|{any_of(_HOUR_WORDS)}{_NO_UNIT}"
_BEFORE_BARE = "|".join(rf"(?<=\b{word} )" for word in ("at", "to", "and", "until", "till", "around", "about"))
_BEFORE_BARE += r"|(?<=[0-9m.][-–~])|(?<=[0-9m.] [-–~] )"
_AFTER_BARE = (
    rf"\s?[-–~]\s?\d|{S}(?:to|until|till|and|through|thru){S}(?:the{S})?[0-9a-z]|{S}in{S}the{S}(?:mor|aft|eve|ni)"
)
_TOLD = rf"{S}{_HOUR}{_DAY_HALF}{_NO_UNIT}"
_AGO = rf"(?:a{S})?(?:half|quarter|{_COUNT})(?:{S}(?:minutes|mins?))?{S}"
_HOURS = {SHORT_NUMBER, *_HOUR_WORDS}
_FULL = r"(?:[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?"

RULES: tuple[GrammarRule, ...] = (
    rule({SHORT_NUMBER}, rf"{_HANDS}{_FULL}\s?{_HALF}{ZONE}", _clock),
    rule({SHORT_NUMBER + MARKED}, rf"{_HANDS}:(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?{_LETTER}", _clock),
    rule(
        {LONG_NUMBER},
        rf"(?<![:.,/$-])(?P<hour>[01]\d)(?P<minute>[0-5]\d)(?P<second>)\s?{_HALF}{ZONE}",
        _clock,
    ),
    rule(
        {SHORT_NUMBER + MARKED},
        rf"{_HANDS}:(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{{1,6}})?)?(?![\d:A-Za-z]|[.,]\d|\s(?:versus|vs)\b){ZONE}",
        _plain_clock,
    ),
    rule(
        {LONG_NUMBER},
        rf"(?<![:.,/$-])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?={S}?\(?(?:(?-i:UTC|GMT|Z)|{_NAMED_ZONE})\b){ZONE}",
        _military,
    ),
    rule(
        {LONG_NUMBER},
        rf"(?:(?<=at )|(?<=from )|(?<=to )|(?<=by )|(?<![0-9.,:/$€£-])(?=0))(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)"
        rf"{S}(?:hours|hrs)\b",
        _military,
    ),
    rule({"noon", "noonish", "midday", "midnight"}, rf"(?P<name>noon|midday|midnight)(?:ish)?\b{ZONE}", _noted),
    rule({"mid"}, r"(?<=at )(?P<name>mid night)\b", _noted),
    rule(
        {"past"},
        rf"(?:a{S}(?=quarter))?(?P<minutes>half|quarter|{_COUNT})(?:{S}(?:minutes|mins?))?{S}(?P<side>past){_TOLD}",
        _past,
        lead=_AGO,
    ),
    rule(
        {"quarter"},
        rf"(?:a{S})?(?P<minutes>quarter){S}(?P<side>past|to|after|before|till){_TOLD}",
        _past,
        lead=rf"(?:a{S})?",
    ),
    rule(
        {"minutes", "mins", "min"},
        rf"(?P<minutes>{_COUNT}){S}(?:minutes|mins?){S}(?P<side>to|till|before|after){_TOLD}",
        _past,
        lead=rf"{_COUNT}{S}",
    ),
    rule(_HOURS, rf"{_HOUR}{S}o['’]?clock\b(?:{S}{_HALF})?", _o_clock),
    rule(_HOUR_WORDS, rf"{_HOUR}{S}{_HALF}", _o_clock),
    rule(
        _HOUR_WORDS,
        rf"{_HOUR}[ -](?P<minutes>(?:twenty|thirty|forty|fifty)(?:[ -]five)?|ten|fifteen)\b{_NO_UNIT}",
        _spelled,
    ),
    rule(_HOURS, rf"(?:{_BEFORE_BARE})(?:{_SMALL})", _bare),
    rule(_HOURS, rf"(?<![0-9][.,:/])(?:{_SMALL})(?={_AFTER_BARE})", _bare),
)
