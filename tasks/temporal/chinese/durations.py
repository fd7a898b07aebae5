"""Chinese lengths and recurring times: 三天, 两个半月, 十多年, 过去五年, 最后两周; 每天, 每周一, 每年春节, 每周三次."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.chinese.dates import WEEKDAY, parse_weekday
from tasks.temporal.chinese.lexicon import COUNT, NUMERAL, UNITS, S, match_any, parse_number
from tasks.temporal.english.sets import TimedSet
from tasks.temporal.grammar import (
    CHINESE_NUMBER,
    LONG_NUMBER,
    MIDDLE_NUMBER,
    SHORT_NUMBER,
    SPACE,
    GrammarRule,
    JoinRule,
    make_rule,
)
from tasks.temporal.meanings.clocks import Clock
from tasks.temporal.meanings.offsets import Rolling
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.spans import SYMBOLS, Duration, EdgeLength, TimeSet
from tasks.temporal.readings import Meaning
from warehouse.records import Grain, Modifier

_YEAR = "年(?![代级制期生纪度轻龄报]|计划|规划|义务|战争)"
# With the word that must be between a unit and a number: "3个月", for "3月" is March.
_COUNTED = (
    rf"个{S}(?:月|工作日|交易日|自然日|季度|星期|礼拜|周末|小时|钟头|世纪)|{_YEAR}|日(?=[之以]?内)|周(?![年岁期围边六日])(?!(?<=四周)(?![前后内以之]))|星期(?![一二三四五六日天])|天(?![下空气然文天])"
    "|小时|分钟|秒(?:钟)?|季度"
)
_KIND = re.compile("工作|交易|自然")
_COUNT = rf"[0-9]{{1,3}},[0-9]{{3}}|[0-9]{{1,4}}(?:\.[0-9]{{1,2}})?|十几|[几数]十|[{NUMERAL}]{{1,5}}|[几数多]"
_RANGE_START = rf"(?:(?:[0-9]{{1,3}}|[{NUMERAL}]{{1,2}})[到至~-](?=[0-9{NUMERAL}]))?"
_AMOUNT = rf"{_RANGE_START}(?P<count>{_COUNT}|半)(?P<more>多|余|来)?{S}"
_LENGTH = rf"{_AMOUNT}(?:[（(][0-9]{{1,3}}[)）])?(?P<unit>{_COUNTED})(?P<half>半)?"
_HALVED = rf"(?P<count>{_COUNT}){S}个(?P<half>半)(?P<unit>月|小时|钟头|星期|礼拜|世纪)"


_MAX_UNITS = 300  # Units of the longest length that may be rolled or halved; a larger number is a year's.


def _read_duration(match: re.Match[str]) -> Duration:
    """The length of a match of the groups count, unit, half and more."""
    grain = UNITS[_KIND.sub("", match["unit"]).removeprefix("个").strip()]
    groups = match.groupdict()
    amount = _parse_amount(match["count"])
    if amount is not None and groups.get("half"):
        if amount > _MAX_UNITS:
            raise ValueError(f"{match[0]} is half of a year")
        amount += 0.5
    return Duration(((amount, grain),), Modifier.MORE_THAN if groups.get("more") else None)


def _parse_amount(text: str) -> float | None:
    if any(character in text for character in "几数多"):
        return None
    if text == "半":
        return 0.5
    if "." in text:
        return float(text)
    # Two numerals in a row are an estimate (三五年), a zero before them is a year.
    if len(text) > 1 and not text.isascii() and not any(character in text for character in "十百千廿卅"):
        raise ValueError(f"{text} is no amount")
    return parse_number(text.replace(",", ""))


def _read_rolling(match: re.Match[str]) -> Meaning:
    length = _read_duration(match)
    if length.count is None:
        return length
    if length.count > _MAX_UNITS:
        raise ValueError(f"{match[0]} is a year")
    return Rolling(length.grain, length.count if match["ahead"] else -length.count, length.value)


_BACK = match_any(
    ("过去的", "过去", "最近的", "最近这", "最近", "近", "之前", "此前", "以往", "这", "刚过去的", "刚刚过去的", "过往")
)
_AHEAD = match_any(("未来的", "未来", "今后", "接下来的", "接下来", "之后", "往后", "再过", "随后的", "随后"))
_BARE_BACK = r"(?<![\u4e00-\u9fff0-9])[前上]|(?<=[的在])前"
_BARE_AHEAD = r"(?<![\u4e00-\u9fff0-9])[后下]|(?<=[的在])后"
_ROLLED = rf"{_AMOUNT}(?P<unit>{_COUNTED}|日(?![本元])|季(?![节度]))(?P<half>半)?"
_NUMBERS = {SHORT_NUMBER, MIDDLE_NUMBER, LONG_NUMBER, CHINESE_NUMBER, "几", "数", "半", "多"}
_NO_ORDINAL = "(?<![第每前几数0-9.])(?<![0-9],)"

RULES: tuple[GrammarRule, ...] = (
    make_rule(_NUMBERS, rf"{_NO_ORDINAL}{_LENGTH}", _read_duration),
    make_rule(_NUMBERS, rf"{_NO_ORDINAL}{_HALVED}", _read_duration),
    make_rule(
        {"上", "下"},
        "(?P<way>[上下])(?:一)?个小时",
        lambda match: Rolling(Grain.HOUR, -1 if match["way"] == "上" else 1, "PT1H"),
    ),
    make_rule(
        {"过", "最", "近", "之", "此", "以", "这", "刚", "前", "上", "未", "今", "接", "往", "再", "随", "后", "下"},
        rf"(?:{_BACK}|{_BARE_BACK}|(?P<ahead>{_AHEAD}|{_BARE_AHEAD})){S}{_ROLLED}",
        _read_rolling,
    ),
    make_rule({"最"}, rf"最后(?:的)?{S}{_LENGTH}", lambda match: EdgeLength(_read_duration(match), first=False)),
)

_AND = re.compile(r"[^\S\n]{0,2}[又零和加]?[^\S\n]{0,2}")
_SIZES = list(SYMBOLS)


def _join_lengths(first: Duration, second: Duration) -> Duration | None:
    amounts = (*first.amounts, *second.amounts)
    if len({grain for _, grain in amounts}) < len(amounts):
        return None
    return Duration(tuple(sorted(amounts, key=lambda amount: -_SIZES.index(amount[1]))), first.modifier)


def _join_length_and_hours(first: Duration, clock: Clock) -> Duration | None:
    """8天20时: after days 20时 is not a time of day."""
    if clock.grain is not Grain.HOUR or not clock.value[:2].isdigit():
        return None
    return _join_lengths(first, Duration(((int(clock.value[:2]), Grain.HOUR),)))


JOINS: tuple[JoinRule, ...] = (
    JoinRule((Duration, Duration), _join_lengths, _AND),
    JoinRule((Duration, Clock), _join_length_and_hours, _AND),
)

_DAY_PARTS = {"晚": "EV", "早": "MO", "夜": "NI"}
_UNIT = "(?P<unit>年(?:度)?(?![级代])|季度?|月|周(?!末|年)|星期|礼拜|天|日|小时|分钟|秒)"
_TIMES = rf"(?:{S}(?P<times>{COUNT})[次回])?"


def _read_every(match: re.Match[str]) -> TimeSet:
    grain = UNITS[match["unit"]]
    count = parse_number(match["count"]) if match["count"] else 1
    times = match["times"]
    return TimeSet(Duration(((count, grain),)).value, grain, freq=f"{parse_number(times)}X" if times else "")


def _read_each(match: re.Match[str]) -> TimeSet:
    """天天, 年年."""
    grain = UNITS[match[0][0]]
    return TimeSet(Duration(((1, grain),)).value, grain)


def _join_every_and_unit(time_set: TimeSet, unit: Recurring) -> TimeSet | None:
    """每年 + 3月5日, 每月 + 5日."""
    is_instance = {"P1Y": Grain.YEAR, "P1M": Grain.MONTH, "P1W": Grain.WEEK}.get(time_set.value) is unit.parent
    return replace(time_set, value=unit.unresolved_value, grain=unit.grain) if is_instance else None


def _join_every_and_clock(time_set: TimeSet, clock: Clock) -> TimedSet | None:
    """每天 + 早上, 每周一 + 下午3点."""
    day, _, part = ("XXXX-XX-XX" if time_set.value == "P1D" else time_set.value).partition("T")
    if part:
        clock = clock.with_half(after_noon=part != "MO")
    if "X" not in day:
        return None
    return TimedSet(clock.format_on(day), clock.grain, time_set.quant, time_set.freq, days=time_set, clock=clock)


SET_RULES: tuple[GrammarRule, ...] = (
    make_rule({"每"}, rf"每(?:隔|逢|到)?{S}(?:(?P<count>{COUNT}){S})?(?:个{S})?{_UNIT}{_TIMES}", _read_every),
    make_rule(
        {"每"},
        rf"每(?:逢|到)?(?:个|一个)?{WEEKDAY}",
        lambda match: TimeSet(parse_weekday(match[0]).unresolved_value, Grain.DAY),
    ),
    make_rule({"每"}, "每(?:逢|到)?个?周末", TimeSet("XXXX-WXX-WE", Grain.WEEKEND)),
    make_rule(
        {"每"},
        "每(?:天|日)?(?P<part>[晚早夜])(?:[上间里])?",
        lambda match: TimeSet(f"XXXX-XX-XXT{_DAY_PARTS[match['part']]}", Grain.PART),
    ),
    make_rule({"天", "年", "月", "周", "日"}, "(?<!一)(?:天天|年年|月月|周周|日日)(?![年月日])", _read_each),
    make_rule({"逐"}, "逐(?P<count>)(?P<unit>年|月|日|季|周)(?P<times>)", _read_every),
    make_rule(
        {SHORT_NUMBER, CHINESE_NUMBER},
        rf"(?P<count>{COUNT})(?:个)?{_UNIT}(?:一度|{S}(?P<times>{COUNT})[次回])",
        _read_every,
    ),
)
SET_JOINS: tuple[JoinRule, ...] = (
    JoinRule((TimeSet, Recurring), _join_every_and_unit, SPACE),
    JoinRule((TimeSet, Clock), _join_every_and_clock, re.compile(r"\s?[的の]?\s?")),
)
