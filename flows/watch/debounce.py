"""Debouncing of file changes: a burst becomes one batch, a file still being written waits, none waits for ever.

It reads neither clock nor files: times of changes come in, in seconds of any one clock, and batches go out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf
from pathlib import Path

from warehouse.settings.models import WatchSettings

StateReader = Callable[[Path], Hashable]
"""Reads the state of a file (its size and time), which shows changes without an event too."""


@dataclass(slots=True)
class PendingChange:
    """A changed path that was not ingested yet: times of its first and last change, and its state then."""

    first: float
    last: float
    looks: Hashable


class ChangeDebouncer:
    """Changed paths that wait until they are quiet.

    All form one batch once nothing has changed for `quiet` seconds. While something goes on changing, the quiet paths
    go after `patience` seconds, and the others after `longest`.
    """

    def __init__(self, limits: WatchSettings, look: StateReader) -> None:
        """`look` reads the state of a path when it changes and again when it seems quiet."""
        self._limits = limits
        self._look = look
        self._waiting: dict[Path, PendingChange] = {}

    def note(self, path: Path, now: float) -> None:
        """Record a change of a path."""
        looks = self._look(path)
        waiting = self._waiting.setdefault(path, PendingChange(now, now, looks))
        waiting.last, waiting.looks = max(waiting.last, now), looks

    def wait(self, now: float) -> float:
        """Seconds until a batch may be due if nothing changes; infinite if nothing waits."""
        if not self._waiting:
            return inf
        lasts = [waiting.last for waiting in self._waiting.values()]
        first = min(waiting.first for waiting in self._waiting.values())
        limits = self._limits
        return max(0.0, min(max(lasts) + limits.quiet, min(lasts) + limits.patience, first + limits.longest) - now)

    def due(self, now: float) -> frozenset[Path]:
        """The batch that is due now, removed from the waiting paths; often empty."""
        if self.wait(now) > 0:
            return frozenset()
        restless = {path for path, waiting in self._waiting.items() if self._changes(path, waiting, now)}
        quiet = self._waiting.keys() - restless
        overdue = {path for path, waiting in self._waiting.items() if now >= waiting.first + self._limits.longest}
        impatient = any(now >= self._waiting[path].last + self._limits.patience for path in quiet)
        batch = frozenset() if restless and not overdue and not impatient else frozenset(quiet | overdue)
        for path in batch:
            del self._waiting[path]
        return batch

    def _changes(self, path: Path, waiting: PendingChange, now: float) -> bool:
        """Whether a path is still changing, also without an event."""
        if now >= waiting.last + self._limits.quiet:
            looks = self._look(path)
            if looks != waiting.looks:
                waiting.last, waiting.looks = now, looks
        return now < waiting.last + self._limits.quiet
