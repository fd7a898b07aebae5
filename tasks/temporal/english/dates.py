"""English dates with their year: "March 3, 2023", "2023-03-03", "May 2025", "2019"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from tasks.temporal import readings
from tasks.temporal.english.lexicon import (
    DAY_OF_MONTH,
    ISO_ZONE,
    MONTH,
    MONTHS,
    SEASON,
    SHORT_YEAR,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    YEAR_HEADS,
    YEAR_WORDS,
    S,
    match_any,
    match_before,
    parse_day_number,
    parse_grain,
    parse_month,
    parse_year,
    read_zone,
)
from tasks.temporal.grammar import (
    LETTERED,
    LONG_NUMBER,
    MARKED,
    MIDDLE_NUMBER,
    SHORT_NUMBER,
    GrammarRule,
    make_rule,
)
from tasks.temporal.meanings.clocks import TimeOnDay, make_clock, make_hours
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import NumericDate
from tasks.temporal.meanings.spans import ModifiedTime
from tasks.temporal.readings import MentionFields, expand_year
from warehouse.records import Grain, Modifier


def read_day(match: re.Match[str], prefix: str = "") -> MentionFields:
    """The day of the groups year, month (a name or a number) and day; `prefix` begins the names of the groups."""
    name, day = match[f"{prefix}month"], parse_day_number(match[f"{prefix}day"])
    number = int(name) if name.isdigit() else parse_month(name)
    return readings.make_day(date(int(match[f"{prefix}year"]), number, day))


def _read_month(match: re.Match[str]) -> MentionFields:
    name, year = match["month"], expand_year(match["year"].lstrip("'’"))
    return readings.make_month(year, int(name) if name.isdigit() else parse_month(name))


# A weekday at the end of one line and a day at the beginning of the next belong to two sentences.
_NAMED_DAY = rf"(?:{WEEKDAY}(?:,{S}|[^\S\n]{{1,3}}))?"
_MONTH_DAY_YEAR = (
    rf"(?P<month>{MONTH})(?:{S})?(?P<day>{DAY_OF_MONTH})(?:,{S}|,|{S},{S}|{S}(?:of|in){S}|{S})(?P<year>{YEAR})"
)
_DAY_MONTH_YEAR = (
    rf"(?P<day>{DAY_OF_MONTH})(?:(?:{S}day)?{S}of{S}|\.?{S}|-)(?P<month>{MONTH})"
    rf"(?:,{S}|{S}(?:of|in){S}|{S}|-)(?P<year>{YEAR})"
)


_SHORT_NAMES = "|".join(name for name in MONTHS if len(name) == 3)


def _read_short_date(match: re.Match[str]) -> MentionFields:
    """14FEB2022, as SAS writes dates, 5-Jan-24, 5 Jan 24."""
    return readings.make_day(date(expand_year(match["year"]), parse_month(match["month"]), int(match["day"])))


def _read_iso_week(match: re.Match[str]) -> MentionFields:
    return readings.make_week(date.fromisocalendar(int(match["year"]), int(match["week"]), 1))


def _read_numeric_date(match: re.Match[str]) -> NumericDate:
    return NumericDate(int(match["first"]), int(match["second"]), expand_year(match["year"]), match["mark"])


_ATTACKS = readings.make_day(date(2001, 9, 11))
"""The attacks of September 11 are named by that day of 2001, in whatever year."""
_NOT_A_YEAR_BEFORE = r"(?<![$€£¥#.@/])(?<![0-9][,:-])(?<![0-9]–)"
_NOT_A_YEAR_AFTER = (
    r"(?![,.:/][0-9]|[%°€£]|[-–][0-9]|-(?:bit|mile|page|foot|meter|metre)"
    r"|\s(?:units|people|shares|employees|students|patients|stores|jobs|items|miles|km|kg|mg|ml|feet|meters|metres"
    r"|square|points|votes|copies|words|participants|million|billion|thousand|percent|per|dollars|euros|pounds|years"
    r"|days|hours|men|women|children|members|samples|cells|characters|tokens|rows)\b)"
)
_NAMED_BY_NUMBER = frozenset(
    (
        *("section", "sections", "windows", "note", "notes", "page", "pages", "form", "rule", "rules", "item", "items"),
        *("room", "no", "model", "office", "figure", "fig", "table", "chapter", "article", "part", "iso", "building"),
        *("flight", "suite", "exhibit", "schedule", "version", "route", "highway", "interstate", "unit", "lot"),
        *("channel", "box", "number", "train", "type", "grade", "id", "rfc", "port", "code"),
        *("error", "customer", "ext", "extension", "docket", "apt", "apartment", "sku", "seat", "po", "cve", "invoice"),
        *("over", "about", "nearly", "almost", "exceed", "exceeds", "exceeding"),
    )
)
"""What is told apart by a number, or counts: Section 2023, nearly 2000."""
_COUNTS = ("more than ", "less than ", "fewer than ", "at least ", "up to ")
_OLDEST_SURE = 1500
_OLD_LEAD = re.compile(
    r"\b(?:ca?\.|ca|[Cc]irca|b\.|d\.|r\.|fl\.|bapt\.|[Bb]orn|[Dd]ied|reigned|[Aa]nno|[Aa]bt\.?|in\sthe\syear)\s?\Z"
)
"""What stands before a year of the Middle Ages."""
_IN_YEAR = re.compile(r"(?<![0-9]\s)(?<!one\s)\b(?:[Ii]n|[Ss]ince|[Uu]ntil)\s\Z")
_AFTER_OLD = re.compile(
    r"\s?[.,;:)](?![0-9])|\s(?:the|an?|and|but|he|she|it|they|who|when|his|her|was|were|had|by|at|as|to|under|after)\b|\s[A-Z][a-z]|\s?\Z"
)
_CITED = re.compile(
    r"\b[0-9]{1,4}\s(?:F\.\s?(?:[23]d|4th)|F\.\s?Supp\.(?:\s?[23]d)?|S\.\s?Ct\.|U\.\s?S\.(?:\s?C\.)?|Stat\.|L\.\s?Ed\.(?:\s?2d)?"
    r"|C\.F\.R\.|J\.A\.|A\.(?:2d|3d)|[NS]\.[EW]\.(?:2d|3d)?|P\.(?:2d|3d))\s(?:§+\s)?(?:[0-9]{3,4},\s)?\Z"
)
"""Pages of law reports and sections of statutes: 45 F.3d 1999, 2003."""
_CITED_AFTER = re.compile(r"\s(?:WL|U\.\s?S\.\s?C\.|U\.S\.\s[0-9]|LEXIS|BL)\b")
_CALLED = re.compile(
    r"\b(?:tel|phone|telephone|mobile|fax|iban|vat|isbn|issn|p\.?\s?o\.?\sbox|telefono|telefon|telefax|telefoon|telefone|movil)\b"
    r"(?:\.?\s?:|\.\s|\s*#|\s*\+|\s*\(?[0-9])[0-9\s().+/#–-]{0,24}\Z",
    re.IGNORECASE,
)
"""A number that is called, or of an account, behind a mark or other digits; "VAT 2023" has neither."""
_CALL_REACH = 40
_STATUTE = re.compile(r"\bact\sof\s\Z", re.IGNORECASE)
"""A law is named by its year, and what is said of it is not said of that year."""
YEAR_REACH = 12
NEAR_YEARS = (1700, 2100)
_COUNTED = re.compile(r"\s[a-z]{2,20}(?<![sui])s\b|\s[a-z]{3,15}\s[a-z]{3,20}(?<![sui])s\b")
OF_TIME = re.compile(
    r"(?:\b(?:in|since|by|until|till|before|after|from|of|year|between|circa|ca?\.|b\.|d\.|r\.|fl\.|bapt\.|born|died|about|around|early|late|mid|through|during"
    r"|the|[12][0-9]{3}\s(?:and|or|to))\s|[(,–-]\s?)\Z",
    re.IGNORECASE,
)


_LOGGED = re.compile(
    r"\S{1,60} \S{1,60} [^\[\n]{1,60}\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]"
    r"|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4}\]"
    r"|(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.:-]+ [^\s:\[]{1,60}(?:\[\d+\])?:\s"
    r"|\d{0,2}\s?\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9}\S{0,6}\s|(?:\S{0,6}\s)"
    r"[^\n]{0,60}\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|error|warn|notice|info|debug)\b))"
)
"""How lines begin that a web server, a system or a program logs: with a moment, and what only logs write beside it."""
_LINE_REACH = 2_000  # Characters back to the beginning of a line that is looked at.


def _is_in_log_line(match: re.Match[str]) -> bool:
    """Whether a number stands in the line of a log: it is a size, a port or a process far more often than a year."""
    text, place = match.string, match.start()
    begin = text.rfind("\n", max(0, place - _LINE_REACH), place) + 1
    return (begin > 0 or place <= _LINE_REACH) and _LOGGED.match(text, begin) is not None


def is_called_number(match: re.Match[str]) -> bool:
    """Whether only digits and marks stand between a number and a word for a telephone or an account."""
    return bool(_CALLED.search(match.string, max(0, match.start() - _CALL_REACH), match.start()))


def _read_year(match: re.Match[str]) -> Period | None:
    """Not what a number names; round numbers and those far from today only where the words beside them say so.

    Nor a number in a line of a log.
    """
    year, before = int(match["year"]), match.string[max(0, match.start() - YEAR_REACH) : match.start()]
    words = before.lower()
    if (
        _STATUTE.search(before)
        or words.endswith(_COUNTS)
        or words.strip().rpartition(" ")[2].strip("([.:#") in _NAMED_BY_NUMBER
        or _is_in_log_line(match)
        or is_called_number(match)
        or _CITED.search(match.string, max(0, match.start() - _CALL_REACH), match.start())
        or _CITED_AFTER.match(match.string, match.end())
    ):
        return None
    if year < _OLDEST_SURE:
        is_in = year % 100 and _IN_YEAR.search(before) and _AFTER_OLD.match(match.string, match.end())
        return Period(Grain.YEAR, year) if is_in or _OLD_LEAD.search(before) else None
    doubtful = year % 100 == 0 and _COUNTED.match(match.string, match.end())
    if (doubtful or not NEAR_YEARS[0] <= year <= NEAR_YEARS[1]) and not OF_TIME.search(before):
        return None
    return Period(Grain.YEAR, year)


def _read_named_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, expand_year(match["year"]))


def _read_era_year(match: re.Match[str]) -> MentionFields:
    return readings.make_year(int(match["year"]))


def _read_year_end(match: re.Match[str]) -> ModifiedTime:
    """The end of the year that is told, or of the month, quarter or year that runs."""
    return ModifiedTime(_read_named_year(match), Modifier.END) if match["year"] else _read_period_end(match)


_PERIOD_ENDS = {"eow": Grain.WEEK, "eom": Grain.MONTH, "eoq": Grain.QUARTER, "eoy": Grain.YEAR}


def _read_period_end(match: re.Match[str]) -> ModifiedTime:
    """EOM, by end of month: of the one that runs."""
    name = match["unit"].lower()
    return ModifiedTime(Shift(_PERIOD_ENDS.get(name) or parse_grain(name), 0), Modifier.END)


_WHEN = match_before("in", "since", "of", "by", "until", "from", "before", "after", "to") + "|(?<=since)"
_AT = match_before("by", "at", "before", "until", "since", "through", "to", "around", "near", "as of")

_EU_DAY = rf"(?:(?P<eu_day>{DAY_OF_MONTH}){S})?"
_BEFORE_YEAR = rf"{_EU_DAY}(?P<month>{MONTH})(?:{S}(?P<day>{DAY_OF_MONTH}))?,?{S}(?:of{S})?"


def _read_date_in_words(match: re.Match[str]) -> MentionFields:
    number, year, day = parse_month(match["month"]), parse_year(match["year"]), match["day"] or match["eu_day"]
    if day is None:
        return readings.make_month(year, number)
    return readings.make_day(date(year, number, parse_day_number(day)))


# ISO 8601 and its kin.
ISO_DAY = r"(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3]\d)"
_ISO_TIME = r"[T ](?P<hour>[01]\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?"
_HOURS_OF_DAY = re.compile(r" \d\d:\d\d-(?P<last>[012]\d:[0-5]\d)$")
_MONTH_NAME = rf"(?P<month>{match_any(MONTHS)})\.?"
_WEEKDAY_STEMS = {name[:3]: number for name, number in WEEKDAYS.items()}
_SHORT_WEEKDAY = rf"(?:{WEEKDAY}|{match_any(_WEEKDAY_STEMS)})"
_UNIX = (
    rf"(?:{_SHORT_WEEKDAY},?{S})?{_MONTH_NAME}{S}(?P<day>[0-3]?\d){S}"
    rf"(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)(?:\.\d{{1,9}})?{S}"
    rf"(?:(?P<utc>UTC|GMT){S}|[A-Z]{{3,4}}{S})?(?P<year>[12]\d{{3}})(?!\d)"
)


def _read_moment(match: re.Match[str]) -> TimeOnDay:
    """A moment, or from one to another: a later time of the same day behind a dash is no zone."""
    second = int(match["second"]) if match["second"] else None
    hour, minute = int(match["hour"]), int(match["minute"])
    if (until := _HOURS_OF_DAY.search(match[0])) and "00:00" < f"{hour:02}:{minute:02}" < until["last"]:
        last_hour, last_minute = map(int, until["last"].split(":"))
        return TimeOnDay(read_day(match), make_hours(make_clock(hour, minute), make_clock(last_hour, last_minute)))
    return TimeOnDay(read_day(match), make_clock(hour, minute, second, read_zone(match)))


def _read_day_with_weekday(match: re.Match[str]) -> MentionFields | None:
    """2023-05-14 Sun; not where that day is another one: "2023-05-16 Sun Microsystems"."""
    found, named = date(*(int(match[part]) for part in ("year", "month", "day"))), match["weekday"]
    return readings.make_day(found) if _WEEKDAY_STEMS[named[:3].lower()] == found.weekday() else None


def _read_day_of_week(match: re.Match[str]) -> MentionFields:
    return readings.make_day(date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["day"])))


def _read_day_of_year(match: re.Match[str]) -> MentionFields:
    year, day = int(match["year"]), int(match["day"])
    found = date(year, 1, 1) + timedelta(days=day - 1)
    if day == 0 or found.year != year:
        raise ValueError(f"{year} has no day {day}")
    return readings.make_day(found)


BARE_YEAR = make_rule(
    {LONG_NUMBER}, rf"{_NOT_A_YEAR_BEFORE}(?P<year>1\d\d\d|2[01]\d\d)(?![0-9A-Za-z]){_NOT_A_YEAR_AFTER}", _read_year
)
"""A year by itself, which English words around it tell from other numbers."""
RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {LONG_NUMBER + MARKED},
        r"(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)",
        read_day,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED},
        rf"(?P<day>[0-3]?\d)(?P<month>{_SHORT_NAMES})(?P<year>[12]\d{{3}}|\d\d)(?![0-9A-Za-z])",
        _read_short_date,
    ),
    make_rule(
        {SHORT_NUMBER, SHORT_NUMBER + MARKED},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>[0-3]?\d)(?P<mark>[-\s])(?P<month>{_SHORT_NAMES})(?:(?P=mark)|\.\s)"
        r"['’]?(?P<year>\d\d)(?=\s{0,3}(?:[.;!?)\]|\n]|,(?![0-9])|\Z|:(?![0-9])))",
        _read_short_date,
    ),
    make_rule({LONG_NUMBER}, r"(?P<year>[12]\d{3})-?W(?P<week>[0-5]\d)(?![0-9A-Za-z])", _read_iso_week),
    make_rule(
        {LONG_NUMBER + MARKED},
        r"(?<![\d][-/.])(?<!ASU )(?<!update )(?<!no\. )(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?![-0-9A-Za-z])"
        rf"(?!{SEASON})",
        _read_month,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        r"(?:(?<![\d][-/.])|(?<=/\d\d\d\d-))(?P<first>\d\d?)(?P<mark>[-/.])(?P<second>\d\d?)(?P=mark)(?P<year>[12]\d{3}|(?<=/)\d\d)"
        r"(?![0-9A-Za-z]|[/.]\d|-\d(?!\d?/\d\d?/))",
        _read_numeric_date,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        r"(?:(?<=\bon )|(?<=\bback )|(?<=dated )|(?<=since )|(?<=until )|(?<=from ))(?P<first>\d\d?)(?P<mark>-)"
        r"(?P<second>\d\d?)-(?P<year>\d\d)(?![0-9A-Za-z]|[-/.]\d)",
        _read_numeric_date,
    ),
    make_rule({*MONTHS, *WEEKDAYS}, _NAMED_DAY + _MONTH_DAY_YEAR, read_day),
    make_rule(
        {"september", "sept", "sep"},
        rf"Sep(?:t\.?|tember){S}11(?:th)?(?=['’]?s?{S}(?:terror|attack|hijack|suicide|atroc|commission)[a-z]{{0,9}}\b)",
        _ATTACKS,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        r"(?:(?<=since )|(?<=after )|(?<=before )|(?<=post-)|(?<=pre-)|(?<=the )|(?<=of )(?<!week of ))9/11"
        r"(?![0-9A-Za-z/]|[.,][0-9])",
        _ATTACKS,
    ),
    make_rule({SHORT_NUMBER, *WEEKDAYS}, r"(?<![$€£¥#])(?<![0-9][.,])" + _NAMED_DAY + _DAY_MONTH_YEAR, read_day),
    make_rule(MONTHS, rf"(?P<month>{MONTH})(?:{S}(?:of|in){S}|\s?,{S}|{S}|-)(?P<year>{YEAR})", _read_month),
    make_rule(MONTHS, rf"(?P<month>{MONTH})(?:{S}(?=['’])|-|{S}of{S})(?P<year>{SHORT_YEAR})", _read_month),
    make_rule(
        {LONG_NUMBER},
        rf"(?P<year>(?:19|20)[0-9]{{2}}){S}(?-i:(?=[A-Z])|(?=[a-z]{{3,9}}(?:[.;!?]|\Z)))(?!may|march)(?P<month>{MONTH})"
        rf"(?!{S}[0-9])",
        _read_month,
    ),
    make_rule(
        {SHORT_NUMBER},
        r"(?<![0-9A-Za-z][-/.])(?<![0-9] )(?P<month>0?[1-9]|1[0-2])(?: ?/ ?|-| -| - )"
        r"(?P<year>(?:19|20)[0-9]{2})(?![-/.]?[0-9A-Za-z])",
        _read_month,
    ),
    make_rule(
        {LONG_NUMBER},
        r"(?<![0-9A-Za-z][-/.])(?<!AY )(?<!SY )(?<! year )(?<!eason )(?P<year>(?:19|20)[0-9]{2})(?: ?/ ?| -| - )"
        r"(?P<month>0[1-9]|1[0-2])(?![-/.]?[0-9A-Za-z])",
        _read_month,
    ),
    BARE_YEAR,
    make_rule(
        {"year"},
        rf"year{S}(?P<year>{YEAR})(?![-–/](?:[0-9]{{2}}){{1,2}}(?![0-9]))",
        _read_named_year,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {LONG_NUMBER + LETTERED},
        r"(?P<year>(?:19|20)[0-9]{2})[AEFP](?![0-9A-Za-z])",
        _read_named_year,
        exact_case=True,
    ),
    make_rule({"ad", "a"}, rf"(?:AD|A\.D\.){S}?(?P<year>[0-9]{{1,4}})(?![0-9A-Za-z])", _read_era_year, exact_case=True),
    make_rule(
        {SHORT_NUMBER, MIDDLE_NUMBER, LONG_NUMBER},
        r"(?P<year>[0-9]{1,4})\s?(?:AD|A\.D\.|CE|C\.E\.)(?![A-Za-z])",
        _read_era_year,
        exact_case=True,
    ),
    make_rule(
        {SHORT_NUMBER}, "(?P<year>[0-9]{2})(?![0-9A-Za-z]|['’][a-z])", _read_named_year, lead=rf"(?:{_WHEN})['’‘]"
    ),
    make_rule(
        {"month", "quarter", "year"},
        rf"(?P<unit>month|quarter|year)(?:-|{S})end\b(?:{S}(?:of{S})?(?P<year>{YEAR}))?(?!-|{S}(?:close|report)\b)",
        _read_year_end,
        lead=rf"(?:{_AT})(?:the{S})?",
    ),
    make_rule(_PERIOD_ENDS, r"(?P<unit>EO[WMQY])(?![A-Za-z0-9-])", _read_period_end, exact_case=True),
    make_rule({"end"}, rf"(?:{_AT})end{S}of{S}(?P<unit>week|month|quarter|year)\b(?!-)", _read_period_end),
    make_rule(YEAR_HEADS, rf"(?P<year>{YEAR_WORDS})(?![-,]?[A-Za-z0-9])", _read_date_in_words, lead=_BEFORE_YEAR),
    make_rule(
        YEAR_HEADS,
        rf"(?:(?<=\bin )|(?<=\bsince )|(?<=\bby )|(?<=\buntil )|(?<=year ))(?P<year>{YEAR_WORDS})"
        rf"(?!{S}(?!and\b|in\b|but\b|when\b|to\b)[a-z])",
        lambda match: Period(Grain.YEAR, parse_year(match["year"])),
    ),
    make_rule({LONG_NUMBER + MARKED}, rf"(?<![0-9][-/.]){ISO_DAY}{_ISO_TIME}(?![0-9:]){ISO_ZONE}", _read_moment),
    make_rule(
        {LONG_NUMBER + MARKED},
        rf"(?<![0-9][-/.]){ISO_DAY}\s(?P<weekday>{_SHORT_WEEKDAY})(?![A-Za-z'’])(?!{S}\d{{1,2}}(?![\d:.]))",
        _read_day_with_weekday,
    ),
    # Org mode writes the weekday in the language of its user.
    make_rule({LONG_NUMBER + MARKED}, rf"(?<=[<\[]){ISO_DAY}\s[^\W\d_]{{1,9}}\.?(?=\s[\d.+-]|[>\]])", read_day),
    make_rule(
        {LONG_NUMBER}, r"(?P<year>[12]\d{3})-?W(?P<week>[0-5]\d)-?(?P<day>[1-7])(?![0-9A-Za-z])", _read_day_of_week
    ),
    make_rule(
        {LONG_NUMBER + MARKED},
        r"(?<![0-9][-/.])(?-i:(?<![A-Z] ))(?<![:：号第])(?<![:：] )(?P<year>(?:19|20)\d\d)-(?P<day>[0-3]\d\d)"
        r"(?![-/.]?[0-9A-Za-z])",
        _read_day_of_year,
    ),
    make_rule(
        {LONG_NUMBER + MARKED},
        rf"(?P<year>[12]\d{{3}})(?P<mark>[-/]){_MONTH_NAME}(?P=mark)(?P<day>[0-3]?\d)(?!\d)",
        read_day,
    ),
    make_rule({LONG_NUMBER + MARKED}, rf"(?P<year>[12]\d{{3}})/(?P<day>[0-3]?\d)/{_MONTH_NAME}", read_day),
    make_rule(
        {SHORT_NUMBER + MARKED},
        rf"(?P<day>[0-3]\d)/{_MONTH_NAME}/(?P<year>[12]\d{{3}}):(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)"
        rf":(?P<second>[0-5]\d)(?:\s(?P<offset>[+-][01]\d[0-5]\d))?(?!\d)",
        _read_moment,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        rf"(?<![0-9][-/.])(?P<day>[0-3]?\d)/{_MONTH_NAME}/(?P<year>[12]\d{{3}})(?!\d)",
        read_day,
    ),
    make_rule(MONTHS, rf"{_MONTH_NAME}[-/](?P<day>[0-3]?\d)[-/](?P<year>[12]\d{{3}})(?!\d)", read_day),
    make_rule({*MONTHS, *WEEKDAYS, *_WEEKDAY_STEMS}, _UNIX, _read_moment),
    make_rule(
        {LONG_NUMBER},
        rf"(?P<year>[12]\d{{3}}) {_MONTH_NAME} (?P<day>[0-3]?\d)(?![0-9A-Za-z]|,?\s[12]\d{{3}})",
        read_day,
    ),
)
