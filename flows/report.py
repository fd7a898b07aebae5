"""What a run did, for people and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warehouse.records import StageCost


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a run. `generation` is None when nothing changed and nothing was published.

    `withheld` counts, by root, the documents that vanished and were kept, as too many of the root's went at once.
    """

    generation: int | None
    documents: int
    chunks: int
    counts: Mapping[str, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    withheld: Mapping[str, int] = field(default_factory=dict)
    stages: tuple[StageCost, ...] = ()
    seconds: float = 0.0

    @property
    def slowest(self) -> StageCost | None:
        """The stage that took longest."""
        return max(self.stages, key=lambda cost: cost.seconds, default=None)
