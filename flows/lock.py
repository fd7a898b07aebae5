"""One writer at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from warehouse.errors import Busy
from warehouse.store.layout import Layout


@contextmanager
def writing(layout: Layout) -> Iterator[None]:
    """Hold the warehouse for writing; the system lets go when the process ends, however it ends.

    Raises `Busy` naming the process that holds it.
    """
    layout.folder.mkdir(parents=True, exist_ok=True)
    with layout.lock.open("a+", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "another process"
            raise Busy(
                f"{holder} is writing to {layout.folder}", "wait until it has finished, then run again"
            ) from None
        stream.truncate(0)
        stream.write(f"process {os.getpid()}")
        stream.flush()
        yield
