"""Evidence in English texts for the end of fiscal years.

A sentence says it: "fiscal year ended September 30, 2023". A release says it in two places: "Reports Third Quarter
Fiscal 2023 Results" above columns headed "12 Weeks Ended" and "May 7, 2023" says that the third quarter of the fiscal
year 2023 ended on that day, and so when the year does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

from tasks.temporal.english.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    NUMBER_WORDS,
    QUARTER_ORDINALS,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    S,
    match_any,
    parse_day_number,
    parse_month,
    parse_number,
)
from tasks.temporal.readings import expand_year
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

_QUARTER_WEEKS = {12, 13, 14, 16, 17}
_MONTHS_TO_DATE = {6: 2, 9: 3}

_NUMERIC = (
    r"(?<![0-9.,/-])(?:(?P<first>[0-3]?[0-9])(?P<mark>[/.])(?P<second>[0-3]?[0-9])(?P=mark)"
    r"(?P<numeric_year>[12][0-9]{3}|[0-9]{2})|(?P<iso>[12][0-9]{3}-[01][0-9]-[0-3][0-9])"
    r"|(?P<short_month>[01]?[0-9])/(?P<short_day>1[3-9]|2[0-9]|3[01]))(?![0-9A-Za-z]|[./-][0-9])"
)
_DAY = (
    rf"(?:(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})(?:,?{S}?(?P<year>{YEAR}))?"
    rf"|(?P<eu_day>{DAY_OF_MONTH}){S}(?P<eu_month>{MONTH})(?:,?{S}(?P<eu_year>{YEAR}))?|{_NUMERIC})"
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
    rf"(?:(?P<before>{YEAR}){S})?(?:(?P<ordinal>{match_any(QUARTER_ORDINALS)})(?:{S}|-)(?:fiscal{S})?quarter|Q(?P<q>[1-4]))"
    rf"(?:{S}(?:of{S})?(?:the{S})?{_NAME})?{_PASSED}(?:{_LENGTH})?{_PASSED}$",
    re.IGNORECASE,
)
_SPANNING = (
    rf"(?:{S}|[(,:–—-]|(?:which|that|the|was|is|of|a|an|represent(?:s|ed)|consist(?:s|ed)|compris(?:es|ed)|includ(?:es|ed)"
    r"|contain(?:s|ed)|cover(?:s|ed)|refer(?:s|red)|means|to)\b){0,9}"
)
_COUNTED = re.compile(rf"(?:(?:{_FISCAL}){S}(?P<name>{YEAR}){_SPANNING})?{_LENGTH}{S}?$", re.IGNORECASE)
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


def find_year_ends(text: str) -> Iterator[YearEnd]:
    """The evidence of an English text: days that years end on, in order, then days that they run to."""
    for end in _END.finditer(text):
        after = _AFTER.match(text, end.end())
        if after:
            before = text[max(0, end.start() - _REACH) : end.start()]
            called = _CALLED.match(text, after.end(), after.end() + _REACH)
            yield from _read_valid(_read_end, before, end[0].lower(), after, called)
    for word in _FISCAL_WORD.finditer(text):
        whole = _WHOLE.match(text, word.start())
        if whole:
            yield from _read_valid(_read_whole_year, whole)


def _read_valid(read: Callable[..., YearEnd | None], *arguments: object) -> Iterator[YearEnd]:
    """What it returns, if anything; nothing where it raises for want of such a day."""
    try:
        found = read(*arguments)
    except (ValueError, OverflowError):
        return
    if found:
        yield found


def _read_end(before: str, verb: str, after: re.Match[str], called: re.Match[str] | None) -> YearEnd | None:
    loose = _LOOSE.search(before) if verb in ("ends", "ending") else None
    if loose and not _has_year(after):
        return _make_year_end(after, STATED, loose[0] + verb, name=loose["name"])
    numbered = _NUMBERED.search(before)
    if numbered:
        name = numbered["before"] or numbered["name"]
        quarter = _read_quarter(numbered)
        counted = parse_number(numbered["count"]) if (numbered["unit"] or "").lower() == "week" else 0
        return _make_year_end(
            after, QUARTER, numbered[0] + verb, quarter, name, counted if counted not in _YEAR_WEEKS else 0
        )
    counted_match = _COUNTED.search(before) or _COUNTED_OF.search(before)
    if counted_match:
        return _read_counted(counted_match, verb, after, called)
    year = _YEAR.search(before)
    if year and _PART_OF.search(before[: year.start()]):
        return None
    if year and (year["fiscal"] or verb == "ended"):
        weight = PLAIN_YEAR if not year["fiscal"] else WHOLE_YEAR if _has_year(after) else STATED
        name = year["name"] or (called["name"] if called else None)
        return _make_year_end(after, weight, year[0] + verb, name=name)
    return _make_year_end(after, WHOLE_YEAR, loose[0] + verb, name=loose["name"]) if loose else None


def _read_whole_year(match: re.Match[str]) -> YearEnd | None:
    """A year that runs from one day to another: from the month after the last one, or from the same a year before."""
    found = _make_year_end(match, WHOLE_YEAR if _has_year(match) else STATED, "", name=match["name"])
    if not found:
        return None
    first, since = parse_month(match["from_month"]), match["from_year"]
    is_year = first == found.month % 12 + 1 or (first == found.month and since and found.year == int(since) + 1)
    return replace(found, text=" ".join(match[0].split())) if is_year else None


def _read_counted(
    found: re.Match[str], verb: str, after: re.Match[str], called: re.Match[str] | None
) -> YearEnd | None:
    count, weeks = parse_number(found["count"]), found["unit"].lower() == "week"
    name, text = found["name"] or (called["name"] if called else None), found[0] + verb
    if weeks and count in _YEAR_WEEKS:
        return _make_year_end(after, WHOLE_YEAR, text, name=name, counted=count)
    if not weeks and count == 12:
        return _make_year_end(after, ROLLING, text)
    if weeks and count in _QUARTER_WEEKS:
        return _make_year_end(after, LENGTH, text, 1, counted=count)
    quarter = (WEEKS_TO_DATE if weeks else _MONTHS_TO_DATE).get(count)
    return _make_year_end(after, TO_DATE, text, quarter, counted=count if weeks else 0) if quarter else None


def _make_year_end(
    after: re.Match[str], weight: int, text: str, quarter: int = 4, name: str | None = None, counted: int = 0
) -> YearEnd | None:
    """The evidence with the day that follows; a rule for every year is said of fiscal years only."""
    year_name = int(name) if name else None
    basis = " ".join(f"{text}{after[0]}".split()).rstrip(".")
    named_day = _read_day(after)
    if named_day is None:
        named, weekday = after["last_month"] or after["near_month"] or after["whole"], after["last"] or after["near"]
        weeks = Weeks(WEEKDAYS[weekday.lower()], nearest=bool(after["near"])) if weekday else None
        return YearEnd(parse_month(named), MONTH_END, STATED, basis, weeks=weeks) if weight == STATED else None
    year, month, day = named_day
    found = YearEnd(month, day, weight, basis, year, quarter, year_name, None, counted)
    return found if found.estimate_year_end(None) else None


def _read_day(after: re.Match[str]) -> tuple[int | None, int, int] | None:
    """Year, month and day; with points or a first number over twelve the day is first. None where no day is named."""
    if after["iso"]:
        year, month, day = map(int, after["iso"].split("-"))
        return year, month, day
    if after["first"]:
        first, second = int(after["first"]), int(after["second"])
        month, day = (second, first) if first > 12 or after["mark"] == "." else (first, second)
        return expand_year(after["numeric_year"]), month, day
    if after["short_month"]:
        return None, int(after["short_month"]), int(after["short_day"])
    prefix = next((kind for kind in ("", "eu_") if after[f"{kind}month"]), None)
    if prefix is None:
        return None
    named = after[f"{prefix}year"]
    return int(named) if named else None, parse_month(after[f"{prefix}month"]), parse_day_number(after[f"{prefix}day"])


def _has_year(after: re.Match[str]) -> bool:
    return any(after[group] for group in ("year", "eu_year", "numeric_year", "iso"))


HEADLINE = 600  # How far into a text its headlines reach, in characters.
_OPENING = 2000  # How far into a text its first sentences reach, in characters.
_NEAR = 80  # How far from the words that announce results the name of their quarter stands, in characters.
_GAP = 300  # How far below the words "12 weeks ended" the days stand in the header of a table, in characters.
_LATE = timedelta(days=150)
"""The longest that a company takes to report on a quarter; annual reports of small ones take four months."""
_MOST_ENDED = 1_000  # Ends that are looked at, a tenth of a second's work: a quarterly report of 100 pages has 162.
_MOST_DAYS = 8  # Columns of a table whose header is read.

_YEAR_WEEKS = {52, 53}
_YEAR_APART = (timedelta(days=350), timedelta(days=378))  # Between the ends of the same quarter of two years.

_ANNOUNCED = re.compile(
    r"\b(?:results?|earnings|reports?|reported|announces?|announced|statements?|review|update)\b", re.IGNORECASE
)
_OUTLOOK = r"(?:outlook|guidance|forecasts?|expectations?|targets?|expects?|anticipates?|projects?)"
_OUTLOOK_AFTER = re.compile(
    rf"\W{{0,3}}(?:(?!results?|earnings|reports?|ended)[\w'’-]+\W{{1,2}}){{0,2}}?{_OUTLOOK}\b", re.IGNORECASE
)
_OUTLOOK_BEFORE = re.compile(
    rf"\b{_OUTLOOK}\W{{1,2}}(?:(?!results?|earnings|reports?|ended)[\w'’-]+\W{{1,2}}){{0,4}}$", re.IGNORECASE
)

_SHORT = r"(?:[12][0-9]{3}|['’]?[0-9]{2})(?![0-9A-Za-z%])"
_FISCAL_WORDS = rf"(?:(?:fiscal|financial)(?:(?:{S}|-)years?)?|FY)"
_YEAR_BEFORE = rf"(?:{_FISCAL_WORDS}{S}?(?P<fiscal_before>{_SHORT})|(?P<before>{YEAR})){S}"
_QUARTER = (
    rf"\b(?:(?P<ordinal>{match_any(QUARTER_ORDINALS)})(?:{S}|-)(?:fiscal{S})?quarter|Q(?P<q>[1-4])|(?P<q_first>[1-4])Q)"
)
_YEAR_AFTER = (
    rf"{S}?(?:(?:of|for|in){S})?(?:(?:the|its|our){S})?"
    rf"(?:{_FISCAL_WORDS}{S}?(?P<fiscal>{_SHORT})|(?P<plain>['’]?[0-9]{{2}}(?![0-9])|{YEAR}))"
)
_NAMED_QUARTER = re.compile(rf"(?:{_YEAR_BEFORE})?{_QUARTER}(?![A-Za-z])(?:{_YEAR_AFTER})?", re.IGNORECASE)
_SECOND = re.compile(rf"[-/](?P<year>{_SHORT})")  # The second of two years by which a fiscal year is named: 2023/24.
_NAMED_YEAR = re.compile(rf"{_FISCAL_WORDS}{S}?(?P<year>{_SHORT})", re.IGNORECASE)
_PERIOD_LENGTH = rf"(?P<count>[0-9]{{1,2}}|{NUMBER_WORDS})(?:{S}|-)(?P<unit>weeks?|months?)(?:{S}periods?)?"
_ENDED = re.compile(
    rf"(?:{_PERIOD_LENGTH}|quarters?|quarterly{S}period|period)[\s,)]{{0,3}}"
    rf"(?:of{S}(?:the{S})?{_FISCAL_WORDS}(?:{S}{YEAR})?[\s,)]{{0,3}})?ended",
    re.IGNORECASE,
)
_LAST_WORD = "ended"  # Without it nothing ended: the pattern takes 1.5 ms for a note of 3,000 characters.
_COLUMN_DAY = re.compile(rf"{_DAY}|(?P<alone>{YEAR})", re.IGNORECASE)
_HEADERS = re.compile(
    r"\b(?:weeks?|months?|periods?|quarters?|years?|ended|ending|and|on|the|unaudited|audited|restated|three|six|nine"
    r"|twelve|thirteen|twenty|thirty|forty|fifty|fiscal|in|millions?|thousands?|dollars|except|per|share|data|amounts?"
    r"|table|percentages?|ratios?|u\.?s|where|noted|otherwise|indicated|as|of|to|date)\b",
    re.IGNORECASE,
)
"""What else stands in the header of a table, or between it and its rows."""
_LETTER = re.compile(r"[^\W\d_]")


def find_quarter_ends(text: str, written: date | None) -> Iterator[YearEnd]:
    """The evidence of a release that was `written` on a day, None where that is not known.

    The last day that it says a period ended on is that of its quarter; the one a year before is that of the column
    beside it.
    """
    if _LAST_WORD not in text.lower():
        return
    ended = [_read_ended_period(match, text) for match in islice(_ENDED.finditer(text), _MOST_ENDED)]
    ended = [(count, days) for count, days in ended if days]
    if written is not None:
        ended = [(count, days) for count, days in ended if timedelta() <= written - days[0] <= _LATE] or ended
    if not ended:
        return
    last = max(days[0] for _, days in ended)
    weeks = {count for count, days in ended if last in days}
    ended_text = f"ended {last:%B} {last.day}, {last.year}"
    quarter, name = find_announced_quarter(text) or (0, None)
    name = name if name is not None and abs(name - last.year) <= 1 else None
    for count in sorted(weeks & _YEAR_WEEKS):
        yield _make_release_end(
            last, WHOLE_YEAR, f"{count} weeks {ended_text}", 4, name if quarter in (0, 4) else None, count
        )
    to_date = sorted(weeks & WEEKS_TO_DATE.keys())
    if quarter and any(WEEKS_TO_DATE[count] != quarter for count in to_date):
        return
    for count in to_date:
        yield _make_release_end(last, TO_DATE, f"{count} weeks {ended_text}", WEEKS_TO_DATE[count], name, count)
    if not quarter or (weeks & _YEAR_WEEKS and quarter != 4):
        return
    release = f"quarter {quarter}{f' of {name}' if name else ''} {ended_text}"
    yield _make_release_end(last, QUARTER, release, quarter, name, max(weeks & _QUARTER_WEEKS, default=0))
    apart = {day for _, days in ended for day in days if _YEAR_APART[0] <= last - day <= _YEAR_APART[1]}
    for day in sorted(apart):
        yield _make_release_end(day, ROLLING, f"a year before {release}", quarter, name - 1 if name else None, 0)


def _make_release_end(day: date, weight: int, text: str, quarter: int, name: int | None, counted: int) -> YearEnd:
    return YearEnd(day.month, day.day, weight, text, day.year, quarter, name, None, counted)


def find_announced_quarter(text: str) -> tuple[int, int | None] | None:
    """The quarter, 1 to 4, that a headline or the first sentences announce, and the year they call it by."""
    lines = [line for line in text[:HEADLINE].splitlines() if _NAMED_QUARTER.search(line)]
    for part in (*lines, text[:_OPENING]):
        words = [match.start() for match in _ANNOUNCED.finditer(part)]
        for found in _NAMED_QUARTER.finditer(part):
            if any(abs(found.start() - word) <= _NEAR for word in words) and not is_outlook(part, *found.span()):
                quarter = _read_quarter(found)
                return quarter, _read_named_year(found) or _find_year_beside(found, part) or _find_opening_year(
                    quarter, text
                )
    return None


def is_outlook(text: str, start: int, end: int) -> bool:
    """Whether the words around a period say that it is expected, not reported: "second quarter 2023 outlook"."""
    return bool(_OUTLOOK_AFTER.match(text, end) or _OUTLOOK_BEFORE.search(text[max(0, start - _NEAR) : start]))


def _find_opening_year(quarter: int, text: str) -> int | None:
    """The latest year that the first sentences give the quarter: its headline names none, others are compared."""
    opening = text[:_OPENING]
    named = [each for each in _NAMED_QUARTER.finditer(opening) if _read_quarter(each) == quarter]
    years = (year for each in named if (year := _read_named_year(each)) and not is_outlook(opening, *each.span()))
    return max(years, default=None)


def _read_quarter(found: re.Match[str]) -> int:
    """Of the groups q and q_first, for 1 to 4 before or behind a Q, and ordinal."""
    digit = found["q"] or found.groupdict().get("q_first")
    return int(digit) if digit else QUARTER_ORDINALS[found["ordinal"].lower()]


def _read_named_year(found: re.Match[str]) -> int | None:
    text = found["fiscal"] or found["fiscal_before"] or found["plain"] or found["before"]
    if not text:
        return None
    year, second = _parse_year(text), _SECOND.match(found.string, found.end())
    return year + 1 if second and _parse_year(second["year"]) == year + 1 else year


def _find_year_beside(found: re.Match[str], part: str) -> int | None:
    """The fiscal year that the same line names further on: "Third Quarter Operating Results for Fiscal 2023"."""
    named = _NAMED_YEAR.search(part[found.end() :].split("\n", 1)[0][: 2 * _NEAR])
    return _parse_year(named["year"]) if named else None


def _parse_year(text: str) -> int:
    digits = text.lstrip("'’")
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _read_ended_period(match: re.Match[str], text: str) -> tuple[int, list[date]]:
    """The weeks of a period, 0 where none are counted, and the day it ended on, then those of other columns."""
    counts_weeks = (match["unit"] or "").lower().startswith("week")
    return parse_number(match["count"]) if counts_weeks else 0, list(_find_column_days(text, match.end()))


def _find_column_days(text: str, start: int) -> Iterator[date]:
    """The days behind "ended", or below it in the header of a table.

    Days without a year have those of the next row, one each, one for all, or several for each.
    """
    found: list[re.Match[str]] = []
    place = start
    for match in _COLUMN_DAY.finditer(text, start, start + 2 * _GAP):
        if match.start() - place > (_NEAR if found else _GAP) or len(found) > 2 * _MOST_DAYS:
            break
        if _LETTER.search(_HEADERS.sub("", text[place : match.start()])):
            break
        found.append(match)
        place = match.end()
    days = [named for match in found if (named := _read_day(match))][:_MOST_DAYS]
    years = [year for year, _, _ in days]
    if None in years:
        alone = [int(match["alone"]) for match in found if match["alone"]]
        # "Three Months Ended April 30," over 2023 and 2022: a day for several columns, each with its year.
        *before, last = years
        # The first of it stands behind the last day, where no other day has a year.
        row: list[int | None] = [*([last] if last is not None and not any(before) else []), *alone]
        columns = len(row) // len(years)
        if columns and columns * len(years) == len(row):
            days = [named for named in days for _ in range(columns)]
            years = row
        else:
            years = [year or (row[0] if len(row) == 1 else None) for year in years]
    for (_, number, day), year in zip(days, years, strict=True):
        if year is not None:
            try:
                yield date(year, number, day)
            except ValueError:
                return
