"""What a run did, for people and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warehouse.records import StageCost


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a run. `generation` is None when nothing changed and nothing was published."""

    generation: int | None
    documents: int
    chunks: int
    counts: Mapping[str, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    stages: tuple[StageCost, ...] = ()
    seconds: float = 0.0

    @property
    def slowest(self) -> StageCost | None:
        """The stage that took longest."""
        return max(self.stages, key=lambda cost: cost.seconds, default=None)
