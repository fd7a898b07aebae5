"""What ran, what it cost, and what it published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class StageCost:
    """What one stage did in a run: documents it worked on and wall seconds it took."""

    stage: str
    documents: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run that published `generation`. `settings` is their JSON; `started` is UTC; `flow_run` is Prefect's id.

    `seconds` are those from the start to the first step of publishing. `published` is the moment (UTC) of publishing;
    runs of older programs did not note it.
    """

    generation: int
    flow_run: str
    started: datetime
    seconds: float
    settings: str
    model: str
    documents: int
    chunks: int
    new: int
    changed: int
    gone: int
    stages: tuple[StageCost, ...] = ()
    published: datetime | None = None

    @property
    def visible_from(self) -> datetime:
        """Since when readers see its generation; of a run that did not note it, since when they can do so."""
        return self.published or self.started + timedelta(seconds=self.seconds)
