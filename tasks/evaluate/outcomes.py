"""Outcomes of an evaluation: trials, their means with intervals, differences with tests, questions that flip, a gate.

Intervals and tests are those of `tasks.evaluate.bootstrap`. The gate checks a change of the product: no configuration
may be significantly worse than it was.
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
    longest_row = max(rows, key=len, default={})
    return list(dict.fromkeys((*longest_row, *(label for row in rows for label in row))))


@dataclass(frozen=True, slots=True)
class Change:
    """The mean change of a measure from one ranking to another on the same questions, and its 95 % interval.

    `p` is how often a change of at least this size would occur by chance alone (see `compute_changes`).
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


RankedNames = tuple[tuple[str, float], ...]  # Names of results with their scores, the best first.


@dataclass(frozen=True, slots=True)
class Trial:
    """All questions asked with one ranking.

    `values` are the measures, by label, of each question, by its name; a measure that cannot judge a question, for
    instance because its answer is not located in any text, has no value there. `milliseconds` is the time of
    each search, without the vector of its question. `against` compares with the default ranking, if that was tried too.
    `estimates` are the means with their intervals, `ranks` those of the first hit that answers each question, from 1,
    `passages` the stored hits of each, the best first. `documents` are the names of the documents found for each
    question, by their best passage, and `spans` those of the passages, `document#start-end`, if passages are judged;
    both with their scores, and without the question itself.
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
        """The median time of a search."""
        return median(self.milliseconds)

    @property
    def p95_milliseconds(self) -> float:
        """The time that 95 % of the searches did not exceed."""
        return float(np.percentile(self.milliseconds, 95))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation of a dataset: its size, the generation and model that answered, and a trial per ranking.

    `question_milliseconds` is the mean time for the vector of a question, 0 if all were cached. `judge` says which hits
    answer, if the text of the answers is known. `texts` are those of the questions, by name, and `clusters` says
    which of them share a document.
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
    estimates: dict[str, Estimate] = {}
    for labels, names, rows in _build_tables(values):
        columns = compute_mean_interval(rows, _list_groups(names, clusters))
        for label, mean, low, high in zip(labels, *(column.tolist() for column in columns), strict=True):
            estimates[label] = Estimate(mean, low, high, len(rows))
    return {label: estimates[label] for label in list_labels(values.values()) if label in estimates}


def compute_changes(values: Values, before: Values, clusters: Clusters = INDEPENDENT) -> dict[str, Change]:
    """From `before` to `values`, by measure: the mean difference, its paired interval, and the test's p.

    Both have the measures of the same questions. For one question the interval is its own difference.
    """
    differences = {
        name: {label: value - before[name][label] for label, value in marks.items() if label in before[name]}
        for name, marks in values.items()
    }
    changes: dict[str, Change] = {}
    for labels, names, rows in _build_tables(differences):
        groups = _list_groups(names, clusters)
        columns = (*compute_mean_interval(rows, groups), compute_p_values(rows, groups))
        for label, *row in zip(labels, *(column.tolist() for column in columns), strict=True):
            changes[label] = Change(*row)
    return {label: changes[label] for label in list_labels(values.values()) if label in changes}


def _list_groups(names: Sequence[str], clusters: Clusters) -> list[str]:
    return [clusters.get(name, f"question {name}") for name in names]


def _build_tables(values: Values) -> list[tuple[tuple[str, ...], tuple[str, ...], np.ndarray]]:
    """Labels that judge the same questions, these questions, and values of shape (questions, labels)."""
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
        """From 1; None if no hit answers."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A question whose value changed: before and after, each with the rank of the first hit that answers, if any."""

    question: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None

    @property
    def is_gain(self) -> bool:
        """Whether it is answered better than before."""
        return self.after > self.before


@dataclass(frozen=True, slots=True)
class Flips:
    """The questions that one trial answers better or worse than another by the measure `label`, the largest first."""

    label: str
    gains: tuple[Flip, ...]
    losses: tuple[Flip, ...]


def find_flips(after: AnsweredQuestions, before: AnsweredQuestions, label: str) -> Flips:
    """The flips from one trial to another of the same dataset, by a measure."""
    flips: list[Flip] = []
    for name, values in after.values.items():
        value_before, value_after = before.values.get(name, {}).get(label), values.get(label)
        if value_before is not None and value_after is not None and value_before != value_after:
            flips.append(Flip(name, value_before, value_after, before.ranks.get(name), after.ranks.get(name)))
    flips.sort(key=lambda flip: (-abs(flip.after - flip.before), flip.question))
    return Flips(label, *(tuple(flip for flip in flips if flip.is_gain is is_gain) for is_gain in (True, False)))


@dataclass(frozen=True, slots=True)
class BaselineTrial:
    """An earlier result of a configuration: its means, the deciding measure first, and the marks of each question."""

    name: str
    means: dict[str, float]
    values: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class _Baseline:
    trials: list[BaselineTrial]


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """A configuration compared with the baseline, by the measure that decided there, over the questions of both."""

    name: str
    measure: str
    change: Change
    questions: int

    @property
    def is_worse(self) -> bool:
        """Whether it is significantly worse: the whole of the 95 % interval of the paired difference is below 0."""
        return self.change.high < 0


def read_baseline(file: Path) -> list[BaselineTrial]:
    """The output of `kalends evaluate --json` in a file. Raises `BadInput` for any other file."""
    try:
        return TypeAdapter(_Baseline).validate_python(read_json(file)).trials
    except ValidationError:
        raise BadInput(f"{file} is not a baseline", "write one with 'kalends evaluate … --json > FILE'") from None


def compute_verdicts(
    before: Sequence[BaselineTrial], trials: Mapping[str, Values], clusters: Clusters = INDEPENDENT
) -> list[GateVerdict]:
    """The verdict on each configuration of a baseline that is tried now.

    Raises `BadInput` if it has no configuration in common with `trials`, or one of them no measure or question.
    """
    common_trials = [trial for trial in before if trial.name in trials]
    if not common_trials:
        cure = "write it anew with the same grid or parts"
        raise BadInput(f"the baseline has none of these configurations: {', '.join(trials)}", cure)
    verdicts = []
    for trial in common_trials:
        values, label = trials[trial.name], next(iter(trial.means), "")
        values_before = {name: {label: marks[label]} for name, marks in trial.values.items() if label in marks}
        values_now = {name: {label: values[name][label]} for name in values_before if label in values.get(name, {})}
        if not values_now:
            raise BadInput(f"'{trial.name}' of the baseline was asked other questions", "write the baseline anew")
        change = compute_changes(values_now, {name: values_before[name] for name in values_now}, clusters)[label]
        verdicts.append(GateVerdict(trial.name, label, change, len(values_now)))
    return verdicts
