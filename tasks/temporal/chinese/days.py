"""Months and days: 3月, 正月, 3月5日, 十月三十一日, 29日, 星期一, 周末, 3月上旬, 1-9月."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.chinese.lexicon import DASH, DAY, DIGIT, MONTH, S, number
from tasks.temporal.chinese.narrated import narrated
from tasks.temporal.grammar import CHINESE_NUMBER, LONG_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings import units
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.readings import FixedDate, full_year
from warehouse.records import Modifier

_WEEKDAYS = {character: index for index, character in enumerate("一二三四五六日")} | {"天": 6}
WEEKDAY = (
    "(?<!圣)(?:(?:星期|礼拜)[一二三四五六日天]|周[一二三四五六日])(?<!周一(?=共|直|些|样|般|旦|切|定|个))"
    "(?![个名家天年月成度])"
)
MONTH_WORD = "月(?:份)?(?![薪刊票饼租供费球均息嫂节]|革命|起义|事变|政变|围城|民主)"
_PARTS_OF_MONTH = {
    "上旬": (1, 10, Modifier.START),
    "中旬": (11, 20, Modifier.MID),
    "下旬": (21, 31, Modifier.END),
    "上半月": (1, 15, Modifier.START),
    "下半月": (16, 31, Modifier.END),
}
_TO = rf"{S}(?:{DASH}|至|到){S}"
_LATE_DAY = rf"(?:三十一?|二十{DIGIT}?|十{DIGIT}|廿{DIGIT}?)"
"""A day of the month in numerals that no word begins with."""


def weekday_of(text: str) -> Recurring:
    """The weekday that the last character of a match of `WEEKDAY` names."""
    return units.weekday(_WEEKDAYS[text[-1]])


def _month(match: re.Match[str]) -> Recurring:
    return narrated(units.month_of_year(number(match["month"]) if match["month"] != "元" else 1))


def _months(match: re.Match[str]) -> Recurring:
    return narrated(units.months_of_year(number(match["first"]), number(match["last"])))


def _month_day(match: re.Match[str]) -> Recurring | None:
    month, day = number(match["month"]), number(match["day"])
    date(2000, month, day)
    return narrated(units.month_day(month, day))


def _month_days(match: re.Match[str]) -> Recurring:
    return narrated(units.days_of_year(number(match["month"]), number(match["first"]), number(match["last"])))


def _day(match: re.Match[str]) -> Recurring:
    return narrated(units.day_of_month(number(match["day"])))


def _days(match: re.Match[str]) -> Recurring:
    return narrated(units.days_of_month(number(match["first"]), number(match["last"])))


def _weekday(match: re.Match[str]) -> Recurring:
    return weekday_of(match[0])


def _weekend(_match: re.Match[str]) -> Recurring:
    return units.weekend()


def _part(match: re.Match[str]) -> Recurring:
    return units.part_of_month(*_PARTS_OF_MONTH[match[0]])


def _spaced(match: re.Match[str]) -> FixedDate:
    """2010 01 29, 12-11-10."""
    return FixedDate(readings.of_day(date(full_year(match["year"]), int(match["month"]), int(match["day"]))))


_NUMBERS = {SHORT_NUMBER, CHINESE_NUMBER}
_MONTH_OF = rf"(?P<month>{MONTH}){S}月(?:份)?{S}"
_DAY_WORD = "(?:日(?!元|本|圆)|号)"
_NO_LENGTH = "(?<![+第每近历达共续满数了前后头首又])"
# A number before 号 is a day only beside an hour or the other end of a range: 12号楼 is a house.
_NUMBER_12 = "号(?=上午|下午|晚|早|中午|凌晨|[0-9]{1,2}[点时:])"

RULES: tuple[GrammarRule, ...] = (
    rule(_NUMBERS | {"元"}, rf"(?<!第)(?P<month>{MONTH}|元){S}{MONTH_WORD}", _month),
    rule(_NUMBERS, rf"(?P<first>{MONTH})(?:{S}月(?:份)?)?{_TO}(?P<last>{MONTH}){S}{MONTH_WORD}", _months),
    rule(_NUMBERS, rf"{_MONTH_OF}(?P<day>{DAY}){S}{_DAY_WORD}", _month_day),
    rule(
        {CHINESE_NUMBER},
        rf"{_MONTH_OF}(?P<day>{_LATE_DAY})(?![0-9个天年月时点分秒周星件名人万亿多余百千%]|{DIGIT})",
        _month_day,
    ),
    rule(_NUMBERS, rf"{_MONTH_OF}(?P<first>{DAY})(?:{S}[日号])?{_TO}(?P<last>{DAY}){S}{_DAY_WORD}", _month_days),
    rule(_NUMBERS, rf"{_NO_LENGTH}(?P<first>{DAY})(?:{S}日)?{_TO}(?P<last>{DAY}){S}日(?![元本圆])", _days),
    rule({SHORT_NUMBER}, rf"{_NO_LENGTH}(?P<day>{DAY}){S}(?:日(?![元本圆内之后]|以[内后])|{_NUMBER_12})", _day),
    rule({CHINESE_NUMBER}, rf"{_NO_LENGTH}(?P<day>{_LATE_DAY})(?:日(?![元本圆内之后谈]|以[内后])|{_NUMBER_12})", _day),
    rule(_NUMBERS, rf"(?<=[月至到—\-–~])(?P<day>{DAY}){S}{_DAY_WORD}", _day),
    rule({"星", "周", "礼"}, WEEKDAY, _weekday),
    rule({"周"}, "周末", _weekend),
    rule({"上", "中", "下"}, "[上中下]旬|[上下]半月", _part),
    rule(
        {SHORT_NUMBER},
        r"(?<![0-9A-Za-z./-])(?P<year>\d\d)-(?P<month>1[0-2]|0?[1-9])-(?P<day>3[01]|[12]\d|0?[1-9])(?![0-9A-Za-z./-])",
        _spaced,
    ),
    rule({LONG_NUMBER}, r"(?P<year>[12]\d{3}) (?P<month>0[1-9]|1[0-2]) (?P<day>[0-3]\d)(?![0-9A-Za-z.,])", _spaced),
)
