"""What runs in the background as far as it is, in the shape that the API tells and the dashboard draws."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

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
    attachments: int = 0
    """How many pictures, recordings and boards lie in its vaults beside the documents."""
    warnings: list[str]
    stages: list[StageShape]
    seconds: float


class BackgroundRun(BaseModel):
    """A run of any kind, as far as it is, with the ingest that it makes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    state: State = State.RUNNING
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
    report: BaseModel | None = None
    """What it came to."""
    problem: Problem | None = None

    def heard(self, told: Mapping[str, Any]) -> Self:
        """The run after its process has told new values of some fields."""
        return type(self).model_validate({**self.model_dump(), **told})


class IngestRun(BackgroundRun):
    """An ingest."""

    files: list[str]
    """What it looks at; nothing named means every declared folder."""
    drop: list[str] = []
    """The roots that it forgets with all their documents."""
    report: ReportShape | None = None


class GridShape(BaseModel):
    """What a grid came to."""

    exam: str
    trials: list[str]
    """The ids of the trials of its configurations."""
    asked: int
    """How many of them were made now."""
    failed: dict[str, str]
    """Why a configuration could not be tried, by its name."""
    notes: list[str]


class GridRun(BackgroundRun):
    """A grid of experiments."""

    configurations: dict[str, str]
    """What was last told of each."""
    report: GridShape | None = None

    def heard(self, told: Mapping[str, Any]) -> Self:
        """What is told of some configurations leaves the others as they were."""
        said = {**self.configurations, **told.get("configurations", {})}
        return super().heard({**told, "configurations": said})
