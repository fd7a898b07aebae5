"""Outcomes of an evaluation: trials, their means with intervals, differences with tests, questions that flip, a gate.

Intervals and tests are those of `tasks.evaluate.bootstrap`. The gate is for whoever changes something: no configuration
may be worse than it was, beyond the luck of the questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import Protocol

import numpy as np
from pydantic import TypeAdapter, ValidationError

from tasks.evaluate.bootstrap import INDEPENDENT, Clusters, compute_mean_interval, compute_p_values
from tasks.evaluate.json_files import read_json
from warehouse.errors import BadInput
from warehouse.records import Ranking, RetrievedPassage


def list_labels(rows: Collection[Mapping[str, float]]) -> list[str]:
    """The measures that judge any of the questions, in the order of the question that has most of them."""
    fullest = max(rows, key=len, default={})
    return list(dict.fromkeys((*fullest, *(label for row in rows for label in row))))


@dataclass(frozen=True, slots=True)
class Change:
    """The mean change of a measure from one ranking to another on the same questions, and its 95 % interval.

    `p` is how often a change of this size or more would come about by chance alone (see `changes`).
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


RankedNames = tuple[tuple[str, float], ...]  # What was found by name with its score, the best first.


@dataclass(frozen=True, slots=True)
class Trial:
    """All questions asked with one ranking.

    `values` are each question's by its name, the measures by label; a measure that cannot judge a question, as where
    the words of its answer are not found in any text, has no value there. `milliseconds` is what each search took,
    without the vector of its question. `against` compares with the default ranking, if that was asked too. `estimates`
    are the means with their intervals, `ranks` those of the first hit that answers each question, from 1, `passages`
    what was found for each, the best first, as far as it was kept. `documents` are the names of the documents found for
    each question, by their best passage, and `spans` those of the passages, `document#start-end`, where passages are
    judged; both with their scores, and without the question itself.
    """

    name: str
    ranking: Ranking
    values: Mapping[str, Mapping[str, float]]
    milliseconds: tuple[float, ...]
    against: Mapping[str, Change]
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    passages: Mapping[str, tuple[RetrievedPassage, ...]] = field(default_factory=dict)
    documents: Mapping[str, RankedNames] = field(default_factory=dict)
    spans: Mapping[str, RankedNames] = field(default_factory=dict)

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over the questions that it judges."""
        return {
            label: fmean(values[label] for values in self.values.values() if label in values)
            for label in list_labels(self.values.values())
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
    """A dataset evaluated: its size, the generation and model that answered, and a trial a ranking.

    `question_milliseconds` is what the vector of a question took on average, 0 where all were known already. `judge`
    says which hits answer, where the words of the answers are known. `texts` are those of the questions, by name, and
    `clusters` tells which of them share a document.
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
    texts: Mapping[str, str] = field(default_factory=dict)
    clusters: Clusters = field(default_factory=dict)


Values = Mapping[str, Mapping[str, float]]  # Of each question by its name, the measures by label.


def compute_estimates(values: Values, clusters: Clusters = INDEPENDENT) -> dict[str, Estimate]:
    """The mean of each measure and its interval, over the questions that it judges; one question has no interval.

    A question that `clusters` does not name is a cluster of its own.
    """
    found: dict[str, Estimate] = {}
    for labels, names, rows in _build_tables(values):
        columns = compute_mean_interval(rows, _list_groups(names, clusters))
        for label, mean, low, high in zip(labels, *(column.tolist() for column in columns), strict=True):
            found[label] = Estimate(mean, low, high, len(rows))
    return {label: found[label] for label in list_labels(values.values()) if label in found}


def compute_changes(values: Values, others: Values, clusters: Clusters = INDEPENDENT) -> dict[str, Change]:
    """From `others` to `values`, by measure: the mean difference, its paired interval, and the test's p.

    Both hold the measures of the same questions. One question has no interval but its own difference.
    """
    differences = {
        name: {label: value - others[name][label] for label, value in marks.items() if label in others[name]}
        for name, marks in values.items()
    }
    found: dict[str, Change] = {}
    for labels, names, rows in _build_tables(differences):
        groups = _list_groups(names, clusters)
        columns = (*compute_mean_interval(rows, groups), compute_p_values(rows, groups))
        for label, *row in zip(labels, *(column.tolist() for column in columns), strict=True):
            found[label] = Change(*row)
    return {label: found[label] for label in list_labels(values.values()) if label in found}


