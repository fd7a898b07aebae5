"""The Chinese grammar: rules for the words, and stages of joins for what stands beside each other."""

from __future__ import annotations

from tasks.temporal.chinese import (
    days,
    durations,
    holidays,
    joining,
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
from tasks.temporal.composing import Join
from tasks.temporal.grammar import Rule

__all__ = ["PLAIN", "RULES", "STAGES"]

RULES: tuple[Rule, ...] = (
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
STAGES: tuple[tuple[Join, ...], ...] = (
    sets.SETS,
    lengths.LENGTHS,
    joining.DATES,
    joining.PARTS,
    ranges.TIMES,
    ranges.RANGES,
    joining.BOUNDS,
)
