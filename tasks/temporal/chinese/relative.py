"""Chinese times relative to an anchor: 昨天, 上个月, 下下周, 上周五, 去年同期, 近年来, 目前."""

from __future__ import annotations

import re

from tasks.temporal.chinese.dates import WEEKDAY, parse_weekday
from tasks.temporal.chinese.lexicon import COUNT, UNITS, YEAR, S, index_by_word, match_any, parse_number
from tasks.temporal.grammar import CHINESE_NUMBER, LONG_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Origin, SamePeriod, Shift
from tasks.temporal.meanings.recurrences import RankedUnit, UnitWithin, make_weekend
from tasks.temporal.meanings.spans import ModifiedTime, NumberedUnit, TimeBetween
from tasks.temporal.readings import Vague
from warehouse.records import Grain, Modifier

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_DAYS_FROM_MENTION = {"当": 0, "同": 0, "同一": 0, "次": 1, "翌": 1, "隔": 1, "第二": 1, "前一": -1, "后一": 1, "该": 0}
_STEPS = {"上上": -2, "上": -1, "上一": -1, "本": 0, "这": 0, "这一": 0, "下": 1, "下一": 1, "下下": 2}
_STEPS_FROM_MENTION = {"当": 0, "同": 0, "同一": 0, "该": 0, "次": 1, "翌": 1}
_STEPPED_UNITS = ("周", "星期", "礼拜", "月", "季度", "季", "财季", "世纪")
_NUMBERED_UNITS = ("周", "星期", "礼拜", "周末", "月", "天", "季度")
_EDGES = {"初": Modifier.START, "中": Modifier.MID, "底": Modifier.END, "末": Modifier.END, "终": Modifier.END}
_REFERENCES = index_by_word(
    {
        "PRESENT_REF": "现在 目前 当前 如今 现今 此刻 眼下 现时 当下 时下 现阶段",
        "PAST_REF": "最近 近来 近日 近期 日前 前不久 不久前 近年来 近年 近几年来 近几年 历年来 往年 昔日 刚刚 刚才"
        " 此前",
        "FUTURE_REF": "未来 将来 今后 日后 往后 马上 不久之后 不久后",
    }
)


def _read_named_day(match: re.Match[str]) -> Shift:
    step = match["step"]
    if step in _DAYS_FROM_MENTION:
        return Shift(Grain.DAY, _DAYS_FROM_MENTION[step], Origin.LAST_MENTION)
    return Shift(Grain.DAY, _DAYS[step])


def _read_step(match: re.Match[str], grain: Grain) -> Shift:
    step = match["step"]
    if step in _STEPS_FROM_MENTION:
        return Shift(grain, _STEPS_FROM_MENTION[step], Origin.LAST_MENTION)
    return Shift(grain, _STEPS[step], fiscal="财" in match[0])


def _read_same_period(match: re.Match[str]) -> SamePeriod:
    years = -2 if match["step"] == "前" else -1
    year = Period(Grain.YEAR, parse_number(match["year"])) if match["year"] else Shift(Grain.YEAR, years)
    return SamePeriod(year, {"季": Grain.QUARTER, "月": Grain.MONTH}.get(match["unit"]))


def _read_year_edge(match: re.Match[str]) -> ModifiedTime:
    """年底 alone is the end of the text's year, 月底 of its month."""
    grain = Grain.MONTH if match[0][0] == "月" else Grain.YEAR
    return ModifiedTime(Shift(grain, 0), _EDGES[match[0][1]])


def _read_numbered_unit(match: re.Match[str]) -> NumberedUnit | RankedUnit:
    index = parse_number(match["number"]) - 1 if match["number"] else -1
    if match["weekday"]:
        return RankedUnit(parse_weekday(match["weekday"]), index)
    return NumberedUnit(UNITS[match["unit"]], index)


_STEP = rf"(?P<step>{match_any((*_STEPS, *_STEPS_FROM_MENTION))})个?"
_NO_STEP = "(?<![马以之早晚应相适])"
_STEP_HEADS = {step[0] for step in (*_STEPS, *_STEPS_FROM_MENTION)}
_DAY_WORDS = match_any((*_DAYS, *_DAYS_FROM_MENTION))
# Words of titles or brands, and words that only begin like a day.
_NAME_BEFORE = "(?<![《年月日天之以此最])"
_NO_DAY = "(?![文本元头性免失报]|之后》|养成|因素|努力)"


def _read_two_units(match: re.Match[str]) -> TimeBetween:
    """Two years or days in a row, of which one is the present one."""
    grain, first = UNITS[match["unit"]], 0 if match["first"] == "今明" else -1
    return TimeBetween(Shift(grain, first), Shift(grain, first + 1))


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {step[0] for step in (*_DAYS, *_DAYS_FROM_MENTION)},
        rf"{_NAME_BEFORE}(?P<step>{_DAY_WORDS})[天日]{_NO_DAY}",
        _read_named_day,
    ),
    make_rule(
        _STEP_HEADS,
        rf"{_NO_STEP}{_STEP}(?P<unit>{match_any(_STEPPED_UNITS)})(?![围边年期转刊报球亮台饼薪票])",
        lambda match: _read_step(match, UNITS[match["unit"]]),
    ),
    make_rule(
        _STEP_HEADS,
        rf"{_NO_STEP}{_STEP}(?P<weekday>{WEEKDAY})",
        lambda match: UnitWithin(parse_weekday(match["weekday"]), _read_step(match, Grain.WEEK)),
    ),
    make_rule(
        _STEP_HEADS, rf"{_NO_STEP}{_STEP}周末", lambda match: UnitWithin(make_weekend(), _read_step(match, Grain.WEEK))
    ),
    make_rule({"去", "今", "昨"}, "(?P<first>去今|昨今|今明)两(?P<unit>年|天|日)", _read_two_units),
    make_rule({"全"}, "(?<!年)(?<!年度)全年(?!龄)", Shift(Grain.YEAR, 0, Origin.LAST_MENTION)),
    make_rule(
        {LONG_NUMBER, CHINESE_NUMBER, "去", "上", "前"},
        rf"(?:(?P<year>{YEAR}){S}|(?P<step>去|上一?|(?<![年月日之以])前))年(?:度)?的?同(?P<unit>期|季|月)度?",
        _read_same_period,
    ),
    make_rule(
        {"年", "岁", "月"},
        r"(?<![0-9一二三四五六七八九十今去明本前后上下当同次翌个半年月])(?:年[初中底末终]|岁末|月[初中底末])(?![央国级子赛奖盘])",
        _read_year_edge,
    ),
    make_rule(
        {"第", "最"},
        rf"(?:第(?P<number>{COUNT})|最后一){S}个?{S}(?:(?P<unit>{match_any(_NUMBERED_UNITS)})(?![一二三四五六日天末])|(?P<weekday>{WEEKDAY}))",
        _read_numbered_unit,
    ),
    make_rule(
        {word[0] for word in _REFERENCES},
        rf"(?<![0-9几数一二三四五六七八九十出发呈表体浮重实距相])(?P<word>{match_any(_REFERENCES)})(?![点邻处距相]|的(?:车站|机场|城|地))",
        lambda match: Vague(_REFERENCES[match["word"]]),
    ),
)
