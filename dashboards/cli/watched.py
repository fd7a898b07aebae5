"""What a watch says, a line at a time: for people, or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import typer
from pydantic_core import to_json

from flows.planning import Action
from flows.watching.batches import WatchBatch

NAMES = 3
"""Documents of a kind that a line names."""


class Lines:
    """Lines for people, each with the time."""

    def __init__(self, end: Callable[[], None]) -> None:
        """`end` is called when nobody reads the lines any more."""
        self._end = end

    def noted(self, line: str) -> None:
        """As it is."""
        self._say(line)

    def ingested(self, batch: WatchBatch) -> None:
        """What changed, then what went wrong."""
        for warning in batch.warnings:
            self._say(f"warning: {warning}")
        if done := changes(batch):
            self._say(f"{done} ({batch.seconds:.1f} s)")
        for source, reason in batch.unreadable.items():
            self._say(f"unreadable: {source}: {reason}")

    def failed(self, problem: str, pause: float) -> None:
        """What is in the way."""
        self._say(f"{problem}; trying again in {pause:.0f} s")

    def _say(self, line: str) -> None:
        self._print(f"{datetime.now().astimezone():%H:%M:%S} {line}")

    def _print(self, line: str) -> None:
        try:
            typer.echo(line)
        except OSError:
            self._end()


class JsonLines(Lines):
    """One JSON object a line, with the time and what happened under `event`."""

    def noted(self, line: str) -> None:
        """As `note`."""
        self._record("note", text=line)

    def ingested(self, batch: WatchBatch) -> None:
        """As `batch`."""
        self._record(
            "batch",
            generation=batch.generation,
            changes=batch.changes,
            unreadable=batch.unreadable,
            warnings=batch.warnings,
            seconds=round(batch.seconds, 3),
        )

    def failed(self, problem: str, pause: float) -> None:
        """As `failure`."""
        self._record("failure", problem=problem, retry_seconds=pause)

    def _record(self, event: str, **fields: Any) -> None:
        self._print(to_json({"time": datetime.now().astimezone(), "event": event, **fields}).decode())


def changes(batch: WatchBatch) -> str:
    """The changed documents in a line, the first few of each kind by name; without those that cannot be read."""
    parts = []
    for action in Action:
        sources = sorted(s for s, done in batch.changes.items() if done is action and s not in batch.unreadable)
        if sources:
            more = f" and {len(sources) - NAMES} more" if len(sources) > NAMES else ""
            parts.append(f"{action.value}: {', '.join(sources[:NAMES])}{more}")
    return "; ".join(parts)
