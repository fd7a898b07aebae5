"""Festivals and days of the farmers' calendar: 春节, 中秋节, 除夕, 清明, 国庆节, 母亲节, 正月初一, 农历八月十五."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date

from tasks.temporal import readings
from tasks.temporal.chinese.lexicon import DAY, DIGIT, YEAR, S, any_of, number
from tasks.temporal.grammar import CHINESE_NUMBER, GrammarRule, rule
from tasks.temporal.holidays import FIRST, LAST, Holiday, from_easter, lunar_day, lunar_month, nth, solar_term
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.units import OfYear
from tasks.temporal.readings import FixedDate, Meaning
from warehouse.months import DAY as ONE_DAY
from warehouse.records import Grain

_FIXED = {
    "元旦": (1, 1), "元旦节": (1, 1), "新年": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "三八节": (3, 8),
    "植树节": (3, 12), "愚人节": (4, 1), "劳动节": (5, 1), "国际劳动节": (5, 1), "五一节": (5, 1),
    "五一劳动节": (5, 1), "五一假期": (5, 1), "五一黄金周": (5, 1), "青年节": (5, 4), "五四青年节": (5, 4),
    "儿童节": (6, 1), "六一儿童节": (6, 1), "建党节": (7, 1), "建军节": (8, 1), "八一建军节": (8, 1),
    "教师节": (9, 10), "国庆": (10, 1), "国庆节": (10, 1), "国庆日": (10, 1), "十一国庆节": (10, 1),
    "十一黄金周": (10, 1), "双十节": (10, 10), "双十国庆": (10, 10), "万圣夜": (10, 31), "万圣节": (11, 1),
    "光棍节": (11, 11), "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12), "双12": (12, 12),
    "平安夜": (12, 24), "圣诞夜": (12, 24), "圣诞": (12, 25), "圣诞节": (12, 25), "跨年夜": (12, 31),
}  # fmt: skip
_LUNAR = {
    "春节": (1, 1), "农历新年": (1, 1), "中国新年": (1, 1), "大年初一": (1, 1), "元宵节": (1, 15), "龙抬头": (2, 2),
    "端午": (5, 5), "端午节": (5, 5), "端阳节": (5, 5), "七夕": (7, 7), "七夕节": (7, 7), "中元节": (7, 15),
    "中秋": (8, 15), "中秋节": (8, 15), "重阳": (9, 9), "重阳节": (9, 9), "腊八": (12, 8), "腊八节": (12, 8),
}  # fmt: skip
# The sun's longitude of a solar term.
_TERMS = {
    "清明": 15,
    "清明节": 15,
    "夏至": 90,
    "冬至": 270,
    "春分": 0,
    "秋分": 180,
    "立春": 315,
    "立夏": 45,
    "立秋": 135,
}
_TERMS |= {"立冬": 225}
_MOVING = {
    "母亲节": nth(2, 6, 5),
    "父亲节": nth(3, 6, 6),
    "感恩节": nth(4, 3, 11),
    "复活节": from_easter(0),
    "受难节": from_easter(-2),
}
_EVES = ("除夕", "除夕夜", "大年三十", "年三十", "大年夜")
_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_NO_FESTIVAL = "(?![河线广路门山区村镇县市树老大])"


_UNKNOWN = f"the lunar calendar is known from {FIRST} to {LAST}"


def _yearly(day_of: Holiday, blank: str) -> Recurring:
    return Recurring(Grain.DAY, Grain.YEAR, lambda first: FixedDate(readings.of_day(day_of(first.year))), blank)


def _fixed(match: re.Match[str]) -> Recurring:
    month, day = _FIXED[match[0]]
    return _yearly(lambda year: date(year, month, day), f"XXXX-{month:02}-{day:02}")


def _lunar(match: re.Match[str]) -> Recurring:
    month, day = _LUNAR[match[0]]
    return _yearly(lambda year: lunar_day(year, month, day), "XXXX-XX-XX")


def _new_year(match: re.Match[str]) -> Recurring:
    """大年初五, counted from New Year's Day."""
    return _yearly(lambda year: lunar_day(year, 1, number(match["day"])), "XXXX-XX-XX")


