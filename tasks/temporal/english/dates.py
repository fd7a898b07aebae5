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
from tasks.temporal.english.years import BARE_YEAR
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
from tasks.temporal.meanings.numeric_days import NumericDate
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.spans import ModifiedTime, TimeBetween
from tasks.temporal.readings import MentionFields, expand_year
from warehouse.records import Grain, Modifier


def read_day(match: re.Match[str], prefix: str = "") -> MentionFields:
    """The day of the groups year, month (a name or a number) and day; `prefix` begins the names of the groups."""
    name, day = match[f"{prefix}month"], parse_day_number(match[f"{prefix}day"])
    number = int(name) if name.isdigit() else parse_month(name)
    return readings.make_day(date(int(match[f"{prefix}year"]), number, day))


_STANDARD = re.compile(r"\b(?:EN|DIN|ISO|IEC|BS|NF|UNE|JIS)[ -]\Z")


def _read_numbered_day(match: re.Match[str]) -> MentionFields | None:
    """2024-03-05; None for a part of a standard: "EN 1993-1-1"."""
    is_standard = _STANDARD.search(match.string, max(0, match.start() - _NUMBERED_REACH), match.start())
    return None if is_standard else read_day(match)


_NUMBER_WORDS = (
    "rechnung|invoice|fact(?:ure|ura|uur)|fattura|fatura|auftrag|bestellung|angebot|lieferschein|aktenzeichen|order"
    "|d[eé]cret(?:o|[- ]loi)?|decree|ley|loi|lei|legge|law|act|gesetz|verordnung|re(?:solu(?:tion|ci[oó]n)|gulation)"
    "|ordinance|richtlinie|directive|beschluss|urteil|case|docket|expediente|dossier|ticket"
)
_NUMBERED_BEFORE = re.compile(
    r"(?:\b(?:n[ro]s?|n[uú]m|n[uú]m[eé]ro|nummer|number|ref)\b\.?|\bn[°º.]|№|#)\s?:?\s?\Z"
    rf"|\b(?:{_NUMBER_WORDS})\s\Z|\b\d{{1,4}}\s(?!EUR|USD|GBP|CHF)(?-i:[A-Z])[a-z]{{0,2}}\s\Z",
    re.IGNORECASE,
)
"""Words before the number of a paper within its year: "Rechnung Nr. 4/2024", "3 O 12/2023"."""
_NUMBERED_REACH = 20


def is_numbered(match: re.Match[str]) -> bool:
    """Whether a number and a year are those of a paper or an issue."""
    return bool(_NUMBERED_BEFORE.search(match.string[max(0, match.start() - _NUMBERED_REACH) : match.start()]))


def _read_numeric_month(match: re.Match[str]) -> MentionFields | None:
    """3/2024; None for the third invoice of a year."""
    return None if is_numbered(match) else _read_month(match)


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
_SHORT_DATE_ENDS = r"(?=\s{0,3}(?:[.;!?)\]|\n]|,(?![0-9])|\Z|:(?![0-9])))"


def _read_short_date(match: re.Match[str]) -> MentionFields:
    """14FEB2022, as SAS writes dates, 5-Jan-24, 5 Jan 24."""
    return readings.make_day(date(expand_year(match["year"]), parse_month(match["month"]), int(match["day"])))


def _read_short_dates(match: re.Match[str]) -> TimeBetween:
    """1 Jan 24 - 31 Mar 24; the first year may be missing."""
    last_year = expand_year(match["last_year"])
    first, last = (parse_month(match[name]) for name in ("month", "last_month"))
    first_year = expand_year(match["year"]) if match["year"] else last_year - (first > last)
    days = date(first_year, first, int(match["day"])), date(last_year, last, int(match["last_day"]))
    return TimeBetween(*map(readings.make_day, days))


def _read_iso_week(match: re.Match[str]) -> MentionFields:
    return readings.make_week(date.fromisocalendar(int(match["year"]), int(match["week"]), 1))


