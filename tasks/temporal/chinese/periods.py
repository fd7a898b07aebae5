"""Parts of years and years together: 第一季度, 上半年, 前三季度, 春季, 90年代, 二十世纪, 截至…止六个月."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.chinese.lexicon import COUNT, DAY, DIGIT, MONTH, YEAR, S, number
from tasks.temporal.chinese.narrated import narrated
from tasks.temporal.grammar import CHINESE_NUMBER, LONG_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings import units
from tasks.temporal.meanings.company import Ended
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.readings import FixedDate, Meaning, MentionFields
from warehouse.records import Grain

_CENTURY_OF = rf"(?P<century>{COUNT}){S}世纪"
_LAST_CENTURY = 30
_TENS = rf"(?P<tens>[1-9]0|{DIGIT}?十)"
_NO_CLIMATE = "(?![寒炎干湿温凉多少平气])"
_REPORTED = "(?=[营盈净收业财获毛销出经]|GDP)"


def _quarter(match: re.Match[str]) -> Recurring:
    named = match["number"]
    return narrated(units.quarter_of_year({"首": 1, "末": 4}.get(named) or number(named)))


def _half(match: re.Match[str]) -> Recurring:
    return narrated(units.half_of_year(2 if match["half"] in ("下", "后") else 1))


def _first_months(match: re.Match[str]) -> Recurring:
    """前三季度 and 前九个月 are both the months from January to September."""
    count = number(match["count"])
    return units.months_of_year(1, count * 3 if match["unit"] else count)


def _season(match: re.Match[str]) -> Recurring:
    return narrated(units.season_of_year("春夏秋冬".index(match["season"])))


def _century(match: re.Match[str]) -> Meaning:
    count = number(match["century"])
    if count > _LAST_CENTURY:
        raise ValueError(f"no century {match[0]}")
    if match["before"]:
        return FixedDate(MentionFields(f"BC{count - 1:02}", None, Grain.CENTURY))
    if count == 1:
        # The calendar begins with the year 1.
        return FixedDate(MentionFields("00", readings.years_interval(1, 99), Grain.CENTURY))
    return FixedDate(readings.of_century((count - 1) * 100))


def _decade(match: re.Match[str]) -> Recurring:
    return units.decade_of_century(number(match["tens"]))


def _decades(match: re.Match[str]) -> Recurring:
    first, last = (number(match[side][0]) * 10 for side in ("first", "last"))
    return units.decades_of_century(first, last)


def _named_decade(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_decade(number(match["year"])))


def _months_ended(match: re.Match[str]) -> Ended:
    last = date(number(match["year"]), number(match["month"]), number(match["day"]))
    months = number(match["count"]) if match["count"] else 6 if match["half"] else 12
    if not 1 <= months <= 36:
        raise ValueError(f"no period {match[0]}")
    return Ended(last, months, fiscal=bool(match["fiscal"]))


_NUMBERS = {SHORT_NUMBER, CHINESE_NUMBER}
_QUARTER = "[1-4一二三四]"
_UNTIL = rf"(?:截[至止](?:{S}|于))"
_YEAR_OF = rf"(?P<year>{YEAR}){S}年"
_LAST_DAY = rf"{S}(?P<month>{MONTH}){S}月{S}(?P<day>{DAY}){S}日"
_LENGTH = rf"(?P<count>{COUNT}){S}个月(?:期间)?|(?P<half>半年)度?|(?P<fiscal>财政|会计|财务)?年度"

RULES: tuple[GrammarRule, ...] = (
    rule({"第"}, rf"第{S}(?P<number>{_QUARTER}){S}(?:个)?[季财][季度](?<!财度)", _quarter),
    rule({"第"}, rf"第{S}(?P<number>{_QUARTER}){S}季(?:(?<=[年度]第.季)|{_REPORTED})", _quarter),
    rule(
        {*_NUMBERS, "首", "末"},
        rf"(?<!第)(?<!前)(?P<number>{_QUARTER}|首|末){S}季(?:度|(?=[初末底]|{_REPORTED}))",
        _quarter,
    ),
    rule({"上", "下", "前", "后"}, "(?P<half>[上下前后])个?半年度?", _half),
    rule({"半"}, "(?<=[年])(?P<half>半)年度", _half),
    rule({"前", "首", "头"}, rf"[前首头]{S}(?P<count>[2-4二三四两]){S}(?:个)?(?P<unit>季)度?", _first_months),
    rule({"前", "首", "头"}, rf"[前首头]{S}(?P<count>{MONTH}){S}个月(?P<unit>)(?<=年[前首头].个月)", _first_months),
    rule(
        {"春", "夏", "秋", "冬"},
        rf"(?P<season>[春夏秋冬])(?:季|天)(?!度|奥|战争|学期)(?:(?<=年..)|{_NO_CLIMATE})",
        _season,
    ),
    rule({"春", "夏", "秋", "冬"}, "(?<=年)(?P<season>[春夏秋冬])(?![节耕运令播装])", _season),
    rule({"公", "西", *_NUMBERS}, rf"(?:公元|西元)?(?P<before>前)?{_CENTURY_OF}", _century),
    rule({"前"}, rf"(?P<before>前){_CENTURY_OF}", _century),
    rule(_NUMBERS, rf"{_TENS}{S}年代", _decade),
    rule(
        _NUMBERS,
        rf"(?P<first>[1-9](?=0)0|{DIGIT})(?:[至到、\-–—~]|(?<={DIGIT}))(?P<last>[1-9]0|{DIGIT}十){S}年代",
        _decades,
    ),
    rule({LONG_NUMBER}, rf"(?P<year>[12][0-9]{{2}}0){S}年代", _named_decade),
    rule(
        {"截", LONG_NUMBER, CHINESE_NUMBER},
        rf"{_UNTIL}?{_YEAR_OF}{_LAST_DAY}{S}止(?:的|为止)?{S}(?:{_LENGTH})",
        _months_ended,
    ),
    # The first year of 截至二零二三年及二零二二年六月三十日止六个月.
    rule({"截"}, rf"{_UNTIL}{_YEAR_OF}(?=[及和与、]{YEAR}{S}年{_LAST_DAY}{S}止{S}(?:{_LENGTH}))", _months_ended),
)
