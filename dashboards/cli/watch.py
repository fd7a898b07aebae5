"""`kalends watch`, and the lines it prints: for people, or as JSON."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic_core import to_json

from dashboards.cli.options import JsonOption, WarehouseOption, load_settings

if TYPE_CHECKING:
    from flows.watching.batches import WatchBatch
    from flows.watching.watch import Watcher


GRACE = 0.7
"""Seconds that a run in work has to come to its next stage once the watch is ended."""

NAMES = 3
"""Documents of a kind that a line names."""

FoldersArgument = Annotated[list[Path] | None, typer.Argument(help="Folders or files [default: all known roots].")]
PollOption = Annotated[
    bool, typer.Option("--poll", help="Look for changes, where the system tells of none (network shares).")
]


def watch(
    paths: FoldersArgument = None, poll: PollOption = False, warehouse: WarehouseOption = None, json: JsonOption = False
) -> None:
    """Ingest what changes as soon as it is saved, until Ctrl-C."""
    from flows.watching.watch import Watcher

    ends: SimpleQueue[BaseException | None] = SimpleQueue()
    listener = (JsonWatchLines if json else WatchLines)(lambda: ends.put(None))
    found = Watcher(load_settings(warehouse), paths or [], listener, poll=poll)
    listener.noted(f"Watching {', '.join(map(str, found.folders))}")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ends.put(None))
    thread = Thread(target=_run, args=(found, ends), name="watch", daemon=True)
    thread.start()
    error = ends.get()
    found.stop()
    thread.join(GRACE)
    if error:
        raise error
    _leave()


def _run(watch: Watcher, ends: SimpleQueue[BaseException | None]) -> None:
    try:
        watch.run()
    except BaseException as error:
        ends.put(error)
    else:
        ends.put(None)


def _leave() -> None:
    """End at once: a stage in work would be waited for, and is nothing that the next run does not do again."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(0)


class WatchLines:
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
        if done := batch_summary(batch):
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


class JsonWatchLines(WatchLines):
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


def batch_summary(batch: WatchBatch) -> str:
    """The changed documents in a line, the first few of each kind by name; without those that cannot be read."""
    from flows.planning import Action

    parts = []
    for action in Action:
        sources = sorted(s for s, done in batch.changes.items() if done is action and s not in batch.unreadable)
        if sources:
            more = f" and {len(sources) - NAMES} more" if len(sources) > NAMES else ""
            parts.append(f"{action.value}: {', '.join(sources[:NAMES])}{more}")
    return "; ".join(parts)
