"""The Chinese grammar: rules for the words, and stages of joins for what stands beside each other."""

from __future__ import annotations

from tasks.temporal.chinese import (
    combinations,
    days,
    durations,
    holidays,
    lengths,
    numbers,
    periods,
    ranges,
    relative,
    sets,
    signs,
    times,
    years,
)
from tasks.temporal.chinese.lexicon import PLAIN
from tasks.temporal.grammar import GrammarRule, JoinedItems

__all__ = ["PLAIN", "RULES", "STAGES"]

RULES: tuple[GrammarRule, ...] = (
    *years.RULES,
    *periods.RULES,
    *days.RULES,
    *relative.RULES,
    *holidays.RULES,
    *times.RULES,
    *sets.RULES,
    *durations.RULES,
    *signs.RULES,
    *numbers.RULES,
)
STAGES: tuple[tuple[JoinedItems, ...], ...] = (
    sets.SETS,
    lengths.LENGTHS,
    combinations.DATES,
    combinations.PARTS,
    ranges.TIMES,
    ranges.RANGES,
    combinations.BOUNDS,
)
