"""Small questions to the model beside the answer itself: to condense, to take apart. They may fail without harm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboards.assistant.prompting import prompt
from dashboards.assistant.records import Usage
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

TOKENS = 1024
"""The longest that such an answer may be."""
SECONDS = 30.0
"""The longest that is waited for it: an aside must not cost what an answer may."""


def aside(client: Anthropic, settings: Settings, task: str, text: str, tool: dict[str, Any] | None = None) -> Message:
    """What the model says to a text, told by the prompt of a name; with a `tool`, it is made to use it.

    Asked again once. Raises one of `dashboards.assistant.failing.FAILURES`.
    """
    forced: dict[str, Any] = {"tools": [tool], "tool_choice": {"type": "tool", "name": tool["name"]}} if tool else {}
    said: Message = client.with_options(max_retries=1, timeout=SECONDS).messages.create(
        model=settings.chat.model,
        max_tokens=TOKENS,
        system=prompt(task),
        messages=[{"role": "user", "content": text}],
        **forced,
    )
    return said


def usage_of(message: Message) -> Usage:
    """What a message cost."""
    used = message.usage
    read, written = used.cache_read_input_tokens or 0, used.cache_creation_input_tokens or 0
    return Usage(used.input_tokens, used.output_tokens, read, written, 1)
