"""All that a grid says, computed once for every form it is told in: the intervals take a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.effects import Effect, effects
from tasks.evaluate.experiments.grid import value_text
from tasks.evaluate.experiments.outcome import GridOutcome, settings_of
from tasks.evaluate.experiments.price import Price, price


@dataclass(frozen=True, slots=True)
class Findings:
    """The trials of a grid, the best with its price, and what each value of a dimension is worth.

    There is no price where every configuration failed.
    """

    grid: GridOutcome
    price: Price | None
    effects: Sequence[Effect]


def findings(grid: GridOutcome) -> Findings:
    """By the measure that decides."""
    if not grid.trials:
        return Findings(grid, None, ())
    return Findings(grid, price(grid), effects(grid.trials, grid.measure))


def varied(grid: GridOutcome) -> dict[str, dict[str, str]]:
    """The values of the dimensions that are not the same in all trials, as they are shown, by the trial's name."""
    rows = {each.name: settings_of(each.record) for each in grid.trials}
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    told = {name for name in names if len({value_text(row.get(name)) for row in rows.values()}) > 1}
    return {
        trial: {short(name): value_text(row.get(name)) for name in names if name in told} for trial, row in rows.items()
    }
