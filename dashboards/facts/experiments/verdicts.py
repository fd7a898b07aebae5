"""The plain result of an experiment: which configuration is better than which, and whether that is sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.evaluate.experiments.findings import varied
from tasks.evaluate.experiments.outcome import GridOutcome, Outcome
from tasks.evaluate.experiments.price import Price
from tasks.evaluate.outcomes import Change


@dataclass(frozen=True, slots=True)
class ExperimentVerdict:
    """The best configuration beside another by a measure: `change` is the difference of the best to the other.

    `current` is the name of the configuration that has the settings in use, empty where none has. `settings` are those
    in which the two differ: the value of the best, and that of the other.
    """

    measure: str
    best: Outcome
    other: Outcome
    change: Change
    current: str
    settings: Mapping[str, tuple[str, str]]

    @property
    def is_sure(self) -> bool:
        """Whether the whole 95 % interval of the difference lies above 0."""
        return self.change.low > 0


def compare_best(found: GridOutcome, price: Price, current: str) -> ExperimentVerdict | None:
    """The best beside the settings in use; where those are the best or were not tried, beside the second best.

    None where only one configuration was tried.
    """
    if len(found.trials) < 2:
        return None
    best = price.best
    ranked = [each for each in found.ranked(price.measure) if each is not best]
    other = next((each for each in ranked if each.name == current), ranked[0])
    values = varied(found)
    own, others = values[best.name], values[other.name]
    differing = {name: (own[name], others[name]) for name in own if own[name] != others[name]}
    return ExperimentVerdict(price.measure, best, other, price.gains[other.name], current, differing)
