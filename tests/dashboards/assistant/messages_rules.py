"""What the Messages API refuses with a 400, in the words that it uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

FIELDS = frozenset(
    {
        "cache_control",
        "container",
        "context_management",
        "inference_geo",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "tool_choice",
        "tools",
    }
)
BLOCKS = {
    "text": {"text", "citations"},
    "search_result": {"source", "title", "content", "citations"},
    "tool_use": {"id", "name", "input", "caller"},
    "tool_result": {"tool_use_id", "content", "is_error"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
}
ALLOWED = {
    "user": {"text", "search_result", "tool_result"},
    "assistant": {"text", "tool_use", "thinking", "redacted_thinking"},
    "tool_result": {"text", "search_result"},
    "search_result": {"text"},
}
NAME = re.compile(r"^[a-zA-Z0-9_-]{1,128}$")


def fault(body: Any, paused: Sequence[Any] = ()) -> str | None:
    """Why the request is refused, None where it is not. `paused` are contents that may stand last unanswered."""
    return next(_faults(body, paused), None)


def _faults(body: Any, paused: Sequence[Any]) -> Iterator[str]:
    if not isinstance(body, dict):
        yield "the request body must be a JSON object"
        return
    yield from (f"{name}: Extra inputs are not permitted" for name in sorted(set(body) - FIELDS))
    yield from (f"{name}: Field required" for name in ("model", "max_tokens", "messages") if name not in body)
    if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
        yield "max_tokens: Input should be greater than or equal to 1"
    if not isinstance(body["messages"], list) or not body["messages"]:
        yield "messages: at least one message is required"
    if isinstance(body.get("system"), list):
        yield from _blocks_wrong(body["system"], "search_result", "system")
    yield from _tools_wrong(body)
    yield from _messages_wrong(body, paused)
    marks = list(_cache_controls(body))
    if len(marks) > 4:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {len(marks)}."
    yield from ("cache_control.type: Input should be 'ephemeral'" for mark in marks if mark.get("type") != "ephemeral")


def _tools_wrong(body: Mapping[str, Any]) -> Iterator[str]:
    tools = body.get("tools", [])
    names = [tool.get("name", "") for tool in tools]
    for place, tool in enumerate(tools):
        yield from (
            f"tools.{place}.custom.{name}: Extra inputs are not permitted"
            for name in sorted(set(tool) - {"name", "description", "input_schema", "cache_control", "type", "strict"})
        )
        if not NAME.match(names[place]):
            yield f"tools.{place}.custom.name: String should match pattern '{NAME.pattern}'"
        if tool.get("input_schema", {}).get("type") != "object":
            yield f"tools.{place}.custom.input_schema.type: Field required"
        if {"oneOf", "anyOf", "allOf"} & set(tool["input_schema"]):
            yield f"tools.{place}.custom.input_schema: does not support oneOf, allOf, or anyOf at the top level"
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique."
    choice = body.get("tool_choice")
    if choice is None:
        return
    if not tools:
        yield "tool_choice: may only be specified while providing tools"
    if choice.get("type") not in {"auto", "any", "tool", "none"}:
        yield "tool_choice: Input tag does not match any of the expected tags: 'any', 'auto', 'none', 'tool'"
    if choice.get("type") == "tool" and choice.get("name") not in names:
        yield f"Tool '{choice.get('name')}' not found in provided tools"


def _messages_wrong(body: Mapping[str, Any], paused: Sequence[Any]) -> Iterator[str]:
    messages, waiting, seen = body["messages"], [], set[str]()
    for place, message in enumerate(messages):
        where, role = f"messages.{place}", message.get("role")
        yield from (f"{where}.{n}: Extra inputs are not permitted" for n in sorted(set(message) - {"role", "content"}))
        if role != ("user", "assistant")[place % 2]:
            yield f"{where}: roles must alternate between 'user' and 'assistant', beginning with 'user'"
        content = message.get("content")
        if not content:
            yield f"{where}: user messages must have non-empty content"
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        yield from _blocks_wrong(blocks, role, where)
        yield from _results_wrong(blocks, waiting, where)
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if seen & set(waiting) or len(set(waiting)) < len(waiting):
            yield f"{where}: `tool_use` ids must be unique"
        seen |= set(waiting)
    if waiting:
        yield f"messages.{len(messages) - 1}: `tool_use` ids were found without `tool_result` blocks: {waiting}"
    if messages[-1]["role"] == "assistant" and messages[-1]["content"] not in paused:
        yield "This model does not support assistant message prefill. The conversation must end with a user message."
    if seen and not body.get("tools"):
        yield "Requests which have `tool_use` or `tool_result` blocks in `messages` must define tools"
    yield from _citing_wrong(body)


def _results_wrong(blocks: Sequence[Mapping[str, Any]], waiting: Sequence[str], where: str) -> Iterator[str]:
    kinds = [block["type"] == "tool_result" for block in blocks]
    answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    left = [each for each in waiting if each not in answered]
    if left:
        yield (
            f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(left)}. "
            "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
        )
    for each in answered:
        if each not in waiting:
            yield f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {each}"
    if len(set(answered)) < len(answered):
        yield f"{where}: each tool_use must have a single result"
    if kinds != sorted(kinds, reverse=True):
        yield f"{where}: `tool_result` blocks must come first in the content"


def _blocks_wrong(blocks: Any, within: Any, where: str) -> Iterator[str]:
    if not isinstance(blocks, list):
        yield f"{where}.content: Input should be a valid list"
        return
    for place, block in enumerate(blocks):
        at, kind = f"{where}.content.{place}", block.get("type")
        if kind not in ALLOWED.get(within, ()):
            yield f"{at}: `{kind}` blocks are not permitted within {within}"
            continue
        yield from (
            f"{at}.{kind}.{name}: Extra inputs are not permitted"
            for name in sorted(set(block) - BLOCKS[kind] - {"type", "cache_control"})
        )
        yield from _block_wrong(block, at)


def _block_wrong(block: Mapping[str, Any], at: str) -> Iterator[str]:
    match block["type"]:
        case "text":
            if not block.get("text"):
                yield f"{at}: text content blocks must be non-empty"
            elif not block["text"].strip():
                yield f"{at}: text content blocks must contain non-whitespace text"
        case "search_result":
            yield from (
                f"{at}.{name}: Field required" for name in ("source", "title", "content") if not block.get(name)
            )
            yield from _blocks_wrong(block["content"], "search_result", at)
        case "tool_use":
            if not isinstance(block.get("input"), dict):
                yield f"{at}.tool_use.input: Input should be a valid dictionary"
        case "tool_result":
            inner = block.get("content", [])
            if isinstance(inner, list):
                yield from _blocks_wrong(inner, "tool_result", at)
                if block.get("is_error") and any(each["type"] != "text" for each in inner):
                    yield f'{at}.content: all content must be type "text" if is_error is true'
        case "thinking":
            if not block.get("signature") or "cache_control" in block:
                yield f"{at}: Invalid `signature` in `thinking` block"


def _citing_wrong(body: Mapping[str, Any]) -> Iterator[str]:
    enabled = {
        bool(each.get("citations", {}).get("enabled"))
        for each in _dicts(body["messages"])
        if each.get("type") == "search_result"
    }
    if len(enabled) > 1:
        yield "Citations must be enabled on all or none of the search results"


def _cache_controls(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (each["cache_control"] for each in _dicts(body) if each.get("cache_control"))


def _dicts(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _dicts(each)


def prefixes(body: Mapping[str, Any]) -> list[str]:
    """What stands before each mark of the cache, tools first, then system, then messages."""
    found, text = [], body["model"]
    for tool in body.get("tools", []):
        text += json.dumps({**tool, "cache_control": None})
        found += [text] if tool.get("cache_control") else []
    system = body.get("system", [])
    whole = [{"type": "text", "text": system}] if isinstance(system, str) else system
    for block in [*whole, *(b for m in body["messages"] for b in _blocks(m))]:
        text += json.dumps({**block, "cache_control": None})
        found += [text] if block.get("cache_control") else []
    return found + ([text] if body.get("cache_control") else [])


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
