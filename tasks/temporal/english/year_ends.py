"""Evidence in English texts for the end of fiscal years.

A sentence names it: "fiscal year ended September 30, 2023". A release gives it in two places: "Reports Third Quarter
Fiscal 2023 Results" above columns headed "12 Weeks Ended" and "May 7, 2023" means that the third quarter of the fiscal
year 2023 ended on that day, from which the end of the year follows.
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
from warehouse.records.calendars import (
    FULL_YEAR,
    LENGTH,
    MONTH_END,
    OTHER_YEAR,
    QUARTER,
    ROLLING,
    STATED,
    TO_DATE,
    WEEKS_TO_DATE,
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
_SKIPPED_WORDS = rf"(?:{S}|[(,:–—-]|which\b|that\b|the\b){{0,5}}"
_COUNT = rf"(?P<count>[0-9]{{1,2}}|{NUMBER_WORDS})"
_LENGTH = rf"{_COUNT}(?:{S}|-)(?P<unit>week|month)s?(?:{S}periods?)?"
_NUMBERED = re.compile(
    rf"(?:(?P<before>{YEAR}){S})?(?:(?P<ordinal>{match_any(QUARTER_ORDINALS)})(?:{S}|-)(?:fiscal{S})?quarter|Q(?P<q>[1-4]))"
    rf"(?:{S}(?:of{S})?(?:the{S})?{_NAME})?{_SKIPPED_WORDS}(?:{_LENGTH})?{_SKIPPED_WORDS}$",
    re.IGNORECASE,
)
_LINKING_WORDS = (
    rf"(?:{S}|[(,:–—-]|(?:which|that|the|was|is|of|a|an|represent(?:s|ed)|consist(?:s|ed)|compris(?:es|ed)|includ(?:es|ed)"
    r"|contain(?:s|ed)|cover(?:s|ed)|refer(?:s|red)|means|to)\b){0,9}"
)
_COUNTED = re.compile(rf"(?:(?:{_FISCAL}){S}(?P<name>{YEAR}){_LINKING_WORDS})?{_LENGTH}{S}?$", re.IGNORECASE)
_COUNTED_OF = re.compile(
    rf"{_LENGTH}{S}of{S}(?:(?:the|our|its){S})?(?:{_FISCAL})(?:{S}(?P<name>{YEAR}))?{_SKIPPED_WORDS}$", re.IGNORECASE
)
"""The weeks or months of a year: "the first 36 weeks of fiscal 2023, ended"."""
_PART_OF = re.compile(
    r"\b(?:quarters?|hal(?:f|ves)|weeks?|months?|periods?)\s*\)?\s+of\s+(?:the\s+|our\s+|its\s+)?$", re.IGNORECASE
)
"""Words before a year of which only a part ends: "first half of fiscal 2023, ended"."""
_YEAR = re.compile(rf"(?:(?P<fiscal>{_FISCAL})(?:{S}(?P<name>{YEAR}))?|\byears?){_SKIPPED_WORDS}$", re.IGNORECASE)
_FISCAL_CLAUSE = re.compile(
    rf"(?:{_FISCAL})(?:{S}(?P<name>{YEAR}))?"
    r"(?!.{0,99}\b(?:fiscal|financial|quarter|month|half|began|begin))[^.;!?]{0,90}$",
    re.IGNORECASE | re.DOTALL,
)
_YEAR_NAME = re.compile(
    rf"(?:{S}|[(,“\"]|(?:the|our|or|as|is|was|we|refer|referred|to|hereinafter|herein)\b){{1,12}}"
    rf"(?:{_FISCAL}){S}?(?P<name>{YEAR})",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"(?:fiscal|financial)(?:{S}years?)?(?:{S}(?P<name>{YEAR}))?[^.;!?0-9]{{0,40}}?\b(?P<from_month>{MONTH}){S}"
    rf"{DAY_OF_MONTH}(?:,?{S}?(?P<from_year>{YEAR}))?{S}?(?:to|through|until|and{S}ends{S}on|[-–—]){S}?{_DAY}",
    re.IGNORECASE,
)
_FROM_MONTH = re.compile(
    rf"(?:fiscal|financial){S}years?{S}(?:is|are|runs?|spans?|covers?|goes)?{S}?(?:from{S})?"
    rf"(?P<from_month>{MONTH}){S}?(?:to|through|until|[-–—]){S}?(?P<whole>{MONTH})(?!{S}[0-9])",
    re.IGNORECASE,
)
"""A year from one month to another: "our financial year runs from April to March"."""
_RUPEES = re.compile(r"(?:₹|\b(?:Rs|INR)\b)[^\n]{0,20}\b(?:crores?|cr|lakhs?|lacs?)\b", re.IGNORECASE)
_FISCAL_LABEL = re.compile(r"\bFY\s?['’]?(?:20)?[0-9]{2}\b(?![-/][0-9])")
"""The name of a fiscal year, which ends in March where amounts are in crore: section 2(41) of India's Companies Act."""
_FISCAL_WORD = re.compile("[Ff][Ii](?:[Ss][Cc]|[Nn][Aa][Nn][Cc][Ii])[Aa][Ll]")


