"""What is sent to the service: the conversation as messages, tools always, and marks for its cache.

The cache (https://platform.claude.com/docs/en/build-with-claude/prompt-caching) holds prefixes: tools, then system,
then messages. Four places may be marked: the ends of the tools and of the system, the same for a session, and
the last two messages of the user, so that each round reads what the one before it wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dashboards.assistant.records import Turn
from dashboards.assistant.writing import unmarked
from warehouse.errors import BadInput

Block = dict[str, Any]
Message = dict[str, Any]
_MARK = {"cache_control": {"type": "ephemeral"}}
_ROLES = ("user", "assistant")


def opening(turns: Sequence[Turn]) -> list[Message]:
    """The turns as messages that alternate and begin and end with the user. Raises `BadInput` without a question.

    Turns of one role that follow each other become one message, empty ones none.
    """
    said = [turn for turn in turns if turn.role in _ROLES and turn.text.strip()]
    while said and said[0].role != "user":
        said = said[1:]
    if not said or said[-1].role != "user":
        raise BadInput("there is no question", "ask one")
    messages: list[Message] = []
    for turn in said:
        block = {"type": "text", "text": unmarked(turn.text) if turn.role == "assistant" else turn.text}
        if not block["text"].strip():
            continue
        if messages and messages[-1]["role"] == turn.role:
            messages[-1]["content"].append(block)
        else:
            messages.append({"role": turn.role, "content": [block]})
    return messages


def request(
    model: str,
    longest: int,
    system: str,
    tools: Sequence[Block],
    messages: Sequence[Message],
    *,
    final: bool,
    circumstances: str = "",
) -> dict[str, Any]:
    """The arguments of `messages.stream`. `longest` is in tokens; `final` says that no tool may be used any more.

    `circumstances`, which change from day to day, stand after the cached part of the system's words.

    Tools are sent in every round: the service demands them where a message before used one.
    """
    asked = {
        "model": model,
        "max_tokens": longest,
        "tools": [*tools[:-1], {**tools[-1], **_MARK}],
        "messages": list(_marked(messages)),
        "tool_choice": {"type": "none" if final else "auto"},
    }
    fixed: list[Block] = [{"type": "text", "text": system, **_MARK}] if system.strip() else []
    changing: list[Block] = [{"type": "text", "text": circumstances}] if circumstances.strip() else []
    return {**asked, "system": fixed + changing} if fixed or changing else asked


def with_text(messages: Sequence[Message], text: str) -> list[Message]:
    """The messages with this text of the user at their end, in the last message if that is the user's."""
    block = {"type": "text", "text": text}
    *before, last = messages
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": [block]}]
    return [*before, {**last, "content": [*last["content"], block]}]


def _marked(messages: Sequence[Message]) -> Iterator[Message]:
    asked = [place for place, message in enumerate(messages) if message["role"] == "user"][-2:]
    for place, message in enumerate(messages):
        *rest, last = message["content"]
        yield {**message, "content": [*rest, {**last, **_MARK}]} if place in asked else message
