"""What each value of a dimension is worth, all else being equal: the ablation of a grid.

A value is compared with the first of its dimension over the pairs of configurations that are alike in all else, each
question's marks being averaged over them; so no value is praised for the company it kept.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.grid import value_text
from tasks.evaluate.experiments.outcome import TrialOutcome, settings_of
from tasks.evaluate.outcomes import Change
from tasks.evaluate.significance import changes


@dataclass(frozen=True, slots=True)
class Effect:
    """A value of a dimension: the mean of a measure over `configurations`, and its change from the first value."""

    dimension: str
    value: str
    mean: float
    configurations: int
    change: Change | None


def effects(trials: Sequence[TrialOutcome], measure: str) -> list[Effect]:
    """Of every dimension that varies, value by value in the order of the trials."""
    rows = [(each, settings_of(each.record)) for each in trials]
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    varied = [name for name in names if len({_key(row[name]) for _, row in rows if name in row}) > 1]
    return [effect for name in varied for effect in _of(name, rows, measure)]


def _of(name: str, rows: Sequence[tuple[TrialOutcome, Mapping[str, Any]]], measure: str) -> Iterator[Effect]:
    groups: defaultdict[str, dict[str, TrialOutcome]] = defaultdict(dict)
    for trial, row in rows:
        groups[_key({**row, name: None})][_key(row[name])] = trial
    values = {_key(row[name]): row[name] for _, row in rows if name in row}
    first = next(iter(values))
    paired = [group for group in groups.values() if first in group and len(group) > 1]
    for key, value in values.items():
        same = [group for group in paired if key in group]
        if same:
            marks, before = (_averaged([group[each] for group in same], measure) for each in (key, first))
            mean = fmean(each[measure] for each in marks.values())
            change = None if key == first else changes(marks, before)[measure]
            yield Effect(short(name), value_text(value), mean, len(same), change)


def _averaged(trials: Sequence[TrialOutcome], measure: str) -> dict[str, dict[str, float]]:
    """Each question's mark over some configurations; those that not all of them judge are left out."""
    names = [name for name, marks in trials[0].values.items() if measure in marks]
    asked = [name for name in names if all(measure in trial.values[name] for trial in trials)]
    return {name: {measure: fmean(trial.values[name][measure] for trial in trials)} for name in asked}


def _key(value: object) -> str:
    return json.dumps(value, sort_keys=True)
