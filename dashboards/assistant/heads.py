"""The sessions there are, as lists show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from dashboards.assistant.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Head:
    """A session in a list: its id, when it was last added to, how long it is, and its title, else how it began."""

    session: str
    last: datetime
    exchanges: int
    title: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.session}  {self.last:%Y-%m-%d %H:%M}  {self.exchanges:4}  {self.title[:70]}"


def heads(sessions: Sessions) -> Iterator[Head]:
    """Every session that has an exchange, the latest first."""
    for session, last in sessions.all():
        exchanges = session.exchanges
        if exchanges:
            yield Head(session.id, last, len(exchanges), session.title)
