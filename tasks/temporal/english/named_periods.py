"""English decades, centuries, seasons and numbered weeks: "the 1990s", "the 19th century", "last winter", "week 12"."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    ORDINAL_WORD,
    SHORT_YEAR,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    S,
    match_before,
    parse_day_number,
    parse_month,
    parse_ordinal,
)
from tasks.temporal.english.signals import DATED
from tasks.temporal.grammar import (
    LETTERED,
    LONG_NUMBER,
    MIDDLE_NUMBER,
    SHORT_NUMBER,
    GrammarRule,
    JoinRule,
    SignalRole,
    make_rule,
)
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import TimeOffset
from tasks.temporal.meanings.recurrences import (
    RankedUnit,
    Recurring,
    SteppedUnit,
    UnitOfYear,
    UnitWithin,
    WeekOf,
    make_decade_of_century,
    make_season_of_year,
    make_week_of_year,
    make_weekday,
)
from tasks.temporal.meanings.spans import TimeBetween
from tasks.temporal.readings import Meaning, MentionFields, expand_year
from warehouse.records import Grain

_RANK = rf"(?:the{S})?(?P<rank>last|final|[1-5](?:st|nd|rd|th)|{ORDINAL_WORD}){S}"
_OF_YEAR = rf"(?:{S}(?:of|in){S}|,?{S})(?P<year>{YEAR})"


def _make_week(year: int, number: int) -> MentionFields:
    return readings.make_week(date.fromisocalendar(year, number, 1))


def _read_week_of_this_year(match: re.Match[str]) -> SteppedUnit:
    number = int(match["week"])
    if not 1 <= number <= 53:
        raise ValueError(f"no week {number}")
    unresolved_value = f"XXXX-W{number:02}"
    return SteppedUnit(
        Recurring(Grain.WEEK, Grain.YEAR, lambda first: _make_week(first.year, number), unresolved_value), 0
    )


def _read_week_of_year(match: re.Match[str]) -> MentionFields:
    """KW 11/24, CW 11/2024."""
    return _make_week(expand_year(match["year"].lstrip("'’")), int(match["week"]))


def _read_weeks_of_this_year(match: re.Match[str]) -> Meaning:
    """CW 12, CW 12–13."""
    weeks = [SteppedUnit(make_week_of_year(int(week)), 0) for week in (match["week"], match["last"]) if week]
    return weeks[0] if len(weeks) == 1 else TimeBetween(*weeks)


def read_ranked_weekday(match: re.Match[str]) -> RankedUnit:
    """The first or last Monday of a time that follows."""
    rank = match["rank"].lower()
    index = -1 if rank in ("last", "final") else parse_ordinal(rank) - 1
    return RankedUnit(make_weekday(WEEKDAYS[match["weekday"].lower()]), index)


def _join_week_day(week: WeekOf, day: Meaning) -> Meaning | None:
    return WeekOf(day, week.unit) if week.day is None and day.grain is Grain.DAY else None


def _join_ranked_within(ranked_unit: RankedUnit, outer: Meaning) -> Meaning | None:
    return (
        None if outer.grain in (Grain.DAY, Grain.WEEK) else UnitWithin(ranked_unit.recurring, outer, ranked_unit.index)
    )


_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "that": 0, "next": 1, "coming": 1, "following": 1}
_SEASON_HEADS = {*_SEASONS, "springtime", "summertime", "wintertime"}
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)(?:time)?\b"
_THE = rf"(?:the{S})?"
_STEPPED = rf"(?:(?:the|this){S})?(?P<step>last|past|previous|this|that|next|coming|following){S}"
_NOT_A_NOUN = (
    r"(?!-|['’]s\b|\s(?:of(?!\s(?:last|this|next|that|[12][0-9]{3}))|from|apart|into|short|out|in\s(?:love|prices|the"
    r"\s(?:price|value))|olympics?|games|palace|water|rolls?|loaded|break|street|camps?|house|guy|line|onions?)\b)"
)
_NEXT_NAME_WORD = re.compile(r"\s[A-Z][a-z]")
_ARTICLE_PREPOSITION = match_before("in", "during", "by", "since", "until", "through", "of", "over")
_SEASON_PREPOSITION = match_before("in", "during", "by", "since", "until", "early", "late", "mid")


def _read_season(match: re.Match[str]) -> Recurring:
    return make_season_of_year(_SEASONS[match["season"].lower()])


def _read_season_with_article(match: re.Match[str]) -> Recurring | None:
    """A season; None where it begins a name: "the Summer Court"."""
    is_name = match["season"][0].isupper() and _NEXT_NAME_WORD.match(match.string, match.end())
    return None if is_name else _read_season(match)


def _read_stepped_season(match: re.Match[str]) -> Meaning:
    """A season a step away; a winter belongs to two years: this winter is the current or the nearest one."""
    if match["season"].lower() == "winter" and _STEPS[match["step"].lower()] == 0:
        return _read_season(match)
    return SteppedUnit(_read_season(match), _STEPS[match["step"].lower()])


def _read_season_of_year(match: re.Match[str]) -> Meaning:
    """The season; the spring of a school year is in the second of its years: "Spring 2023-24"."""
    year = expand_year(match["year"].lstrip("'’"))
    is_second = match["season"].lower() == "spring" and match.groupdict().get("second")
    return UnitOfYear(_read_season(match), Period(Grain.YEAR, year + bool(is_second)))


_TENS_WORDS = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_TENS = {word: 10 * count for count, word in enumerate(_TENS_WORDS, 2)}
_CENTURIES = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}
_THE_CENTURY = rf"(?:the{S}|(?<=late )|(?<=early )|(?<=mid-)|(?<=mid ))(?:(?P<century>{'|'.join(_CENTURIES)})[ -])?"
_BEFORE_SHORT = rf"(?:the{S}(?:(?:early|mid|late)(?:{S}|-))?|(?<=early )|(?<=late )|(?<=mid-)|(?<=mid ))['’‘]?"
_BEFORE_REACH = 14
_POSSESSIVE = re.compile(r"\b(?:his|her|their|my|our|your)\s(?:(?:early|mid|late)[\s-])?\Z", re.IGNORECASE)
_ORDER = r"(?:[12]?[0-9](?:st|nd|rd|th)|" + ORDINAL_WORD + ")"
_ORDERS = rf"{_THE}(?:(?P<first>{_ORDER})(?:{S}(?:and|to|or){S}|\s?[-–]\s?)(?:the{S})?)?(?P<number>{_ORDER})(?:{S}|-)"
_ERA = r"(?:\s?(?P<era>BCE?|B\.C\.(?:E\.)?|AD|A\.D\.|C\.E\.|CE)(?![A-Za-z]))?"


_AFTER_DECADE = re.compile(r"[2-9]0['’]?s(?:,?\s(?:and|or|to|through)|,)\s(?:the\s)?['’‘]?\Z")


def _read_decade_or_century(match: re.Match[str]) -> MentionFields:
    """The 1990s; the 1800s are a century, but the 1900s and 2000s are used as decades, too."""
    year = int(match["year"])
    return readings.make_century(year) if year % 100 == 0 and year < 1900 else readings.make_decade(year)


def _read_short_decade(match: re.Match[str]) -> Recurring | None:
    """She is in her late 30s: no decade of a century."""
    if _POSSESSIVE.search(match.string, max(0, match.start() - _BEFORE_REACH), match.start()):
        return None
    return make_decade_of_century(int(match["tens"]))


def _read_next_of_list(match: re.Match[str]) -> Recurring | None:
    """The 80s of "the 70s and 80s"."""
    list_match = _AFTER_DECADE.search(match.string, max(0, match.start() - _BEFORE_REACH), match.start())
    return _read_short_decade(match) if list_match else None


def _read_decade_in_words(match: re.Match[str]) -> Meaning:
    tens, century = _TENS[match["tens"].lower()], match["century"]
    if century is None:
        return make_decade_of_century(tens)
    return readings.make_decade(_CENTURIES[century.lower()] + tens)


def _read_century(match: re.Match[str]) -> Meaning:
    number, first = parse_ordinal(match["number"]), match["first"]
    if (match["era"] or "").upper().startswith("B"):
        numbers = [parse_ordinal(first), number] if first else [number]
        return MentionFields("/".join(f"BC{number - 1:02}" for number in numbers), None, Grain.CENTURY)
    last = readings.make_century((number - 1) * 100)
    return TimeBetween(readings.make_century((parse_ordinal(first) - 1) * 100), last) if first else last


_TERMS = {"michaelmas": 10, "hilary": 1, "lent": 1, "trinity": 4}
"""The first of the three months of the terms of British universities."""


def _read_term(match: re.Match[str]) -> MentionFields | None:
    """Michaelmas Term 2023; Hilary, Lent and Trinity, which are other things too, need the word."""
    year, name = int(match["year"]), match["term"].lower()
    if name in ("lent", "trinity", "hilary") and "term" not in match[0].lower():
        return None
    first = _TERMS[name]
    interval = readings.make_months_interval(year, first, 3)
    return MentionFields(f"{year:04}-{first:02}/{year:04}-{first + 2:02}", interval, Grain.MONTH)


_NUMBERS = {SHORT_NUMBER, MIDDLE_NUMBER, LONG_NUMBER}
_OLD_YEAR = r"(?P<year>[0-9]{1,4}|[0-9]{1,3},[0-9]{3})"
_BEFORE_CHRIST = r"\s?(?-i:BCE?|B\.C\.(?:E\.)?)(?![A-Za-z])"
_ANNO = r"(?:AD|A\.D\.|CE|C\.E\.)(?![A-Za-z])"
_TO = rf"(?:\s?[-–—]\s?|{S}(?:to|until|till|through){S})"
_ERA_YEARS = rf"(?P<first>[0-9]{{1,4}}){_TO}(?P<last>[0-9]{{1,4}})"


def _make_time_before_christ(year: int, suffix: str = "", grain: Grain = Grain.YEAR) -> MentionFields:
    """A year before Christ, or a month or day of it: `date` cannot hold it, so it has no interval."""
    return MentionFields(f"BC{year:04}{suffix}", None, grain)


def _parse_old_year(text: str) -> int:
    return int(text.replace(",", ""))


def _read_old_years(match: re.Match[str]) -> MentionFields | None:
    """500-300 BC: they count down."""
    first, last = (_parse_old_year(match[name]) for name in ("first", "year"))
    return MentionFields(f"BC{first:04}/BC{last:04}", None, Grain.YEAR) if first > last else None


def _read_era_years(match: re.Match[str]) -> MentionFields | None:
    """69–79 AD."""
    first, last = int(match["first"]), int(match["last"])
    if not 0 < first < last:
        return None
    return MentionFields(f"{first:04}/{last:04}", readings.make_years_interval(first, last - first + 1), Grain.YEAR)


_OTHER_DAY = rf"(?:{S}(?:or|and|to){S}|\s?[-–—/]\s?)"
_DAY_BEFORE = re.compile(rf"\b(?P<month>{MONTH}){S}{DAY_OF_MONTH}{_OTHER_DAY}\Z", re.IGNORECASE)
_DAY_REACH = 24  # Characters before the second of two days in which its month is.


def _read_second_old_day(match: re.Match[str]) -> MentionFields | None:
    """The 11th of "June 10 or 11, 323 BC"."""
    first = _DAY_BEFORE.search(match.string, max(0, match.start() - _DAY_REACH), match.start())
    return _make_old_day(first["month"], match["day"], match["year"]) if first else None


def _read_old_day(match: re.Match[str]) -> MentionFields:
    """15 March 44 BC, March 44 BC; the first of two days of a month that is written once."""
    return _make_old_day(match["month"], match["day"], match["year"])


def _make_old_day(month_name: str, day: str | None, year: str) -> MentionFields:
    month = parse_month(month_name)
    number = parse_day_number(day) if day else None
    date(2000, month, number or 1)
    suffix = f"-{month:02}" if number is None else f"-{month:02}-{number:02}"
    return _make_time_before_christ(_parse_old_year(year), suffix, Grain.MONTH if number is None else Grain.DAY)


LISTED_OLD_DAYS: tuple[GrammarRule, ...] = (
    make_rule(
        MONTHS,
        rf"(?P<month>{MONTH}){S}(?P<day>{DAY_OF_MONTH})(?={_OTHER_DAY}{DAY_OF_MONTH},?{S}{_OLD_YEAR}{_BEFORE_CHRIST})",
        _read_old_day,
    ),
    make_rule({SHORT_NUMBER}, rf"(?P<day>{DAY_OF_MONTH}),?{S}{_OLD_YEAR}{_BEFORE_CHRIST}", _read_second_old_day),
    make_rule(
        {SHORT_NUMBER},
        rf"(?P<day>{DAY_OF_MONTH})(?={_OTHER_DAY}{DAY_OF_MONTH}{S}(?P<month>{MONTH}),?{S}{_OLD_YEAR}{_BEFORE_CHRIST})",
        _read_old_day,
    ),
)
"""The days of "June 10 or 11, 323 BC", which come before those of this era."""
RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {"week", "wk"},
        rf"(?:week|wk){S}(?P<week>[0-5]?[0-9]){_OF_YEAR}",
        lambda match: _make_week(int(match["year"]), int(match["week"])),
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {"week"},
        rf"week{S}(?P<week>[0-5]?[0-9])(?![0-9A-Za-z]|[.,/-][0-9])"
        # Week 12 of a treatment is not one of the calendar.
        rf"(?!{S}of{S}(?!(?:(?:the|this|that|next|last|each|every){S})?(?:calendar{S})?year\b))",
        _read_week_of_this_year,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {"w"}, r"W(?P<week>[0-5][0-9])[\s/-](?P<year>20[0-9]{2})(?![0-9A-Za-z])", _read_week_of_year, exact_case=True
    ),
    make_rule(
        {"cw", "kw", "wk"},
        rf"(?<![0-9]\s)(?:CW|KW|[Ww]k\.?)\s?(?P<week>[0-5]?[0-9])/(?P<year>{SHORT_YEAR})",
        _read_week_of_year,
        exact_case=True,
    ),
    make_rule(
        {"cw", "kw", "wk"},
        r"(?<![0-9]\s)(?:CW|KW|[Ww]k\.?)\s?(?P<week>[0-5]?[0-9])(?:\s?[-–]\s?(?P<last>[0-5]?[0-9]))?(?![0-9A-Za-z]|[.,/-][0-9])",
        _read_weeks_of_this_year,
        exact_case=True,
    ),
    make_rule(WEEKDAYS, rf"(?P<weekday>{WEEKDAY})(?={S}(?:of|in)\b)", read_ranked_weekday, lead=_RANK),
    make_rule(
        {"week"},
        rf"week(?:{S}of|{S}(?:starting|beginning|commencing)(?:{S}on)?)\b",
        WeekOf(None),
        lead=rf"(?:the{S}|a{S})?",
    ),
    make_rule({"w"}, r"w/c\b", WeekOf(None)),
    make_rule({"weekend"}, rf"weekend{S}of\b", WeekOf(None, Grain.WEEKEND), lead=_THE),
    make_rule(_SEASON_HEADS, rf"{_SEASON}{_NOT_A_NOUN}", _read_stepped_season, lead=_STEPPED),
    make_rule(
        _TERMS,
        rf"(?P<term>{'|'.join(_TERMS)}){S}(?:Term{S})?(?:of{S})?(?P<year>{YEAR})",
        _read_term,
        lead=_THE,
    ),
    make_rule(
        _SEASON_HEADS,
        rf"{_SEASON}{S}before{S}last\b",
        lambda match: TimeOffset(Grain.SEASON, -4, SteppedUnit(_read_season(match), -1)),
        lead=_THE,
    ),
    make_rule(
        _SEASON_HEADS,
        rf"{_SEASON}(?:{S}of{S}|,?{S})(?P<year>{SHORT_YEAR}(?<![^'’0-9][0-9]{{2}}))(?P<second>[-/–][0-9]{{2,4}}(?![0-9]))?",
        _read_season_of_year,
        lead=_THE,
    ),
    make_rule(
        {"springs", "summers", "autumns", "winters"},
        rf"(?P<season>spring|summer|autumn|winter)s{S}of{S}(?P<year>{YEAR})",
        _read_season_of_year,
        lead=_THE,
    ),
    make_rule(
        _SEASON_HEADS,
        rf"{_SEASON}{S}(?:semester|term|quarter|session|trimester)(?:{S}of{S}|,?{S})(?P<year>{YEAR}|['’][0-9]{{2}}(?![0-9]))",
        _read_season_of_year,
        lead=_THE,
    ),
    make_rule({"summer", "autumn", "winter"}, rf"{_SEASON}{_NOT_A_NOUN}", _read_season_with_article, lead=rf"the{S}"),
    make_rule(
        {"spring", "fall"},
        rf"{_SEASON}{_NOT_A_NOUN}",
        _read_season_with_article,
        lead=rf"(?:{_ARTICLE_PREPOSITION})the{S}",
    ),
    make_rule({"summer", "autumn", "winter"}, rf"(?:{_SEASON_PREPOSITION}){_SEASON}{_NOT_A_NOUN}", _read_season),
    make_rule({"spring"}, rf"(?:{_SEASON_PREPOSITION}){_SEASON}(?!\s[a-z]){_NOT_A_NOUN}", _read_season),
    make_rule(
        {LONG_NUMBER},
        r"(?P<year>[12][0-9][0-9]0)(?:['’]?s|\ss)(?![A-Za-z0-9'’])",
        _read_decade_or_century,
        lead=_THE,
    ),
    make_rule(
        {SHORT_NUMBER + LETTERED}, "(?P<tens>[2-9]0)['’]?s(?![A-Za-z0-9])", _read_short_decade, lead=_BEFORE_SHORT
    ),
    make_rule({SHORT_NUMBER + LETTERED}, r"(?P<tens>[2-9]0)['’]?s(?![A-Za-z0-9])", _read_next_of_list),
    make_rule(
        {SHORT_NUMBER + LETTERED}, r"(?P<tens>[2-9]0)s(?![A-Za-z0-9])", _read_short_decade, lead=r"(?<=[\s(])['’‘]"
    ),
    make_rule(_TENS, rf"(?P<tens>{'|'.join(_TENS)})\b", _read_decade_in_words, lead=_THE_CENTURY),
    make_rule({"noughties", "aughts"}, r"(?:noughties|aughts)\b", readings.make_decade(2000), lead=_THE),
    make_rule({"tens"}, r"tens\b", readings.make_decade(2010), lead=rf"{_THE}\btwenty[ -]"),
    make_rule({"century", "centuries"}, rf"centur(?:y|ies)\b{_ERA}", _read_century, lead=_ORDERS),
    make_rule(
        _NUMBERS,
        rf"(?<![0-9][.,/:]){_OLD_YEAR}{_BEFORE_CHRIST}",
        lambda match: _make_time_before_christ(_parse_old_year(match["year"])),
        exact_case=True,
    ),
    make_rule(
        _NUMBERS,
        rf"(?<![0-9][.,/:]){_OLD_YEAR.replace('year', 'first')}{_TO}{_OLD_YEAR}{_BEFORE_CHRIST}",
        _read_old_years,
        exact_case=True,
    ),
    make_rule(
        _NUMBERS,
        rf"(?<=between ){_OLD_YEAR.replace('year', 'first')} and {_OLD_YEAR}{_BEFORE_CHRIST}",
        _read_old_years,
        exact_case=True,
    ),
    make_rule(_NUMBERS, rf"(?<![0-9][.,/:]){_ERA_YEARS}\s?{_ANNO}", _read_era_years, exact_case=True),
    make_rule({"ad", "a"}, rf"(?:AD|A\.D\.)\s?{_ERA_YEARS}(?![0-9A-Za-z])", _read_era_years, exact_case=True),
    make_rule(
        {SHORT_NUMBER},
        rf"(?P<day>{DAY_OF_MONTH}){S}(?:of{S})?(?P<month>{MONTH}),?{S}{_OLD_YEAR}{_BEFORE_CHRIST}",
        _read_old_day,
    ),
    make_rule(
        MONTHS,
        rf"(?P<month>{MONTH})(?:{S}(?P<day>{DAY_OF_MONTH}))?,?{S}(?:of{S})?{_OLD_YEAR}{_BEFORE_CHRIST}",
        _read_old_day,
    ),
)
_GAP = re.compile(r"\s{1,3}(?:on\s)?(?:the\s)?", re.IGNORECASE)
_IN = re.compile(r"\s{1,3}in\s(?:the\s)?", re.IGNORECASE)
JOINS: tuple[JoinRule, ...] = (
    JoinRule((WeekOf, DATED), _join_week_day, _GAP),
    JoinRule((RankedUnit, SignalRole.OF, DATED), _join_ranked_within, _GAP),
    JoinRule((RankedUnit, DATED), _join_ranked_within, _IN),
)
