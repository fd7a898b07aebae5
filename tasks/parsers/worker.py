"""One process that reads heavy files, seen from the process that owns it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Pipe
from pathlib import Path

from tasks.parsers import refusals
from tasks.parsers.messages import OUT_OF_MEMORY, Ready, Reply, Request
from warehouse.errors import KalendsError, UnreadableFile

_ROOT = Path(__file__).resolve().parents[2]
_BROKEN = (EOFError, BrokenPipeError, ConnectionResetError)


class Worker:
    """Does what it is asked, one file at a time. It takes nothing before it is ready and nothing once it is spent."""

    def __init__(self, megabytes: int) -> None:
        """Starts the process; `megabytes` is what a file may add to its memory."""
        self.is_ready = False
        self.is_spent = False
        self.pipe, theirs = Pipe()
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

    def ask(self, *requests: Request) -> None:
        """Sends what is to be done, in order."""
        with suppress(*_BROKEN):  # the process is dead, which `hear` will find
            for request in requests:
                self.pipe.send(request)

    def hear(self) -> Reply | UnreadableFile:
        """What the process says, after waiting for it; what killed it where it is dead.

        Raises `KalendsError` if it dies before it was ready, since that is no file's fault.
        """
        try:
            said: Reply = self.pipe.recv()
        except _BROKEN:
            return self._death()
        self.is_ready = self.is_ready or isinstance(said, Ready)
        return said

    def _death(self) -> UnreadableFile:
        self.is_spent = True
        status = self._process.wait()
        if not self.is_ready:
            raise KalendsError(f"the reading process did not start (exit status {status})", "run kalends doctor")
        return refusals.out_of_memory() if status == OUT_OF_MEMORY else refusals.killed(status)

    def close(self) -> None:
        """Ends the process."""
        self.pipe.close()
        self._process.kill()
        self._process.wait()
