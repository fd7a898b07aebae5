"""What an evaluation finds out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, median

from warehouse.records import Ranking


@dataclass(frozen=True, slots=True)
class Change:
    """The mean change of a measure from one ranking to another on the same questions, and its 95 % interval."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trial:
    """All questions asked with one ranking.

    `values` are each question's by its name, the measures by label. `milliseconds` is what each search took, without
    the vector of its question. `against` compares with the default ranking, if that was asked too.
    """

    name: str
    ranking: Ranking
    values: Mapping[str, Mapping[str, float]]
    milliseconds: tuple[float, ...]
    against: Mapping[str, Change]

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure."""
        labels = next(iter(self.values.values()))
        return {label: fmean(values[label] for values in self.values.values()) for label in labels}

    @property
    def median_milliseconds(self) -> float:
        """What half of the searches took no more than."""
        return median(self.milliseconds)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An exam taken: its size, the generation and model that answered, and a trial a ranking.

    `question_milliseconds` is what the vector of a question took on average, 0 where all were known already.
    """

    exam: str
    documents: int
    questions: int
    generation: int
    model: str
    question_milliseconds: float
    trials: tuple[Trial, ...]
    notes: tuple[str, ...] = ()
