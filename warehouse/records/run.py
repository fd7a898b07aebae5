"""What ran, what it cost, and what it published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class StageCost:
    """What one stage did in a run: documents it worked on and wall seconds it took."""

    stage: str
    documents: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run that published `generation`. `settings` is their JSON; `started` is UTC; `flow_run` is Prefect's id."""

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
