"""What an evaluation finds out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from statistics import fmean, median

import numpy as np

from warehouse.records import Ranking


def labels_of(rows: Collection[Mapping[str, float]]) -> list[str]:
    """The measures that judge any of the questions, in the order of the question that has most of them."""
    fullest = max(rows, key=len, default={})
    return list(dict.fromkeys((*fullest, *(label for row in rows for label in row))))


@dataclass(frozen=True, slots=True)
class Change:
    """The mean change of a measure from one ranking to another on the same questions, and its 95 % interval.

    `p` is how often a change of this size or more would come about by chance alone (see `comparing`).
    """

    difference: float
    low: float
    high: float
    p: float = 1.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a measure over the `questions` that it judges, and its 95 % interval."""

    mean: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True, slots=True)
class Trial:
    """All questions asked with one ranking.

    `values` are each question's by its name, the measures by label; a measure that cannot judge a question, as where
    the words of its answer are not found in any text, has no value there. `milliseconds` is what each search took,
    without the vector of its question. `against` compares with the default ranking, if that was asked too. `estimates`
    are the means with their intervals, `ranks` those of the first hit that answers each question, from 1.
    """

    name: str
    ranking: Ranking
    values: Mapping[str, Mapping[str, float]]
    milliseconds: tuple[float, ...]
    against: Mapping[str, Change]
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    ranks: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over the questions that it judges."""
        return {
            label: fmean(values[label] for values in self.values.values() if label in values)
            for label in labels_of(self.values.values())
        }

    @property
    def median_milliseconds(self) -> float:
        """What half of the searches took no more than."""
        return median(self.milliseconds)

    @property
    def p95_milliseconds(self) -> float:
        """What 95 % of the searches took no more than."""
        return float(np.percentile(self.milliseconds, 95))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An exam taken: its size, the generation and model that answered, and a trial a ranking.

    `question_milliseconds` is what the vector of a question took on average, 0 where all were known already. `judge`
    says which hits answer, where the words of the answers are known.
    """

    exam: str
    documents: int
    questions: int
    generation: int
    model: str
    question_milliseconds: float
    trials: tuple[Trial, ...]
    notes: tuple[str, ...] = ()
    judge: str = ""