def find_year_ends(text: str) -> Iterator[YearEnd]:
    """The evidence of an English text: the days on which years end, in order, then the last days of ranges."""
    for end in _END.finditer(text):
        day_match = _AFTER.match(text, end.end())
        if day_match:
            text_before = text[max(0, end.start() - _REACH) : end.start()]
            name_match = _YEAR_NAME.match(text, day_match.end(), day_match.end() + _REACH)
            yield from _read_valid(_read_end, text_before, end[0].lower(), day_match, name_match)
    for word in _FISCAL_WORD.finditer(text):
        whole_year_match = _WHOLE.match(text, word.start())
        if whole_year_match:
            yield from _read_valid(_read_whole_year, whole_year_match)
        elif months := _FROM_MONTH.match(text, word.start()):
            last = parse_month(months["whole"])
            if parse_month(months["from_month"]) == last % 12 + 1:
                yield YearEnd(last, MONTH_END, STATED, " ".join(months[0].split()))
    if _RUPEES.search(text) and (label := _FISCAL_LABEL.search(text)):
        yield YearEnd(3, MONTH_END, OTHER_YEAR, f"{label[0]} beside amounts in crore or lakh")


def _read_valid(read_year_end: Callable[..., YearEnd | None], *arguments: object) -> Iterator[YearEnd]:
    """The result of `read_year_end`, if any; nothing if it raises because there is no such day."""
    try:
        year_end = read_year_end(*arguments)
    except (ValueError, OverflowError):
        return
    if year_end:
        yield year_end


def _read_end(
    text_before: str, verb: str, day_match: re.Match[str], name_match: re.Match[str] | None
) -> YearEnd | None:
    clause_match = _FISCAL_CLAUSE.search(text_before) if verb in ("ends", "ending") else None
    if clause_match and not _has_year(day_match):
        return _make_year_end(day_match, STATED, clause_match[0] + verb, name=clause_match["name"])
    quarter_match = _NUMBERED.search(text_before)
    if quarter_match:
        name = quarter_match["before"] or quarter_match["name"]
        quarter = _read_quarter(quarter_match)
        weeks = parse_number(quarter_match["count"]) if (quarter_match["unit"] or "").lower() == "week" else 0
        return _make_year_end(
            day_match, QUARTER, quarter_match[0] + verb, quarter, name, weeks if weeks not in _YEAR_WEEKS else 0
        )
    length_match = _COUNTED.search(text_before) or _COUNTED_OF.search(text_before)
    if length_match:
        return _read_counted(length_match, verb, day_match, name_match)
    year_match = _YEAR.search(text_before)
    if year_match and _PART_OF.search(text_before[: year_match.start()]):
        return None
    if year_match and (year_match["fiscal"] or verb == "ended"):
        weight = OTHER_YEAR if not year_match["fiscal"] else FULL_YEAR if _has_year(day_match) else STATED
        name = year_match["name"] or (name_match["name"] if name_match else None)
        return _make_year_end(day_match, weight, year_match[0] + verb, name=name)
    return (
        _make_year_end(day_match, FULL_YEAR, clause_match[0] + verb, name=clause_match["name"])
        if clause_match
        else None
    )


