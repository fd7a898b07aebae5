"""What only looks like a time: 2000米, 调幅1430, 1354人."""

from __future__ import annotations

import re

from tasks.temporal.grammar import LONG_NUMBER, GrammarRule, Signal, SignalRole, rule

_MEASURED = (
    "[万亿千百多余个人名位家所座只头匹件台架艘辆部套栋幢公米里尺英平立方顷亩吨克斤"
    "元块美欧港次股份号字页条项度枚颗粒张支篇首册种类户毫厘海光瓦伏赫兹马桶箱种场间瓶盒周℃%]"
)
_MEASURING = "[幅号频高达逾约近共第码率长超过]"


def _quantity(_match: re.Match[str]) -> Signal:
    return Signal(SignalRole.QUANTITY)


RULES: tuple[GrammarRule, ...] = (
    rule({LONG_NUMBER}, rf"[0-9]{{4}}[^\S\n]{{0,1}}{_MEASURED}", _quantity),
    rule({LONG_NUMBER}, rf"{_MEASURING}[0-9]{{4}}(?!年)", _quantity, lead=_MEASURING),
)