def _eve(_match: re.Match[str]) -> Recurring:
    """The evening before the New Year that falls in the same Gregorian year."""
    return _yearly(lambda year: lunar_day(year, 1, 1) - ONE_DAY, "XXXX-XX-XX")


def _term(match: re.Match[str]) -> Recurring:
    degrees = _TERMS[match[0]]
    return _yearly(lambda year: solar_term(year, degrees), "XXXX-XX-XX")


def _moving(match: re.Match[str]) -> Recurring:
    return _yearly(_MOVING[match[0]], "XXXX-XX-XX")


def _farmers_day(match: re.Match[str]) -> Meaning:
    month, day, leap = _month_of(match), number(match["day"]), bool(match["leap"])

    def placed(first: date) -> FixedDate:
        if not FIRST <= first.year <= LAST:
            return FixedDate(replace(readings.of_year(first.year), basis=_UNKNOWN))
        return FixedDate(readings.of_day(lunar_day(first.year, month, day, leap=leap)))

    return _in_year(Recurring(Grain.DAY, Grain.YEAR, placed, "XXXX-XX-XX"), match)


def _farmers_month(match: re.Match[str]) -> Meaning:
    month, leap = _month_of(match), bool(match["leap"])

    def spanned(first: date) -> FixedDate:
        if not FIRST <= first.year <= LAST:
            return FixedDate(replace(readings.of_year(first.year), basis=_UNKNOWN))
        whole = lunar_month(first.year, month, leap=leap)
        return FixedDate(readings.of_range(whole, Grain.MONTH))

    return _in_year(Recurring(Grain.MONTH, Grain.YEAR, spanned, "XXXX-XX"), match)


def _month_of(match: re.Match[str]) -> int:
    return _MONTHS.get(match["month"]) or number(match["month"])


def _in_year(unit: Recurring, match: re.Match[str]) -> Meaning:
    year = match.groupdict().get("year")
    return OfYear(unit, Period(Grain.YEAR, number(year), 1)) if year else unit


def _names(words: Iterable[str], read: Callable[[re.Match[str]], Recurring]) -> GrammarRule:
    names = tuple(words)
    heads = {CHINESE_NUMBER if name[0] in "一二三四五六七八九十" else name[0] for name in names}
    return rule(heads, any_of(names) + _NO_FESTIVAL, read)


_FARMERS = rf"[农阴旧]历(?:{S}(?P<year>{YEAR}){S}年)?{S}"
_LEAP = "(?P<leap>闰)?"
_MONTH = rf"(?P<month>十[一二]?|{DIGIT}|正|冬|腊)月"
_FIRST_DAYS = rf"初(?P<day>{DIGIT}|十)(?:日)?"
_LATER_DAYS = rf"(?:初)?(?P<day>{DAY})(?:日)?"

RULES: tuple[GrammarRule, ...] = (
    _names(_FIXED, _fixed),
    _names(_LUNAR, _lunar),
    _names(_EVES, _eve),
    _names(_TERMS, _term),
    _names(_MOVING, _moving),
    rule({"大", "年", "初"}, r"(?:大年|年|(?<![\u4e00-\u9fff]))初(?P<day>[二三四五六七八])(?![次级步])", _new_year),
    rule({CHINESE_NUMBER, "正", "冬", "腊", "闰"}, rf"{_LEAP}{_MONTH}{_FIRST_DAYS}", _farmers_day),
    rule({"正", "冬", "腊", "闰"}, rf"{_LEAP}(?P<month>[正冬腊]|(?<=闰){DIGIT})月{_LATER_DAYS}", _farmers_day),
    rule({"正", "腊", "闰"}, rf"{_LEAP}(?P<month>[正腊]|(?<=闰)(?:十[一二]?|{DIGIT}))月(?!初)", _farmers_month),
    rule({"农", "阴", "旧"}, rf"{_FARMERS}{_LEAP}{_MONTH}{_LATER_DAYS}", _farmers_day),
    rule({"农", "阴", "旧"}, rf"{_FARMERS}{_LEAP}{_MONTH}", _farmers_month),
)