def _read_whole_year(match: re.Match[str]) -> YearEnd | None:
    """A year from one day to another: from the month after its last month, or from the same month a year before."""
    year_end = _make_year_end(match, FULL_YEAR if _has_year(match) else STATED, "", name=match["name"])
    if not year_end:
        return None
    first, first_year = parse_month(match["from_month"]), match["from_year"]
    is_year = first == year_end.month % 12 + 1 or (
        first == year_end.month and first_year and year_end.year == int(first_year) + 1
    )
    return replace(year_end, text=" ".join(match[0].split())) if is_year else None


def _read_counted(
    length_match: re.Match[str], verb: str, day_match: re.Match[str], name_match: re.Match[str] | None
) -> YearEnd | None:
    count, weeks = parse_number(length_match["count"]), length_match["unit"].lower() == "week"
    name, text = length_match["name"] or (name_match["name"] if name_match else None), length_match[0] + verb
    if weeks and count in _YEAR_WEEKS:
        return _make_year_end(day_match, FULL_YEAR, text, name=name, weeks_counted=count)
    if not weeks and count == 12:
        return _make_year_end(day_match, ROLLING, text)
    if weeks and count in _QUARTER_WEEKS:
        return _make_year_end(day_match, LENGTH, text, 1, weeks_counted=count)
    quarter = (WEEKS_TO_DATE if weeks else _MONTHS_TO_DATE).get(count)
    return _make_year_end(day_match, TO_DATE, text, quarter, weeks_counted=count if weeks else 0) if quarter else None


def _make_year_end(
    day_match: re.Match[str], weight: int, text: str, quarter: int = 4, name: str | None = None, weeks_counted: int = 0
) -> YearEnd | None:
    """The evidence with the day that follows; a rule for every year is accepted only for fiscal years."""
    year_name = int(name) if name else None
    basis = " ".join(f"{text}{day_match[0]}".split()).rstrip(".")
    day_parts = _read_day(day_match)
    if day_parts is None:
        month_name, weekday = (
            day_match["last_month"] or day_match["near_month"] or day_match["whole"],
            day_match["last"] or day_match["near"],
        )
        weeks = Weeks(WEEKDAYS[weekday.lower()], nearest=bool(day_match["near"])) if weekday else None
        return YearEnd(parse_month(month_name), MONTH_END, STATED, basis, weeks=weeks) if weight == STATED else None
    year, month, day = day_parts
    year_end = YearEnd(month, day, weight, basis, year, quarter, year_name, None, weeks_counted)
    return year_end if year_end.estimate_year_end(None) else None


def _read_day(match: re.Match[str]) -> tuple[int | None, int, int] | None:
    """Year, month and day; with points or a first number over twelve the day is first. None if no day is named."""
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        return year, month, day
    if match["first"]:
        first, second = int(match["first"]), int(match["second"])
        month, day = (second, first) if first > 12 or match["mark"] == "." else (first, second)
        return expand_year(match["numeric_year"]), month, day
    if match["short_month"]:
        return None, int(match["short_month"]), int(match["short_day"])
    prefix = next((kind for kind in ("", "eu_") if match[f"{kind}month"]), None)
    if prefix is None:
        return None
    year_text = match[f"{prefix}year"]
    return (
        int(year_text) if year_text else None,
        parse_month(match[f"{prefix}month"]),
        parse_day_number(match[f"{prefix}day"]),
    )


def _has_year(match: re.Match[str]) -> bool:
    return any(match[group] for group in ("year", "eu_year", "numeric_year", "iso"))


