"""One process that reads heavy files, seen from the process that owns it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Pipe
from pathlib import Path
from time import monotonic

from tasks.parsers import refusals
from tasks.parsers.contract import Raw
from warehouse.errors import KalendsError, UnreadableFile
from warehouse.records import Document

_ROOT = Path(__file__).resolve().parents[2]
_BROKEN = (EOFError, BrokenPipeError, ConnectionResetError)


class Worker:
    """Reads one file at a time. `index` is the file it has, None while it is free; once spent it takes no other."""

    def __init__(self, megabytes: int) -> None:
        """Starts the process; `megabytes` is what a file may add to its memory."""
        self.index: int | None = None
        self.is_spent = False
        self.pipe, theirs = Pipe()
        self._waiting: Raw | None = None
        self._ready = False
        self._since = 0.0
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        command = [sys.executable, "-m", "tasks.parsers.child", str(theirs.fileno()), str(megabytes)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        theirs.close()

    def give(self, index: int, raw: Raw) -> None:
        """Hands over a file, now or as soon as the process is ready; its time starts then."""
        self.index = index
        if self._ready:
            self._send(raw)
        else:
            self._waiting = raw

    def _send(self, raw: Raw) -> None:
        self._waiting = None
        self._since = monotonic()
        with suppress(*_BROKEN):  # the process is dead, which `take` will find
            self.pipe.send(raw)

    def take(self) -> tuple[int, Document | UnreadableFile] | None:
        """What the process said: the outcome, or None if only that it is ready. Its death is an outcome too.

        Raises `KalendsError` if it dies before it was ready, since that is no file's fault.
        """
        try:
            said = self.pipe.recv()
        except _BROKEN:
            return self._died()
        if self._ready:
            outcome, self.is_spent = said
            return self._done(outcome)
        self._ready = True
        if self._waiting is not None:
            self._send(self._waiting)
        return None

    def late(self, now: float, seconds: float) -> tuple[int, UnreadableFile] | None:
        """The outcome of a file that took too long, whose process is of no more use; None while there is time."""
        if not self._ready or now - self._since <= seconds:
            return None
        self.is_spent = True
        index, _ = self._done(refusals.too_slow(seconds))
        return index, refusals.too_slow(seconds)

    def _died(self) -> tuple[int, Document | UnreadableFile]:
        self.is_spent = True
        status = self._process.wait()
        if not self._ready:
            raise KalendsError(f"the reading process did not start (exit status {status})", "run kalends doctor")
        return self._done(refusals.killed(status))

    def _done(self, outcome: Document | UnreadableFile) -> tuple[int, Document | UnreadableFile]:
        index, self.index = self.index, None
        if index is None:
            raise KalendsError("a process for reading files spoke without being asked", "report this")
        return index, outcome

    def close(self) -> None:
        """Ends the process."""
        self.pipe.close()
        self._process.kill()
        self._process.wait()