def _list_groups(names: Sequence[str], clusters: Clusters) -> list[str]:
    return [clusters.get(name, f"question {name}") for name in names]


def _build_tables(values: Values) -> list[tuple[tuple[str, ...], tuple[str, ...], np.ndarray]]:
    """The labels that judge the same questions together, these questions, and values of shape (questions, labels)."""
    columns: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for name, row in values.items():
        for label, value in row.items():
            columns[label][name] = value
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for label, column in columns.items():
        groups[tuple(column)].append(label)
    return [
        (tuple(labels), names, np.array([list(columns[label].values()) for label in labels]).T)
        for names, labels in groups.items()
    ]


class AnsweredQuestions(Protocol):
    """Answers to a dataset: marks by question and measure, and the rank of the first hit that answers each."""

    @property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """The value of each question, by its name and the measure's label."""

    @property
    def ranks(self) -> Mapping[str, int | None]:
        """From 1; None where no hit answers."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A question whose value changed: before and after, each with the rank of the first hit that answers, if any."""

    question: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None

    @property
    def won(self) -> bool:
        """Whether it is answered better than before."""
        return self.after > self.before


@dataclass(frozen=True, slots=True)
class Flips:
    """The questions that one trial answers better or worse than another by the measure `label`, furthest first."""

    label: str
    won: tuple[Flip, ...]
    lost: tuple[Flip, ...]


def find_flips(after: AnsweredQuestions, before: AnsweredQuestions, label: str) -> Flips:
    """From one trial to another of the same dataset, by a measure."""
    found: list[Flip] = []
    for name, values in after.values.items():
        was, now = before.values.get(name, {}).get(label), values.get(label)
        if was is not None and now is not None and was != now:
            found.append(Flip(name, was, now, before.ranks.get(name), after.ranks.get(name)))
    found.sort(key=lambda flip: (-abs(flip.after - flip.before), flip.question))
    return Flips(label, tuple(flip for flip in found if flip.won), tuple(flip for flip in found if not flip.won))


@dataclass(frozen=True, slots=True)
class BaselineTrial:
    """A configuration as it was: its means, the measure that decides first, and the marks of each question."""

    name: str
    means: dict[str, float]
    values: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class _Baseline:
    trials: list[BaselineTrial]


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """How a configuration does beside the baseline, by the measure that decided there, over the questions of both."""

    name: str
    measure: str
    change: Change
    questions: int

    @property
    def lost(self) -> bool:
        """Whether it is significantly worse: the whole of the 95 % interval of the paired difference is below 0."""
        return self.change.high < 0


def read_baseline(file: Path) -> list[BaselineTrial]:
    """What `kalends evaluate --json` printed into a file. Raises `BadInput` where it is something else."""
    try:
        return TypeAdapter(_Baseline).validate_python(read_json(file)).trials
    except ValidationError:
        raise BadInput(f"{file} is not a baseline", "write one with 'kalends evaluate … --json > FILE'") from None


def compute_verdicts(
    before: Sequence[BaselineTrial], trials: Mapping[str, Values], clusters: Clusters = INDEPENDENT
) -> list[GateVerdict]:
    """Of each configuration of a baseline that is tried now.

    Raises `BadInput` where it has no configuration in common with `trials`, or one of them no measure or question.
    """
    common = [each for each in before if each.name in trials]
    if not common:
        cure = "write it anew with the same grid or parts"
        raise BadInput(f"the baseline has none of these configurations: {', '.join(trials)}", cure)
    found = []
    for each in common:
        now, label = trials[each.name], next(iter(each.means), "")
        then = {name: {label: marks[label]} for name, marks in each.values.items() if label in marks}
        same = {name: {label: now[name][label]} for name in then if label in now.get(name, {})}
        if not same:
            raise BadInput(f"'{each.name}' of the baseline was asked other questions", "write the baseline anew")
        change = compute_changes(same, {name: then[name] for name in same}, clusters)[label]
        found.append(GateVerdict(each.name, label, change, len(same)))
    return found
