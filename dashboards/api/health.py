"""`GET /api/health`."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from importlib.metadata import version

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from dashboards.api.problems import documented
from dashboards.api.service import Shared
from dashboards.assistant.answer_types import AnswerKind
from dashboards.assistant.service import available
from warehouse.errors import NoWarehouse

router = APIRouter(tags=["health"])


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


@router.get("/api/health", responses=documented(500))
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
