"""Festivals and days of the farmers' calendar: 春节, 中秋节, 除夕, 清明, 国庆节, 母亲节, 正月初一, 农历八月十五."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

from tasks.temporal import readings
from tasks.temporal.chinese.lexicon import DAY, DIGIT, YEAR, S, match_any, parse_number
from tasks.temporal.grammar import CHINESE_DIGITS, CHINESE_NUMBER, GrammarRule, make_rule
from tasks.temporal.holidays import FIRST, LAST, Holiday, compute_lunar_day, compute_lunar_month, read_holidays
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import Recurring, UnitOfYear
from tasks.temporal.readings import Meaning, MentionFields
from warehouse.records import Grain

_HOLIDAYS_BY_NAME = read_holidays(Path(__file__).with_suffix(".tsv"))
_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_NO_FESTIVAL = "(?![河线广路门山区村镇县市树老大])"

_UNKNOWN = f"the lunar calendar is known from {FIRST} to {LAST}"


def _read_festival(match: re.Match[str]) -> Recurring:
    return _make_recurring(*_HOLIDAYS_BY_NAME[match[0]])


def _read_new_year_day(match: re.Match[str]) -> Recurring:
    """大年初五, counted from New Year's Day."""
    return _make_recurring(lambda year: compute_lunar_day(year, 1, parse_number(match["day"])))


def _make_recurring(holiday: Holiday, value: str = "XXXX-XX-XX") -> Recurring:
    return Recurring(Grain.DAY, Grain.YEAR, lambda first: readings.make_day(holiday(first.year)), value)


def _read_lunar_date(match: re.Match[str]) -> Meaning:
    """A month of the farmers' calendar, or a day of it; the Gregorian year if that calendar is not known."""
    month, leap = _MONTHS.get(match["month"]) or parse_number(match["month"]), bool(match["leap"])
    groups = match.groupdict()
    day, year = (parse_number(groups[name]) if groups.get(name) else None for name in ("day", "year"))

    def make_instance(first: date) -> MentionFields:
        if not FIRST <= first.year <= LAST:
            return replace(readings.make_year(first.year), basis=_UNKNOWN)
        if day is not None:
            return readings.make_day(compute_lunar_day(first.year, month, day, leap=leap))
        month_days = compute_lunar_month(first.year, month, leap=leap)
        return readings.make_range(month_days, Grain.MONTH)

    grain, value = (Grain.MONTH, "XXXX-XX") if day is None else (Grain.DAY, "XXXX-XX-XX")
    unit = Recurring(grain, Grain.YEAR, make_instance, value)
    return unit if year is None else UnitOfYear(unit, Period(Grain.YEAR, year))


_FARMERS = rf"[农阴旧]历(?:{S}(?P<year>{YEAR}){S}年)?{S}"
_LEAP = "(?P<leap>闰)?"
_MONTH = rf"(?P<month>十[一二]?|{DIGIT}|正|冬|腊)月"
_FIRST_DAYS = rf"初(?P<day>{DIGIT}|十)(?:日)?"
_LATER_DAYS = rf"(?:初)?(?P<day>{DAY})(?:日)?"

RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {CHINESE_NUMBER if name[0] in CHINESE_DIGITS else name[0] for name in _HOLIDAYS_BY_NAME},
        match_any(_HOLIDAYS_BY_NAME) + _NO_FESTIVAL,
        _read_festival,
    ),
    make_rule(
        {"大", "年", "初"},
        r"(?:大年|年|(?<![\u4e00-\u9fff]))初(?P<day>[二三四五六七八])(?![次级步])",
        _read_new_year_day,
    ),
    make_rule({CHINESE_NUMBER, "正", "冬", "腊", "闰"}, rf"{_LEAP}{_MONTH}{_FIRST_DAYS}", _read_lunar_date),
    make_rule({"正", "冬", "腊", "闰"}, rf"{_LEAP}(?P<month>[正冬腊]|(?<=闰){DIGIT})月{_LATER_DAYS}", _read_lunar_date),
    make_rule({"正", "腊", "闰"}, rf"{_LEAP}(?P<month>[正腊]|(?<=闰)(?:十[一二]?|{DIGIT}))月(?!初)", _read_lunar_date),
    make_rule({"农", "阴", "旧"}, rf"{_FARMERS}{_LEAP}{_MONTH}{_LATER_DAYS}", _read_lunar_date),
    make_rule({"农", "阴", "旧"}, rf"{_FARMERS}{_LEAP}{_MONTH}", _read_lunar_date),
)
