"""`POST /reindex/scan`, `POST /reindex/files` and `GET /reindex/status`: bringing the warehouse up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from dashboards.api.problems import documented
from dashboards.api.service import Service, Shared
from dashboards.background.records import IngestRun, OtherRun
from dashboards.placing import placed

router = APIRouter(prefix="/reindex", tags=["reindex"])
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


@router.post("/scan", status_code=202, responses=documented(400, 409, 422, 503))
def scan(service: Shared, response: Response, *, queue: Queue = False) -> IngestRun:
    """Look at all folders in the background and publish what is new, changed or gone."""
    return _started(service, (), response, queue=queue)


@router.post("/files", status_code=202, responses=documented(400, 409, 413, 422, 503))
def files(asked: Files, service: Shared, response: Response, *, queue: Queue = False) -> IngestRun:
    """Look at some files in the background; only files of the warehouse's own folders are read."""
    return _started(service, placed(service.settings, asked.files), response, queue=queue)


@router.get("/status")
def status(service: Shared) -> ReindexStatus:
    """Say how far the latest run is."""
    ingests = service.ingests
    return ReindexStatus(run=ingests.latest, queued=list(ingests.queued), other=ingests.other(service.settings))


def _started(service: Service, places: Sequence[Path], response: Response, *, queue: bool) -> IngestRun:
    begin = service.ingests.enqueue if queue else service.ingests.start
    run = begin(service.settings, places)
    response.headers["Location"] = STATUS
    return run
