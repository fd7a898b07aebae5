"""Endpoints that bring the warehouse up to date, those of their runs, and `GET /api/health`.

`POST /reindex/scan`, `POST /reindex/files`, `POST /api/reindex` (everything again), `GET /reindex/status`, and
`GET /api/runs` and `/api/runs/{id}`, also of uploads.
"""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter
from pydantic import ConfigDict, Field

from dashboards.api.problems import describe_error_responses
from dashboards.api.runtime import ApiService, Shared
from dashboards.assistant.answer_types import AnswerKind
from dashboards.assistant.service import is_model_available
from dashboards.background.runs import MAX_RUNS, IngestRun, OtherRun
from dashboards.serializers.problems import DocumentedModel, NotFound
from flows.roots import find_permitted_files
from warehouse.errors import NoWarehouse

router = APIRouter()
STATUS = "/reindex/status"
MAX_WAIT_SECONDS = 60.0  # Seconds that a request for a run may wait; proxies end requests after a minute or so.
POLL_SECONDS = 0.2  # Seconds between two looks at a run that is waited for.


class Files(DocumentedModel):
    """Files that were added, changed or removed."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"files": ["vault/Gaps.md"]}]})

    files: list[Annotated[str, Field(min_length=1, max_length=4096)]] = Field(min_length=1, max_length=1000)
    """Paths on this machine, or sources: the name of the source folder, and the path in that folder."""


class ReindexStatus(DocumentedModel):
    """Progress of the latest run of this server, and the other runs."""

    run: IngestRun | None
    queued: list[IngestRun] = Field(default=[])
    """Runs of this server that are waiting."""
    other: OtherRun | None = None
    """A run of another process that writes to the warehouse."""


Queue = Annotated[bool, Query(description="Wait for a running ingest, instead of failing with status 409.")]


@router.post("/reindex/scan", tags=["reindex"], status_code=202, responses=describe_error_responses(400, 409, 422, 503))
def scan(service: Shared, response: Response, *, queue: Queue = False) -> IngestRun:
    """Ingest new and changed files of all source folders in the background, and drop removed ones."""
    return _start_run(service, (), response, queue=queue)


@router.post(
    "/reindex/files", tags=["reindex"], status_code=202, responses=describe_error_responses(400, 409, 413, 422, 503)
)
def files(body: Files, service: Shared, response: Response, *, queue: Queue = False) -> IngestRun:
    """Ingest given files in the background; they must be in the source folders of the warehouse."""
    return _start_run(service, find_permitted_files(service.settings, body.files), response, queue=queue)


@router.post(
    "/api/reindex", tags=["reindex"], status_code=202, responses=describe_error_responses(400, 409, 413, 422, 503)
)
def reindex(service: Shared, response: Response, body: Files | None = None, *, queue: Queue = False) -> IngestRun:
    """Read all source folders again in the background, or the given files in them, changed or not."""
    places = find_permitted_files(service.settings, body.files) if body else ()
    return _start_run(service, places, response, queue=queue, again=True)


@router.get("/reindex/status", tags=["reindex"])
def status(service: Shared) -> ReindexStatus:
    """Return the progress of the latest run."""
    ingests = service.ingests
    return ReindexStatus(
        run=ingests.latest, queued=list(ingests.queued_runs), other=ingests.find_other_run(service.settings)
    )


def _start_run(
    service: ApiService, places: Sequence[Path], response: Response, *, queue: bool, again: bool = False
) -> IngestRun:
    begin = service.ingests.enqueue if queue else service.ingests.start
    run = begin(service.settings, places, again=again)
    response.headers["Location"] = STATUS
    return run


class Runs(DocumentedModel):
    """A page of the list of runs, the newest first."""

    total: int
    """Number of runs that are kept: the latest 200 that the HTTP API started."""
    runs: list[IngestRun]
    next_offset: int | None
    """The offset of the next page; null on the last page."""
    other: OtherRun | None = None
    """A run of another process that writes to the warehouse now; it has no id here."""


class RunQuery(DocumentedModel):
    """A page of the list of runs."""

    model_config = ConfigDict(extra="forbid")

    limit: int = Field(default=20, ge=1, le=MAX_RUNS)
    offset: int = Field(default=0, ge=0, le=2**31 - 1)


@router.get("/api/runs", tags=["runs"], responses=describe_error_responses(422))
def runs(parameters: Annotated[RunQuery, Query()], service: Shared) -> Runs:
    """List the runs that uploads and `reindex` requests started, also those of an earlier process of this server."""
    ids = service.ingests.list_ids()
    end = parameters.offset + parameters.limit
    page = map(service.ingests.find, ids[parameters.offset : end])
    return Runs(
        total=len(ids),
        runs=[run for run in page if run],
        next_offset=end if end < len(ids) else None,
        other=service.ingests.find_other_run(service.settings),
    )


@router.get("/api/runs/{run_id}", tags=["runs"], responses=describe_error_responses(404, 422))
async def run(
    run_id: Annotated[str, PathParameter(description="The id of the run.", max_length=100)],
    service: Shared,
    *,
    wait: Annotated[float, Query(ge=0, le=MAX_WAIT_SECONDS, description="Seconds to wait until the run is over.")] = 0,
) -> IngestRun:
    """Return a run: its state, stage and progress, and once it is over its report or problem.

    When it has `finished`, its documents can be searched, but for those that `documents` says why they failed.
    """
    end = monotonic() + min(wait, MAX_WAIT_SECONDS)
    while True:
        current_run = await to_thread.run_sync(service.ingests.find, run_id)
        if current_run is None:
            raise NotFound(f"there is no run {run_id!a}", "GET /api/runs lists the runs")
        if current_run.is_over or monotonic() >= end:
            return current_run
        await sleep(min(POLL_SECONDS, max(0.0, end - monotonic())))


class Fitness(StrEnum):
    """Whether there is a published warehouse to answer from."""

    OK = "ok"
    EMPTY = "empty"


class Health(DocumentedModel):
    """The state of the server and the published warehouse."""

    status: Fitness
    version: str
    """The version of Kalends."""
    answers: AnswerKind
    """How answers are made: by a language model, or as verbatim extracts if there is no key for one."""
    embedder: str
    """The embedding model of the settings, which embeds the questions."""
    model: str = ""
    """The embedding model of the published vectors."""
    generation: int | None = None
    published: datetime | None = None
    """When the generation was published; null if an older version of Kalends published it without a time."""
    run_started: datetime | None = None
    """When the run that published the generation started."""
    documents: int = 0
    """Number of files that could be read, including copies of papers."""
    chunks: int = 0
    ingesting: bool = False


@router.get("/api/health", tags=["health"], responses=describe_error_responses(500))
def health(service: Shared) -> Health:
    """Return the state of the server; it also answers before anything is ingested."""
    state = Health(
        status=Fitness.EMPTY,
        version=version("kalends"),
        answers=AnswerKind.MODEL if is_model_available(service.settings) else AnswerKind.EXTRACTS,
        embedder=service.settings.embed.model,
        ingesting=service.ingests.is_running,
    )
    try:
        catalogue = service.catalogue
    except NoWarehouse:
        return state
    latest = catalogue.runs[-1]
    return state.model_copy(
        update={
            "status": Fitness.OK,
            "model": latest.model,
            "generation": catalogue.generation,
            "published": latest.published,
            "run_started": latest.started,
            "documents": catalogue.counts.documents,
            "chunks": catalogue.counts.passages,
        }
    )
