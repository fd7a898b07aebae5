"""The signals of Chinese; most stand behind what they bend: 之前, 以来, 年底, 初, 左右."""

from __future__ import annotations

import re

from tasks.temporal.chinese.lexicon import NUMERAL, any_of
from tasks.temporal.grammar import GrammarRule, Signal, SignalRole, rule
from warehouse.records import Modifier

_BOUNDS = {
    "之前": Modifier.BEFORE,
    "以前": Modifier.BEFORE,
    "前": Modifier.BEFORE,
    "之后": Modifier.AFTER,
    "以后": Modifier.AFTER,
    "过后": Modifier.AFTER,
    "后": Modifier.AFTER,
    "或之前": Modifier.ON_OR_BEFORE,
    "或以前": Modifier.ON_OR_BEFORE,
    "及之前": Modifier.ON_OR_BEFORE,
    "及以前": Modifier.ON_OR_BEFORE,
    "含以前": Modifier.ON_OR_BEFORE,
    "为止": Modifier.ON_OR_BEFORE,
    "或之后": Modifier.ON_OR_AFTER,
    "或以后": Modifier.ON_OR_AFTER,
    "及之后": Modifier.ON_OR_AFTER,
    "及以后": Modifier.ON_OR_AFTER,
    "含以后": Modifier.ON_OR_AFTER,
    "以来": Modifier.ON_OR_AFTER,
    "之来": Modifier.ON_OR_AFTER,
    "至今": Modifier.ON_OR_AFTER,
    "迄今": Modifier.ON_OR_AFTER,
    "开始": Modifier.ON_OR_AFTER,
    "起": Modifier.ON_OR_AFTER,
}
_PARTS = {
    "初": Modifier.START,
    "初期": Modifier.START,
    "早期": Modifier.START,
    "前期": Modifier.START,
    "伊始": Modifier.START,
    "年初": Modifier.START,
    "月初": Modifier.START,
    "中": Modifier.MID,
    "中期": Modifier.MID,
    "中叶": Modifier.MID,
    "年中": Modifier.MID,
    "月中": Modifier.MID,
    "底": Modifier.END,
    "末": Modifier.END,
    "末期": Modifier.END,
    "晚期": Modifier.END,
    "后期": Modifier.END,
    "末叶": Modifier.END,
    "上半叶": Modifier.START,
    "前半叶": Modifier.START,
    "下半叶": Modifier.END,
    "后半叶": Modifier.END,
    "年底": Modifier.END,
    "年末": Modifier.END,
    "年终": Modifier.END,
    "岁末": Modifier.END,
    "月底": Modifier.END,
    "月末": Modifier.END,
}
# The last character of a time, without which 前, 后, 初 and 起 are words of their own.
_TIME = r"(?<=[0-9年月日号天周期季度时点分刻整秒纪代节旦夕夏冬春秋旬早午晚晨夜钟头末底初一二三四五六七八九十])"
_NOT_BEFORE = (
    "(?!来(?![到自]))(?![总首任主副国妻夫身往锋景线卫辈苏提途世述列所瞻沿排教队成球领行职门言董社政议员省市县区进后台有"
    f"0-9{NUMERAL}])"
)
_NOT_AFTER = rf"(?![卫来代期勤续方面援果者台门备盾退天羽周花院半宫裔{NUMERAL}])"
_NO_PART = (
    "(?![中级次步等衷始部层特线薪端尾路国央共华学小间心型式文东西南北美日韩有的午选报票股]|[一二三四五六七八九十])"
)


def _bound(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.TRAILING_BOUND, _BOUNDS[match[0]])


def _part(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.TRAILING_PART, _PARTS[match[0]])


def _about(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.TRAILING_LENGTH, Modifier.APPROX)


def _to(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.TO)


def _and(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.AND)


def _from(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.LEADING_BOUND, Modifier.ON_OR_AFTER)


def _between(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.BETWEEN)


def _until(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.LEADING_BOUND, Modifier.ON_OR_BEFORE)


_LONG_BOUNDS = [word for word in _BOUNDS if len(word) > 1]
_LONG_PARTS = [word for word in _PARTS if len(word) > 1]

RULES: tuple[GrammarRule, ...] = (
    rule({word[0] for word in _LONG_BOUNDS}, rf"{_TIME}{any_of(_LONG_BOUNDS)}", _bound),
    rule({"前"}, rf"{_TIME}前{_NOT_BEFORE}", _bound),
    rule({"后"}, rf"{_TIME}后{_NOT_AFTER}", _bound),
    rule({"起"}, rf"{_TIME}(?<![0-9])起(?![义诉点始源码因飞床跑步])", _bound),
    rule({word[0] for word in _LONG_PARTS}, rf"{_TIME}{any_of(_LONG_PARTS)}{_NO_PART}", _part),
    rule({"初", "底", "末", "中"}, rf"(?<=[年月纪代])(?:[初底末]|(?<=月)中){_NO_PART}", _part),
    rule({"前", "左"}, rf"{_TIME}(?:前后|左右)", _about),
    rule({"到", "至", "直"}, r"(?:直到|直至|到|至)(?![于少今此])", _to),
    rule({"和", "与", "及"}, rf"{_TIME}[和与及]", _and),
    rule({"之", "间", "期"}, rf"{_TIME}(?:之间|期间|间(?!谍|接|断|隔|隙))", _between),
    rule({"自"}, "自(?:从)?(?![己我身然动])", _from),
    rule({"截"}, "截[止至](?:到|至|于)?", _until),
)
