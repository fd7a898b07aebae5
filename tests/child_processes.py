"""The processes that this one has started and that still run."""

from __future__ import annotations

import psutil

from tests.forked_process import list_forked


def list_children() -> list[psutil.Process]:
    """All of them, those that were forked from a loaded process too.

    One may end at any time: neither one that is gone nor one that has ended and was not waited for (a zombie) counts.
    """
    found = psutil.Process().children(recursive=True)
    for number in list_forked():
        try:
            found.append(psutil.Process(number))
        except psutil.NoSuchProcess:
            continue
    return found


def find_children(function: str) -> list[psutil.Process]:
    """Those that run a function, named as `warehouse.child_process.ChildProcess` takes it."""
    forked = list_forked(function)
    return [child for child in list_children() if child.pid in forked or _runs(child, function)]


def _runs(process: psutil.Process, function: str) -> bool:
    """Whether it was started for the function, and not to fork others for it."""
    try:
        words = process.cmdline()
    except psutil.NoSuchProcess:  # That of a zombie is one of these.
        return False
    return function in words and "tests.forked_process" not in words