HEADLINE = 600  # Characters of a text in which its headlines are.
_OPENING = 2000  # Characters of a text in which its first sentences are.
_MAX_DISTANCE = 80  # Characters between the words that announce results and the name of their quarter.
_GAP = 300  # Most characters between "12 weeks ended" and the days below it in the header of a table.
_MAX_REPORT_DELAY = timedelta(days=150)
"""The longest time that a company takes to report on a quarter; small ones take four months for an annual report."""
_MAX_ENDED = 1_000  # Matches of "ended" that are read, in a tenth of a second: a quarterly report of 100 pages has 162.
_MAX_COLUMN_DAYS = 8  # Columns of a table whose header is read.

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
_LAST_WORD = "ended"  # Searched for first: the pattern takes 1.5 ms for a note of 3,000 characters.
_COLUMN_DAY = re.compile(rf"{_DAY}|(?P<alone>{YEAR})", re.IGNORECASE)
_HEADERS = re.compile(
    r"\b(?:weeks?|months?|periods?|quarters?|years?|ended|ending|and|on|the|unaudited|audited|restated|three|six|nine"
    r"|twelve|thirteen|twenty|thirty|forty|fifty|fiscal|in|millions?|thousands?|dollars|except|per|share|data|amounts?"
    r"|table|percentages?|ratios?|u\.?s|where|noted|otherwise|indicated|as|of|to|date)\b",
    re.IGNORECASE,
)
"""Other words in the header of a table, or between it and its rows."""
_LETTER = re.compile(r"[^\W\d_]")


