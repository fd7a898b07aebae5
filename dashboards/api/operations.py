"""Endpoints that bring the warehouse up to date, and `GET /api/health`.

`POST /reindex/scan`, `POST /reindex/files` and `GET /reindex/status`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from dashboards.api.problems import error_responses
from dashboards.api.runtime import ApiService, Shared
from dashboards.assistant.answer_types import AnswerKind
from dashboards.assistant.service import available
from dashboards.background.runs import IngestRun, OtherRun
from dashboards.file_access import permitted_files
from warehouse.errors import NoWarehouse

router = APIRouter()
STATUS = "/reindex/status"


class Files(BaseModel):
    """Files that have come, changed or gone."""

    model_config = ConfigDict(
        extra="forbid", use_attribute_docstrings=True, json_schema_extra={"examples": [{"files": ["vault/Gaps.md"]}]}
    )

    files: list[Annotated[str, Field(min_length=1, max_length=4096)]] = Field(min_length=1, max_length=1000)
    """Each by its path on this machine, or by its source: its root's name and its path in it."""


class ReindexStatus(BaseModel):
    """How far the latest run of this server is, and what else is to come or goes on."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    run: IngestRun | None
    queued: list[IngestRun] = []
    """The runs of this server that wait for their turn."""
    other: OtherRun | None = None
    """What another process does that writes to the warehouse."""


Queue = Annotated[bool, Query(description="Wait for a run that goes on, instead of being refused with 409.")]


@router.post("/reindex/scan", tags=["reindex"], status_code=202, responses=error_responses(400, 409, 422, 503))
def scan(service: Shared, response: Response, *, queue: Queue = False) -> IngestRun:
    """Look at all folders in the background and publish what is new, changed or gone."""
    return _started(service, (), response, queue=queue)


@router.post("/reindex/files", tags=["reindex"], status_code=202, responses=error_responses(400, 409, 413, 422, 503))
def files(asked: Files, service: Shared, response: Response, *, queue: Queue = False) -> IngestRun:
    """Look at some files in the background; only files of the warehouse's own folders are read."""
    return _started(service, permitted_files(service.settings, asked.files), response, queue=queue)


@router.get("/reindex/status", tags=["reindex"])
def status(service: Shared) -> ReindexStatus:
    """Say how far the latest run is."""
    ingests = service.ingests
    return ReindexStatus(run=ingests.latest, queued=list(ingests.queued), other=ingests.other(service.settings))


def _started(service: ApiService, places: Sequence[Path], response: Response, *, queue: bool) -> IngestRun:
    begin = service.ingests.enqueue if queue else service.ingests.start
    run = begin(service.settings, places)
    response.headers["Location"] = STATUS
    return run


class Fitness(StrEnum):
    """Whether there is something to answer from."""

    OK = "ok"
    EMPTY = "empty"


class Health(BaseModel):
    """What answers here."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    status: Fitness
    version: str
    """Of Kalends."""
    answers: AnswerKind
    """Who writes answers: a language model, or nobody where there is no key for one."""
    embedder: str
    """The model of the settings that reads questions."""
    model: str = ""
    """The model that the published vectors are of."""
    generation: int | None = None
    published: datetime | None = None
    """When the generation was published; none where an older program did that, which did not note it."""
    run_started: datetime | None = None
    """When the run that published it began."""
    documents: int = 0
    """Files that were read, copies of papers too."""
    chunks: int = 0
    ingesting: bool = False


@router.get("/api/health", tags=["health"], responses=error_responses(500))
def health(service: Shared) -> Health:
    """Say what is published, and whether it can answer; there need not be a warehouse yet."""
    known = Health(
        status=Fitness.EMPTY,
        version=version("kalends"),
        answers=AnswerKind.MODEL if available(service.settings) else AnswerKind.EXTRACTS,
        embedder=service.settings.embed.model,
        ingesting=service.ingests.running,
    )
    try:
        held = service.catalogue
    except NoWarehouse:
        return known
    latest = held.runs[-1]
    return known.model_copy(
        update={
            "status": Fitness.OK,
            "model": latest.model,
            "generation": held.generation,
            "published": latest.published,
            "run_started": latest.started,
            "documents": held.readable,
            "chunks": held.chunks,
        }
    )
