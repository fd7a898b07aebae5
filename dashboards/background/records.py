"""A background ingest as far as it is, in the shape that the API tells and the dashboard draws."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from dashboards.shapes.problems import Problem


class State(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


class StageShape(BaseModel):
    """What a stage cost."""

    stage: str
    documents: int
    seconds: float


class ReportShape(BaseModel):
    """What a run did."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    generation: int | None
    """The generation that it published; none where nothing changed."""
    documents: int
    chunks: int
    counts: dict[str, int]
    unreadable: dict[str, str]
    """The reason by source, for each file that cannot be read."""
    warnings: list[str]
    stages: list[StageShape]
    seconds: float


class IngestRun(BaseModel):
    """A run, as far as it is."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    state: State = State.RUNNING
    files: list[str]
    """What it looks at; nothing named means every declared folder."""
    drop: list[str] = []
    """The roots that it forgets with all their documents."""
    started: datetime
    finished: datetime | None = None
    note: str = ""
    """What it waits for before it begins."""
    plan: dict[str, int] = {}
    """How many documents are new, changed, gone and so on."""
    stages: list[StageShape] = []
    """The stages that are done."""
    stage: str = ""
    """The one that is worked on."""
    done: int = 0
    """How many documents the stage has worked on, of `of`."""
    of: int = 0
    report: ReportShape | None = None
    problem: Problem | None = None
