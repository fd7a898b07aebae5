"""Chinese years, months, days, seasons and decades: 2023年, 民国112年, 去年, 3月5日, 星期一, 春季, 90年代, 二十世纪."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path

from tasks.temporal import readings
from tasks.temporal.chinese.lexicon import (
    ANY_DIGIT,
    COUNT,
    DASH,
    DAY,
    DIGIT,
    FISCAL_YEAR,
    MONTH,
    NUMERAL,
    YEAR,
    S,
    match_any,
    parse_number,
)
from tasks.temporal.grammar import CHINESE_NUMBER, LONG_NUMBER, MIDDLE_NUMBER, SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings import recurrences
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Origin, Shift
from tasks.temporal.meanings.recurrences import EraYear, Recurring
from tasks.temporal.meanings.spans import TimeBetween
from tasks.temporal.readings import Context, Meaning, MentionFields, expand_year, find_first_day
from warehouse.records import Grain, Modifier
from warehouse.table_notation import CLOSING

_DATED = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.SEASON, Grain.QUARTER, Grain.HALF)
_YEARLY = (*_DATED, Grain.YEAR)


@dataclass(frozen=True, slots=True)
class NarratedUnit(Recurring):
    """A recurring unit in the year or month of the last mention, if that determines it.

    A narrative continues in the year of its last month or day; a year alone determines it only without an anchor,
    because news leaves out the current year. Text below a table does not continue a cell.
    """

    def resolve(self, context: Context) -> MentionFields:
        """The unit in the year or month of the last mention, else its reading without one."""
        last = context.last_reading
        context_grains = (Grain.DAY,) if self.parent is Grain.MONTH else _DATED if context.anchor else _YEARLY
        span = context.span
        is_below_table = span is not None and CLOSING in span.text[context.last_end : span.start]
        if last is None or last.bounds is None or last.grain not in context_grains or is_below_table:
            return Recurring.resolve(self, context)
        reading = self.make_instance(find_first_day(self.parent, last.bounds[0])).resolve(context)
        return replace(reading, relative=True, anchor=last.bounds[0])


def to_narrated(unit: Recurring) -> NarratedUnit:
    """The same unit, read as part of a narrative."""
    return NarratedUnit(*(getattr(unit, field.name) for field in fields(Recurring)))


_ERA_ROWS = Path(__file__).with_name("eras.tsv").read_text(encoding="utf-8").splitlines()
_ERAS = {name: int(year) for name, year, _ in (row.split("\t") for row in _ERA_ROWS)}
"""Eras and reigns whose years texts still count by, with the Gregorian year of their first year, 元年.

Facts of general chronology: the era names of Han to Qing emperors, the Republic of China (1912 is 民国元年), and the
Japanese eras since 1868.
"""
ERA_YEAR = rf"(?P<era>{match_any(_ERAS)}){S}(?P<count>元|[0-9]{{1,3}}|[{NUMERAL}]{{1,4}})"
_NOT_A_YEAR = "(?![轻龄纪级代均薪货糕画夜利营检审租假制长资鉴]|期(?!间)|生(?![ま于在]))"
_END = rf"{S}年度?{_NOT_A_YEAR}"
# After four digits only these make a length or a group of it: 2023年营业收入 and 2023年利润 are of a year.
_END_OF_FULL_YEAR = rf"(?:{_END}|(?<=[12][0-9]{{3}}){S}年度?(?![轻龄纪级代]|期(?!间)|生(?![ま于在])))"
_MONTH_FOLLOWS = rf"(?={S}年{S}{MONTH}{S}月(?![薪刊票]))"
# Text after a number of years: 2000年的历史, 65年前, 98年来.
_LENGTH_FOLLOWS = "(?!(?:的?历史|之|前|来|后|内|间|里|中|多|余|以[前后来内上下]|左右|[时期]))"
# Before a year of few digits: a word that says when, or nothing of the sentence.
_TIME_WORD_BEFORE = r"(?<![^\s，。、；:;,.()《「『\[—–~\-在于自从至到由及和与])"

_STEPS = {"大前": -3, "前": -2, "去": -1, "上": -1, "上一": -1, "上个": -1, "今": 0, "本": 0, "明": 1, "来": 1}
_STEPS |= {"下": 1, "下一": 1, "下个": 1, "后": 2, "大后": 3}
_STEPS_FROM_MENTION = {"当": 0, "同": 0, "同一": 0, "该": 0, "那一": 0, "这一": 0, "次": 1, "翌": 1, "隔": 1, "第二": 1}
_STEPS_FROM_MENTION |= {"前一": -1, "后一": 1}


def _read_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, parse_number(match["year"]))


def _read_short_year(match: re.Match[str]) -> Period:
    digits = "".join(str(parse_number(character)) for character in match["year"])
    return Period(Grain.YEAR, expand_year(digits))


def _read_republican_year(match: re.Match[str]) -> EraYear:
    """A year of three digits before what a report's year goes with."""
    year = parse_number(match["year"])
    return EraYear(_ERAS["民国"] - 1 + year, "a year of the Republic of China, as reports there are dated")


