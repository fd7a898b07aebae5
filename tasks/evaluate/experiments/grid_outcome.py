"""Outcomes of a grid: its trials, the best with its cost, and the effect of each value of a dimension.

A value is compared with the first of its dimension over the pairs of configurations that differ in nothing else, with
each question's marks averaged over them. So its effect does not depend on the values it was combined with.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from tasks.evaluate.bootstrap import find_clusters
from tasks.evaluate.experiments.experiment import format_value, get_short_name
from tasks.evaluate.outcomes import Change, compute_changes
from warehouse.errors import BadInput
from warehouse.records import MeasuredMean, TrialQuestion, TrialRecord


@dataclass(frozen=True)
class TrialOutcome:
    """A trial under the name that its configuration has in the grid, with every question."""

    name: str
    record: TrialRecord
    questions: tuple[TrialQuestion, ...]

    @cached_property
    def measures(self) -> dict[str, MeasuredMean]:
        """Means and intervals by measure, the one that decides first."""
        return {measure.measure: measure for measure in self.record.measures}

    @property
    def cost(self) -> tuple[int, float]:
        """Bytes of the indexes, and the median milliseconds of a search."""
        return self.record.index_bytes, self.record.p50

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """The marks of each question by its name."""
        return {question.question: {mark.measure: mark.value for mark in question.marks} for question in self.questions}

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The cluster of each question by its name: those about one document are in one."""
        documents = ((question.question, [gold.document_id for gold in question.gold]) for question in self.questions)
        return find_clusters({question: [name for name in names if name] for question, names in documents})

    @cached_property
    def ranks(self) -> dict[str, int | None]:
        """The rank of the first hit that answers each question, from 1."""
        return {question.question: question.rank for question in self.questions}


@dataclass(frozen=True)
class GridOutcome:
    """The trials of a grid in its order, and by name why each of the others failed.

    `new_trials` is the number of trials made now; the others were stored.
    """

    exam: str
    documents: int
    trials: tuple[TrialOutcome, ...]
    failures: Mapping[str, str]
    new_trials: int = 0
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The measure that decides. Raises `BadInput` if every configuration failed."""
        if not self.trials:
            raise BadInput("no configuration could be tried", "correct what is said of each above")
        return next(iter(self.trials[0].measures))

    def rank_trials(self, measure: str = "") -> list[TrialOutcome]:
        """The trials, best first by a measure, the one that decides if none is named; of equals the cheaper first.

        The cheaper trial has smaller indexes, or, with equal ones, a faster search.
        """
        label = measure or self.measure
        return sorted(self.trials, key=lambda trial: (-trial.measures[label].mean, trial.cost))


def read_settings(record: TrialRecord) -> dict[str, Any]:
    """The value of every dimension by its full name."""
    return dict(_flatten_tree(json.loads(record.settings), ""))


def _flatten_tree(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flatten_tree(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def compute_change(after: TrialOutcome, before: TrialOutcome, measure: str) -> Change:
    """The change from one trial to another of the same questions, by a measure."""
    return compute_changes(_average_marks([after], measure), _average_marks([before], measure), after.clusters)[measure]


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
        """The additional median time of a search."""
        return self.best.record.p50 - self.cheapest.record.p50

    @property
    def bytes(self) -> int:
        """The additional size of the indexes."""
        return self.best.record.index_bytes - self.cheapest.record.index_bytes

    @property
    def vectors(self) -> int:
        """The number of additional texts that are embedded."""
        return self.best.record.vectors - self.cheapest.record.vectors


def compute_price(grid: GridOutcome, measure: str = "") -> Price:
    """The best of a grid and its price, by the measure that decides if none is named.

    A configuration is worse if the whole 95 % interval of its difference to the best is below 0.
    """
    label = measure or grid.measure
    best = grid.rank_trials(label)[0]
    gains = {trial.name: compute_change(best, trial, label) for trial in grid.trials}
    equally_good_trials = [trial for trial in grid.trials if gains[trial.name].low <= 0]
    cheapest = min(equally_good_trials, key=lambda trial: trial.cost)
    return Price(label, best, cheapest, gains)


@dataclass(frozen=True, slots=True)
class Effect:
    """A value of a dimension: the mean of a measure over `configurations`, and its change from the first value."""

    dimension: str
    value: str
    mean: float
    configurations: int
    change: Change | None


def compute_effects(trials: Sequence[TrialOutcome], measure: str) -> list[Effect]:
    """The effect of each value of every dimension that varies, in the order of the trials."""
    rows = [(trial, read_settings(trial.record)) for trial in trials]
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    varied_names = [name for name in names if len({_to_key(row[name]) for _, row in rows if name in row}) > 1]
    return [effect for name in varied_names for effect in _iter_effects(name, rows, measure)]


def _iter_effects(name: str, rows: Sequence[tuple[TrialOutcome, Mapping[str, Any]]], measure: str) -> Iterator[Effect]:
    groups: defaultdict[str, dict[str, TrialOutcome]] = defaultdict(dict)
    for trial, row in rows:
        groups[_to_key({**row, name: None})][_to_key(row[name])] = trial
    values = {_to_key(row[name]): row[name] for _, row in rows if name in row}
    first = next(iter(values))
    groups_with_first = [group for group in groups.values() if first in group and len(group) > 1]
    for key, value in values.items():
        groups_with_value = [group for group in groups_with_first if key in group]
        if groups_with_value:
            marks, first_marks = (
                _average_marks([group[key_value] for group in groups_with_value], measure) for key_value in (key, first)
            )
            mean = fmean(mark[measure] for mark in marks.values())
            clusters = groups_with_first[0][first].clusters
            change = None if key == first else compute_changes(marks, first_marks, clusters)[measure]
            yield Effect(get_short_name(name), format_value(value, name), mean, len(groups_with_value), change)


def _average_marks(trials: Sequence[TrialOutcome], measure: str) -> dict[str, dict[str, float]]:
    """Each question's mean mark over some configurations; questions that not all of them judge are left out."""
    names = [name for name, marks in trials[0].values.items() if measure in marks]
    common_names = [name for name in names if all(measure in trial.values[name] for trial in trials)]
    return {name: {measure: fmean(trial.values[name][measure] for trial in trials)} for name in common_names}


def _to_key(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class GridFindings:
    """The trials of a grid, the best with its price, and the effect of each value of a dimension.

    There is no price if every configuration failed.
    """

    grid: GridOutcome
    price: Price | None
    effects: Sequence[Effect]


def compute_findings(grid: GridOutcome) -> GridFindings:
    """The findings from the trials of a grid, by the measure that decides."""
    if not grid.trials:
        return GridFindings(grid, None, ())
    return GridFindings(grid, compute_price(grid), compute_effects(grid.trials, grid.measure))


def list_varied_values(grid: GridOutcome) -> dict[str, dict[str, str]]:
    """The formatted values of the dimensions that differ between trials, by the trial's name."""
    rows = {trial.name: read_settings(trial.record) for trial in grid.trials}
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    varied_names = {name for name in names if len({format_value(row.get(name), name) for row in rows.values()}) > 1}
    return {
        trial: {get_short_name(name): format_value(row.get(name), name) for name in names if name in varied_names}
        for trial, row in rows.items()
    }
