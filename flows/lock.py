"""One writer at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from time import monotonic, sleep

from warehouse.errors import Busy
from warehouse.store.layout import Layout

LOOKS_EVERY = 0.5


@contextmanager
def writing(layout: Layout, patience: float = 0.0) -> Iterator[None]:
    """Hold the warehouse for writing; the system lets go when the process ends, however it ends.

    Raises `Busy` naming the process that still holds it after `patience` seconds.
    """
    layout.make()
    with layout.lock.open("a+", encoding="utf-8") as stream:
        deadline = monotonic() + patience
        while not (held := _held(stream)) and monotonic() < deadline:
            sleep(LOOKS_EVERY)
        if not held:
            stream.seek(0)
            holder = stream.read().strip() or "another process"
            raise Busy(f"{holder} is writing to {layout.folder}", "wait until it has finished, then run again")
        stream.truncate(0)
        stream.write(f"process {os.getpid()}")
        stream.flush()
        yield


def _held(stream: TextIOWrapper) -> bool:
    """Whether the lock is ours now."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