def find_quarter_ends(text: str, publication_date: date | None) -> Iterator[YearEnd]:
    """The evidence of a release; `publication_date` is None if it is not known.

    The last day on which a period ended, by its words, is the end of its quarter; the day a year before belongs to the
    next column.
    """
    if _LAST_WORD not in text.lower():
        return
    ended_periods = [_read_ended_period(match, text) for match in islice(_ENDED.finditer(text), _MAX_ENDED)]
    ended_periods = [(count, days) for count, days in ended_periods if days]
    if publication_date is not None:
        ended_periods = [
            (count, days)
            for count, days in ended_periods
            if timedelta() <= publication_date - days[0] <= _MAX_REPORT_DELAY
        ] or ended_periods
    if not ended_periods:
        return
    last = max(days[0] for _, days in ended_periods)
    weeks = {count for count, days in ended_periods if last in days}
    ended_text = f"ended {last:%B} {last.day}, {last.year}"
    quarter, name = find_announced_quarter(text) or (0, None)
    name = name if name is not None and abs(name - last.year) <= 1 else None
    for count in sorted(weeks & _YEAR_WEEKS):
        yield _make_release_end(
            last, FULL_YEAR, f"{count} weeks {ended_text}", 4, name if quarter in (0, 4) else None, count
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
    days_a_year_before = {
        day for _, days in ended_periods for day in days if _YEAR_APART[0] <= last - day <= _YEAR_APART[1]
    }
    for day in sorted(days_a_year_before):
        yield _make_release_end(day, ROLLING, f"a year before {release}", quarter, name - 1 if name else None, 0)


def _make_release_end(day: date, weight: int, text: str, quarter: int, name: int | None, weeks_counted: int) -> YearEnd:
    return YearEnd(day.month, day.day, weight, text, day.year, quarter, name, None, weeks_counted)


def find_announced_quarter(text: str) -> tuple[int, int | None] | None:
    """The quarter, 1 to 4, that a headline or the first sentences announce, and the year that they name."""
    lines = [line for line in text[:HEADLINE].splitlines() if _NAMED_QUARTER.search(line)]
    for part in (*lines, text[:_OPENING]):
        words = [match.start() for match in _ANNOUNCED.finditer(part)]
        for match in _NAMED_QUARTER.finditer(part):
            if any(abs(match.start() - word) <= _MAX_DISTANCE for word in words) and not is_outlook(
                part, *match.span()
            ):
                quarter = _read_quarter(match)
                return quarter, _read_named_year(match) or _find_year_in_line(match, part) or _find_opening_year(
                    quarter, text
                )
    return None


def is_outlook(text: str, start: int, end: int) -> bool:
    """Whether the words around a period say that it is expected, not reported: "second quarter 2023 outlook"."""
    return bool(_OUTLOOK_AFTER.match(text, end) or _OUTLOOK_BEFORE.search(text[max(0, start - _MAX_DISTANCE) : start]))


def _find_opening_year(quarter: int, text: str) -> int | None:
    """The latest year of the quarter in the first sentences: the headline names none, earlier years are comparisons."""
    opening = text[:_OPENING]
    matches = [match for match in _NAMED_QUARTER.finditer(opening) if _read_quarter(match) == quarter]
    years = (year for match in matches if (year := _read_named_year(match)) and not is_outlook(opening, *match.span()))
    return max(years, default=None)


def _read_quarter(match: re.Match[str]) -> int:
    """The quarter by the groups q and q_first, for 1 to 4 after or before a Q, and ordinal."""
    digit = match["q"] or match.groupdict().get("q_first")
    return int(digit) if digit else QUARTER_ORDINALS[match["ordinal"].lower()]


def _read_named_year(match: re.Match[str]) -> int | None:
    text = match["fiscal"] or match["fiscal_before"] or match["plain"] or match["before"]
    if not text:
        return None
    year, second_year = _parse_year(text), _SECOND.match(match.string, match.end())
    return year + 1 if second_year and _parse_year(second_year["year"]) == year + 1 else year


def _find_year_in_line(match: re.Match[str], part: str) -> int | None:
    """The fiscal year later in the same line: "Third Quarter Operating Results for Fiscal 2023"."""
    year_match = _NAMED_YEAR.search(part[match.end() :].split("\n", 1)[0][: 2 * _MAX_DISTANCE])
    return _parse_year(year_match["year"]) if year_match else None


def _parse_year(text: str) -> int:
    digits = text.lstrip("'’")
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _read_ended_period(match: re.Match[str], text: str) -> tuple[int, list[date]]:
    """The weeks of a period, 0 if none are counted, and its last day, then those of the other columns."""
    counts_weeks = (match["unit"] or "").lower().startswith("week")
    return parse_number(match["count"]) if counts_weeks else 0, list(_find_column_days(text, match.end()))


def _find_column_days(text: str, start: int) -> Iterator[date]:
    """The days after "ended", or below it in the header of a table.

    Days without a year get the years of the next row: one each, one for all, or several for each.
    """
    matches: list[re.Match[str]] = []
    position = start
    for match in _COLUMN_DAY.finditer(text, start, start + 2 * _GAP):
        if match.start() - position > (_MAX_DISTANCE if matches else _GAP) or len(matches) > 2 * _MAX_COLUMN_DAYS:
            break
        if _LETTER.search(_HEADERS.sub("", text[position : match.start()])):
            break
        matches.append(match)
        position = match.end()
    days = [day_parts for match in matches if (day_parts := _read_day(match))][:_MAX_COLUMN_DAYS]
    years = [year for year, _, _ in days]
    if None in years:
        single_years = [int(match["alone"]) for match in matches if match["alone"]]
        # "Three Months Ended April 30," over 2023 and 2022: a day for several columns, each with its year.
        *first_years, last = years
        # If only the last day has a year, that is the first year of the row.
        row: list[int | None] = [*([last] if last is not None and not any(first_years) else []), *single_years]
        columns = len(row) // len(years)
        if columns and columns * len(years) == len(row):
            days = [day_parts for day_parts in days for _ in range(columns)]
            years = row
        else:
            years = [year or (row[0] if len(row) == 1 else None) for year in years]
    for (_, number, day), year in zip(days, years, strict=True):
        if year is not None:
            try:
                yield date(year, number, day)
            except ValueError:
                return
