"""Streaming of the model's messages: the events of one stream, the text with its citation marks, and retries.

`AnswerWriter` turns text and citations into pieces with [n] for their sources; `StreamReader` reads one stream of the
Messages API; `stream_message` asks again where the service or the connection fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING, Any

from dashboards.assistant.answer_types import AnswerEvent, AnswerSource, StreamRestart, Tell, TextPiece, Usage
from dashboards.assistant.citable_passages import CitableMaterial, CitablePassage
from dashboards.assistant.service_failures import FAILURES, ServiceFailure, failure_reason, no_answer_from, retry_delay
from dashboards.assistant.tool_calls import ToolUse, parse_json_object
from tasks.ask.units import Span
from warehouse.errors import NoAnswer

if TYPE_CHECKING:
    from anthropic import Anthropic


_CITATION = ("type", "source", "title", "cited_text", "search_result_index", "start_block_index", "end_block_index")
"""What of a citation is sent back."""


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """A message: its blocks as they are sent back, the uses of tools in it, why it ended, and its cost."""

    content: list[dict[str, Any]]
    uses: tuple[ToolUse, ...]
    stop: str
    usage: Usage
    explanation: str = ""

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(block["text"] for block in self.content if block["type"] == "text")

    @property
    def spoken(self) -> list[dict[str, Any]]:
        """Its blocks without uses of tools."""
        return [block for block in self.content if block["type"] != "tool_use"]


def stream_message(client: Anthropic, request: Mapping[str, Any], writer: AnswerWriter) -> ModelMessage:
    """Ask, and give what is said to the writer. What was written before a failure that may pass is void.

    Raises `NoAnswer` where it does not pass.
    """
    spent, attempt = Usage(), 0
    while True:
        ear = StreamReader(writer)
        try:
            said = ear.hear(client, request)
        except FAILURES as failure:
            spent += ear.usage
            wait = retry_delay(failure, attempt)
            if wait is None:
                raise _lost(failure, client, request, spent) from None
            writer.restart(failure_reason(failure))
            sleep(wait)
            attempt += 1
        else:
            return ModelMessage(said.content, said.uses, said.stop, said.usage + spent, said.explanation)


def _lost(failure: ServiceFailure, client: Anthropic, request: Mapping[str, Any], spent: Usage) -> NoAnswer:
    lost = no_answer_from(failure, request["model"], str(client.base_url).rstrip("/"))
    return NoAnswer(lost.problem, lost.cure, spent.total)


class StreamReader:
    """Hears one stream. `usage` is what it cost so far."""

    def __init__(self, writer: AnswerWriter) -> None:
        """Nothing was heard yet."""
        self._writer = writer
        self._inputs: dict[int, str] = {}
        self._begun = False
        self._using = False
        self.usage = Usage()

    def hear(self, client: Anthropic, request: Mapping[str, Any]) -> ModelMessage:
        """The whole message. Raises what `failing.FAILURES` names, and `NoAnswer` for what is no message at all."""
        from httpx2 import RemoteProtocolError

        with client.messages.stream(**request) as stream:
            unread = False
            try:
                for event in stream:
                    self._take(event)
            except ValueError:
                # The SDK reads a tool's input as it comes, and stops at the first sign that is not JSON.
                if not self._using:
                    raise NoAnswer(
                        f"{client.base_url} does not speak the Messages API", "correct chat.base_url"
                    ) from None
                unread = True
            if not self._begun or not (unread or stream.current_message_snapshot.stop_reason):
                raise RemoteProtocolError("the stream ended before its message")
            message = stream.current_message_snapshot
        self.usage = _usage(message.usage)
        uses = tuple(self._use(place, block) for place, block in enumerate(message.content) if block.type == "tool_use")
        given = {use.id: use.arguments or {} for use in uses}
        content = [block for each in message.content if (block := _sent_back(each, given))]
        details = message.stop_details.explanation if message.stop_details else None
        return ModelMessage(
            content, uses, "tool_use" if unread else str(message.stop_reason), self.usage, details or ""
        )

    def _take(self, event: Any) -> None:
        match event.type:
            case "message_start":
                self._begun = True
                self.usage = _usage(event.message.usage)
            case "content_block_start":
                self._using = event.content_block.type == "tool_use"
            case "content_block_delta" if event.delta.type == "input_json_delta":
                self._inputs[event.index] = self._inputs.get(event.index, "") + event.delta.partial_json
            case "text":
                self._writer.write(event.text)
            case "citation":
                self._writer.cite(event.citation.to_dict())
            case "content_block_stop":
                self._using = False
                if event.content_block.type == "text":
                    self._writer.end_block()

    def _use(self, place: int, block: Any) -> ToolUse:
        # Servers that do not stream inputs give them whole at the start of the block.
        whole = block.input if isinstance(block.input, dict) else None
        return ToolUse(
            block.id, block.name, parse_json_object(self._inputs[place]) if self._inputs.get(place) else whole
        )


def _usage(usage: Any) -> Usage:
    return Usage(
        usage.input_tokens or 0,
        usage.output_tokens or 0,
        usage.cache_read_input_tokens or 0,
        usage.cache_creation_input_tokens or 0,
        1,
    )


def _sent_back(block: Any, given: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    """A block as the service takes it back; None for what it would refuse, such as a text without words."""
    match block.type:
        case "text" if block.text.strip():
            cited = [_citation(each) for each in block.citations or () if each.type == "search_result_location"]
            return {"type": "text", "text": block.text, **({"citations": cited} if cited else {})}
        case "tool_use":
            return {"type": "tool_use", "id": block.id, "name": block.name, "input": dict(given[block.id])}
        case "thinking" if block.signature:
            return {"type": "thinking", "thinking": block.thinking, "signature": block.signature}
        case "redacted_thinking":
            return {"type": "redacted_thinking", "data": block.data}
    return None


def _citation(citation: Any) -> dict[str, Any]:
    found = citation.to_dict()
    return {name: found.get(name) for name in _CITATION}


_MARK = re.compile(r"[ \t]{0,9}[\[【]\s?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\s?[\]】]")
_OPEN = re.compile(r"[\[【][\d\s,;–-]*")
_LONGEST = 100
"""Characters that a mark may have."""
_RANGE = re.compile(r"(\d+)\s?[–-]\s?(\d+)")


class AnswerWriter:
    """Takes what the model writes and cites, tells it, and keeps the text and its sources.

    A source has the number of its first citation. With `marks` the model cites by the numbers of its passages, which
    become those of the sources; without, citations come from the service, and numbers in brackets that the model wrote
    itself are left out, for they name nothing.
    """

    def __init__(self, material: CitableMaterial, tell: Tell, *, marks: bool) -> None:
        """`material` is what can be cited."""
        self._material, self._tell, self._marks = material, tell, marks
        self._told: list[AnswerEvent] = []
        self._kept = 0
        self._held = ""
        self._cited: list[tuple[CitablePassage, Span | None]] = []
        self._sources: dict[str, AnswerSource] = {}
        self._break = False
        self._before: tuple[dict[str, AnswerSource], bool] = ({}, False)

    @property
    def text(self) -> str:
        """All that was told."""
        return "".join(event.text for event in self._told if isinstance(event, TextPiece))

    @property
    def fresh(self) -> str:
        """What was told since the last `keep`."""
        return "".join(event.text for event in self._told[self._kept :] if isinstance(event, TextPiece))

    @property
    def sources(self) -> tuple[AnswerSource, ...]:
        """By their numbers."""
        return tuple(self._sources.values())

    def write(self, delta: str) -> None:
        """Some more text. White space and what may become a mark waits for what follows."""
        whole = self._held + delta
        place = _settled(whole)
        self._held = whole[place:]
        self._say(_MARK.sub(self._read, whole[:place]))

    def cite(self, citation: Mapping[str, Any]) -> None:
        """The block that is being written has this citation of the service."""
        found = self._material.cited(citation)
        if found:
            self._cited.append(found)

    def end_block(self) -> None:
        """The block is whole: its marks come before the white space at its end."""
        rest = _MARK.sub(self._read, self._held)
        space = rest[len(rest.rstrip()) :]
        self._say(rest.rstrip())
        numbers = dict.fromkeys(self._number(passage, span) for passage, span in self._cited)
        self._say(" " * bool(numbers) + "".join(f"[{number}]" for number in numbers))
        self._cited, self._held = [], space

    def keep(self, *, joined: bool = False) -> None:
        """The message is whole; another may follow, as its continuation or after a blank line."""
        if joined:
            self._say(self._held)
        self._held, self._kept = "", len(self._told)
        self._break = not joined and bool(self.text)
        self._before = dict(self._sources), self._break

    def restart(self, why: str) -> None:
        """What was written since the last `keep` is void; all before it is told again."""
        self._told = self._told[: self._kept]
        self._held, self._cited = "", []
        self._sources, self._break = dict(self._before[0]), self._before[1]
        for event in (StreamRestart(why), *self._told):
            self._tell(event)

    def _say(self, text: str) -> None:
        if not text:
            return
        if self._break:
            text, self._break = "\n\n" + text.lstrip(), False
        self._told.append(TextPiece(text))
        self._tell(TextPiece(text))

    def _read(self, mark: re.Match[str]) -> str:
        if not self._marks:
            return ""
        passages = self._material.passages
        found = [passages[n - 1] for n in _numbers(mark[1]) if 0 < n <= len(passages)]
        written = "".join(f"[{n}]" for n in dict.fromkeys(self._number(passage, None) for passage in found))
        space = mark[0][: len(mark[0]) - len(mark[0].lstrip())]
        return space + written if written else ""

    def _number(self, passage: CitablePassage, span: Span | None) -> int:
        known = self._sources.get(passage.hit.chunk_id)
        if known is None:
            source = AnswerSource(len(self._sources) + 1, passage.hit, (span,) if span else ())
            self._sources[passage.hit.chunk_id] = source
            self._told.append(source)
            self._tell(source)
            return source.number
        if span and span not in known.spans:
            self._sources[passage.hit.chunk_id] = AnswerSource(known.number, known.hit, (*known.spans, span))
        return known.number


def without_marks(text: str) -> str:
    """An answer of before without its marks, which name nothing in what follows."""
    return _MARK.sub("", text)


def _settled(text: str) -> int:
    """Where white space or a mark begins that what follows may change; the end where neither does."""
    begun = max(text.rfind(sign, max(len(text) - _LONGEST, 0)) for sign in "[【")
    whole = begun < 0 or not _OPEN.fullmatch(text, begun)
    return len((text if whole else text[:begun]).rstrip())


def _numbers(written: str) -> Iterator[int]:
    """The numbers of a mark: "1", "1, 2", "1-3"."""
    for part in re.split(r"\s?[,;]\s?", written):
        ends = _RANGE.fullmatch(part)
        yield from range(int(ends[1]), min(int(ends[2]), int(ends[1]) + 9) + 1) if ends else [int(part)]
