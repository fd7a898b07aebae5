"""Where in a run a fault strikes: before the n-th time that the process writes, moves, links or removes a file.

Python tells an audit hook (PEP 578) of each of these before it happens, so that the program under test knows of nothing
and a kill before one is a kill after the last. What native code writes lies between two of them.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHANGING = frozenset({"os.rename", "os.link", "os.symlink", "os.remove", "os.rmdir", "shutil.rmtree"})
WRITING = os.O_WRONLY | os.O_RDWR


def on_change(folder: Path, act: Callable[[int, str], None]) -> None:
    """Call `act` with the number (from 1) and a name of each change below a folder, before it happens.

    The local server's state and the results of its tasks are no part of the warehouse's promise and not counted.
    """
    home, left_out = str(folder.resolve()), str(folder.resolve() / "prefect")
    count = 0

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        path = _changed(event, arguments)
        if path and path.startswith(home) and not path.startswith(left_out):
            count += 1
            act(count, f"{event.removeprefix('os.')} {path.removeprefix(home)}")

    sys.addaudithook(hook)


def _changed(event: str, arguments: tuple[Any, ...]) -> str:
    if event == "open":
        path, _, flags = arguments
        return os.fsdecode(path) if flags & WRITING and isinstance(path, str | bytes | os.PathLike) else ""
    if event not in CHANGING:
        return ""
    # The new name of what is moved or linked comes second.
    place = arguments[1] if event in {"os.rename", "os.link", "os.symlink"} else arguments[0]
    return os.fsdecode(place) if isinstance(place, str | bytes | os.PathLike) else ""


def renounce() -> None:
    """Give up root's right to pass over the modes of files: its own files then refuse it like anybody's.

    See capabilities(7): CAP_DAC_OVERRIDE is 1, CAP_DAC_READ_SEARCH 2; the header's version is the third.
    """
    kept = ~(1 << 1 | 1 << 2) & 0xFFFFFFFF
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    held = (ctypes.c_uint32 * 6)()
    system = ctypes.CDLL(None, use_errno=True)
    system.capget(header, held)
    for place in range(3):
        held[place] &= kept
    if system.capset(header, held):
        raise OSError(ctypes.get_errno(), "the capabilities cannot be given up")
