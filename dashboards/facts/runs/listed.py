"""What runs cost, stage by stage, and how much of the work was known already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from warehouse.records import Run, StageCost


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a row. `kept` is whether its generation is still there."""

    generation: int
    published: datetime
    seconds: float
    documents: int
    chunks: int
    new: int
    changed: int
    gone: int
    model: str
    kept: bool


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage of a run.

    `worked` are the documents that it worked on. `spared` are those that it was not asked for, as what it makes of
    them was known; a file that cannot be read is neither once that is known.
    """

    generation: int
    stage: str
    worked: int
    spared: int
    seconds: float


def run_rows(runs: Iterable[Run], kept: Collection[int]) -> list[RunRow]:
    """The runs, the latest first; `kept` are the numbers of the generations that are still there."""
    return [_row(run, kept=run.generation in kept) for run in sorted(runs, key=lambda run: -run.generation)]


def stage_rows(runs: Iterable[Run]) -> list[StageRow]:
    """Each stage of each run, in order."""
    return [row for run in runs for row in _stages(run)]


def changed_settings(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """The settings that differ: name, then the value in each; None where there was no such setting yet."""
    names = sorted({*one, *other})
    return [(name, one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)]


def _row(run: Run, *, kept: bool) -> RunRow:
    return RunRow(
        generation=run.generation,
        published=run.visible_from,
        seconds=run.seconds,
        documents=run.documents,
        chunks=run.chunks,
        new=run.new,
        changed=run.changed,
        gone=run.gone,
        model=run.model,
        kept=kept,
    )


def _stages(run: Run) -> Iterator[StageRow]:
    costs = _worked(run)
    for place, cost in enumerate(costs):
        touched = run.new + run.changed - (_refused(costs) if place else 0)
        reached = max(touched, *(later.documents for later in costs[place:]))
        yield StageRow(run.generation, cost.stage, cost.documents, reached - cost.documents, cost.seconds)


def _refused(costs: Sequence[StageCost]) -> int:
    """Files that the first stage could not read: what it reads anew is new to the second as well."""
    return max(costs[0].documents - costs[1].documents, 0) if len(costs) > 1 else 0


def _worked(run: Run) -> list[StageCost]:
    """The stages that work on documents one by one; publishing is no such work."""
    return [cost for cost in run.stages if cost.stage != "publish"]
