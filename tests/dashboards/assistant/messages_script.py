"""What the loopback model says: replies of a script, and the events that the Messages API makes of them.

The order is the documented one: message_start, ping; start, deltas and stop of each block; message_delta, message_stop.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Body = Mapping[str, Any]
PIECE = 7
"""Characters a delta."""


@dataclass(frozen=True)
class Cite:
    """Blocks `start` to `end` of the search result number `result` of the request; negative counts from the last."""

    result: int
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Says:
    """A text block. `cites` point into the request; a mapping is sent as it is."""

    text: str
    cites: tuple[Cite | Body, ...] = ()


@dataclass(frozen=True)
class Thinks:
    """A thinking block, signed."""

    text: str


@dataclass(frozen=True)
class Uses:
    """A tool_use block; `given` as text is sent as it is, malformed or not."""

    name: str
    given: Body | str
    id: str = ""


@dataclass(frozen=True)
class Reply:
    """A message. `stop` is told from the blocks where it is empty.

    After `cut` events the connection is dropped, or the error named by `fault` is sent. `pause` is waited before each
    event, in seconds.
    """

    blocks: tuple[Says | Thinks | Uses, ...] = ()
    stop: str = ""
    cut: int | None = None
    fault: str = ""
    pause: float = 0.0

    @property
    def stop_reason(self) -> str:
        """The documented reason."""
        return self.stop or ("tool_use" if any(isinstance(block, Uses) for block in self.blocks) else "end_turn")


@dataclass(frozen=True)
class Fails:
    """An answer of an error status; `retry_after` in seconds."""

    status: int
    retry_after: float | None = None


@dataclass(frozen=True)
class Drops:
    """The connection is closed before a byte is answered."""


Model = Callable[[Body], Reply | Fails | Drops]
"""What answers a request that is as the API demands it."""


def says(*texts: str) -> Reply:
    """A reply of plain text."""
    return Reply(tuple(Says(text) for text in texts))


def search_results(body: Body) -> list[dict[str, Any]]:
    """All search_result blocks of a request, in the order that citations count them in."""
    found = []
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            inner = block.get("content") if block["type"] == "tool_result" else [block]
            found += [each for each in inner if each["type"] == "search_result"] if isinstance(inner, list) else []
    return found


def content(reply: Reply, body: Body, number: int) -> list[dict[str, Any]]:
    """The whole blocks of a reply as the API gives them; `number` makes the ids of tool uses distinct."""
    found: list[dict[str, Any]] = []
    for place, block in enumerate(reply.blocks):
        match block:
            case Says(text, cites):
                found.append({"type": "text", "text": text, "citations": _cited(cites, body) or None})
            case Thinks(text):
                found.append({"type": "thinking", "thinking": text, "signature": "signed"})
            case Uses(name, given, own):
                found.append({"type": "tool_use", "id": own or f"toolu_{number}_{place}", "name": name, "input": given})
    return found


def events(
    reply: Reply, whole: Sequence[dict[str, Any]], head: Body, usage: Body
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a message, each with its name; `head` is the message before any content."""
    yield (
        "message_start",
        {"message": {**head, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}},
    )
    yield "ping", {}
    for index, block in enumerate(whole):
        yield "content_block_start", {"index": index, "content_block": _empty(block)}
        for delta in _deltas(block):
            yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    yield (
        "message_delta",
        {
            "delta": {"stop_reason": reply.stop_reason, "stop_sequence": None},
            "usage": {"output_tokens": usage["output_tokens"]},
        },
    )
    yield "message_stop", {}


def _empty(block: Body) -> dict[str, Any]:
    blank: dict[str, Any] = {"text": "", "thinking": "", "signature": "", "input": {}, "citations": None}
    return {name: blank.get(name, value) for name, value in block.items()}


def _deltas(block: Body) -> Iterator[dict[str, Any]]:
    match block["type"]:
        case "text":
            for citation in block["citations"] or ():
                yield {"type": "citations_delta", "citation": citation}
            yield from ({"type": "text_delta", "text": piece} for piece in _pieces(block["text"]))
        case "thinking":
            yield from ({"type": "thinking_delta", "thinking": piece} for piece in _pieces(block["thinking"]))
            yield {"type": "signature_delta", "signature": block["signature"]}
        case "tool_use":
            given = block["input"]
            yield {"type": "input_json_delta", "partial_json": ""}
            text = given if isinstance(given, str) else json.dumps(given)
            yield from ({"type": "input_json_delta", "partial_json": piece} for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE] for start in range(0, len(text), PIECE))


def _cited(cites: Sequence[Cite | Body], body: Body) -> list[dict[str, Any]]:
    results, found = search_results(body), []
    for cite in cites:
        if not isinstance(cite, Cite):
            found.append(dict(cite))
            continue
        index = cite.result % len(results)
        result, end = results[index], cite.end or cite.start + 1
        found.append(
            {
                "type": "search_result_location",
                "source": result["source"],
                "title": result["title"],
                "search_result_index": index,
                "start_block_index": cite.start,
                "end_block_index": end,
                "cited_text": "".join(block["text"] for block in result["content"][cite.start : end]),
            }
        )
    return found
