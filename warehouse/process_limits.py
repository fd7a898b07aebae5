"""Bounds for a process that does a stranger's bidding: its memory, and a life no longer than its owner's."""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

_LOOKS_EVERY = 1.0


def bound_memory(size: int) -> None:
    """Bounds the address space to so many bytes, so that hunger meets a `MemoryError` and not the machine's last byte.

    Only Linux keeps such a bound; elsewhere a time limit has to do.
    """
    if sys.platform != "linux":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def be_first_victim() -> None:
    """Lets the system, where memory runs out, end this process before any other. Only Linux can be asked for that."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def end_with_owner() -> None:
    """Ends this process soon after the one that started it, even while it is lost in its work."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOKS_EVERY)
    os._exit(1)
