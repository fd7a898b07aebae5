"""Short calls to the model beside the answer itself, and the conversation's history that one of them condenses.

They may fail without harm: the answer then goes on without them. Of a session, the newest exchanges go to the model
verbatim and the older ones condensed. Two exchanges (four messages) always stay verbatim; as soon as two more precede
them, those are condensed together with the earlier condensed text, once, and the result is kept in the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboards.assistant.answer_types import ConversationTurn, Usage
from dashboards.assistant.prompts import prompt, tagged
from dashboards.assistant.sessions import CondensedExchanges, Exchange, Session
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message


TOKENS = 1024  # The longest answer of an auxiliary call.
SECONDS = 30.0  # The longest wait for it: an auxiliary call must not take as long as an answer may.


def ask_auxiliary(
    client: Anthropic, settings: Settings, task: str, text: str, tool: dict[str, Any] | None = None
) -> Message:
    """The model's message on a text, under the system prompt named `task`; with a `tool`, it must use that tool.

    Retried once. Raises one of `dashboards.assistant.service_failures.FAILURES`.
    """
    forced: dict[str, Any] = {"tools": [tool], "tool_choice": {"type": "tool", "name": tool["name"]}} if tool else {}
    message: Message = client.with_options(max_retries=1, timeout=SECONDS).messages.create(
        model=settings.chat.model,
        max_tokens=TOKENS,
        system=prompt(task),
        messages=[{"role": "user", "content": text}],
        **forced,
    )
    return message


def message_usage(message: Message) -> Usage:
    """The cost of a message."""
    used = message.usage
    read, written = used.cache_read_input_tokens or 0, used.cache_creation_input_tokens or 0
    return Usage(used.input_tokens, used.output_tokens, read, written, 1)


VERBATIM = 2  # Exchanges, of two messages each, that always stay as they are.


@dataclass(frozen=True, slots=True)
class ConversationHistory:
    """The conversation before a question: the older exchanges `condensed`, the newer ones as `turns`."""

    condensed: str = ""
    turns: tuple[ConversationTurn, ...] = ()

    def __str__(self) -> str:
        """All of it as text."""
        lines = [f"{turn.role}: {turn.text}" for turn in self.turns]
        return "\n\n".join(filter(None, [self.condensed, *lines]))


def conversation_history(session: Session | None, client: Anthropic, settings: Settings) -> ConversationHistory:
    """The session's history, condensed where it has become long; where condensing fails, all of it verbatim."""
    if session is None:
        return ConversationHistory()
    exchanges, before = session.exchanges, session.condensed
    fresh = exchanges[before.exchanges if before else 0 :]
    if len(fresh) >= 2 * VERBATIM:
        condensed = _condensed(before.text if before else "", fresh[:-VERBATIM], client, settings)
        if condensed.text:
            before = CondensedExchanges(len(exchanges) - VERBATIM, condensed.text, condensed.usage)
            # Where it cannot be stored, the answer cannot either, and a note of the answer reports it.
            with suppress(OSError):
                session.append(before)
            fresh = fresh[-VERBATIM:]
    return ConversationHistory(before.text if before else "", tuple(_turns(fresh)))


def _condensed(before: str, older: Sequence[Exchange], client: Anthropic, settings: Settings) -> CondensedExchanges:
    from dashboards.assistant.service_failures import FAILURES

    history = str(ConversationHistory(before, tuple(_turns(older))))
    try:
        message = ask_auxiliary(client, settings, "condense", tagged("conversation", history))
    except FAILURES:
        return CondensedExchanges(0, "")
    text = "".join(block.text for block in message.content if block.type == "text").strip()
    return CondensedExchanges(0, text, message_usage(message))


def _turns(exchanges: Sequence[Exchange]) -> Iterator[ConversationTurn]:
    for each in exchanges:
        yield ConversationTurn("user", each.question)
        yield ConversationTurn("assistant", each.answer)
