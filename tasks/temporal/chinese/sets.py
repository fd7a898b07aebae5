"""Chinese recurring times: 每天, 每两周, 每周一, 每年春节, 每天早上, 每周三次, 一年一度."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.chinese.dates import WEEKDAY, parse_weekday
from tasks.temporal.chinese.lexicon import COUNT, UNITS, S, parse_number
from tasks.temporal.english.sets import TimedSet
from tasks.temporal.grammar import CHINESE_NUMBER, SHORT_NUMBER, SPACE, GrammarRule, JoinRule, make_rule
from tasks.temporal.meanings.clocks import Clock
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.spans import Duration, TimeSet
from warehouse.records import Grain

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


def _join_every_and_unit(every: TimeSet, unit: Recurring) -> TimeSet | None:
    """每年 + 3月5日, 每月 + 5日."""
    fits = {"P1Y": Grain.YEAR, "P1M": Grain.MONTH, "P1W": Grain.WEEK}.get(every.value) is unit.parent
    return replace(every, value=unit.unresolved_value, grain=unit.grain) if fits else None


def _join_every_and_clock(every: TimeSet, clock: Clock) -> TimedSet | None:
    """每天 + 早上, 每周一 + 下午3点."""
    day, _, part = ("XXXX-XX-XX" if every.value == "P1D" else every.value).partition("T")
    if part:
        clock = clock.with_half(after_noon=part != "MO")
    if "X" not in day:
        return None
    return TimedSet(clock.format_on(day), clock.grain, every.quant, every.freq, days=every, clock=clock)


RULES: tuple[GrammarRule, ...] = (
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
JOINS: tuple[JoinRule, ...] = (
    JoinRule((TimeSet, Recurring), _join_every_and_unit, SPACE),
    JoinRule((TimeSet, Clock), _join_every_and_clock, re.compile(r"\s?[的の]?\s?")),
)
