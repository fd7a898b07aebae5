"""The Chinese grammar: rules by category, and stages of joins for neighbouring items.

A new expression is a rule of its category's module. Of readings of the same length the first wins, so the order of the
categories matters: 2015年 is a year, not so many years.
"""

from __future__ import annotations

from tasks.temporal.chinese import dates, durations, fiscal, holidays, japanese, relative, signals, times
from tasks.temporal.chinese.lexicon import PLAIN
from tasks.temporal.grammar import GrammarRule, JoinRule

__all__ = ["PLAIN", "RULES", "STAGES"]

RULES: tuple[GrammarRule, ...] = (
    *fiscal.RULES,
    *japanese.RULES,
    *dates.RULES,
    *relative.RULES,
    *holidays.RULES,
    *times.RULES,
    *durations.SET_RULES,
    *durations.RULES,
    *signals.RULES,
)
STAGES: tuple[tuple[JoinRule, ...], ...] = (
    japanese.HOURS,
    durations.SET_JOINS,
    durations.JOINS,
    signals.DATES,
    signals.PARTS,
    times.JOINS,
    (*japanese.RANGES, *signals.RANGES),
    signals.BOUNDS,
)
