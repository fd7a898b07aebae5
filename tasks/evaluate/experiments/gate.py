"""A gate for whoever changes something: no configuration may be worse than it was, beyond the luck of the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tasks.evaluate.json_files import whole
from tasks.evaluate.outcomes import Change, Values, changes
from warehouse.errors import BadInput


@dataclass(frozen=True, slots=True)
class Before:
    """A configuration as it was: its means, the measure that decides first, and the marks of each question."""

    name: str
    means: dict[str, float]
    values: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class _Baseline:
    trials: list[Before]


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


def baseline(file: Path) -> list[Before]:
    """What `kalends evaluate --json` printed into a file. Raises `BadInput` where it is something else."""
    try:
        return TypeAdapter(_Baseline).validate_python(whole(file)).trials
    except ValidationError:
        raise BadInput(f"{file} is not a baseline", "write one with 'kalends evaluate … --json > FILE'") from None


def verdicts(before: Sequence[Before], trials: Mapping[str, Values]) -> list[GateVerdict]:
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
        change = changes(same, {name: then[name] for name in same})[label]
        found.append(GateVerdict(each.name, label, change, len(same)))
    return found
