"""Tool contexts over a small warehouse, and recorders of the events and permissions of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from anthropic import Anthropic

from dashboards.assistant.answer_types import Answer, AnswerEvent, ConversationTurn, TextPiece
from dashboards.assistant.loop import converse
from dashboards.assistant.tools.contract import ToolContext
from tests.dashboards.assistant.messages_server import MessagesServer
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings

TODAY = date(2025, 11, 22)
SAMPLES = Path(__file__).parents[3] / "samples"


def tool_context_at(folder: Path, url: str = "", vault: Path | None = None, **chat: Any) -> ToolContext:
    """A desk over the warehouse in a folder, with the model of a loopback server, which cites itself.

    Notes may be written anywhere in `vault`.
    """
    chosen = {"base_url": url, "citations": "service", **chat}
    places = {"root": vault, "write": vault}
    settings = load_settings({"warehouse": folder, "embed": {"model": "hashing"}, "chat": chosen, "vault": places})
    return ToolContext(settings, _warehouse(folder), TODAY)


@cache
def _warehouse(folder: Path) -> Warehouse:
    """One for all conversations over it, as in a server."""
    return Warehouse(folder)


@dataclass
class Heard:
    """All events of an answer, and what was asked to be permitted."""

    allow: bool = False
    events: list[AnswerEvent] = field(default_factory=list)
    asked: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def ask_permission(self, name: str, given: Mapping[str, Any]) -> bool:
        """Whether a write is allowed."""
        self.asked.append((name, given))
        return self.allow

    @property
    def text(self) -> str:
        """All pieces, one after the other."""
        return "".join(event.text for event in self.events if isinstance(event, TextPiece))


def client(server: MessagesServer) -> Anthropic:
    """The SDK's client of a loopback server."""
    return Anthropic(api_key="a key", base_url=server.url, max_retries=0)


def asked(
    folder: Path,
    server: MessagesServer,
    *said: str,
    heard: Heard | None = None,
    shared: Anthropic | None = None,
    **chat: Any,
) -> Answer:
    """The answer to the last of the turns, which begin with the user's."""
    listener = heard or Heard()
    turns = [ConversationTurn(("user", "assistant")[place % 2], text) for place, text in enumerate(said)]
    with nullcontext(shared) if shared else client(server) as one:
        return converse(
            tool_context_at(folder, server.url, **chat),
            turns,
            on_event=listener.events.append,
            ask_permission=listener.ask_permission,
            system="Answer from the documents.",
            client=one,
        )
