"""Lengths of several units: 8天又二十个小时, 五个星期3小时, 一年零三个月."""

from __future__ import annotations

import re

from tasks.temporal.grammar import JoinedItems
from tasks.temporal.meanings.clocks import Clock
from tasks.temporal.meanings.spans import SYMBOLS, Duration
from warehouse.records import Grain

_AND = re.compile(r"[^\S\n]{0,2}[又零和加]?[^\S\n]{0,2}")
_SIZES = list(SYMBOLS)


def _sum(first: Duration, second: Duration) -> Duration | None:
    amounts = (*first.amounts, *second.amounts)
    if len({grain for _, grain in amounts}) < len(amounts):
        return None
    return Duration(tuple(sorted(amounts, key=lambda each: -_SIZES.index(each[1]))), first.modifier)


def _and_hours(first: Duration, clock: Clock) -> Duration | None:
    """8天20时: behind days 20时 is no time of day."""
    if clock.grain is not Grain.HOUR or not clock.value[:2].isdigit():
        return None
    return _sum(first, Duration(((int(clock.value[:2]), Grain.HOUR),)))


LENGTHS = (JoinedItems((Duration, Duration), _sum, _AND), JoinedItems((Duration, Clock), _and_hours, _AND))
