"""What a grid found: its trials, what failed, and how two of them compare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tasks.evaluate.outcomes import Change
from tasks.evaluate.significance import changes
from warehouse.errors import BadInput
from warehouse.records import Measured, TrialQuestion, TrialRecord


@dataclass(frozen=True)
class TrialOutcome:
    """A trial under the name that its configuration has in the grid, with every question."""

    name: str
    record: TrialRecord
    questions: tuple[TrialQuestion, ...]

    @cached_property
    def measures(self) -> dict[str, Measured]:
        """Means and intervals by measure, the one that decides first."""
        return {each.measure: each for each in self.record.measures}

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """The marks of each question by its name."""
        return {each.question: {mark.measure: mark.value for mark in each.marks} for each in self.questions}

    @cached_property
    def ranks(self) -> dict[str, int | None]:
        """The rank of the first hit that answers each question, from 1."""
        return {each.question: each.rank for each in self.questions}


@dataclass(frozen=True)
class GridOutcome:
    """The trials of a grid in its order, and why each of the others failed, by name.

    `asked` of the trials were made now, the others were kept.
    """

    exam: str
    documents: int
    trials: tuple[TrialOutcome, ...]
    failed: Mapping[str, str]
    asked: int = 0
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The measure that decides. Raises `BadInput` where every configuration failed."""
        if not self.trials:
            raise BadInput("no configuration could be tried", "correct what is said of each above")
        return next(iter(self.trials[0].measures))

    def ranked(self, measure: str = "") -> list[TrialOutcome]:
        """The best first by a measure, the one that decides if none is named; of equals the cheaper."""
        label = measure or self.measure
        return sorted(self.trials, key=lambda each: (-each.measures[label].mean, each.record.index_bytes))


def settings_of(record: TrialRecord) -> dict[str, Any]:
    """The value of every dimension by its whole name."""
    return dict(_flat(json.loads(record.settings), ""))


def _flat(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def change(after: TrialOutcome, before: TrialOutcome, measure: str) -> Change:
    """From one trial to another of the same questions, by a measure."""
    found = changes(_only(after, measure), _only(before, measure))
    return found[measure]


def _only(outcome: TrialOutcome, measure: str) -> dict[str, dict[str, float]]:
    return {name: {measure: marks[measure]} for name, marks in outcome.values.items() if measure in marks}
