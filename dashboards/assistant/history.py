"""What of a session goes to the model: the newest exchanges verbatim, the older ones condensed.

Never is anything condensed under four messages: two exchanges stay as they are, and as soon as two more stand before
them, those are condensed together with what was condensed before, once for all, and kept in the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboards.assistant.asides import aside, usage_of
from dashboards.assistant.exchanges import Condensed, Exchange
from dashboards.assistant.prompting import tagged
from dashboards.assistant.records import Turn
from dashboards.assistant.sessions import Session
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic

VERBATIM = 2
"""Exchanges, of two messages each, that always stay as they are."""


@dataclass(frozen=True, slots=True)
class History:
    """What was said before a question: `condensed` of the older exchanges, `turns` of the newer."""

    condensed: str = ""
    turns: tuple[Turn, ...] = ()

    def __str__(self) -> str:
        """All of it as text."""
        said = [f"{turn.role}: {turn.text}" for turn in self.turns]
        return "\n\n".join(filter(None, [self.condensed, *said]))


def history_of(session: Session | None, client: Anthropic, settings: Settings) -> History:
    """The session's, condensed where it has become long; where that fails, what would be condensed stays verbatim."""
    if session is None:
        return History()
    exchanges, before = session.exchanges, session.condensed
    fresh = exchanges[before.exchanges if before else 0 :]
    if len(fresh) >= 2 * VERBATIM:
        condensed = _condensed(before.text if before else "", fresh[:-VERBATIM], client, settings)
        if condensed.text:
            before = Condensed(len(exchanges) - VERBATIM, condensed.text, condensed.usage)
            # Where it cannot be kept, the answer is not either, and says so.
            with suppress(OSError):
                session.append(before)
            fresh = fresh[-VERBATIM:]
    return History(before.text if before else "", tuple(_turns(fresh)))


def _condensed(before: str, older: Sequence[Exchange], client: Anthropic, settings: Settings) -> Condensed:
    from dashboards.assistant.failing import FAILURES

    said = str(History(before, tuple(_turns(older))))
    try:
        message = aside(client, settings, "condense", tagged("conversation", said))
    except FAILURES:
        return Condensed(0, "")
    text = "".join(block.text for block in message.content if block.type == "text").strip()
    return Condensed(0, text, usage_of(message))


def _turns(exchanges: Sequence[Exchange]) -> Iterator[Turn]:
    for each in exchanges:
        yield Turn("user", each.question)
        yield Turn("assistant", each.answer)
