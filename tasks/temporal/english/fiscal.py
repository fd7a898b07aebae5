"""English periods of reports: "Q1 2023", "fiscal 2022", "year to date"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tasks.temporal.english.lexicon import (
    ESTIMATED,
    QUARTER_ORDINALS,
    SHORT_YEAR,
    YEAR,
    S,
    match_any,
    parse_number,
)
from tasks.temporal.english.signals import DATED
from tasks.temporal.grammar import (
    LETTERED,
    LONG_NUMBER,
    SHORT_NUMBER,
    GrammarRule,
    JoinRule,
    Reader,
    SignalRole,
    make_rule,
)
from tasks.temporal.meanings.company import (
    FirstMonths,
    Period,
    PeriodEndingWith,
    YearToDate,
)
from tasks.temporal.meanings.offsets import Rolling, ToDate
from tasks.temporal.meanings.recurrences import (
    Recurring,
    make_half_of_year,
    make_quarter_of_year,
)
from tasks.temporal.meanings.spans import TimeBetween
from tasks.temporal.readings import Meaning, expand_year
from warehouse.records import Grain

_ORDINALS = QUARTER_ORDINALS | {"final": 4}
_GAP = rf"(?:{S}|[-/]|,{S})?"
_FISCAL = rf"(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?"
_BARE_YEAR = r"(?:[12][0-9]{3}|['’]?[0-9]{2})"
TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?{_FISCAL}(?P<year>{_BARE_YEAR}){ESTIMATED}"
_SECOND_YEAR = rf"[-/](?P<last>{SHORT_YEAR})(?![0-9A-Za-z])"
"""The second year of a fiscal year that is named by both: 2023/24."""
_CALENDAR_TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?(?P<year>{SHORT_YEAR})"
_ORDINAL = rf"(?P<number>{match_any(_ORDINALS)})"
_FISCAL_LEAD = rf"(?P<fiscal_first>(?:fiscal(?:{S}year)?|FY){S})?"
_ORDINAL_LEAD = rf"(?:the{S})?{_FISCAL_LEAD}{_ORDINAL}(?:{S}|-)(?P<fiscal_before>fiscal{S})?"
_YEAR_FIRST = rf"(?:the{S})?(?P<fiscal>fiscal{S}(?:years?{S})?|FY{S}?)?(?P<year>{YEAR})(?:['’]s)?{S}"
_OF_A_YEAR = (
    rf"{S}(?:of|in){S}(?:the|this|last|next|each|every|that|its|our)?{S}?"
    rf"(?:(?:fiscal|calendar|current|prior|previous|same|following){S})?(?:year\b|20)"
)
_NO_COUNT = (
    rf"(?![.,:/][0-9]|{S}?%|(?:{S}|-)(?:weeks?|months?|days?|quarters?|years?|hours?|percent|per{S}cent|basis|million"
    r"|billion|companies|stores|items|points)\b)"
)
"""After "fiscal" a number of two digits is a year unless it counts something: fiscal 52 weeks."""
_TWO_DIGITS = rf"[0-9]{{2}}(?![0-9A-Za-z]){_NO_COUNT}"
_FISCAL_YEAR = rf"(?:{YEAR}|['’]?{_TWO_DIGITS})"
LONG_TAIL = (
    rf"(?:{S}|,{S})(?:of{S})?(?:the{S})?(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?(?:(?:calendar{S})?year{S})?"
    rf"(?P<year>{YEAR}|['’]{_TWO_DIGITS}|(?(fiscal){_TWO_DIGITS}|(?!)))"
)


def _read_year(match: re.Match[str]) -> int:
    return expand_year(match["year"].lstrip("'’"))


def _parse_index(text: str, grain: Grain) -> int:
    """The number of a quarter or half. Raises `ValueError` for a third half."""
    word = text.lower()
    index = _ORDINALS[word] if word in _ORDINALS else int(word)
    if grain is Grain.HALF and index > 2:
        raise ValueError(f"no half {index}")
    return index


def read_part(match: re.Match[str], grain: Grain) -> Period:
    """A quarter or half of a year. Raises `ValueError` if it names two years that are not consecutive."""
    groups, index, year = match.groupdict(), _parse_index(match["number"], grain), _read_year(match)
    if last := groups.get("last"):
        if expand_year(last) != year + 1:
            raise ValueError(f"{last} does not follow {year}")
        return Period(grain, year + 1, index, fiscal=True, by_end=True)
    is_fiscal = any(groups.get(name) for name in ("fiscal", "fiscal_before", "fiscal_first"))
    return Period(grain, year, index, is_fiscal, is_calendar="calendar" in groups)


_read_quarter, _read_half = partial(read_part, grain=Grain.QUARTER), partial(read_part, grain=Grain.HALF)


def _read_quarters(match: re.Match[str]) -> TimeBetween | None:
    """The first and second quarters of 2023, the first to the third quarter; the first and third are two times."""
    last, index = _read_quarter(match), _parse_index(match["first"], Grain.QUARTER)
    if match["link"].lower() == "and" and last.index != index + 1:
        return None
    return TimeBetween(replace(last, index=index), last)


def _read_calendar_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, _read_year(match), is_calendar=True)


def _read_to_date(match: re.Match[str]) -> ToDate:
    units = {"y": Grain.YEAR, "q": Grain.QUARTER, "m": Grain.MONTH, "w": Grain.WEEK}
    return ToDate(units[match["unit"][0].lower()])


def _read_fiscal_year(match: re.Match[str]) -> Period:
    year = match["last"] or match["year"]
    return Period(Grain.YEAR, expand_year(year.lstrip("'’")), fiscal=True, by_end=bool(match["last"]))


_FISCAL_YEAR_LIST = re.compile(
    rf"\b(?:fiscal(?:{S}years?)?{S}|FY{S}?){SHORT_YEAR}(?:,{S}{SHORT_YEAR}){{0,3}}"
    rf"(?:,?{S}(?:and|to|through){S}|,{S}|{S}?[-–]{S}?)\Z",
    re.IGNORECASE,
)
_YEARS_REACH = 60


def _read_listed_year(match: re.Match[str]) -> Period | None:
    """The 23 of "fiscal years 22 and 23"."""
    text_before = match.string[max(0, match.start() - _YEARS_REACH) : match.start()]
    return (
        Period(Grain.YEAR, expand_year(match["year"]), fiscal=True) if _FISCAL_YEAR_LIST.search(text_before) else None
    )


_TWELVE_MONTHS = Rolling(Grain.MONTH, -12, "P12M")
_TO_QUARTERS = (
    rf"(?:the{S})?(?P<first>{match_any(_ORDINALS)}){S}(?P<link>and|through|to|until|till){S}(?:the{S})?{_ORDINAL}{S}"
    rf"(?P<fiscal_before>fiscal{S})?"
)
_FISCAL_ORDINAL = rf"(?:fiscal(?:{S}|-))?{_ORDINAL}"
_LONE_ORDINAL_LEAD = (
    rf"(?:(?:the{S})?{_FISCAL_ORDINAL}{S}(?:fiscal{S})?"
    rf"|{_FISCAL_ORDINAL.replace('number', 'hyphened')}-(?:fiscal(?:{S}|-))?)"
)


_CELL_START = r"(?:(?<=\| )|(?<=\n)|\A)"
_CELL_YEAR = r"[ /-]?(?P<year>20[0-9]{2}|[0-9]{2})(?=\s?(?:\||\n|\Z))"


def _read_quarter_of_cell(match: re.Match[str]) -> Period:
    return Period(Grain.QUARTER, expand_year(match["year"]), int(match["number"]))


def _read_half_of_cell(match: re.Match[str]) -> Period:
    return Period(Grain.HALF, expand_year(match["year"]), int(match["number"]))


_IS_QUESTION = re.compile(r"\s?[:.)]\s[^\n?.!;]{3,200}\?")


def _read_quarter_without_year(match: re.Match[str]) -> Recurring | None:
    """A quarter; None for the number of a question: "Q1: What is your name?"."""
    if _IS_QUESTION.match(match.string, match.end()):
        return None
    quarter = _parse_index(match["number"] or match["hyphened"], Grain.QUARTER)
    return make_quarter_of_year(quarter, fiscal="fiscal" in match[0].lower())


def _make_part_rules(word: str, sign: str, fiscal: str, reader: Reader) -> Iterator[GrammarRule]:
    """The rules of quarters (`sign` Q[1-4]) or halves: "Q1 2023", "third quarter of 2023", "Q1 2023/24" by both years.

    `fiscal` matches what may stand between the number and the `word` where the year comes first.
    """
    letter, digits = sign[0].lower(), rf"(?P<number>{sign[1:]})"
    for last in ("", _SECOND_YEAR):
        yield make_rule({letter}, rf"{letter}{digits}{TAIL}{last}", reader, lead=_FISCAL_LEAD)
        # "1h30" is a time.
        yield make_rule(
            {SHORT_NUMBER + LETTERED},
            rf"{digits}(?!(?-i:h[0-5]\d(?!\d))){letter}{TAIL}{last}",
            reader,
            lead=_FISCAL_LEAD,
        )
        yield make_rule({word}, rf"{word}{LONG_TAIL}{last}", reader, lead=_ORDINAL_LEAD)
    yield make_rule({"calendar"}, rf"calendar{S}(?P<calendar>)(?:year{S})?{letter}{digits}{_CALENDAR_TAIL}", reader)
    yield make_rule({"calendar"}, rf"calendar{S}(?P<calendar>){_ORDINAL}(?:{S}|-){word}{_CALENDAR_TAIL}", reader)
    yield make_rule({LONG_NUMBER}, rf"(?P<year>[12]\d{{3}})[ -]?{letter}{digits}(?![0-9A-Za-z])", reader)
    yield make_rule(
        {SHORT_NUMBER + LETTERED}, rf"(?P<year>[0-6]\d){letter.upper()}{digits}(?![0-9A-Za-z])", reader, exact_case=True
    )
    yield make_rule({word}, rf"{word}\b", reader, lead=rf"{_YEAR_FIRST}{_ORDINAL}(?:{S}|-)(?P<fiscal_before>{fiscal})")


RULES: tuple[GrammarRule, ...] = (
    *_make_part_rules("quarter", "Q[1-4]", rf"(?:fiscal{S})?", _read_quarter),
    make_rule(
        {"fy", "fiscal"},
        rf"(?P<fiscal>FY|fiscal(?:{S}year)?){_GAP}(?P<year>[12]\d{{3}}|\d\d)[ -]?Q(?P<number>[1-4])\b",
        _read_quarter,
    ),
    make_rule(
        {"fy", "fiscal"},
        rf"(?P<fiscal>FY|fiscal(?:{S}year)?){_GAP}(?P<year>[12]\d{{3}}|\d\d)[ -]?H(?P<number>[12])\b",
        _read_half,
    ),
    make_rule({"quarter", "quarters"}, rf"quarters?{LONG_TAIL}", _read_quarters, lead=_TO_QUARTERS),
    *_make_part_rules("half", "H[12]", "", _read_half),
    make_rule(
        {"half"},
        rf"half(?={_OF_A_YEAR}|{S}(?:results|earnings|profits?|sales|revenues?|loss(?:es)?|report)\b)",
        lambda match: make_half_of_year(_parse_index(match["number"], Grain.HALF)),
        lead=_ORDINAL_LEAD,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED},
        r"(?P<number>[1-4])Q(?![0-9A-Za-z'’])",
        lambda match: make_quarter_of_year(int(match["number"])),
        exact_case=True,
    ),
    # Quarters and halves of Romance languages in a table whose language is not known: "1T 2024", "T1 2024", "1S24".
    make_rule(
        {SHORT_NUMBER + LETTERED},
        rf"{_CELL_START}(?P<number>[1-4])T{_CELL_YEAR}",
        _read_quarter_of_cell,
        exact_case=True,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED}, rf"{_CELL_START}(?P<number>[12])S{_CELL_YEAR}", _read_half_of_cell, exact_case=True
    ),
    make_rule({"t"}, rf"{_CELL_START}T(?P<number>[1-4]){_CELL_YEAR}", _read_quarter_of_cell, exact_case=True),
    make_rule({"cy"}, rf"CY{S}?(?P<year>{SHORT_YEAR})", _read_calendar_year),
    make_rule({"calendar"}, rf"calendar{S}(?:years?{S})?(?P<year>{YEAR})", _read_calendar_year),
    make_rule(
        {"year", "month", "quarter", "week"},
        rf"(?P<unit>year|month|quarter|week)(?:{S}|-)to(?:{S}|-)date\b",
        _read_to_date,
        lead=rf"(?:the{S})?",
    ),
    make_rule({"ytd", "mtd", "qtd"}, r"(?P<unit>[YMQ])TD\b", _read_to_date),
    make_rule({"ttm", "ltm"}, r"(?:TTM|LTM)\b", _TWELVE_MONTHS, exact_case=True),
    make_rule(
        {SHORT_NUMBER + LETTERED},
        rf"(?P<count>[369]|12)M{TAIL}",
        lambda match: FirstMonths(int(match["count"]), _read_year(match), bool(match["fiscal"])),
        exact_case=True,
    ),
    make_rule(
        {"months"},
        rf"months{S}(?P<year>{YEAR})",
        lambda match: FirstMonths(parse_number(match["count"]), int(match["year"]), fiscal=False),
        lead=rf"(?:the{S})?(?:first{S})?(?P<count>[369]|12|three|six|nine|twelve){S}",
    ),
    make_rule({"month", "months"}, r"months?\b", _TWELVE_MONTHS, lead=rf"(?:the{S})?trailing{S}(?:twelve|12)(?:{S}|-)"),
    make_rule({"fy"}, rf"FY{_GAP}(?P<year>{_BARE_YEAR}){ESTIMATED}(?:[-/](?P<last>{SHORT_YEAR}))?", _read_fiscal_year),
    make_rule(
        {"ye", "fye"},
        rf"F?YE(?:(?:{S}|-)?(?=[12][0-9]{{3}}))?(?P<year>{_BARE_YEAR})(?P<last>){ESTIMATED}",
        _read_fiscal_year,
        exact_case=True,
    ),
    make_rule(
        {"fiscal"},
        rf"fiscal(?:{S}years?)?{S}(?P<year>{_FISCAL_YEAR})(?:[-/](?P<last>{SHORT_YEAR}))?",
        _read_fiscal_year,
    ),
    make_rule(
        {SHORT_NUMBER},
        rf"(?P<year>{_TWO_DIGITS})",
        _read_listed_year,
        lead=r"(?:(?<=and )|(?<=, )|(?<=to )|(?<=through )|(?<=[-–]))['’]?",
    ),
    make_rule({"q"}, r"Q(?P<number>[1-4])(?P<hyphened>)(?![0-9A-Za-z])", _read_quarter_without_year, exact_case=True),
    make_rule({"quarter"}, r"quarter\b", _read_quarter_without_year, lead=_LONE_ORDINAL_LEAD),
)
_UNTIL = re.compile(r"\s{1,3}(?:(?:ended|ending|as\sof|as\sat|to|through|thru)\s{1,3})?\(?|\s?\(", re.IGNORECASE)


def _join_trailing(length: Rolling, end: Meaning) -> PeriodEndingWith | None:
    return PeriodEndingWith(end, 12) if length == _TWELVE_MONTHS else None


def _join_to_date(to_date: ToDate, until: Meaning) -> YearToDate | None:
    return YearToDate(until) if to_date.grain is Grain.YEAR else None


JOINS: tuple[JoinRule, ...] = (
    JoinRule((Rolling, DATED), _join_trailing, _UNTIL),
    JoinRule((Rolling, SignalRole.TO, DATED), _join_trailing),
    JoinRule((ToDate, DATED), _join_to_date, _UNTIL),
    JoinRule((ToDate, SignalRole.TO, DATED), _join_to_date),
    JoinRule((Period, ToDate), lambda until, to_date: _join_to_date(to_date, until)),
)
