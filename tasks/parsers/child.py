"""The process in which heavy parsers run: `python -m tasks.parsers.child DESCRIPTOR MEGABYTES`, started by `workers`.

It says that it is ready, then answers each `Raw` with the document or the `UnreadableFile`, and whether it should be
replaced. It ends when the other end of its pipe is closed or the process that started it is gone.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
import warnings
from multiprocessing.connection import Connection

import psutil

from tasks.parsers.contract import Raw
from tasks.parsers.reading import read
from warehouse.errors import UnreadableFile
from warehouse.records import Document

_LOOKS_EVERY = 1.0


def _serve(pipe: Connection, megabytes: int) -> None:
    """Answers until the pipe is closed."""
    _load()
    start = psutil.Process().memory_info().vms
    _limit(start + megabytes * 2**20)
    pipe.send("ready")
    while True:
        try:
            pipe.send(_answer(pipe.recv(), start, megabytes))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def _load() -> None:
    """Imports what reads, before any clock runs or memory is counted."""
    import docx  # noqa: F401
    import pdfplumber  # noqa: F401

    from tasks.parsers.reading import PARSERS

    len(PARSERS)


def _answer(raw: Raw, start: int, megabytes: int) -> tuple[Document | UnreadableFile, bool]:
    """The outcome, and whether this process has grown so much that another should take the next file."""
    outcome: Document | UnreadableFile
    try:
        outcome = read(raw)
    except UnreadableFile as problem:
        outcome = problem.with_traceback(None)
    grown = psutil.Process().memory_info().vms - start
    return outcome, grown > megabytes * 2**20 / 2


def _limit(size: int) -> None:
    """Bounds the address space, so that a hungry file meets a `MemoryError` and not the machine's last byte.

    Only Linux keeps such a bound; elsewhere the time limit has to do.
    """
    if sys.platform != "linux":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _end_with(parent: int) -> None:
    """Ends this process soon after the one that started it, even while it is lost in a file."""
    while os.getppid() == parent:
        time.sleep(_LOOKS_EVERY)
    os._exit(1)


def main() -> None:
    """Reads the arguments and serves."""
    warnings.simplefilter("ignore")
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    _serve(Connection(int(sys.argv[1])), int(sys.argv[2]))


if __name__ == "__main__":
    main()