def _read_year_of_calendar(match: re.Match[str]) -> Meaning:
    year = parse_number(match["year"].replace(",", ""))
    if not match["before"]:
        return Period(Grain.YEAR, year)
    return MentionFields(f"BC{year:04}", None, Grain.YEAR)


def parse_era_year(match: re.Match[str]) -> EraYear:
    """The year of a match of `ERA_YEAR`."""
    year = 1 if match["count"] == "元" else parse_number(match["count"])
    return EraYear(_ERAS[match["era"]] + year - 1, f"year {year} of {match['era']}")


def _read_years(match: re.Match[str]) -> TimeBetween:
    """1995-1997年; the last side may leave out the century."""
    first, last = parse_number(match["year"]), parse_number(match["last"])
    last += first // 100 * 100 if len(match["last"]) == 2 else 0
    if not first < last <= first + 200:
        raise ValueError(f"no years {match[0]}")
    return TimeBetween(Period(Grain.YEAR, first), Period(Grain.YEAR, last))


def _read_years_before_christ(match: re.Match[str]) -> MentionFields:
    """A range before Christ, which counts down: 前431年至前404年."""
    first, last = int(match["first"]), int(match["year"])
    if not first > last:
        raise ValueError(f"no years {match[0]}")
    return MentionFields(f"BC{first:04}/BC{last:04}", None, Grain.YEAR)


def _read_old_years(match: re.Match[str]) -> TimeBetween:
    """618—907年; round numbers are a length."""
    first, last = int(match["year"]), int(match["last"])
    if not (first < last <= first + _MAX_DYNASTY_YEARS and first % 10 and last % 10):
        raise ValueError(f"no years {match[0]}")
    return TimeBetween(Period(Grain.YEAR, first), Period(Grain.YEAR, last))


def _read_stepped_year(match: re.Match[str]) -> Meaning:
    step = match["step"]
    if step in _STEPS_FROM_MENTION:
        return Shift(Grain.YEAR, _STEPS_FROM_MENTION[step], Origin.LAST_MENTION)
    return Shift(Grain.YEAR, _STEPS[step], fiscal=bool(match["fiscal"]))


_WEEKDAYS = {character: index for index, character in enumerate("一二三四五六日")} | {"天": 6}
WEEKDAY = (
    "(?<!圣)(?:(?:星期|礼拜)[一二三四五六日天]|周[一二三四五六日])(?<!周一(?=共|直|些|样|般|旦|切|定|个))"
    "(?![个名家天年月成度])"
)
_LISTED_DAY = "[一二三四五六日天][、和及与]"
"""Text before the next day of a list that names the week once: 每周一、三、五."""
_IN_LIST = "|".join(f"(?<=[周期拜]{_LISTED_DAY * count})" for count in (1, 2, 3, 4))
_MONTH_WORD = "月(?:份)?(?![薪刊票饼租供费球均息嫂节]|革命|起义|事变|政变|围城|民主)"
_PARTS_OF_MONTH = {
    "上旬": recurrences.make_part_of_month(1, 10, Modifier.START),
    "中旬": recurrences.make_part_of_month(11, 20, Modifier.MID),
    "下旬": recurrences.make_part_of_month(21, 31, Modifier.END),
    "上半月": recurrences.make_part_of_month(1, 15, Modifier.START),
    "下半月": recurrences.make_part_of_month(16, 31, Modifier.END),
}
_TO = rf"{S}(?:{DASH}|至|到){S}"
_LATE_DAY = (
    rf"(?:三十一?|二十{DIGIT}?|十{DIGIT}|廿{DIGIT}?)"  # A day of the month in numerals that no word begins with.
)


