"""An answer while it is made, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

session   {"session_id"}            first
calling   {"name", "given"}         a tool is about to be used
call      CallShape                 it was used
progress  {"text"}                  what is being done now, in words
source    SourceShape               cited for the first time
piece     {"text"}                  some more of the answer's text
again     {"why"}                   what came so far is void and comes anew
answer    QueryAnswer               last: the whole of it
problem   Problem                   last, in its place, where none can be given
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from threading import Event as Flag
from typing import Any

from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic_core import to_json

from dashboards.api.answers import CallShape, QueryAnswer, SourceShape
from dashboards.assistant.answer_types import Again, Call, Calling, Event, Piece, Progress, Source, Tell
from dashboards.serializers.problems import internal_error, problem_of
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error

MEDIA_TYPE = "text/event-stream"
EVENTS = ["session", "calling", "call", "progress", "source", "piece", "again", "answer", "problem"]
QUIET_SECONDS = 15.0
"""After so long without a word a comment is sent, so that nobody in between takes the stream for dead."""
_LOG = logging.getLogger("kalends.api")
Answering = Callable[[Tell], Awaitable[QueryAnswer]]


class Left(Exception):
    """Whoever asked is gone: the answer is not made to its end."""


def streamed(answering: Answering, session: str) -> StreamingResponse:
    """The events of an answer that `answering` makes, telling what happens from whatever thread."""
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(_events(answering, session), media_type=MEDIA_TYPE, headers=headers)


async def _events(answering: Answering, session: str) -> AsyncIterator[bytes]:
    loop, told, gone = asyncio.get_running_loop(), asyncio.Queue[Event | None](), Flag()

    def tell(event: Event) -> None:
        if gone.is_set():
            raise Left
        loop.call_soon_threadsafe(told.put_nowait, event)

    task = asyncio.ensure_future(answering(tell))
    task.add_done_callback(lambda _: told.put_nowait(None))
    try:
        yield sent("session", {"session_id": session})
        while True:
            try:
                event = await asyncio.wait_for(told.get(), QUIET_SECONDS)
            except TimeoutError:
                yield KEEPALIVE_COMMENT
                continue
            if event is None:
                break
            yield drawn(event)
        yield _end(task)
    finally:
        gone.set()
        task.cancel()


def drawn(event: Event) -> bytes:
    """What happens, as it is sent."""
    match event:
        case Piece(text):
            return sent("piece", {"text": text})
        case Source():
            return sent("source", SourceShape.of(event))
        case Calling(name, given):
            return sent("calling", {"name": name, "given": dict(given)})
        case Call():
            return sent("call", CallShape.of(event))
        case Progress(text):
            return sent("progress", {"text": text})
        case Again(why):
            return sent("again", {"why": why})


def sent(name: str, data: Any) -> bytes:
    """An event in its wire format."""
    return format_sse_event(event=name, data_str=to_json(data, inf_nan_mode="null").decode())


def _end(task: asyncio.Future[QueryAnswer]) -> bytes:
    error = task.exception()
    if error is None:
        return sent("answer", task.result())
    if isinstance(error, KalendsError):
        return sent("problem", problem_of(error))
    reference = record_internal_error(error)
    _LOG.error("internal error, reference %s", reference, exc_info=error)
    return sent("problem", internal_error(reference))
