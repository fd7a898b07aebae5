"""`kalends watch`."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, settings_of

if TYPE_CHECKING:
    from flows.watching.watch import Watcher

GRACE = 0.7
"""Seconds that a run in work has to come to its next stage once the watch is ended."""

FoldersArgument = Annotated[list[Path] | None, typer.Argument(help="Folders or files [default: all known roots].")]
PollOption = Annotated[
    bool, typer.Option("--poll", help="Look for changes, where the system tells of none (network shares).")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(watch)


def watch(
    paths: FoldersArgument = None, poll: PollOption = False, warehouse: WarehouseOption = None, json: JsonOption = False
) -> None:
    """Ingest what changes as soon as it is saved, until Ctrl-C."""
    from dashboards.cli.watched import JsonLines, Lines
    from flows.watching.watch import Watcher

    ends: SimpleQueue[BaseException | None] = SimpleQueue()
    listener = (JsonLines if json else Lines)(lambda: ends.put(None))
    found = Watcher(settings_of(warehouse), paths or [], listener, poll=poll)
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