def parse_weekday(text: str) -> Recurring:
    """The weekday that the last character of a match of `WEEKDAY` names."""
    return recurrences.make_weekday(_WEEKDAYS[text[-1]])


def _read_month(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_month_of_year(parse_number(match["month"]) if match["month"] != "元" else 1))


def _read_months(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_months_of_year(parse_number(match["first"]), parse_number(match["last"])))


def _read_month_day(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_month_day(parse_number(match["month"]), parse_number(match["day"])))


def _read_day(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_day_of_month(parse_number(match["day"])))


def _read_days(match: re.Match[str]) -> Recurring:
    month = match.groupdict().get("month")
    days = recurrences.make_days_of_month(
        parse_number(match["first"]), parse_number(match["last"]), parse_number(month) if month else None
    )
    return to_narrated(days)


def _read_spaced_day(match: re.Match[str]) -> MentionFields:
    """2010 01 29, 12-11-10."""
    return readings.make_day(date(expand_year(match["year"]), int(match["month"]), int(match["day"])))


_NUMBERS = {SHORT_NUMBER, CHINESE_NUMBER}
_MONTH_OF = rf"(?P<month>{MONTH}){S}月(?:份)?{S}"
_DAY_WORD = "(?:日(?!元|本|圆)|号)"
_NO_LENGTH = "(?<![+第每近历达共续满数了前后头首又])"
# A number before 号 is a day only next to an hour or the other end of a range: 12号楼 is a building.
_NUMBER_12 = "号(?=上午|下午|晚|早|中午|凌晨|[0-9]{1,2}[点时:])"


_CENTURY_OF = rf"(?P<century>{COUNT}){S}世纪"
_LAST_CENTURY = 30
_MAX_DYNASTY_YEARS = 400
_TENS = rf"(?P<tens>[1-9]0|{DIGIT}?十)"
_NO_CLIMATE = "(?![寒炎干湿温凉多少平气])"
_SEASONS = "春夏秋冬"


def _read_season(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_season_of_year(_SEASONS.index(match["season"])))


def _read_century(match: re.Match[str]) -> Meaning:
    count = parse_number(match["century"])
    if count > _LAST_CENTURY:
        raise ValueError(f"no century {match[0]}")
    if match["before"]:
        return MentionFields(f"BC{count - 1:02}", None, Grain.CENTURY)
    if count == 1:
        # The calendar begins with the year 1.
        return MentionFields("00", readings.make_years_interval(1, 99), Grain.CENTURY)
    return readings.make_century((count - 1) * 100)


