"""The English grammar: rules by category, and stages of joins for neighbouring items.

A new expression is a rule of its category's module. The first of several readings of the same length wins, so the order
of the categories matters: a quarter that ended on a day is not a date, and a date is not a time.
"""

from __future__ import annotations

from tasks.temporal.english import (
    date_ranges,
    dates,
    durations,
    ended_periods,
    enumerations,
    fiscal,
    holidays,
    named_periods,
    partial_dates,
    relative,
    sets,
    signals,
    times,
)
from tasks.temporal.grammar import GrammarRule, JoinRule

RULES: tuple[GrammarRule, ...] = (
    *named_periods.LISTED_OLD_DAYS,
    *enumerations.RULES,
    *ended_periods.RULES,
    *fiscal.RULES,
    *dates.RULES,
    *relative.RULES,
    *named_periods.RULES,
    *durations.RULES,
    *partial_dates.RULES,
    *date_ranges.RULES,
    *times.RULES,
    *sets.RULES,
    *holidays.RULES,
    *signals.RULES,
)
STAGES: tuple[tuple[JoinRule, ...], ...] = (
    signals.LENGTHS,
    (*partial_dates.JOINS, *named_periods.JOINS, *times.JOINS, *sets.JOINS),
    signals.PARTS,
    (*ended_periods.JOINS, *fiscal.JOINS, *date_ranges.JOINS),
    signals.BOUNDS,
)
