"""What an English text says about the end of its fiscal years: "fiscal year ended September 30, 2023"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tasks.temporal.english.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    NUMBER_WORDS,
    ORDINALS,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    S,
    any_of,
    leading_digits,
    month,
    number,
)
from warehouse.records.fiscal import (
    LENGTH,
    MONTH_END,
    PLAIN_YEAR,
    QUARTER,
    ROLLING,
    STATED,
    TO_DATE,
    WEEKS_TO_DATE,
    WHOLE_YEAR,
    Weeks,
    YearEnd,
)

_YEAR_WEEKS = (52, 53)
_QUARTER_WEEKS = (12, 13, 14, 16, 17)
_MONTHS_TO_DATE = {6: 2, 9: 3}

_DAY = (
    rf"(?:(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})(?:,?{S}?(?P<year>{YEAR}))?"
    rf"|(?P<eu_day>{DAY_OF_MONTH}){S}(?P<eu_month>{MONTH})(?:,?{S}(?P<eu_year>{YEAR}))?"
    r"|(?P<us_month>[01]?[0-9])/(?P<us_day>[0-3]?[0-9])/(?P<us_year>[12][0-9]{3})\b)"
)
_EVERY = rf"(?:(?:each|every){S})?"
_RULE = (
    rf"(?:last{S}(?P<last>{WEEKDAY}){S}(?:in|of){S}(?:the{S}month{S}of{S})?{_EVERY}(?P<last_month>{MONTH})"
    rf"|(?P<near>{WEEKDAY}){S}(?:(?:that{S}is|which{S}is|falling){S})?(?:closest|nearest){S}(?:to{S})?"
    rf"(?:(?:the{S})?(?:end|last{S}day){S}of{S})?{_EVERY}(?P<near_month>{MONTH})(?:{S}{DAY_OF_MONTH})?"
    rf"|(?:(?:end|last{S}day){S}of{S}{_EVERY})?(?P<whole>{MONTH})(?!{S}[0-9]))"
)
_END = re.compile(r"[Ee][Nn][Dd](?:[Ee][Dd]|[Ii][Nn][Gg]|[Ss])?(?![A-Za-z])")
_AFTER = re.compile(rf"[:,]?{S}(?:(?:is|of|was|on|in|at){S}){{0,2}}(?:the{S})?(?:{_DAY}|{_RULE})", re.IGNORECASE)
_REACH = 110
_FISCAL = rf"(?:fiscal|financial)(?:{S}|-)years?|fiscal(?={S}[12])|FY"
_NAME = rf"(?:(?:{_FISCAL}){S}?)?(?P<name>{YEAR})?"
_PASSED = rf"(?:{S}|[(,:–—-]|which\b|that\b|the\b){{0,5}}"
_COUNT = rf"(?P<count>[0-9]{{1,2}}|{NUMBER_WORDS})"
_LENGTH = rf"{_COUNT}(?:{S}|-)(?P<unit>week|month)s?(?:{S}periods?)?"
_NUMBERED = re.compile(
    rf"(?:(?P<before>{YEAR}){S})?(?:(?P<ordinal>{any_of(ORDINALS)})(?:{S}|-)(?:fiscal{S})?quarter|Q(?P<q>[1-4]))"
    rf"(?:{S}(?:of{S})?(?:the{S})?{_NAME})?{_PASSED}(?:{_LENGTH})?{_PASSED}$",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"(?:(?:{_FISCAL}){S}(?P<name>{YEAR}){_PASSED})?{_LENGTH}{S}?$", re.IGNORECASE)
_COUNTED_OF = re.compile(
    rf"{_LENGTH}{S}of{S}(?:(?:the|our|its){S})?(?:{_FISCAL})(?:{S}(?P<name>{YEAR}))?{_PASSED}$", re.IGNORECASE
)
"""The weeks or months of a year: "the first 36 weeks of fiscal 2023, ended"."""
_PART_OF = re.compile(
    r"\b(?:quarters?|hal(?:f|ves)|weeks?|months?|periods?)\s*\)?\s+of\s+(?:the\s+|our\s+|its\s+)?$", re.IGNORECASE
)
"""Words before a year of which only a part ends: "first half of fiscal 2023, ended"."""
_YEAR = re.compile(rf"(?:(?P<fiscal>{_FISCAL})(?:{S}(?P<name>{YEAR}))?|\byears?){_PASSED}$", re.IGNORECASE)
_LOOSE = re.compile(
    rf"(?:{_FISCAL})(?:{S}(?P<name>{YEAR}))?"
    r"(?!.{0,99}\b(?:fiscal|financial|quarter|month|half|began|begin))[^.;!?]{0,90}$",
    re.IGNORECASE | re.DOTALL,
)
_CALLED = re.compile(
    rf"(?:{S}|[(,“\"]|(?:the|our|or|as|is|was|we|refer|referred|to|hereinafter|herein)\b){{1,12}}"
    rf"(?:{_FISCAL}){S}?(?P<name>{YEAR})",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"(?:fiscal|financial)(?:{S}years?)?(?:{S}(?P<name>{YEAR}))?[^.;!?0-9]{{0,40}}?\b(?P<from_month>{MONTH}){S}"
    rf"{DAY_OF_MONTH}(?:,?{S}?(?P<from_year>{YEAR}))?{S}?(?:to|through|until|and{S}ends{S}on|[-–—]){S}?{_DAY}",
    re.IGNORECASE,
)
_FISCAL_WORD = re.compile("[Ff][Ii](?:[Ss][Cc]|[Nn][Aa][Nn][Cc][Ii])[Aa][Ll]")


def year_ends(text: str) -> Iterator[YearEnd]:
    """The evidence of an English text: days that years end on, in order, then days that they run to."""
    yield from _ending(text)
    for word in _FISCAL_WORD.finditer(text):
        whole = _WHOLE.match(text, word.start())
        found = _running(whole) if whole else None
        if found is not None:
            yield found


def _ending(text: str) -> Iterator[YearEnd]:
    for end in _END.finditer(text):
        after = _AFTER.match(text, end.end())
        if after is None:
            continue
        before = text[max(0, end.start() - _REACH) : end.start()]
        called = _CALLED.match(text, after.end(), after.end() + _REACH)
        try:
            found = _read(before, end[0].lower(), after, called)
        except (ValueError, OverflowError):
            continue
        if found is not None:
            yield found


def _read(before: str, verb: str, after: re.Match[str], called: re.Match[str] | None) -> YearEnd | None:
    loose = _LOOSE.search(before) if verb in ("ends", "ending") else None
    if loose and not _year_of(after):
        return _made(after, STATED, loose[0] + verb, name=loose["name"])
    numbered = _NUMBERED.search(before)
    if numbered:
        name = numbered["before"] or numbered["name"]
        quarter = int(numbered["q"] or 0) or _ordinal(numbered["ordinal"])
        counted = _number(numbered["count"]) if (numbered["unit"] or "").lower() == "week" else 0
        return _made(after, QUARTER, numbered[0] + verb, quarter, name, counted if counted not in _YEAR_WEEKS else 0)
    counted_match = _COUNTED.search(before) or _COUNTED_OF.search(before)
    if counted_match:
        return _counted(counted_match, verb, after, called)
    year = _YEAR.search(before)
    if year and _PART_OF.search(before[: year.start()]):
        return None
    if year and (year["fiscal"] or verb == "ended"):
        weight = PLAIN_YEAR if not year["fiscal"] else WHOLE_YEAR if _year_of(after) else STATED
        name = year["name"] or (called["name"] if called else None)
        return _made(after, weight, year[0] + verb, name=name)
    return _made(after, WHOLE_YEAR, loose[0] + verb, name=loose["name"]) if loose else None


def _running(match: re.Match[str]) -> YearEnd | None:
    """A year that runs from one day to another: from the month after the last one, or from the same a year before."""
    try:
        found = _made(match, WHOLE_YEAR if _year_of(match) else STATED, "", name=match["name"])
    except (ValueError, OverflowError):
        return None
    if found is None:
        return None
    first, since = month(match["from_month"]), match["from_year"]
    is_year = first == found.month % 12 + 1 or (first == found.month and since and found.year == int(since) + 1)
    return replace(found, text=" ".join(match[0].split())) if is_year else None


def _counted(found: re.Match[str], verb: str, after: re.Match[str], called: re.Match[str] | None) -> YearEnd | None:
    count, weeks = _number(found["count"]), found["unit"].lower() == "week"
    name, text = found["name"] or (called["name"] if called else None), found[0] + verb
    if weeks and count in _YEAR_WEEKS:
        return _made(after, WHOLE_YEAR, text, name=name, counted=count)
    if not weeks and count == 12:
        return _made(after, ROLLING, text)
    if weeks and count in _QUARTER_WEEKS:
        return _made(after, LENGTH, text, 1, counted=count)
    quarter = (WEEKS_TO_DATE if weeks else _MONTHS_TO_DATE).get(count)
    return _made(after, TO_DATE, text, quarter, counted=count if weeks else 0) if quarter else None


def _made(
    after: re.Match[str], weight: int, text: str, quarter: int = 4, name: str | None = None, counted: int = 0
) -> YearEnd | None:
    """The evidence with the day that follows; a rule for every year is said of fiscal years only."""
    called = int(name) if name else None
    shown = " ".join(f"{text}{after[0]}".split()).rstrip(".")
    kind = next((kind for kind in ("", "eu_", "us_") if after[f"{kind}month"]), None)
    if kind is None:
        named = month(after["last_month"] or after["near_month"] or after["whole"])
        return YearEnd(named, MONTH_END, STATED, shown, weeks=_rule(after)) if weight == STATED else None
    number = int(after["us_month"]) if kind == "us_" else month(after[f"{kind}month"])
    day, year = leading_digits(after[f"{kind}day"]), _year_of(after)
    found = YearEnd(number, day, weight, shown, int(year) if year else None, quarter, called, None, counted)
    return found if found.year_end(None) else None


def _year_of(after: re.Match[str]) -> str | None:
    year: str | None = after["year"] or after["eu_year"] or after["us_year"]
    return year


def _rule(after: re.Match[str]) -> Weeks | None:
    weekday = after["last"] or after["near"]
    return Weeks(WEEKDAYS[weekday.lower()], nearest=bool(after["near"])) if weekday else None


def _number(text: str | None) -> int:
    return number(text) if text else 0


def _ordinal(text: str) -> int:
    return ORDINALS[text.lower()]
