"""Streaming of the model's messages: the events of one stream, the text with its citation marks, failures and retries.

`AnswerWriter` turns text and citations into pieces with [n] for their sources; `StreamReader` reads one stream of the
Messages API; `stream_message` asks again after a delay where the service or the connection fails, or reports the
failure as one line with a cure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from time import sleep
from typing import Any

from anthropic import Anthropic, APIConnectionError, APIError, APIStatusError
from httpx2 import RemoteProtocolError, TransportError

from dashboards.assistant.answer_types import AnswerEvent, AnswerSource, EventHandler, StreamRestart, TextPiece, Usage
from dashboards.assistant.citable_passages import CitableMaterial, CitablePassage
from tasks.ask.passage_units import Span
from warehouse.errors import NoAnswer

ServiceFailure = APIError | TransportError
FAILURES = (APIError, TransportError)
RETRY_SECONDS = (0.5, 1.0, 2.0, 4.0)  # Seconds before each further attempt, where the service does not say.
MAX_RETRY_SECONDS = 60.0
"""The longest wait that the service may ask for, in seconds; beyond it the person gets an error instead of waiting."""
_PASSING = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error"}
_REASONS: dict[int | str, str] = {
    **dict.fromkeys((429, "rate_limit_error"), "too many requests"),
    **dict.fromkeys((529, "overloaded_error"), "the service is overloaded"),
}
_LINE = 300  # Characters of the service's message in an error.


def compute_retry_delay(failure: ServiceFailure, attempt: int) -> float | None:
    """The seconds to wait before the next attempt, after attempt number `attempt` from 0; None if it is of no use.

    An error within a stream (status 200) is judged by its type. 429 and 5xx may give the time in `retry-after`.
    """
    if attempt >= len(RETRY_SECONDS):
        return None
    if not isinstance(failure, APIStatusError):
        return RETRY_SECONDS[attempt]
    is_within_stream = failure.status_code == 200 and failure.type in _PASSING
    if not (is_within_stream or failure.status_code in {408, 409, 429} or failure.status_code >= 500):
        return None
    seconds = _read_retry_after(failure)
    if seconds is None:
        return RETRY_SECONDS[attempt]
    return seconds if seconds <= MAX_RETRY_SECONDS else None


def _read_retry_after(failure: APIStatusError) -> float | None:
    """The seconds that the service asks to wait; its other form, a date, is not used by the Messages API."""
    try:
        return max(float(failure.response.headers["retry-after"]), 0.0)
    except (KeyError, ValueError):
        return None


def describe_failure(failure: ServiceFailure) -> str:
    """The failure in a few words."""
    if not isinstance(failure, APIStatusError):
        return "the service cannot be reached" if isinstance(failure, APIConnectionError) else "the connection was lost"
    reason = _REASONS.get(failure.status_code) or _REASONS.get(str(failure.type))
    return reason or f"the service failed ({failure.status_code})"


def _make_no_answer(failure: ServiceFailure, model: str, url: str) -> NoAnswer:
    """The failure as one line with a cure."""
    if not isinstance(failure, APIStatusError):
        return NoAnswer(f"{url}: {describe_failure(failure)}", "check the connection and the setting chat.base_url")
    message = " ".join((failure.api_message or failure.message).split())[:_LINE]
    match failure.status_code:
        case 401:
            cure = "set ANTHROPIC_API_KEY, for chat-completions KALENDS_MODEL_KEY, to a valid key"
            return NoAnswer(f"the key was refused ({message})", cure)
        case 403:
            return NoAnswer(f"the key is not allowed to do this ({message})", "use another key or another chat.model")
        case 404:
            return NoAnswer(f"{url} does not know the model {model}", "correct the setting chat.model")
        case 413:
            return NoAnswer("the conversation is too long for the service", "start a new one")
    seconds = _read_retry_after(failure)
    if seconds is None and compute_retry_delay(failure, 0) is None:
        return NoAnswer(f"the service refused the request ({failure.status_code})", message)
    return NoAnswer(
        describe_failure(failure), f"try again in {seconds:.0f} s" if seconds and seconds >= 1 else "try again later"
    )


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A use of a tool as the model asks for it; `arguments` is None if its input was not a JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None


_CITATION = ("type", "source", "title", "cited_text", "search_result_index", "start_block_index", "end_block_index")
"""The fields of a citation that are sent back."""


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """A message of the model: its blocks as they are sent back, its uses of tools, the stop reason, and its cost."""

    content: list[dict[str, Any]]
    uses: tuple[ToolUse, ...]
    stop: str
    usage: Usage
    explanation: str = ""

    @property
    def text(self) -> str:
        """The text of its text blocks."""
        return "".join(block["text"] for block in self.content if block["type"] == "text")

    @property
    def blocks_without_tools(self) -> list[dict[str, Any]]:
        """The blocks without uses of tools."""
        return [block for block in self.content if block["type"] != "tool_use"]


def stream_message(client: Anthropic, request: Mapping[str, Any], writer: AnswerWriter) -> ModelMessage:
    """Stream the answer to a request into the writer. A passing failure voids the text so far and is retried.

    Raises `NoAnswer` for any other failure.
    """
    cost, attempt = Usage(), 0
    while True:
        reader = StreamReader(writer)
        try:
            message = reader.read(client, request)
        except FAILURES as failure:
            cost += reader.usage
            wait = compute_retry_delay(failure, attempt)
            if wait is None:
                no_answer = _make_no_answer(failure, request["model"], str(client.base_url).rstrip("/"))
                raise NoAnswer(no_answer.problem, no_answer.cure, cost.total) from None
            writer.restart(describe_failure(failure))
            sleep(wait)
            attempt += 1
        else:
            return replace(message, usage=message.usage + cost)


class StreamReader:
    """Reads one stream. `usage` is its cost so far."""

    def __init__(self, writer: AnswerWriter) -> None:
        self._writer = writer
        self._inputs: dict[int, str] = {}
        self._has_begun = False
        self._in_tool_input = False
        self.usage = Usage()

    def read(self, client: Anthropic, request: Mapping[str, Any]) -> ModelMessage:
        """The whole message. Raises one of `FAILURES`, and `NoAnswer` where the server sends no message at all."""
        with client.messages.stream(**request) as stream:
            is_input_unread = False
            try:
                for event in stream:
                    self._read_event(event)
            except ValueError:
                # The SDK reads a tool's input as it arrives, and stops at the first character that is not JSON.
                if not self._in_tool_input:
                    cure = "correct chat.base_url or chat.api"
                    raise NoAnswer(f"{client.base_url} does not answer as a model does", cure) from None
                is_input_unread = True
            if not self._has_begun or not (is_input_unread or stream.current_message_snapshot.stop_reason):
                raise RemoteProtocolError("the stream ended before its message")
            message = stream.current_message_snapshot
        self.usage = read_usage(message)
        uses = tuple(
            self._read_tool_use(index, block) for index, block in enumerate(message.content) if block.type == "tool_use"
        )
        inputs = {use.id: use.arguments or {} for use in uses}
        content = [block for content_block in message.content if (block := _make_block_to_send(content_block, inputs))]
        explanation = message.stop_details.explanation if message.stop_details else None
        stop = "tool_use" if is_input_unread else str(message.stop_reason)
        return ModelMessage(content, uses, stop, self.usage, explanation or "")

    def _read_event(self, event: Any) -> None:
        match event.type:
            case "message_start":
                self._has_begun = True
                self.usage = read_usage(event.message)
            case "content_block_start":
                self._in_tool_input = event.content_block.type == "tool_use"
            case "content_block_delta" if event.delta.type == "input_json_delta":
                self._inputs[event.index] = self._inputs.get(event.index, "") + event.delta.partial_json
            case "text":
                self._writer.write(event.text)
            case "citation":
                self._writer.cite(event.citation.to_dict())
            case "content_block_stop":
                self._in_tool_input = False
                if event.content_block.type == "text":
                    self._writer.end_block()

    def _read_tool_use(self, index: int, block: Any) -> ToolUse:
        # Servers that do not stream inputs give them whole at the start of the block.
        arguments = block.input
        if self._inputs.get(index):
            try:
                arguments = json.loads(self._inputs[index])
            except (ValueError, RecursionError):
                arguments = None
        return ToolUse(block.id, block.name, arguments if isinstance(arguments, dict) else None)


def read_usage(message: Any) -> Usage:
    """The cost of a message of the service."""
    usage = message.usage
    cache_read, cache_written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return Usage(usage.input_tokens or 0, usage.output_tokens or 0, cache_read, cache_written, 1)


def _make_block_to_send(block: Any, inputs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    """A block as the service takes it back; None for what it would refuse, such as a text without words."""
    match block.type:
        case "text" if block.text.strip():
            citations = [
                citation.to_dict() for citation in block.citations or () if citation.type == "search_result_location"
            ]
            sent_citations = [{name: citation.get(name) for name in _CITATION} for citation in citations]
            return {"type": "text", "text": block.text, **({"citations": sent_citations} if sent_citations else {})}
        case "tool_use":
            return {"type": "tool_use", "id": block.id, "name": block.name, "input": dict(inputs[block.id])}
        case "thinking" if block.signature:
            return {"type": "thinking", "thinking": block.thinking, "signature": block.signature}
        case "redacted_thinking":
            return {"type": "redacted_thinking", "data": block.data}
    return None


_MARK = re.compile(r"[ \t]{0,9}[\[【]\s?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\s?[\]】]")
_OPEN = re.compile(r"[\[【][\d\s,;–-]*")
_MAX_MARK_LENGTH = 100  # Characters that a mark may have.
_RANGE = re.compile(r"(\d+)\s?[–-]\s?(\d+)")


class AnswerWriter:
    """Turns the model's text and citations into events, and collects the text and its sources.

    A source has the number of its first citation. With `marks` the model cites by the numbers of its passages, which
    become those of the sources; without, citations come from the service, and numbers in brackets that the model itself
    wrote are left out, as they refer to nothing.
    """

    def __init__(self, material: CitableMaterial, on_event: EventHandler, *, marks: bool) -> None:
        """`material` has the citable passages; `on_event` receives the events."""
        self._material, self._on_event, self._marks = material, on_event, marks
        self._events: list[AnswerEvent] = []
        self._kept_count = 0
        self._pending = ""
        self._citations: list[tuple[CitablePassage, Span | None]] = []
        self._sources: dict[str, AnswerSource] = {}
        self._break = False
        self._state_at_keep: tuple[dict[str, AnswerSource], bool] = ({}, False)

    @property
    def text(self) -> str:
        """All text so far."""
        return "".join(event.text for event in self._events if isinstance(event, TextPiece))

    @property
    def sources(self) -> tuple[AnswerSource, ...]:
        """The sources by their numbers."""
        return tuple(self._sources.values())

    def write(self, delta: str) -> None:
        """Add text. White space, and text that may become a mark, is held until the next text arrives."""
        pending_text = self._pending + delta
        settled_end = _find_settled_end(pending_text)
        self._pending = pending_text[settled_end:]
        self._emit(_MARK.sub(self._renumber_mark, pending_text[:settled_end]))

    def cite(self, citation: Mapping[str, Any]) -> None:
        """Add a citation of the service to the current block."""
        if cited_passage := self._material.find_cited_passage(citation):
            self._citations.append(cited_passage)

    def end_block(self) -> None:
        """End the block: its marks are written before the white space at its end."""
        block_text = _MARK.sub(self._renumber_mark, self._pending)
        space = block_text[len(block_text.rstrip()) :]
        self._emit(block_text.rstrip())
        numbers = dict.fromkeys(self._get_source_number(passage, span) for passage, span in self._citations)
        self._emit(" " * bool(numbers) + "".join(f"[{number}]" for number in numbers))
        self._citations, self._pending = [], space

    def keep(self, *, is_joined: bool = False) -> None:
        """End the message; another may follow, as its continuation (`is_joined`) or after a blank line."""
        if is_joined:
            self._emit(self._pending)
        self._pending, self._kept_count = "", len(self._events)
        self._break = not is_joined and bool(self.text)
        self._state_at_keep = dict(self._sources), self._break

    def restart(self, why: str) -> None:
        """Void the text since the last `keep`, and emit all events before it again."""
        self._events = self._events[: self._kept_count]
        self._pending, self._citations = "", []
        self._sources, self._break = dict(self._state_at_keep[0]), self._state_at_keep[1]
        for event in (StreamRestart(why), *self._events):
            self._on_event(event)

    def _emit(self, text: str) -> None:
        if not text:
            return
        if self._break:
            text, self._break = "\n\n" + text.lstrip(), False
        self._add_event(TextPiece(text))

    def _add_event(self, event: AnswerEvent) -> None:
        self._events.append(event)
        self._on_event(event)

    def _renumber_mark(self, mark: re.Match[str]) -> str:
        if not self._marks:
            return ""
        passages = self._material.passages
        cited_passages = [passages[n - 1] for n in _parse_mark_numbers(mark[1]) if 0 < n <= len(passages)]
        numbers = dict.fromkeys(self._get_source_number(passage, None) for passage in cited_passages)
        space = mark[0][: len(mark[0]) - len(mark[0].lstrip())]
        return space * bool(numbers) + "".join(f"[{number}]" for number in numbers)

    def _get_source_number(self, passage: CitablePassage, span: Span | None) -> int:
        source = self._sources.get(passage.hit.chunk_id)
        if source is None:
            source = AnswerSource(len(self._sources) + 1, passage.hit, (span,) if span else ())
            self._sources[passage.hit.chunk_id] = source
            self._add_event(source)
        elif span and span not in source.spans:
            self._sources[passage.hit.chunk_id] = replace(source, spans=(*source.spans, span))
        return source.number


def without_marks(text: str) -> str:
    """An earlier answer without its marks, which refer to nothing in what follows."""
    return _MARK.sub("", text)


def _find_settled_end(text: str) -> int:
    """The end of the part that later text cannot change, without white space or an open mark at the end."""
    bracket = max(text.rfind(sign, max(len(text) - _MAX_MARK_LENGTH, 0)) for sign in "[【")
    has_no_open_mark = bracket < 0 or not _OPEN.fullmatch(text, bracket)
    return len((text if has_no_open_mark else text[:bracket]).rstrip())


def _parse_mark_numbers(mark_text: str) -> Iterator[int]:
    """The numbers of a mark: "1", "1, 2", "1-3"."""
    for part in re.split(r"\s?[,;]\s?", mark_text):
        number_range = _RANGE.fullmatch(part)
        yield from (
            range(int(number_range[1]), min(int(number_range[2]), int(number_range[1]) + 9) + 1)
            if number_range
            else [int(part)]
        )