def _read_decades(match: re.Match[str]) -> Recurring:
    first, last = (parse_number(match[group][0]) * 10 for group in ("first", "last"))
    return recurrences.make_decades_of_century(first, last)


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {LONG_NUMBER, CHINESE_NUMBER},
        rf"(?P<year>{YEAR})(?!(?<=000){S}年(?:多|前|来|历|的历|以前)){_END_OF_FULL_YEAR}",
        _read_year,
    ),
    make_rule(
        {CHINESE_NUMBER},
        rf"(?P<year>[两二]千[〇零]{DIGIT}|[两二]千零?十{DIGIT}?|[两二]千{_MONTH_FOLLOWS}){_END}",
        _read_year,
    ),
    make_rule({SHORT_NUMBER}, rf"(?P<year>0[0-9]|[0-9]{{2}}{_MONTH_FOLLOWS}){_END}", _read_short_year),
    make_rule({SHORT_NUMBER}, rf"{_TIME_WORD_BEFORE}(?P<year>[7-9][0-9]){_END}{_LENGTH_FOLLOWS}", _read_short_year),
    make_rule(
        {CHINESE_NUMBER},
        rf"(?P<year>[〇零]{DIGIT}|九[一二三四五六七八]|{ANY_DIGIT}{{2}}{_MONTH_FOLLOWS}){_END}",
        _read_short_year,
    ),
    make_rule(
        {MIDDLE_NUMBER, SHORT_NUMBER},
        rf"(?P<year>1[0-9]{{2}}|9[0-9](?={S}年度)){S}年(?:度(?!过)|(?={S}(?:第[一二三四]季|Q[1-4]|{MONTH}{S}月|同期"
        rf"|[及与和、]{S}1[0-9]{{2}}年)))",
        _read_republican_year,
    ),
    make_rule(
        {MIDDLE_NUMBER, CHINESE_NUMBER},
        rf"{_TIME_WORD_BEFORE}(?P<year>[1-9][0-9]{{2}}|{DIGIT}{ANY_DIGIT}{{2}}){_END}{_LENGTH_FOLLOWS}",
        _read_year,
    ),
    # A number that is not round is a year, unless a word makes it a length: 历时184年.
    make_rule(
        {MIDDLE_NUMBER},
        rf"(?<![长达历约近共经过了满续第时足整超逾.,-])(?P<year>[1-9][0-9][1-9]){_END}{_LENGTH_FOLLOWS}",
        _read_year,
    ),
    make_rule(
        {"公", "西", "纪"},
        rf"(?:公元|西元|公历|西历|纪元(?=前))(?P<before>前)?{S}(?P<year>[0-9]{{1,2}},[0-9]{{3}}|{COUNT}){_END}",
        _read_year_of_calendar,
    ),
    make_rule(
        {"前"},
        rf"(?<![之以目年日天月])(?P<before>前)(?P<year>[1-9][0-9]{{2}}){_END}{_LENGTH_FOLLOWS}",
        _read_year_of_calendar,
    ),
    make_rule(
        {"公", "前"},
        rf"(?:公元)?前(?P<first>[1-9][0-9]{{0,3}})年?{_TO}(?:公元)?前(?P<year>[1-9][0-9]{{0,3}})年",
        _read_years_before_christ,
    ),
    make_rule(
        {MIDDLE_NUMBER},
        rf"(?P<year>[1-9][0-9]{{2}})年?(?:{DASH}|至|到){S}(?P<last>[1-9][0-9]{{2,3}})年(?![{NUMERAL}前后内间])",
        _read_old_years,
    ),
    make_rule(
        {era[0] for era in _ERAS},
        rf"{ERA_YEAR}{_END}",
        parse_era_year,
    ),
    make_rule(
        {LONG_NUMBER, CHINESE_NUMBER},
        rf"(?P<year>{YEAR}){S}年?{S}(?:{DASH}|至|到){S}(?P<last>{YEAR}|[0-9]{{2}}){_END}",
        _read_years,
    ),
    make_rule(
        {step[0] for step in (*_STEPS, *_STEPS_FROM_MENTION)},
        rf"(?<![年月日天以之此最今马应相适])(?P<step>{match_any((*_STEPS, *_STEPS_FROM_MENTION))})"
        rf"(?:年度?{_NOT_A_YEAR}|(?P<fiscal>{FISCAL_YEAR}))",
        _read_stepped_year,
    ),
    make_rule(
        set(_SEASONS), rf"(?P<season>[春夏秋冬])(?:季|天)(?!度|奥|战争|学期)(?:(?<=年..)|{_NO_CLIMATE})", _read_season
    ),
    make_rule(set(_SEASONS), "(?<=年)(?P<season>[春夏秋冬])(?![节耕运令播装])", _read_season),
    make_rule({"公", "西", "纪", *_NUMBERS}, rf"(?:公元|西元|纪元(?=前))?(?P<before>前)?{_CENTURY_OF}", _read_century),
    make_rule({"前"}, rf"(?P<before>前){_CENTURY_OF}", _read_century),
    make_rule(
        _NUMBERS, rf"{_TENS}{S}年代", lambda match: recurrences.make_decade_of_century(parse_number(match["tens"]))
    ),
    make_rule(
        _NUMBERS,
        rf"(?P<first>[1-9](?=0)0|{DIGIT})(?:[至到、\-–—~]|(?<={DIGIT}))(?P<last>[1-9]0|{DIGIT}十){S}年代",
        _read_decades,
    ),
    make_rule(
        {LONG_NUMBER},
        rf"(?P<year>[12][0-9]{{2}}0){S}年代",
        lambda match: readings.make_decade(parse_number(match["year"])),
    ),
    make_rule(_NUMBERS | {"元"}, rf"(?<!第)(?P<month>{MONTH}|元){S}{_MONTH_WORD}", _read_month),
    make_rule(_NUMBERS, rf"(?P<first>{MONTH})(?:{S}月(?:份)?)?{_TO}(?P<last>{MONTH}){S}{_MONTH_WORD}", _read_months),
    make_rule(_NUMBERS, rf"{_MONTH_OF}(?P<day>{DAY}){S}{_DAY_WORD}", _read_month_day),
    # Headers of tables have the year below: 6月30日 and 2023年.
    make_rule(
        _NUMBERS,
        rf"{_MONTH_OF}(?P<day>{DAY}){S}日{S}(?P<year>{YEAR}){S}年(?![度初末底中间代])",
        lambda match: readings.make_day(date(*(parse_number(match[part]) for part in ("year", "month", "day")))),
    ),
    make_rule(
        {CHINESE_NUMBER},
        rf"{_MONTH_OF}(?P<day>{_LATE_DAY})(?![0-9个天年月时点分秒周星件名人万亿多余百千%]|{DIGIT})",
        _read_month_day,
    ),
    make_rule(_NUMBERS, rf"{_MONTH_OF}(?P<first>{DAY})(?:{S}[日号])?{_TO}(?P<last>{DAY}){S}{_DAY_WORD}", _read_days),
    make_rule(_NUMBERS, rf"{_NO_LENGTH}(?P<first>{DAY})(?:{S}日)?{_TO}(?P<last>{DAY}){S}日(?![元本圆])", _read_days),
    make_rule(
        {SHORT_NUMBER}, rf"{_NO_LENGTH}(?P<day>{DAY}){S}(?:日(?![元本圆内之后]|以[内后])|{_NUMBER_12})", _read_day
    ),
    make_rule(
        {CHINESE_NUMBER},
        rf"{_NO_LENGTH}(?P<day>{_LATE_DAY})(?:日(?![元本圆内之后谈]|以[内后])|{_NUMBER_12})",
        _read_day,
    ),
    make_rule(_NUMBERS, rf"(?<=[月至到—\-–~])(?P<day>{DAY}){S}{_DAY_WORD}", _read_day),
    make_rule({"星", "周", "礼"}, WEEKDAY, lambda match: parse_weekday(match[0])),
    make_rule(
        {CHINESE_NUMBER},
        rf"(?:{_IN_LIST})[一二三四五六](?![〇零一二三四五六七八九十百千])",
        lambda match: parse_weekday(match[0]),
    ),
    make_rule({"周"}, "周末", recurrences.make_weekend()),
    make_rule({"上", "中", "下"}, match_any(_PARTS_OF_MONTH), lambda match: _PARTS_OF_MONTH[match[0]]),
    make_rule(
        {SHORT_NUMBER},
        r"(?<![0-9A-Za-z./-])(?P<year>\d\d)-(?P<month>1[0-2]|0?[1-9])-(?P<day>3[01]|[12]\d|0?[1-9])(?![0-9A-Za-z./-])",
        _read_spaced_day,
    ),
    make_rule(
        {LONG_NUMBER},
        r"(?P<year>[12]\d{3}) (?P<month>0[1-9]|1[0-2]) (?P<day>[0-3]\d)(?![0-9A-Za-z.,])",
        _read_spaced_day,
    ),
)