def _read_numeric_date(match: re.Match[str]) -> NumericDate:
    return NumericDate(int(match["first"]), int(match["second"]), expand_year(match["year"]), match["mark"])


_ATTACKS = readings.make_day(date(2001, 9, 11))
"""The attacks of September 11 are those of 2001, whatever year the text has."""


def _read_named_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, expand_year(match["year"]))


def _read_era_year(match: re.Match[str]) -> MentionFields:
    return readings.make_year(int(match["year"]))


def _read_year_end(match: re.Match[str]) -> ModifiedTime:
    """The end of the named year, or of the current month, quarter or year."""
    return ModifiedTime(_read_named_year(match), Modifier.END) if match["year"] else _read_period_end(match)


_PERIOD_ENDS = {"eow": Grain.WEEK, "eom": Grain.MONTH, "eoq": Grain.QUARTER, "eoy": Grain.YEAR}


def _read_period_end(match: re.Match[str]) -> ModifiedTime:
    """EOM, by end of month: the end of the current one."""
    name = match["unit"].lower()
    return ModifiedTime(Shift(_PERIOD_ENDS.get(name) or parse_grain(name), 0), Modifier.END)


_YEAR_PREPOSITION = match_before("in", "since", "of", "by", "until", "from", "before", "after", "to") + "|(?<=since)"
_END_PREPOSITION = match_before("by", "at", "before", "until", "since", "through", "to", "around", "near", "as of")

_EU_DAY = rf"(?:(?P<eu_day>{DAY_OF_MONTH}){S})?"
_BEFORE_YEAR = rf"{_EU_DAY}(?P<month>{MONTH})(?:{S}(?P<day>{DAY_OF_MONTH}))?,?{S}(?:of{S})?"


def _read_date_in_words(match: re.Match[str]) -> MentionFields:
    number, year, day = parse_month(match["month"]), parse_year(match["year"]), match["day"] or match["eu_day"]
    if day is None:
        return readings.make_month(year, number)
    return readings.make_day(date(year, number, parse_day_number(day)))


# ISO 8601 and similar formats.
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
    """A moment, or a range of two: a later time of the same day after a dash is not a zone."""
    second = int(match["second"]) if match["second"] else None
    hour, minute = int(match["hour"]), int(match["minute"])
    if (until := _HOURS_OF_DAY.search(match[0])) and "00:00" < f"{hour:02}:{minute:02}" < until["last"]:
        last_hour, last_minute = map(int, until["last"].split(":"))
        return TimeOnDay(read_day(match), make_hours(make_clock(hour, minute), make_clock(last_hour, last_minute)))
    return TimeOnDay(read_day(match), make_clock(hour, minute, second, read_zone(match)))


def _read_day_with_weekday(match: re.Match[str]) -> MentionFields | None:
    """2023-05-14 Sun; None if the date falls on another weekday: "2023-05-16 Sun Microsystems"."""
    day, weekday_name = date(*(int(match[part]) for part in ("year", "month", "day"))), match["weekday"]
    return readings.make_day(day) if _WEEKDAY_STEMS[weekday_name[:3].lower()] == day.weekday() else None


def _read_day_of_week(match: re.Match[str]) -> MentionFields:
    return readings.make_day(date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["day"])))


_DAY_OF_YEAR_LEAD = match_before(
    *("on", "is", "was", "day", "date", "dated", "doy", "julian", "from", "to", "until", "since", "by"),
    *("before", "after", "and", "through"),
)
"""Words before a day of the year; any other such number may be an invoice's: "Facture 2023-118"."""


