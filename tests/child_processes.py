"""The processes that this one has started and that still run."""

from __future__ import annotations

import psutil


def find_children(function: str) -> list[psutil.Process]:
    """Those that run a function, named as `warehouse.child_process.ChildProcess` takes it.

    One may end at any time: neither one that is gone nor one that has ended and was not waited for (a zombie) counts.
    """
    return [child for child in psutil.Process().children(recursive=True) if _runs(child, function)]


def _runs(process: psutil.Process, function: str) -> bool:
    try:
        return function in process.cmdline()
    except psutil.NoSuchProcess:  # That of a zombie is one of these.
        return False
