"""One message of the model, heard as it streams; asked for again where the service or the line fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING, Any

from dashboards.assistant.failing import FAILURES, Failure, told, wait_for, why
from dashboards.assistant.records import Usage
from dashboards.assistant.using import Use, object_of
from dashboards.assistant.writing import Writer
from warehouse.errors import NoAnswer

if TYPE_CHECKING:
    from anthropic import Anthropic

_CITATION = ("type", "source", "title", "cited_text", "search_result_index", "start_block_index", "end_block_index")
"""What of a citation is sent back."""


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """A message: its blocks as they are sent back, the uses of tools in it, why it ended, and its cost."""

    content: list[dict[str, Any]]
    uses: tuple[Use, ...]
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


def hear(client: Anthropic, request: Mapping[str, Any], writer: Writer) -> ModelMessage:
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
            wait = wait_for(failure, attempt)
            if wait is None:
                raise _lost(failure, client, request, spent) from None
            writer.restart(why(failure))
            sleep(wait)
            attempt += 1
        else:
            return ModelMessage(said.content, said.uses, said.stop, said.usage + spent, said.explanation)


def _lost(failure: Failure, client: Anthropic, request: Mapping[str, Any], spent: Usage) -> NoAnswer:
    lost = told(failure, request["model"], str(client.base_url).rstrip("/"))
    return NoAnswer(lost.problem, lost.cure, spent.total)


class StreamReader:
    """Hears one stream. `usage` is what it cost so far."""

    def __init__(self, writer: Writer) -> None:
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
        given = {use.id: use.given or {} for use in uses}
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

    def _use(self, place: int, block: Any) -> Use:
        # Servers that do not stream inputs give them whole at the start of the block.
        whole = block.input if isinstance(block.input, dict) else None
        return Use(block.id, block.name, object_of(self._inputs[place]) if self._inputs.get(place) else whole)


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
