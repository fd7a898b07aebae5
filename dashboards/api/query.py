"""Endpoints that take a question: `POST /api/search`, and `POST /api/query` and `/api/query/stream` for answers.

`GET /api/suggestions` gives questions that the documents answer.

An answer is sent whole, or as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) while
it is made:

session   {"session_id"}            first
calling   {"name", "given"}         a tool is about to be called
call      CallShape                 the tool was called
progress  {"text"}                  a description of the current step
source    SourceShape               a source that is cited for the first time
piece     {"text"}                  the next part of the answer's text
again     {"why"}                   discard the text so far: it is sent again
answer    QueryAnswer               last: the complete answer
problem   Problem                   last, instead of an answer, if there is none
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    StrictBool,
    create_model,
    model_validator,
)
from pydantic.config import JsonDict
from pydantic_core import to_json

from dashboards.api.problems import describe_error_responses
from dashboards.api.response_models import CallShape, HitShape, QueryAnswer, SourceShape, Understood
from dashboards.api.runtime import ApiService, Shared
from dashboards.assistant.answer_types import AnswerEvent, AnswerSource, EventHandler, ToolCall, refuse_writes
from dashboards.assistant.answers import answer
from dashboards.assistant.service import is_model_available
from dashboards.assistant.sessions import Session
from dashboards.assistant.suggestions.suggested_questions import MAX_QUESTIONS, SuggestionKind
from dashboards.assistant.tools.contract import ToolContext
from dashboards.serializers.answer_json import serialize_event
from dashboards.serializers.problems import DocumentedModel, NotFound, make_internal_problem, to_problem
from dashboards.serializers.search_request import WHOLE as WHOLE_NUMBER
from dashboards.serializers.search_request import (
    build_input_fields,
    parse_filters,
    parse_ranking,
    rename_earlier_fields,
)
from dashboards.serializers.search_results import serialize_hit, serialize_question
from tasks.ask.excerpts import with_excerpts
from tasks.query.filter_values import resolve_filter_names
from tasks.query.retrieval import find
from warehouse.errors import BadInput, KalendsError
from warehouse.journal import record_internal_error
from warehouse.records import SearchRequest
from warehouse.records.search_request import FILTER_FIELDS, LITERAL_TERMS, RANKING_FIELDS, RequestField

MEDIA_TYPE = "text/event-stream"
EVENTS = ["session", "calling", "call", "progress", "source", "piece", "again", "answer", "problem"]
QUIET_SECONDS = 15.0  # Seconds without an event after which a comment is sent, so that no proxy closes the connection.
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
ORDER = "first session, then calling, call, source, piece and again in any order, last answer, or problem instead of it"
WHOLE = f"The answer, or the events: {ORDER}"
QUERY_EXAMPLE: JsonDict = {"query": "What was the revenue in Q2 2025?", "kinds": ["report"], "since": "2025-07-01"}
_PROBLEMS = describe_error_responses(400, 404, 413, 422, 503)
SEARCH_EXAMPLE: JsonDict = {
    "query": "nitrate drift of moored sensors",
    "kinds": ["paper"],
    "min_year": 2020,
    "boxes": True,
}
_LOG = logging.getLogger("kalends.api")
router = APIRouter()


_QUESTION_FIELDS = {**FILTER_FIELDS, "literal_terms": LITERAL_TERMS}


class _Body(DocumentedModel):
    """A model that also reads the earlier names of its fields, and keeps a notice for each."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    declarations: ClassVar[Mapping[str, RequestField]]
    _notices: list[str] = PrivateAttr(default_factory=list)

    @model_validator(mode="wrap")
    @classmethod
    def _rename_earlier_fields(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(values, dict):
            return handler(values)
        try:
            current, notices = rename_earlier_fields(values, cls.declarations)
        except BadInput as error:
            raise ValueError(str(error)) from None
        body = handler(current)
        body._notices.extend(notices)
        return body

    def get_given_values(self) -> dict[str, Any]:
        """The values that the request has, by field name."""
        return {name: getattr(self, name) for name in self.declarations if name in self.model_fields_set}


class _RankingBody(_Body):
    declarations = RANKING_FIELDS


class _FilterBody(_Body):
    declarations = _QUESTION_FIELDS


if TYPE_CHECKING:
    RankingBody = _RankingBody
    FilterBody = _FilterBody
else:
    RankingBody = create_model(
        "RankingBody",
        __base__=_RankingBody,
        __doc__="How passages are ranked: each part can be left out or changed.",
        **build_input_fields(RANKING_FIELDS),
    )
    FilterBody = create_model("FilterBody", __base__=_FilterBody, **build_input_fields(_QUESTION_FIELDS))


class SearchBody(FilterBody):
    """A question with all that can be demanded of what is found; of several values of a field one is enough."""

    query: str = Field(min_length=1, max_length=10_000, examples=["What was the revenue in Q2 2025?"])
    """The question, in words; the times and names in it count."""
    count: Annotated[int, Field(ge=1, le=50, strict=True), WHOLE_NUMBER] = 5
    """How many passages."""
    ranking: RankingBody = RankingBody()

    def build_request(self, context: ToolContext) -> SearchRequest:
        """The search request of the body, with the names in its filters resolved.

        Raises `BadInput` for words that name no time, and `UnknownDocument`.
        """
        values = self.get_given_values()
        terms = tuple(values.pop("literal_terms", ()))
        filters, ranking = parse_filters(values, context.today), parse_ranking(self.ranking.get_given_values())
        request = resolve_filter_names(
            context.warehouse, SearchRequest(self.query, filters, ranking, self.count, terms)
        )
        return replace(request, notes=(*request.notes, *self._notices, *self.ranking._notices))


class QueryRequest(SearchBody):
    """A question, alone or in a session."""

    model_config = ConfigDict(json_schema_extra={"examples": [QUERY_EXAMPLE]})

    session_id: str | None = Field(default=None, max_length=100)
    """The session that the question continues; null for a new session."""
    extracts_only: StrictBool = False
    """Whether to answer with verbatim extracts, without the language model."""


class _PreparedQuery(NamedTuple):
    """A checked question: the id of its session, and the function that answers it in a thread."""

    session_id: str
    make_answer: Callable[[EventHandler], Awaitable[QueryAnswer]]


@router.post(
    "/api/query",
    tags=["query"],
    response_model=QueryAnswer,
    responses={200: {"description": WHOLE, "content": _EVENTS}, **_PROBLEMS},
)
async def query(
    body: QueryRequest,
    service: Shared,
    accept: Annotated[str, Header(description="text/event-stream for the streamed form.")] = "",
) -> QueryAnswer | StreamingResponse:
    """Answer a question with sources; as server-sent events if the client accepts them."""
    ready = await _prepare(body, service)
    return _stream_answer(ready) if MEDIA_TYPE in accept else await ready.make_answer(lambda event: None)


@router.post(
    "/api/query/stream",
    tags=["query"],
    response_class=StreamingResponse,
    responses={200: {"description": ORDER, "content": _EVENTS}, **_PROBLEMS},
)
async def stream(body: QueryRequest, service: Shared) -> StreamingResponse:
    """Answer a question with sources, as server-sent events."""
    return _stream_answer(await _prepare(body, service))


async def _prepare(body: QueryRequest, service: ApiService) -> _PreparedQuery:
    """Check the request; every error of the request is raised here, before the answer starts.

    Extracts are made by the threads of searches, answers of a model by threads of their own.
    """

    def prepare() -> tuple[ToolContext, SearchRequest, Session]:
        context = service.make_snapshot_context()
        request = body.build_request(context)
        try:
            session = (
                service.sessions.start_session()
                if body.session_id is None
                else service.sessions.open_session(body.session_id)
            )
        except BadInput as error:
            raise NotFound(error.problem, "leave session_id out to start a new session") from None
        return context, request, session

    context, request, session = await service.run_search(prepare)
    only = body.extracts_only

    def make_answer(on_event: EventHandler) -> QueryAnswer:
        result = answer(context, request, session, on_event=on_event, ask_permission=refuse_writes, extracts_only=only)
        return QueryAnswer.from_answer(result, session.id)

    run = service.run_search if only or not is_model_available(service.settings) else service.run_answer
    return _PreparedQuery(session.id, lambda on_event: run(partial(make_answer, on_event)))


class SearchParameters(SearchBody):
    """A question to search for, and options of the results."""

    model_config = ConfigDict(json_schema_extra={"examples": [SEARCH_EXAMPLE]})

    excerpts: StrictBool = True
    """Whether to find the part of each passage that answers, which takes longer than the search itself."""
    boxes: StrictBool = False
    """Whether each hit has the position on the page of that part, or otherwise of the passage."""


class SearchAnswer(DocumentedModel):
    """The passages that answer the question best."""

    question: str
    understood: Understood
    notes: list[str]
    """Differences between the question and what was searched for, one sentence each."""
    hits: list[HitShape]
    generation: int
    """The number of the generation that was searched."""


@router.post("/api/search", tags=["search"], responses=describe_error_responses(400, 404, 413, 422, 503))
async def search(body: SearchParameters, service: Shared) -> SearchAnswer:
    """Find the passages that answer a question best, each with its citation and the part of it that answers."""
    return await service.run_search(lambda: _search(body, service.make_snapshot_context()))


def _search(body: SearchParameters, context: ToolContext) -> SearchAnswer:
    result = find(
        context.warehouse, body.build_request(context), context.embedder, context.today, context.settings.rerank
    )
    hits = with_excerpts(result.question, result.hits, context.embedder) if body.excerpts else result.hits
    shapes = []
    for hit in hits:
        span = hit.excerpt or (hit.start, hit.end)
        regions = context.warehouse.read_regions(hit.document_id, *span) if body.boxes else ()
        shapes.append(HitShape.model_validate({**serialize_hit(hit), "regions": regions}, from_attributes=True))
    return SearchAnswer(
        question=body.query,
        understood=serialize_question(result.question),
        notes=list(result.notes),
        hits=shapes,
        generation=context.warehouse.generation,
    )


class ClientGone(Exception):
    """The client has disconnected; ends the work on its answer."""


def _stream_answer(ready: _PreparedQuery) -> StreamingResponse:
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(_stream_events(ready), media_type=MEDIA_TYPE, headers=headers)


async def _stream_events(ready: _PreparedQuery) -> AsyncIterator[bytes]:
    """The events of an answer, which may come from any thread."""
    loop, events, closed_flag = asyncio.get_running_loop(), asyncio.Queue[AnswerEvent | None](), Flag()

    def on_event(event: AnswerEvent) -> None:
        if closed_flag.is_set():
            raise ClientGone
        loop.call_soon_threadsafe(events.put_nowait, event)

    task = asyncio.ensure_future(ready.make_answer(on_event))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        yield format_event("session", {"session_id": ready.session_id})
        while True:
            try:
                event = await asyncio.wait_for(events.get(), QUIET_SECONDS)
            except TimeoutError:
                yield KEEPALIVE_COMMENT
                continue
            if event is None:
                break
            yield format_answer_event(event)
        yield _format_last_event(task)
    finally:
        closed_flag.set()
        task.cancel()


def format_answer_event(event: AnswerEvent) -> bytes:
    """The event of an answer in its wire format."""
    if isinstance(event, AnswerSource):
        return format_event("source", SourceShape.from_source(event))
    if isinstance(event, ToolCall):
        return format_event("call", CallShape.from_call(event))
    fields = serialize_event(event)
    return format_event(fields.pop("event"), fields)


def format_event(name: str, data: Any) -> bytes:
    """An event with JSON data in the wire format of server-sent events."""
    return format_sse_event(event=name, data_str=to_json(data, inf_nan_mode="null").decode())


def _format_last_event(task: asyncio.Future[QueryAnswer]) -> bytes:
    error = task.exception()
    if error is None:
        return format_event("answer", task.result())
    if isinstance(error, KalendsError):
        return format_event("problem", to_problem(error))
    reference = record_internal_error(error)
    _LOG.error("internal error, reference %s", reference, exc_info=error)
    return format_event("problem", make_internal_problem(reference))


class SuggestionShape(DocumentedModel):
    """A question, and the document that it was made from, which its answer quotes first."""

    query: str
    """The question, as `POST /api/query` and `/api/search` take it."""
    kind: SuggestionKind
    document_id: str
    source: str
    """The file: the name of its source folder, and its path in that folder."""
    title: str


class SuggestionList(DocumentedModel):
    """Questions of different kinds; the same ones, in the same order, as long as the generation is published."""

    generation: int
    suggestions: list[SuggestionShape]


@router.get("/api/suggestions", tags=["suggestions"], responses=describe_error_responses(422, 503))
async def suggestions(
    service: Shared, count: Annotated[int, Query(ge=1, le=MAX_QUESTIONS, description="At most so many questions.")] = 6
) -> SuggestionList:
    """Suggest questions that the documents answer, each of which was tried."""

    def suggest() -> SuggestionList:
        generation, questions = service.get_suggestions()
        return SuggestionList(
            generation=generation,
            suggestions=[
                SuggestionShape(
                    query=suggestion.text,
                    kind=suggestion.kind,
                    document_id=suggestion.source.document_id,
                    source=suggestion.source.source,
                    title=suggestion.source.title,
                )
                for suggestion in questions.get_first(count)
            ],
        )

    return await service.run_search(suggest)
