"""What a run did, for people and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warehouse.records import StageCost


@dataclass(frozen=True, slots=True)
class IngestFailure:
    """A document of which a run could make no new version: `kept` in its last good one, or else left out.

    `stage` names that in which the program failed, and is empty where no parser can read the file.
    """

    source: str
    reason: str
    stage: str
    kept: bool


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The end of a run. `generation` is None when nothing changed and nothing was published.

    `unreadable` gives the reason of every document that is left out or kept in an old version, `failures` those that
    failed in this run and not in the same way before.
    `files` are the documents and those that no parser can read; `attachments`, no documents by their kind, come on top.
    `withheld` counts, by root, the documents that vanished and were kept, as too many of the root's went at once.
    """

    generation: int | None
    documents: int
    chunks: int
    counts: Mapping[str, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[IngestFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    withheld: Mapping[str, int] = field(default_factory=dict)
    files: int = 0
    attachments: int = 0
    stages: tuple[StageCost, ...] = ()
    seconds: float = 0.0

    @property
    def known_failures(self) -> int:
        """How many documents are left out or kept in an old version for a reason that an earlier run gave."""
        return len(self.unreadable) - len(self.failures)

    @property
    def is_complete(self) -> bool:
        """Whether nothing happened that somebody should look at: no new failure, and no loss that was held back."""
        return not (self.failures or self.withheld)

    @property
    def slowest(self) -> StageCost | None:
        """The stage that took longest."""
        return max(self.stages, key=lambda cost: cost.seconds, default=None)
