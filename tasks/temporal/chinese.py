"""Chinese expressions: 2023年3月5日, 2023年第一季度, 去年, 上半年, 三个月前. Digits may be full-width or characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from tasks.temporal import readings
from tasks.temporal.grammar import CHINESE_DIGITS, CHINESE_NUMBER, LONG_NUMBER, SHORT_NUMBER, Reading, Rule, rule
from tasks.temporal.shifts import ago, resolved, rolling, shifted
from warehouse.records import Grain

_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_YEAR_STEPS = {"前": -2, "去": -1, "上": -1, "今": 0, "本": 0, "当": 0, "明": 1}
_DAY_STEPS = {"前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2}
_STEPS = {"上": -1, "本": 0, "这": 0, "当": 0, "下": 1}
_UNITS = {
    "天": Grain.DAY,
    "日": Grain.DAY,
    "周": Grain.WEEK,
    "星期": Grain.WEEK,
    "月": Grain.MONTH,
    "季度": Grain.QUARTER,
    "年": Grain.YEAR,
}
_NUMBER = rf"(?:[0-9]{{1,3}}|[{CHINESE_DIGITS}]{{1,3}})"
_YEAR = r"(?P<year>[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3}) ?"
_STEP = r"(?P<step>[前去今本当明])年"
_ANY_YEAR = rf"(?:{_YEAR}年|{_STEP})"
_FISCAL = "(?:财年|财政年度|財年|財政年度)"


def number(text: str) -> int:
    """The value of digits or of Chinese numerals up to 99 (十二 is 12), or read digit by digit (二〇二三 is 2023)."""
    if text.isdigit() and text.isascii():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
    return int("".join(str(_DIGITS[character]) for character in text))


def _dated(match: re.Match[str], anchor: date | None, grain: Grain, make: Callable[[int], Reading]) -> Reading:
    """Read with the year given, or with the anchor's year, moved by 去, 今 or 明."""
    if match["year"]:
        return make(number(match["year"]))
    step = _YEAR_STEPS[match["step"]] if match["step"] else 0
    return resolved(anchor, grain, lambda day: make(day.year + step))


def _day(match: re.Match[str], anchor: date | None) -> Reading:
    month, day = number(match["month"]), number(match["day"])
    return _dated(match, anchor, Grain.DAY, lambda year: readings.of_day(date(year, month, day)))


def _month(match: re.Match[str], anchor: date | None) -> Reading:
    month = number(match["month"])
    return _dated(match, anchor, Grain.MONTH, lambda year: readings.of_month(year, month))


def _quarter(match: re.Match[str], anchor: date | None) -> Reading:
    quarter, fiscal = number(match["number"]), bool(match["fiscal"])
    return _dated(match, anchor, Grain.QUARTER, lambda year: readings.of_quarter(year, quarter, fiscal=fiscal))


def _half(match: re.Match[str], anchor: date | None) -> Reading:
    half = 1 if match["half"] == "上" else 2
    return _dated(match, anchor, Grain.HALF, lambda year: readings.of_half(year, half))


def _year(match: re.Match[str], anchor: date | None) -> Reading:
    return _dated(match, anchor, Grain.YEAR, readings.of_year)


def _fiscal_year(match: re.Match[str], _anchor: date | None) -> Reading:
    return readings.of_year(number(match["year"]), fiscal=True)


def _named_day(match: re.Match[str], anchor: date | None) -> Reading:
    return shifted(anchor, Grain.DAY, _DAY_STEPS[match["step"]])


def _stepped(match: re.Match[str], anchor: date | None) -> Reading:
    return shifted(anchor, _UNITS[match["unit"]], _STEPS[match["step"]])


def _ago(match: re.Match[str], anchor: date | None) -> Reading:
    return ago(anchor, _UNITS[match["unit"]], number(match["count"]))


def _rolling(match: re.Match[str], anchor: date | None) -> Reading:
    return rolling(anchor, _UNITS[match["unit"]], -number(match["count"]))


_YEAR_HEADS = {LONG_NUMBER, CHINESE_NUMBER, *_YEAR_STEPS}
_NUMBER_HEADS = {SHORT_NUMBER, CHINESE_NUMBER}
_MONTH_DAY = rf"(?P<month>{_NUMBER}) ?月(?:份)?"
_OPTIONAL_YEAR = rf"(?:{_ANY_YEAR} ?)?"

RULES: tuple[Rule, ...] = (
    rule(_YEAR_HEADS | _NUMBER_HEADS, rf"{_OPTIONAL_YEAR}(?P<month>{_NUMBER}) ?月 ?(?P<day>{_NUMBER}) ?[日号號]", _day),
    rule(_YEAR_HEADS | _NUMBER_HEADS, rf"{_OPTIONAL_YEAR}{_MONTH_DAY}", _month),
    rule(
        _YEAR_HEADS | {"第"},
        rf"(?:(?:{_YEAR}(?:(?P<fiscal>{_FISCAL})|年)|{_STEP}) ?)?第? ?(?P<number>[1-4一二三四]) ?季(?:度|(?<=第.季))",
        _quarter,
    ),
    rule(_YEAR_HEADS | {"上", "下"}, rf"{_OPTIONAL_YEAR}(?P<half>[上下])半年", _half),
    rule(_YEAR_HEADS, rf"{_ANY_YEAR}度?", _year),
    rule({LONG_NUMBER}, rf"{_YEAR}{_FISCAL}", _fiscal_year),
    rule(_DAY_STEPS, r"(?P<step>[前昨今当明后])[天日]", _named_day),
    rule(_STEPS, r"(?P<step>[上本这当下])个?(?P<unit>周|星期|月|季度|年)(?!半)", _stepped),
    rule(_NUMBER_HEADS, rf"(?P<count>{_NUMBER}) ?个?(?P<unit>天|日|周|星期|月|季度|年)(?:之|以)?前", _ago),
    rule({"过"}, rf"过去(?:的)?(?P<count>{_NUMBER}) ?个?(?P<unit>天|周|星期|月|季度|年)", _rolling),
)
