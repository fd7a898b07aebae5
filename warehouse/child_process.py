"""Child processes: starting them, limits of memory and time, ending those that hang or whose owner has ended.

`ChildProcess` serves a function of this program through a pipe: `python -m warehouse.child_process DESCRIPTOR
MODULE:FUNCTION ARGUMENTS`. It is not a `multiprocessing` process: those run the caller's main script again, which under
Streamlit is the page. `run_script` runs a file once and returns its output. `start_group` and `stop_group` are for
programs whose output is read while they run. None of them imports from the present folder (`python -P`): a folder
`tasks` among the documents would be run instead of the program's own.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

OUT_OF_MEMORY_STATUS = 77  # The exit status of a process that had too little memory to answer.
_ROOT = Path(__file__).resolve().parents[1]
_PIPE_ERRORS = (EOFError, BrokenPipeError, ConnectionResetError)
_CHECK_SECONDS = 1.0  # Seconds between two checks whether the owner is running.


class ChildExited(Exception):
    """The process ended before it answered; `status` is its exit status, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"exit status {status}")
        self.status = status


class ChildTimeout(Exception):
    """The process did not answer in time; it still runs."""


class ChildProcess:
    """A process that answers through a pipe, controlled by the process that owns it.

    Messages from the pipe are unpickled: this program's own code sends them, never a file.
    """

    def __init__(self, function: str, *arguments: str | int, environment: Mapping[str, str] | None = None) -> None:
        """Start it. `function` is a dotted module, a colon and the name of a function of the pipe and the arguments.

        `environment` replaces the owner's. It has its own process group, so that Ctrl-C at a terminal reaches only the
        owner.
        """
        self.pipe, child_end = Pipe()
        variables = os.environ if environment is None else environment
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        command = [sys.executable, "-P", "-m", "warehouse.child_process", str(child_end.fileno()), function]
        try:
            self._process = subprocess.Popen(
                [*command, *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if os.environ.get("KALENDS_DEBUG") else subprocess.DEVNULL,
                pass_fds=(child_end.fileno(),),
                start_new_session=True,
                env={**variables, "PYTHONPATH": path},
            )
        finally:
            child_end.close()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def send(self, message: Any) -> None:
        """Send it a message; if it has ended, `receive` raises the error."""
        with suppress(*_PIPE_ERRORS):
            self.pipe.send(message)

    def receive(self, seconds: float | None = None) -> Any:
        """The next message from it. Raises `ChildTimeout` after `seconds`, and `ChildExited`."""
        try:
            if seconds is not None and not self.pipe.poll(seconds):
                raise ChildTimeout
            return self.pipe.recv()
        except _PIPE_ERRORS:
            raise ChildExited(self._process.wait()) from None

    def close(self) -> None:
        """Kill it and all processes of its group."""
        self.pipe.close()
        stop_group(self._process, 0.0)


def run_script(script: Path, arguments: Sequence[str], seconds: float) -> bytes:
    """The output of a Python file, run without this program. Raises `ChildTimeout` and `ChildExited`."""
    command = [sys.executable, "-I", str(script), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ChildTimeout from None
    if result.returncode:
        raise ChildExited(result.returncode)
    return result.stdout


def start_group(module: str, *arguments: str, input_bytes: bytes) -> subprocess.Popen[bytes]:
    """Start a module in a group of its own, with these bytes as its input and its output as a stream."""
    command = [sys.executable, "-P", "-m", module, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    if process.stdin:
        with suppress(BrokenPipeError), process.stdin as stream:
            stream.write(input_bytes)
    return process


def stop_group(process: subprocess.Popen[bytes], seconds: float) -> None:
    """End a process that leads its group, and the group; kill them if they do not end within `seconds`."""
    if process.poll() is not None:  # Its id may belong to another process by now.
        return
    with suppress(ProcessLookupError):
        if seconds:
            os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                return
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def bound_memory(size: int) -> None:
    """Bound this process's address space to `size` bytes: beyond them it gets a `MemoryError`.

    Only Linux enforces it; elsewhere a time limit must suffice.
    """
    if sys.platform != "linux":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def raise_oom_score() -> None:
    """Let the system end this process before any other when memory runs out. Only Linux can be asked for that."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _exit_after(owner: int) -> None:
    """End this process soon after its owner ends, whatever its other threads do."""
    while os.getppid() == owner:
        time.sleep(_CHECK_SECONDS)
    os._exit(1)


def main() -> None:
    """Call the function with the pipe. If the owner closes the pipe, the process ends."""
    warnings.simplefilter("ignore")
    threading.Thread(target=_exit_after, args=(os.getppid(),), daemon=True).start()
    descriptor, function, *arguments = sys.argv[1:]
    module, _, name = function.partition(":")
    try:
        getattr(import_module(module), name)(Connection(int(descriptor)), *arguments)
    except MemoryError:
        os._exit(OUT_OF_MEMORY_STATUS)
    except _PIPE_ERRORS:
        os._exit(0)


if __name__ == "__main__":
    main()
