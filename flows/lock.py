"""One writer at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from time import monotonic, sleep

from warehouse.errors import Busy
from warehouse.store.layout import Layout

LOOKS_EVERY = 0.5
"""Seconds between two looks while the lock is waited for."""
AT_ONCE, GLANCE = 0.2, 0.02
"""Seconds for which even the impatient try, and between their tries: `holder` has the lock for some microseconds."""
_UNKNOWN = "another process"


@contextmanager
def writing(layout: Layout, patience: float = 0.0, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold the warehouse for writing; the system lets go when the process ends, however it ends.

    `waiting` is called once with the name of the process that holds it, where that is waited for. Raises `Busy` naming
    the process that still holds it after `patience` seconds.
    """
    layout.make()
    with layout.lock.open("a+", encoding="utf-8") as stream:
        held = _held_within(stream, AT_ONCE, GLANCE)
        if not held and patience > 0:
            if waiting:
                waiting(_name(stream))
            held = _held_within(stream, patience, LOOKS_EVERY)
        if not held:
            raise Busy(f"{_name(stream)} is writing to {layout.folder}", "wait until it has finished, then run again")
        # What a process that was killed left there is no record of this one.
        layout.progress.unlink(missing_ok=True)
        stream.truncate(0)
        stream.write(f"process {os.getpid()}")
        stream.flush()
        yield


def holder(layout: Layout) -> str | None:
    """The process that holds the warehouse for writing, as `Busy` names it; None where nobody does.

    A lock that cannot be opened tells of nobody: whoever wants to write is told why that is so.
    """
    try:
        stream = layout.lock.open("r", encoding="utf-8")
    except OSError:
        return None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _name(stream)
    return None


def _held_within(stream: TextIOWrapper, seconds: float, every: float) -> bool:
    """Whether the lock is ours, tried for so long."""
    deadline = monotonic() + seconds
    while not (held := _held(stream)) and monotonic() < deadline:
        sleep(every)
    return held


def _held(stream: TextIOWrapper) -> bool:
    """Whether the lock is ours now."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _name(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read().strip() or _UNKNOWN
