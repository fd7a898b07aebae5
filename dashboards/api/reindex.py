"""`POST /reindex/scan`, `POST /reindex/files` and `GET /reindex/status`: bringing the warehouse up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from dashboards.api.problems import documented
from dashboards.api.service import Service, Shared
from dashboards.background.records import IngestRun
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
    """How far the latest run of this server is."""

    run: IngestRun | None


@router.post("/scan", status_code=202, responses=documented(400, 409, 503))
def scan(service: Shared, response: Response) -> IngestRun:
    """Look at all folders in the background and publish what is new, changed or gone."""
    return _started(service, (), response)


@router.post("/files", status_code=202, responses=documented(400, 409, 413, 422, 503))
def files(asked: Files, service: Shared, response: Response) -> IngestRun:
    """Look at some files in the background; only files of the warehouse's own folders are read."""
    return _started(service, placed(service.settings, asked.files), response)


@router.get("/status")
def status(service: Shared) -> ReindexStatus:
    """Say how far the latest run is."""
    return ReindexStatus(run=service.runs.latest)


def _started(service: Service, places: Sequence[Path], response: Response) -> IngestRun:
    run = service.runs.start(service.settings, places)
    response.headers["Location"] = STATUS
    return run
