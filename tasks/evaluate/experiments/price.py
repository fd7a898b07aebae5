"""The best configuration, and what being best costs beside one that is as good for all that can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.evaluate.experiments.outcome import GridOutcome, TrialOutcome, change
from tasks.evaluate.outcomes import Change


@dataclass(frozen=True, slots=True)
class Price:
    """The `best` by a measure, and the cheapest of those that are not significantly worse, which may be itself.

    `gains` are the changes from each configuration to the best, by name.
    """

    measure: str
    best: TrialOutcome
    cheapest: TrialOutcome
    gains: Mapping[str, Change]

    @property
    def milliseconds(self) -> float:
        """What a search takes longer, half of them."""
        return self.best.record.p50 - self.cheapest.record.p50

    @property
    def bytes(self) -> int:
        """What the indexes take more."""
        return self.best.record.index_bytes - self.cheapest.record.index_bytes

    @property
    def vectors(self) -> int:
        """How many more texts are embedded."""
        return self.best.record.vectors - self.cheapest.record.vectors


def price(found: GridOutcome, measure: str = "") -> Price:
    """The best of a grid and its price, by the measure that decides if none is named.

    A configuration is worse where the whole of the 95 % interval of its difference to the best lies below 0. Cheap is
    what has small indexes, and of equal ones what is searched faster.
    """
    label = measure or found.measure
    best = found.ranked(label)[0]
    gains = {each.name: change(best, each, label) for each in found.trials}
    equal = [each for each in found.trials if gains[each.name].low <= 0]
    cheapest = min(equal, key=lambda each: (each.record.index_bytes, each.record.p50))
    return Price(label, best, cheapest, gains)
