"""English periods of reports: "Q1 2023", "fiscal 2022", "year to date", "three months ended March 31, 2023"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial

from tasks.temporal import readings
from tasks.temporal.english.lexicon import (
    CAPITAL,
    COUNT,
    DAY_OF_MONTH,
    ESTIMATED,
    MONTH,
    MONTHS,
    NUMBERS,
    QUARTER_ORDINALS,
    SHORT_YEAR,
    YEAR,
    S,
    match_any,
    parse_day_number,
    parse_month,
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
    PeriodThenEnded,
    PeriodUntil,
    YearToDate,
)
from tasks.temporal.meanings.offsets import Rolling, ToDate
from tasks.temporal.meanings.recurrences import (
    NumericDate,
    Policy,
    Recurring,
    make_half_of_year,
    make_quarter_of_year,
)
from tasks.temporal.meanings.spans import TimeBetween
from tasks.temporal.readings import Meaning, expand_year
from warehouse.records import Grain
from warehouse.records.fiscal import DAY

_WEEKS = {3: (12, 13, 14, 16), 6: (24, 26, 27, 28), 12: (52, 53)}
"""The weeks that companies of 52 and 53-week years count for so many months."""
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12}

_LENGTH = (
    rf"(?:(?P<count>{COUNT})(?:{S}|-))?(?P<fiscal>fiscal{S})?(?P<unit>week|month|quarter|half(?:{S}|-)?year|half|year)"
    rf"(?:s|ly)?(?:(?:{S}|-)periods?)?"
)
_END_DAY = rf"(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})"
_DATE = (
    rf"(?:{_END_DAY}(?:,?{S}(?P<year>{YEAR}))?"
    rf"|(?P<eu_day>{DAY_OF_MONTH}){S}(?:of{S})?(?P<eu_month>{MONTH})(?:,?{S}(?P<eu_year>{YEAR}))?"
    rf"|{CAPITAL}(?P<only_month>{MONTH})(?:,?{S}(?P<only_year>{YEAR}))?(?!{S}[0-9]))"
)
_ENDED = rf"(?:ended|ending){S}(?:(?:on|in){S})?(?:the{S})?"
_NUMERIC_DAY = (
    r"(?:[0-3]?[0-9][/.-][0-3]?[0-9][/.-](?:[12][0-9]{3}|[0-9]{2})|[12][0-9]{3}-[01][0-9]-[0-3][0-9])(?![0-9A-Za-z])"
)
_COUNTS = {SHORT_NUMBER, "fifty", *NUMBERS}
_NO_STEP = "".join(
    rf"(?<!\b{word} )" for word in ("last", "this", "next", "prior", "previous", "per", "a", "each", "every")
)
"""Not "last year to 31 March": what is counted from this year is compared."""
_LIST_REACH = 120


def _parse_length(length: re.Match[str]) -> tuple[int, int, bool]:
    """The months, the weeks where it is counted in weeks, and whether the first word says that it is fiscal."""
    count = parse_number(length["count"]) if length["count"] else 1
    unit, fiscal = length["unit"].lower(), bool(length["fiscal"])
    if not 1 <= count <= 106:
        raise ValueError(f"no period of {count} {unit}s")
    if unit == "week":
        return next((months for months, counts in _WEEKS.items() if count in counts), 0), count, False
    return count * _MONTHS[unit[:4] if unit.startswith("half") else unit], 0, fiscal


def _make_period_until(last: date, length: re.Match[str]) -> PeriodUntil:
    return PeriodUntil(last, *_parse_length(length))


_SEVERAL = re.compile(r"s\s+then\b", re.IGNORECASE)


def _read_then_ended(match: re.Match[str]) -> PeriodThenEnded:
    """The year, quarter or months whose end the text has just named; a period may be counted in months alone."""
    months, weeks, _ = _parse_length(match)
    if weeks or (not match["count"] and _SEVERAL.search(match[0])):
        raise ValueError("weeks are counted from a day, and of several years each has its own")
    return PeriodThenEnded(months)


def _read_ended(match: re.Match[str]) -> Meaning:
    """A period without a year is the latest, and is over unless it is said to be ending; a month alone ends whole."""
    prefix = next(kind for kind in ("", "eu_", "only_") if match[f"{kind}month"])
    number, year = parse_month(match[f"{prefix}month"]), match[f"{prefix}year"]
    day = parse_day_number(match[f"{prefix}day"]) if prefix != "only_" else None
    usual = Policy.LATEST if "ending" in match[0].lower() else Policy.ENDED
    return _make_ended(match, number, day, year, usual)


def _read_month_quarter(match: re.Match[str]) -> Meaning:
    """The December quarter, the March 2024 quarter: the one that ends with the month."""
    return _make_ended(match, parse_month(match["month"]), None, match["year"] or match["of_year"], Policy.ENDED)


def _make_ended(match: re.Match[str], number: int, day: int | None, year: str | None, usual: Policy) -> Meaning:
    """A period of the length in a match that ends on a day of the numbered month, or with the month."""

    def make_period(year: int) -> PeriodUntil:
        last = readings.make_months_interval(year, number, 1)[1] - DAY if day is None else date(year, number, day)
        return replace(_make_period_until(last, match), by_month=day is None)

    if year:
        return make_period(int(year))
    blank = f"XXXX-{number:02}-{day:02}" if day else f"XXXX-{number:02}"
    return Recurring(make_period(2000).grain, Grain.YEAR, lambda first: make_period(first.year), blank, usual)


_NEXT_YEAR = rf"(?:,?{S}(?:and|vs\.?|versus|compared{S}(?:with|to))|,)"
"""What stands before the year of the next period of a list or comparison."""
_AFTER_OTHERS = r"(?:(?<=and )|(?<=, )|(?<=vs )|(?<=vs\. )|(?<=versus )|(?<=compared to )|(?<=compared with ))"
_LISTED_ENDS = re.compile(
    rf"(?:\b{_LENGTH}{S}{_ENDED})?\b(?:{_END_DAY}|(?P<eu_day>{DAY_OF_MONTH}){S}(?P<eu_month>{MONTH})),?{S}{YEAR}"
    rf"(?:,{S}(?:and{S})?{YEAR}){{0,3}}{_NEXT_YEAR}{S}\Z",
    re.IGNORECASE,
)
_WHOLE_DAY = rf"(?:(?:{MONTH}{S}{DAY_OF_MONTH}|{DAY_OF_MONTH}{S}{MONTH}),?{S}{YEAR}|{_NUMERIC_DAY})"
_LISTED_DAYS = re.compile(
    rf"\b{_LENGTH}{S}{_ENDED}{_WHOLE_DAY}(?:,{S}{_WHOLE_DAY}){{0,3}}{_NEXT_YEAR}{S}\Z", re.IGNORECASE
)
_LISTED_FISCAL = re.compile(
    rf"\bfiscal{S}(?:years?{S})?{YEAR}(?:,{S}{YEAR}){{0,3}}(?:,|{S}and|,{S}and){S}\Z", re.IGNORECASE
)

_AFTER_YEAR = re.compile(rf"{YEAR}{_NEXT_YEAR}{S}\Z", re.IGNORECASE)
_NEXT = 30  # How far back the year before stands, which is looked for first: most years follow none.


def _read_next_day_of_list(match: re.Match[str]) -> PeriodEndingWith | None:
    """The second day of "the nine months ended September 30, 2023 and September 30, 2022"."""
    found = _LISTED_DAYS.search(match.string[max(0, match.start() - _LIST_REACH) : match.start()])
    if found is None:
        return None
    if match["month"]:
        month, day = parse_month(match["month"]), parse_day_number(match["day"])
        return PeriodEndingWith(readings.make_day(date(int(match["year"]), month, day)), *_parse_length(found))
    last = NumericDate(int(match["first"]), int(match["second"]), expand_year(match["year"]), match["mark"])
    return PeriodEndingWith(last, *_parse_length(found))


def _read_next_of_list(match: re.Match[str]) -> Meaning | None:
    """The 2022 of "the nine months ended September 30, 2023 and 2022"."""
    year, place = int(match["year"]), match.start()
    if _AFTER_YEAR.search(match.string[max(0, place - _NEXT) : place]) is None:
        return None
    before = match.string[max(0, place - _LIST_REACH) : place]
    found = _LISTED_ENDS.search(before)
    if found is None:
        return Period(Grain.YEAR, year, fiscal=True) if _LISTED_FISCAL.search(before) else None
    last = date(
        year, parse_month(found["month"] or found["eu_month"]), parse_day_number(found["day"] or found["eu_day"])
    )
    return _make_period_until(last, found) if found["unit"] else readings.make_day(last)


_ORDINALS = QUARTER_ORDINALS | {"final": 4}
_GAP = rf"(?:{S}|-|,{S})?"
_FISCAL = rf"(?P<fiscal>fiscal(?:{S}years?)?{S}|FY{S}|FY)?"
_BARE_YEAR = r"(?:[12][0-9]{3}|['’]?[0-9]{2})"
TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?{_FISCAL}(?P<year>{_BARE_YEAR}){ESTIMATED}"
_LAST = rf"[-/](?P<last>{SHORT_YEAR})(?![0-9A-Za-z])"
"""The second year of a fiscal year that is named by both: 2023/24."""
_PLAIN_TAIL = rf"{_GAP}(?:of{S})?(?:the{S})?(?P<year>{SHORT_YEAR})"
_ORDINAL = rf"(?P<number>{match_any(_ORDINALS)})"
_CALLED_FISCAL = rf"(?P<fiscal_first>(?:fiscal(?:{S}year)?|FY){S})?"
_NTH = rf"(?:the{S})?{_CALLED_FISCAL}{_ORDINAL}(?:{S}|-)(?P<fiscal_before>fiscal{S})?"
_YEAR_FIRST = rf"(?:the{S})?(?P<fiscal>fiscal{S}(?:years?{S})?|FY{S}?)?(?P<year>{YEAR})(?:['’]s)?{S}"
_OF_A_YEAR = (
    rf"{S}(?:of|in){S}(?:the|this|last|next|each|every|that|its|our)?{S}?"
    rf"(?:(?:fiscal|calendar|current|prior|previous|same|following){S})?(?:year\b|20)"
)
_NO_COUNT = (
    rf"(?![.,:/][0-9]|{S}?%|(?:{S}|-)(?:weeks?|months?|days?|quarters?|years?|hours?|percent|per{S}cent|basis|million"
    r"|billion|companies|stores|items|points)\b)"
)
"""After fiscal a number of two digits is a year where it counts nothing: fiscal 52 weeks."""
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
    """A quarter or half of a year. Raises `ValueError` where it names two years that do not follow each other."""
    groups, index, year = match.groupdict(), _parse_index(match["number"], grain), _read_year(match)
    if last := groups.get("last"):
        if expand_year(last) != year + 1:
            raise ValueError(f"{last} does not follow {year}")
        return Period(grain, year + 1, index, fiscal=True, by_end=True)
    is_fiscal = any(groups.get(name) for name in ("fiscal", "fiscal_before", "fiscal_first"))
    return Period(grain, year, index, is_fiscal, plain="plain" in groups)


_read_quarter, _read_half = partial(read_part, grain=Grain.QUARTER), partial(read_part, grain=Grain.HALF)


def _read_quarters(match: re.Match[str]) -> TimeBetween:
    """The first and second quarters of 2023."""
    last = _read_quarter(match)
    return TimeBetween(replace(last, index=_parse_index(match["first"], Grain.QUARTER)), last)


def _read_calendar_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, _read_year(match), plain=True)


def _read_to_date(match: re.Match[str]) -> ToDate:
    units = {"y": Grain.YEAR, "q": Grain.QUARTER, "m": Grain.MONTH, "w": Grain.WEEK}
    return ToDate(units[match["unit"][0].lower()])


def _read_fiscal_year(match: re.Match[str]) -> Period:
    year = match["last"] or match["year"]
    return Period(Grain.YEAR, expand_year(year.lstrip("'’")), fiscal=True, by_end=bool(match["last"]))


_LISTED = re.compile(
    rf"\b(?:fiscal(?:{S}years?)?{S}|FY{S}?){SHORT_YEAR}(?:,{S}{SHORT_YEAR}){{0,3}}"
    rf"(?:,?{S}(?:and|to|through){S}|,{S}|{S}?[-–]{S}?)\Z",
    re.IGNORECASE,
)
_YEARS_REACH = 60


def _read_listed_year(match: re.Match[str]) -> Period | None:
    """The 23 of "fiscal years 22 and 23"."""
    before = match.string[max(0, match.start() - _YEARS_REACH) : match.start()]
    return Period(Grain.YEAR, expand_year(match["year"]), fiscal=True) if _LISTED.search(before) else None


_TWELVE_MONTHS = Rolling(Grain.MONTH, -12, "P12M")
_TO_QUARTERS = (
    rf"(?:the{S})?(?P<first>{match_any(_ORDINALS)}){S}(?:and|through|to){S}(?:the{S})?{_ORDINAL}{S}"
    rf"(?P<fiscal_before>fiscal{S})?"
)
_NTH_NAMED = rf"(?:fiscal(?:{S}|-))?{_ORDINAL}"
_NTH_ALONE = (
    rf"(?:(?:the{S})?{_NTH_NAMED}{S}(?:fiscal{S})?|{_NTH_NAMED.replace('number', 'hyphened')}-(?:fiscal(?:{S}|-))?)"
)


def _read_lone_quarter(match: re.Match[str]) -> Recurring:
    quarter = _parse_index(match["number"] or match["hyphened"], Grain.QUARTER)
    return make_quarter_of_year(quarter, fiscal="fiscal" in match[0].lower())


def _make_part_rules(word: str, sign: str, fiscal: str, read: Reader) -> Iterator[GrammarRule]:
    """The rules of quarters (`sign` Q[1-4]) or halves: "Q1 2023", "third quarter of 2023", "Q1 2023/24" by both years.

    `fiscal` matches what may stand between the number and the `word` where the year comes first.
    """
    letter, digits = sign[0].lower(), rf"(?P<number>{sign[1:]})"
    for last in ("", _LAST):
        yield make_rule({letter}, rf"{letter}{digits}{TAIL}{last}", read, lead=_CALLED_FISCAL)
        # "1h30" is a time.
        yield make_rule(
            {SHORT_NUMBER + LETTERED},
            rf"{digits}(?!(?-i:h[0-5]\d(?!\d))){letter}{TAIL}{last}",
            read,
            lead=_CALLED_FISCAL,
        )
        yield make_rule({word}, rf"{word}{LONG_TAIL}{last}", read, lead=_NTH)
    yield make_rule({"calendar"}, rf"calendar{S}(?P<plain>)(?:year{S})?{letter}{digits}{_PLAIN_TAIL}", read)
    yield make_rule({"calendar"}, rf"calendar{S}(?P<plain>){_ORDINAL}(?:{S}|-){word}{_PLAIN_TAIL}", read)
    yield make_rule({LONG_NUMBER}, rf"(?P<year>[12]\d{{3}})[ -]?{letter}{digits}(?![0-9A-Za-z])", read)
    yield make_rule(
        {SHORT_NUMBER + LETTERED}, rf"(?P<year>[0-6]\d){letter.upper()}{digits}(?![0-9A-Za-z])", read, exact_case=True
    )
    yield make_rule({word}, rf"{word}\b", read, lead=rf"{_YEAR_FIRST}{_ORDINAL}(?:{S}|-)(?P<fiscal_before>{fiscal})")


RULES: tuple[GrammarRule, ...] = (
    make_rule({"ended", "ending"}, rf"{_ENDED}{_DATE}", _read_ended, lead=rf"(?:the{S})?{_LENGTH}{S}"),
    make_rule(
        {"ended", "ending"},
        rf"(?:ended|ending)(?:{S}on)?(?={S}{_NUMERIC_DAY})",
        lambda match: PeriodEndingWith(None, *_parse_length(match)),
        lead=rf"(?:the{S})?{_LENGTH}{S}",
    ),
    make_rule({"w"}, r"w/e\b", PeriodEndingWith(None, 0, 1)),
    make_rule(
        _COUNTS,
        rf"{_LENGTH}{S}(?:to|through){S}(?:the{S}end{S}of{S})?{_DATE}",
        lambda match: _read_ended(match) if match["count"] else None,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {"half", "quarter", "year"},
        rf"(?P<unit>half(?:{S}|-)?year|half|quarter|year){S}to{S}(?:the{S}end{S}of{S})?{_DATE}",
        _read_ended,
        lead=rf"{_NO_STEP}(?:the{S})?(?:(?:full|whole|financial){S})?(?P<count>)(?P<fiscal>(?:fiscal{S})?)",
    ),
    make_rule(
        {"ended", "ending"},
        rf"{_ENDED}{_DATE}",
        lambda match: _read_ended(match) if match["count"] else None,
        lead=rf"(?:the{S})?{_LENGTH}{S}(?:in|of){S}(?:the|a){S}(?:{COUNT}(?:{S}|-)(?:year|month)(?:{S}|-))?period{S}",
    ),
    make_rule(
        MONTHS,
        rf"{CAPITAL}(?P<month>{MONTH})(?:{S}(?P<year>{YEAR}))?{S}(?P<count>)(?P<fiscal>(?:fiscal{S})?)(?P<unit>quarter)\b"
        rf"(?!-)(?:{S}(?:of{S})?(?P<of_year>{YEAR}))?",
        _read_month_quarter,
        lead=rf"(?:the{S})?",
    ),
    make_rule({"then"}, rf"then{S}ended\b", _read_then_ended, lead=rf"(?:the{S})?{_LENGTH}{S}"),
    make_rule(
        _COUNTS,
        rf"(?P<count>{COUNT})(?=(?:-{S}?|{S}|-month{S}|{S}months{S})(?:and|or){S}{COUNT}(?:{S}|-)(?P<fiscal>)"
        rf"(?P<unit>week|month|quarter|year)s?{S}(?:periods?{S})?{_ENDED}{_DATE})",
        _read_ended,
    ),
    make_rule({LONG_NUMBER}, rf"{_AFTER_OTHERS}(?P<year>(?:19|20)[0-9]{{2}})(?![0-9A-Za-z])", _read_next_of_list),
    make_rule(MONTHS, rf"{_AFTER_OTHERS}{_END_DAY},?{S}(?P<year>{YEAR})", _read_next_day_of_list),
    make_rule(
        {SHORT_NUMBER},
        rf"{_AFTER_OTHERS}(?P<day>{DAY_OF_MONTH}){S}(?P<month>{MONTH}),?{S}(?P<year>{YEAR})",
        _read_next_day_of_list,
    ),
    make_rule(
        {SHORT_NUMBER},
        rf"{_AFTER_OTHERS}(?P<first>[0-3]?[0-9])(?P<mark>[/.-])(?P<second>[0-3]?[0-9])(?P=mark)"
        r"(?P<year>[12][0-9]{3}|[0-9]{2})(?![0-9A-Za-z])(?P<month>)",
        _read_next_day_of_list,
    ),
    *_make_part_rules("quarter", "Q[1-4]", rf"(?:fiscal{S})?", _read_quarter),
    make_rule(
        {"fy", "fiscal"},
        rf"(?P<fiscal>FY|fiscal(?:{S}year)?){_GAP}(?P<year>[12]\d{{3}}|\d\d)[ -]?Q(?P<number>[1-4])\b",
        _read_quarter,
    ),
    make_rule({"quarters"}, rf"quarters{LONG_TAIL}", _read_quarters, lead=_TO_QUARTERS),
    *_make_part_rules("half", "H[12]", "", _read_half),
    make_rule(
        {"half"},
        rf"half(?={_OF_A_YEAR}|{S}(?:results|earnings|profits?|sales|revenues?|loss(?:es)?|report)\b)",
        lambda match: make_half_of_year(_parse_index(match["number"], Grain.HALF)),
        lead=_NTH,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED},
        r"(?P<number>[1-4])Q(?![0-9A-Za-z'’])",
        lambda match: make_quarter_of_year(int(match["number"])),
        exact_case=True,
    ),
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
    make_rule({"months"}, r"months\b", _TWELVE_MONTHS, lead=rf"(?:the{S})?trailing{S}(?:twelve|12)(?:{S}|-)"),
    make_rule({"fy"}, rf"FY{_GAP}(?P<year>{_BARE_YEAR}){ESTIMATED}(?:[-/](?P<last>{SHORT_YEAR}))?", _read_fiscal_year),
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
    make_rule({"q"}, r"Q(?P<number>[1-4])(?P<hyphened>)(?![0-9A-Za-z])", _read_lone_quarter, exact_case=True),
    make_rule({"quarter"}, r"quarter\b", _read_lone_quarter, lead=_NTH_ALONE),
)
_UNTIL = re.compile(r"\s{1,3}(?:(?:ended|ending|as\sof|as\sat|to|through|thru)\s{1,3})?\(?|\s?\(", re.IGNORECASE)


def _join_trailing(length: Rolling, end: Meaning) -> PeriodEndingWith | None:
    return PeriodEndingWith(end, 12) if length == _TWELVE_MONTHS else None


def _join_ended(period: PeriodEndingWith, end: Meaning) -> PeriodEndingWith | None:
    return replace(period, end=end) if period.end is None and end.grain is Grain.DAY else None


def _join_to_date(to_date: ToDate, until: Meaning) -> YearToDate | None:
    return YearToDate(until) if to_date.grain is Grain.YEAR else None


JOINS: tuple[JoinRule, ...] = (
    JoinRule((PeriodEndingWith, DATED), _join_ended),
    JoinRule((Rolling, DATED), _join_trailing, _UNTIL),
    JoinRule((Rolling, SignalRole.TO, DATED), _join_trailing),
    JoinRule((ToDate, DATED), _join_to_date, _UNTIL),
    JoinRule((ToDate, SignalRole.TO, DATED), _join_to_date),
    JoinRule((Period, ToDate), lambda until, to_date: _join_to_date(to_date, until)),
)
