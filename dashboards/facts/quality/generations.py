"""How quality went over the generations that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warehouse.reader import Warehouse
from warehouse.records import Severity
from warehouse.store.generations import retained

_COUNTS = "SELECT severity, count(*) FROM findings GROUP BY severity"
_MEAN = "SELECT sum(quality_score * size) / nullif(sum(size), 0), count(*) FROM chunks"
MOST_GENERATIONS = 12
"""The latest generations are looked at: each is opened for it."""


@dataclass(frozen=True, slots=True)
class GenerationQuality:
    """A generation's mean score (None without passages), its passages, and its findings by severity."""

    generation: int
    mean: float | None
    passages: int
    findings: dict[str, int]


def list_generations(warehouse: Warehouse) -> list[int]:
    """The numbers of the latest generations that are kept, oldest first."""
    published = {run.generation for run in warehouse.runs()}
    found = (int(folder.name) for folder in retained(warehouse.layout))
    return [number for number in found if number in published][-MOST_GENERATIONS:]


def summarize_generation(warehouse: Warehouse) -> GenerationQuality:
    """How a generation, that of `warehouse`, stands."""
    snapshot = warehouse.snapshot
    ((mean, passages),) = snapshot.rows(_MEAN)
    counted = dict(snapshot.rows(_COUNTS))
    by_severity = {severity.value: int(counted.get(severity, 0)) for severity in Severity}
    return GenerationQuality(warehouse.generation, None if mean is None else round(mean, 4), int(passages), by_severity)


def generation_rows(standings: Sequence[GenerationQuality]) -> list[dict[str, object]]:
    """Each as a row of a table."""
    return [{"generation": s.generation, "score": s.mean, "passages": s.passages, **s.findings} for s in standings]
