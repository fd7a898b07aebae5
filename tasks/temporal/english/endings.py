"""English periods named by the day they end on: "three months ended March 31, 2023", "quarter ended June 30".

Each year of a list is the period, or the day, that ends in it.
"""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import COUNT, DAY_OF_MONTH, MONTH, NUMBERS, YEAR, S, leading_digits, month, number
from tasks.temporal.grammar import LONG_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.company import Ended, Period
from tasks.temporal.meanings.recurrences import Policy, Recurring
from tasks.temporal.readings import FixedDate, Meaning
from warehouse.months import DAY
from warehouse.records import Grain

_WEEKS = {3: (12, 13, 14, 16), 6: (24, 26, 27, 28), 12: (52, 53)}
"""The weeks that companies of 52 and 53-week years count for so many months."""
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12}

_LENGTH = (
    rf"(?:(?P<count>{COUNT})(?:{S}|-))?(?P<fiscal>fiscal{S})?(?P<unit>week|month|quarter|half(?:{S}|-)?year|half|year)"
    rf"(?:s|ly)?(?:(?:{S}|-)periods?)?"
)
_PLAIN_LENGTH = re.sub(r"\?P<[a-z]+>", "?:", _LENGTH)
_DAY = rf"(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})"
_DATE = (
    rf"(?:{_DAY}(?:,?{S}(?P<year>{YEAR}))?"
    rf"|(?P<eu_day>{DAY_OF_MONTH}){S}(?:of{S})?(?P<eu_month>{MONTH})(?:,?{S}(?P<eu_year>{YEAR}))?"
    rf"|(?-i:(?=[A-Z]))(?P<only_month>{MONTH})(?:,?{S}(?P<only_year>{YEAR}))?(?!{S}[0-9]))"
)
_ENDED = rf"(?:ended|ending){S}(?:(?:on|in){S})?(?:the{S})?"
_COUNTS = {SHORT_NUMBER, "fifty", *NUMBERS}
_REACH = 120


def _period(length: re.Match[str], last: date) -> Ended:
    """The unit may be counted in weeks, and the first word may say that it is fiscal."""
    count = number(length["count"]) if length["count"] else 1
    unit, fiscal = length["unit"].lower(), bool(length["fiscal"])
    if not 1 <= count <= 106:
        raise ValueError(f"no period of {count} {unit}s")
    if unit == "week":
        months = next((months for months, counts in _WEEKS.items() if count in counts), 0)
        return Ended(last, months, count)
    return Ended(last, count * _MONTHS[unit[:4] if unit.startswith("half") else unit], fiscal=fiscal)


def _last_day(match: re.Match[str]) -> tuple[int | None, int, int | None]:
    """Year, month and day, as far as they are said."""
    kind = next(kind for kind in ("", "eu_", "only_") if match[f"{kind}month"])
    year = match[f"{kind}year"]
    day = match[f"{kind}day"] if kind != "only_" else None
    return int(year) if year else None, month(match[f"{kind}month"]), leading_digits(day) if day else None


def _on(year: int, month: int, day: int | None) -> date:
    return readings.month_interval(year, month)[1] - DAY if day is None else date(year, month, day)


def _ended(match: re.Match[str]) -> Meaning:
    """A period without a year is the latest, and is over unless it is said to be ending."""
    year, number, day = _last_day(match)
    if year:
        return _period(match, _on(year, number, day))
    sample = _period(match, _on(2000, number, day))
    blank = f"XXXX-{number:02}-{day:02}" if day else f"XXXX-{number:02}"
    usual = Policy.LATEST if "ending" in match[0].lower() else Policy.ENDED
    return Recurring(sample.grain, Grain.YEAR, lambda first: _period(match, _on(first.year, number, day)), blank, usual)


_LISTED = re.compile(
    rf"(?:\b{_LENGTH}{S}{_ENDED})?\b(?:{_DAY}|(?P<eu_day>{DAY_OF_MONTH}){S}(?P<eu_month>{MONTH})),?{S}{YEAR}"
    rf"(?:,{S}(?:and{S})?{YEAR}){{0,3}}(?:,|{S}and|,{S}and){S}\Z",
    re.IGNORECASE,
)
_LISTED_FISCAL = re.compile(
    rf"\bfiscal{S}(?:years?{S})?{YEAR}(?:,{S}{YEAR}){{0,3}}(?:,|{S}and|,{S}and){S}\Z", re.IGNORECASE
)

_AFTER_YEAR = re.compile(rf"{YEAR}(?:,|{S}and|,{S}and){S}\Z", re.IGNORECASE)
_NEXT = 16
"""How far back the year before stands, which is looked for first: most years follow none."""


def _listed(match: re.Match[str]) -> Meaning | None:
    """The 2022 of "the nine months ended September 30, 2023 and 2022"."""
    year, place = int(match["year"]), match.start()
    if _AFTER_YEAR.search(match.string[max(0, place - _NEXT) : place]) is None:
        return None
    before = match.string[max(0, place - _REACH) : place]
    found = _LISTED.search(before)
    if found is None:
        return Period(Grain.YEAR, year, 1, fiscal=True) if _LISTED_FISCAL.search(before) else None
    last = date(year, month(found["month"] or found["eu_month"]), leading_digits(found["day"] or found["eu_day"]))
    return _period(found, last) if found["unit"] else FixedDate(readings.of_day(last))


RULES: tuple[GrammarRule, ...] = (
    rule(
        {"ended", "ending"}, rf"(?:the{S})?{_LENGTH}{S}{_ENDED}{_DATE}", _ended, lead=rf"(?:the{S})?{_PLAIN_LENGTH}{S}"
    ),
    rule(
        _COUNTS,
        rf"(?:the{S})?{_LENGTH}{S}(?:to|through){S}(?:the{S}end{S}of{S})?{_DATE}",
        lambda match: _ended(match) if match["count"] else None,
        lead=rf"(?:the{S})?",
    ),
    rule(
        _COUNTS,
        rf"(?P<count>{COUNT})(?=(?:-{S}?|{S}|-month{S}|{S}months{S})(?:and|or){S}{COUNT}(?:{S}|-)(?P<fiscal>)"
        rf"(?P<unit>week|month|quarter|year)s?{S}(?:periods?{S})?{_ENDED}{_DATE})",
        _ended,
    ),
    rule({LONG_NUMBER}, r"(?:(?<=and )|(?<=, ))(?P<year>(?:19|20)[0-9]{2})(?![0-9A-Za-z])", _listed),
)
