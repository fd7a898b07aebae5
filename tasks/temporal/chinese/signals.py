"""Chinese words that modify or join adjacent times, mostly after them, and their joins: 之前, 以来, 年底."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal.chinese.lexicon import DASH, NUMERAL, index_by_word, match_any
from tasks.temporal.english.date_ranges import join_range
from tasks.temporal.grammar import LONG_NUMBER, GrammarRule, JoinRule, Signal, SignalRole, make_rule
from tasks.temporal.meanings.clocks import Clock, TimeOnDay
from tasks.temporal.meanings.company import Period, PeriodUntil, YearOfTwo
from tasks.temporal.meanings.numeric_days import NumericDate
from tasks.temporal.meanings.offsets import Origin, Rolling, SamePeriod, Shift, TimeOffset
from tasks.temporal.meanings.recurrences import (
    EraYear,
    RankedUnit,
    Recurring,
    SteppedUnit,
    UnitOfYear,
    UnitWithin,
)
from tasks.temporal.meanings.spans import (
    Duration,
    EdgeLength,
    ModifiedTime,
    NumberedIn,
    NumberedUnit,
    OpenRange,
    TimeBetween,
)
from tasks.temporal.readings import Meaning, MentionFields, Vague
from warehouse.records import Grain, Modifier

_BOUNDS = index_by_word(
    {
        Modifier.BEFORE: "之前 以前 前",
        Modifier.AFTER: "之后 以后 过后 后",
        Modifier.ON_OR_BEFORE: "或之前 或以前 及之前 及以前 含以前 为止",
        Modifier.ON_OR_AFTER: "或之后 或以后 及之后 及以后 含以后 以来 之来 至今 迄今 开始 起",
    }
)
_PARTS = index_by_word(
    {
        Modifier.START: "初 初期 早期 前期 伊始 年初 月初 上半叶 前半叶",
        Modifier.MID: "中 中期 中叶 年中 月中",
        Modifier.END: "底 末 末期 晚期 后期 末叶 下半叶 后半叶 年底 年末 年终 岁末 月底 月末",
    }
)
# The last character of a time, without which 前, 后, 初 and 起 are other words.
_TIME = r"(?<=[0-9年月日号天周期季度时点分刻整秒纪间代节旦夕夏冬春秋旬早午晚晨夜钟头末底初一二三四五六七八九十])"
_NOT_BEFORE = (
    "(?!来(?![到自]))(?![总首任主副国妻夫身往锋景线卫辈苏提途世述列所瞻沿排教队成球领行职门言董社政议员省市县区进后台有"
    f"0-9{NUMERAL}])"
)
_NOT_AFTER = rf"(?![卫来代期勤续方面援果者台门备盾退天羽周花院半宫裔{NUMERAL}])"
_NO_PART = (
    "(?![中级次步等衷始部层特线薪端尾路国央共华学小间心型式文东西南北美日韩有的午选报票股]|[一二三四五六七八九十])"
)


_LONG_BOUNDS = [word for word in _BOUNDS if len(word) > 1]
_LONG_PARTS = [word for word in _PARTS if len(word) > 1]

_UNIT_AFTER = (
    "[万亿千百多余个人名位家所座只头匹件台架艘辆部套栋幢公米里尺英平立方顷亩吨克斤"
    "元块美欧港次股份号字页条项度枚颗粒张支篇首册种类户毫厘海光瓦伏赫兹马桶箱种场间瓶盒周℃%]"
)
_MEASURE_BEFORE = "[幅号频高达逾约近共第码率长超过]"


def _read_bound(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.TRAILING_BOUND, _BOUNDS[match[0]])


def _read_part(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.TRAILING_PART, _PARTS[match[0]])


RULES: tuple[GrammarRule, ...] = (
    make_rule({word[0] for word in _LONG_BOUNDS}, rf"{_TIME}{match_any(_LONG_BOUNDS)}", _read_bound),
    make_rule({"前"}, rf"{_TIME}前{_NOT_BEFORE}", _read_bound),
    make_rule({"后"}, rf"{_TIME}后{_NOT_AFTER}", _read_bound),
    make_rule({"起"}, rf"{_TIME}(?<![0-9])起(?![义诉点始源码因飞床跑步])", _read_bound),
    make_rule({word[0] for word in _LONG_PARTS}, rf"{_TIME}{match_any(_LONG_PARTS)}{_NO_PART}", _read_part),
    make_rule({"初", "底", "末", "中"}, rf"(?<=[年月纪代度季])(?:[初底末]|(?<=月)中){_NO_PART}", _read_part),
    make_rule({"前", "左"}, rf"{_TIME}(?:前后|左右)", Signal(SignalRole.TRAILING_LENGTH, Modifier.APPROX)),
    make_rule({"到", "至", "直"}, r"(?:直到|直至|到|至)(?![于少今此])", Signal(SignalRole.TO)),
    make_rule({"和", "与", "及"}, rf"{_TIME}[和与及]", Signal(SignalRole.AND)),
    make_rule({"之", "间", "期"}, rf"{_TIME}(?:之间|期间|间(?!谍|接|断|隔|隙))", Signal(SignalRole.BETWEEN)),
    make_rule({"自"}, "自(?:从)?(?![己我身然动])", Signal(SignalRole.LEADING_BOUND, Modifier.ON_OR_AFTER)),
    make_rule({"截"}, "截[止至](?:到|至|于)?", Signal(SignalRole.LEADING_BOUND, Modifier.ON_OR_BEFORE)),
    make_rule({LONG_NUMBER}, rf"[0-9]{{4}}[^\S\n]{{0,1}}{_UNIT_AFTER}", Signal(SignalRole.QUANTITY)),
    make_rule({LONG_NUMBER}, "[0-9]{4}(?!年)", Signal(SignalRole.QUANTITY), lead=_MEASURE_BEFORE),
)

OF = re.compile(r"[^\S\n]{0,2}[的の]?[^\S\n]{0,2}")
NEXT = re.compile(r"[^\S\n]{0,2}")
_WEEKDAY_GAP = re.compile(r"[，,、]?[^\S\n]{0,2}")
_BRACKET = re.compile(r"[^\S\n]{0,1}\(")

DATED = (
    *(
        MentionFields,
        NumericDate,
        Period,
        YearOfTwo,
        PeriodUntil,
        EraYear,
        UnitOfYear,
        Recurring,
        SteppedUnit,
        UnitWithin,
        Shift,
        TimeOffset,
    ),
    *(ModifiedTime, SamePeriod, NumberedIn),
)


def _join_edge(outer: Meaning, part: Rolling | EdgeLength) -> Meaning | None:
    """去年的前10天: the first of that year, not the last before today."""
    if isinstance(part, EdgeLength):
        return replace(part, outer=outer)
    if part.count > 0:
        return None
    return EdgeLength(Duration(((-part.count, part.grain),)), first=True, outer=outer)


def _join_same_month(year: Shift, month: Shift) -> Meaning | None:
    """去年本月."""
    if year.grain is not Grain.YEAR or month.grain is not Grain.MONTH or month.count:
        return None
    return Shift(Grain.MONTH, 0, months_back=-12 * year.count)


def _join_weekday(day: Meaning, weekday: Recurring) -> Meaning | None:
    """10月12号，星期一: the weekday adds nothing; 星期一、三 are two days."""
    if isinstance(day, Recurring) and day.parent is Grain.WEEK:
        return None
    return day if day.grain is Grain.DAY and weekday.parent is Grain.WEEK else None


def _join_length_and_bound(length: Duration, modifier: Modifier) -> Meaning | None:
    """三个月前 is counted from now, 半年后 from the last mention."""
    if length.steps is None or len(length.steps) != 1:
        return None
    ((count, grain),) = length.steps
    if modifier is Modifier.BEFORE:
        return TimeOffset(grain, -count, Shift(Grain.DAY, 0))
    if modifier is Modifier.AFTER:
        return Shift(grain, count, Origin.LAST_MENTION)
    return Rolling(grain, -count, length.value)


def _join_leading_bound(time: Meaning, modifier: Modifier) -> Meaning:
    """After 截至 a day is the day itself, as in reports."""
    return time if modifier is Modifier.ON_OR_BEFORE and time.grain is Grain.DAY else OpenRange(time, modifier)


def _join_until_now(first: Meaning, now: Vague) -> Meaning | None:
    return OpenRange(first, Modifier.ON_OR_AFTER) if now.value == "PRESENT_REF" else None


DASHED = re.compile(rf"[^\S\n]{{0,2}}{DASH}[^\S\n]{{0,2}}")
_TIMES = (*DATED, TimeOnDay)

DATES: tuple[JoinRule, ...] = (
    JoinRule(
        ((Period, EraYear), Recurring),
        lambda year, unit: UnitOfYear(unit, year) if year.grain is Grain.YEAR and unit.parent is Grain.YEAR else None,
        OF,
    ),
    JoinRule(
        (DATED, Recurring), lambda outer, unit: UnitWithin(unit, outer) if outer.grain is unit.parent else None, OF
    ),
    JoinRule((DATED, Recurring), _join_weekday, _WEEKDAY_GAP),
    JoinRule((DATED, Recurring), _join_weekday, _BRACKET, (0, 1)),
    JoinRule((Shift, Shift), _join_same_month, OF),
    JoinRule((DATED, RankedUnit), lambda outer, unit: UnitWithin(unit.recurring, outer, unit.index), OF),
    JoinRule((DATED, NumberedUnit), lambda outer, unit: NumberedIn(unit, outer), OF),
    JoinRule((DATED, (Rolling, EdgeLength)), _join_edge, OF),
    JoinRule((Duration, SignalRole.TRAILING_BOUND), _join_length_and_bound, NEXT, takes_modifier=True),
)
PARTS: tuple[JoinRule, ...] = (
    JoinRule((DATED, (SignalRole.TRAILING_PART, SignalRole.TRAILING_LENGTH)), ModifiedTime, NEXT, takes_modifier=True),
    JoinRule(
        (Duration, SignalRole.TRAILING_LENGTH),
        lambda length, size: replace(length, modifier=size),
        NEXT,
        takes_modifier=True,
    ),
)
RANGES: tuple[JoinRule, ...] = (
    JoinRule((_TIMES, SignalRole.TO, _TIMES), join_range, NEXT),
    JoinRule((Clock, SignalRole.TO, TimeOnDay), TimeBetween, NEXT),
    JoinRule((_TIMES, SignalRole.AND, _TIMES, SignalRole.BETWEEN), TimeBetween, NEXT),
    JoinRule((_TIMES, _TIMES), join_range, DASHED),
    JoinRule((Clock, TimeOnDay), TimeBetween, DASHED),
)
BOUNDS: tuple[JoinRule, ...] = (
    JoinRule((DATED, SignalRole.TO, Vague), _join_until_now, NEXT),
    JoinRule((DATED, SignalRole.TRAILING_BOUND), OpenRange, NEXT, (0, 1), takes_modifier=True),
    JoinRule((SignalRole.LEADING_BOUND, DATED), _join_leading_bound, NEXT, (1, 2), takes_modifier=True),
)