def _read_day_of_year(match: re.Match[str]) -> MentionFields:
    year, day = int(match["year"]), int(match["day"])
    date_of_day = date(year, 1, 1) + timedelta(days=day - 1)
    if day == 0 or date_of_day.year != year:
        raise ValueError(f"{year} has no day {day}")
    return readings.make_day(date_of_day)


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {LONG_NUMBER + MARKED},
        r"(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)",
        _read_numbered_day,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED},
        rf"(?P<day>[0-3]?\d)(?P<month>{_SHORT_NAMES})(?P<year>[12]\d{{3}}|\d\d)(?![0-9A-Za-z])",
        _read_short_date,
    ),
    make_rule(
        {SHORT_NUMBER, SHORT_NUMBER + MARKED},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>[0-3]?\d)(?P<mark>[-\s])(?P<month>{_SHORT_NAMES})(?:(?P=mark)|\.\s)"
        rf"['’]?(?P<year>\d\d){_SHORT_DATE_ENDS}",
        _read_short_date,
    ),
    make_rule(
        {SHORT_NUMBER, SHORT_NUMBER + MARKED},
        rf"(?<![$€£¥#])(?<![0-9][.,])(?P<day>[0-3]?\d)(?P<mark>[-\s])(?P<month>{_SHORT_NAMES})"
        r"(?:(?:(?P=mark)|\.\s)['’]?(?P<year>\d\d))?(?:\s?[-–—]\s?|\sto\s)"
        rf"(?P<last_day>[0-3]?\d)(?P=mark)(?P<last_month>{_SHORT_NAMES})(?:(?P=mark)|\.\s)['’]?(?P<last_year>\d\d)"
        f"{_SHORT_DATE_ENDS}",
        _read_short_dates,
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
        r"(?![0-9A-Za-z]|[/.]\d|/(?-i:[A-Z])\b|-\d(?!\d?/\d\d?/))",
        _read_numeric_date,
    ),
    make_rule(
        {SHORT_NUMBER + MARKED},
        # With points only where no version may be.
        r"(?:(?:(?<=\bon )|(?<=\bback )|(?<=since )|(?<=until )|(?<=from ))(?=\d\d?-)|(?<=dated )|(?<=date: ))"
        r"(?P<first>\d\d?)(?P<mark>[-.])"
        r"(?P<second>\d\d?)(?P=mark)(?P<year>\d\d)(?![0-9A-Za-z]|[-/.]\d)",
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
        _read_numeric_month,
    ),
    make_rule(
        {LONG_NUMBER},
        r"(?<![0-9A-Za-z][-/.])(?<!/)(?<!AY )(?<!SY )(?<!ase )(?<!o\. )(?<!r\. )(?<!file )(?<! year )(?<!eason )"
        r"(?P<year>(?:19|20)[0-9]{2})(?: ?/ ?| -| - )"
        r"(?P<month>0[1-9]|1[0-2])(?![-/.]?[0-9A-Za-z])",
        _read_numeric_month,
    ),
    BARE_YEAR,
    make_rule(
        {"year"},
        rf"year{S}(?P<year>[1-9][0-9]{{2}})(?![0-9A-Za-z%]|[.,:/-][0-9])",
        _read_era_year,
        lead=rf"(?:(?<=\bin )|(?<=since )|(?<=by )|(?<=until ))the{S}",
    ),
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
        {SHORT_NUMBER},
        "(?P<year>[0-9]{2})(?![0-9A-Za-z]|['’][a-z])",
        _read_named_year,
        lead=rf"(?:{_YEAR_PREPOSITION})['’‘]",
    ),
    make_rule(
        {"month", "quarter", "year"},
        rf"(?P<unit>month|quarter|year)(?:-|{S})end\b(?:{S}(?:of{S})?(?P<year>{YEAR}))?(?!-|{S}(?:close|report)\b)",
        _read_year_end,
        lead=rf"(?:{_END_PREPOSITION})(?:the{S})?",
    ),
    make_rule(_PERIOD_ENDS, r"(?P<unit>EO[WMQY])(?![A-Za-z0-9-])", _read_period_end, exact_case=True),
    make_rule({"end"}, rf"(?:{_END_PREPOSITION})end{S}of{S}(?P<unit>week|month|quarter|year)\b(?!-)", _read_period_end),
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
        rf"(?:{_DAY_OF_YEAR_LEAD})(?P<year>(?:19|20)\d\d)-(?P<day>[0-3]\d\d)(?![-/.]?[0-9A-Za-z])",
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
