"""`POST /api/query` and `POST /api/query/stream`: answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, Field, StrictBool
from pydantic.config import JsonDict

from dashboards.api.answers import QueryAnswer, refuse
from dashboards.api.events import EVENTS, MEDIA_TYPE, streamed
from dashboards.api.problems import documented
from dashboards.api.search_body import SearchBody
from dashboards.api.service import Service, Shared
from dashboards.assistant.answer_types import Event, Tell
from dashboards.assistant.answers import answer
from dashboards.assistant.service import available
from dashboards.assistant.sessions import Session
from dashboards.assistant.tools.contract import ToolContext
from dashboards.serializers.problems import NotFound
from warehouse.errors import BadInput
from warehouse.records import SearchRequest

router = APIRouter(prefix="/api/query", tags=["query"])
_EVENTS: dict[str, Any] = {
    MEDIA_TYPE: {
        "schema": {
            "type": "object",
            "properties": {
                "event": {"enum": EVENTS},
                "data": {"type": "string", "contentMediaType": "application/json"},
            },
        }
    }
}
ORDER = "session first, then calling, call, source, piece and again as they come, answer last or problem in its place"
WHOLE = f"The answer, or its events: {ORDER}"
EXAMPLE: JsonDict = {"query": "What was the revenue in Q2 2025?", "kinds": ["report"], "since": "2025-07-01"}
_PROBLEMS = documented(400, 404, 413, 422, 503)


class QueryRequest(SearchBody):
    """A question, and what it goes on from."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    session_id: str | None = Field(default=None, max_length=100)
    """The session of the answer that it goes on from; none for a new one."""
    extracts_only: StrictBool = False
    """Whether the documents are to speak themselves, word for word, even where there is a model."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A question with all that its answer needs."""

    context: ToolContext
    wanted: SearchRequest
    session: Session
    extracts_only: bool

    def answered(self, tell: Tell) -> QueryAnswer:
        found = answer(
            self.context, self.wanted, self.session, tell=tell, permit=refuse, extracts_only=self.extracts_only
        )
        return QueryAnswer.of(found, self.session.id)


@router.post(
    "",
    response_model=QueryAnswer,
    responses={200: {"description": WHOLE, "content": _EVENTS}, **_PROBLEMS},
)
async def query(
    asked: QueryRequest,
    service: Shared,
    accept: Annotated[str, Header(description="text/event-stream for the streamed form.")] = "",
) -> QueryAnswer | StreamingResponse:
    """Answer a question with sources; as server-sent events where the client accepts those."""
    ready = await _ready(asked, service)
    if MEDIA_TYPE in accept:
        return _streamed(ready, service)
    return await _answered(ready, service, _silent)


@router.post(
    "/stream",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": ORDER,
            "content": _EVENTS,
        },
        **_PROBLEMS,
    },
)
async def stream(asked: QueryRequest, service: Shared) -> StreamingResponse:
    """Answer a question with sources, as server-sent events."""
    return _streamed(await _ready(asked, service), service)


async def _ready(asked: QueryRequest, service: Service) -> _Ready:
    """What can be refused is refused before anything is answered."""

    def made() -> _Ready:
        context = service.held_desk()
        return _Ready(context, asked.request(context), _session(service, asked.session_id), asked.extracts_only)

    return await service.searching(made)


def _session(service: Service, name: str | None) -> Session:
    if name is None:
        return service.sessions.new()
    try:
        return service.sessions.open(name)
    except BadInput as error:
        raise NotFound(error.problem, "leave session_id out to begin a new one") from None


def _streamed(ready: _Ready, service: Service) -> StreamingResponse:
    return streamed(lambda tell: _answered(ready, service, tell), ready.session.id)


async def _answered(ready: _Ready, service: Service, tell: Tell) -> QueryAnswer:
    """Extracts compute, as searches do; a model lets wait."""
    computes = ready.extracts_only or not available(service.settings)
    return await (service.searching if computes else service.answering)(lambda: ready.answered(tell))


def _silent(event: Event) -> None:
    """Nobody listens before the end."""
