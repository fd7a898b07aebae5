"""Background runs as far as they are, in the shape that the API returns and the dashboard draws."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from dashboards.serializers.problems import Problem
from flows.progress import DocumentState


class State(StrEnum):
    """How far a run is: `queued` waits for another run, of this server or of another process."""

    QUEUED = "queued"
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
    """How many pictures, recordings, archives and programs lie in its folders beside the files."""
    warnings: list[str]
    stages: list[StageShape]
    seconds: float


class BackgroundRun(BaseModel):
    """A run of any kind, as far as it is, with the ingest that it makes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    state: State = State.RUNNING
    started: datetime
    """When it began, or was asked for as long as it is queued."""
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

    def updated(self, fields: Mapping[str, Any]) -> Self:
        """The run after its process has printed new values of some fields."""
        return type(self).model_validate({**self.model_dump(), **fields})


class WorkedDocument(BaseModel):
    """A document that an ingest works on."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    source: str
    state: DocumentState
    action: str = ""
    """What the plan does with it: new, changed, unchanged and so on."""
    stage: str = ""
    """The stage that works on it or, of a waiting document, the last that is done with it."""
    reason: str = ""
    """Why it failed, with the cure."""


class IngestRun(BackgroundRun):
    """An ingest."""

    files: list[str]
    """What it looks at; nothing named means every declared folder."""
    drop: list[str] = []
    """The roots that it forgets with all their documents."""
    documents: list[WorkedDocument] = []
    """Some of the documents that it works on, those that failed first."""
    unlisted: int = 0
    """How many others it works on."""
    report: ReportShape | None = None


class OtherRun(BaseModel):
    """What another process that writes to the warehouse does."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    holder: str
    """The process."""
    origin: str = ""
    """What began it, like `kalends ingest`; empty where that is not known."""
    run: IngestRun | None = None
    """Its ingest; none for any other work, or one that has not begun to plan."""


class GridReport(BaseModel):
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
    """What was last printed of each."""
    report: GridReport | None = None

    def updated(self, fields: Mapping[str, Any]) -> Self:
        """What is printed of some configurations leaves the others as they were."""
        configurations = {**self.configurations, **fields.get("configurations", {})}
        return super().updated({**fields, "configurations": configurations})
