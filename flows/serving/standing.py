"""A background process of ours: started once, recorded in the warehouse folder, found again, stopped.

It is ours and alive when the process of its state file is still the same one; anything else (a dead one, a process that
took its number, a state file of garbage) is recognised and left alone.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep

import psutil

from warehouse.errors import ServerFailed

HOST = "127.0.0.1"
START_SECONDS = 240.0
STOP_SECONDS = 10.0

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Those that this process started: it must wait for them when they end, or they stay as zombies."""


@dataclass(frozen=True, slots=True)
class RunningProcess:
    """A recorded process. `created` tells it from a later one with the same number; port 0 means that it has none."""

    pid: int
    created: float
    port: int


@dataclass(frozen=True, slots=True)
class BackgroundProcess:
    """A kind of background process of one warehouse.

    It is called `title`, has its state and its log as `name` in a folder, and is known by the `words` of its command.
    """

    title: str
    name: str
    folder: Path
    words: frozenset[str]

    @property
    def state(self) -> Path:
        """The file that records it."""
        return self.folder / f"{self.name}.json"

    @property
    def log(self) -> Path:
        """What it prints."""
        return self.folder / f"{self.name}.log"

    def running(self) -> RunningProcess | None:
        """The recorded process, if it still runs."""
        found = self._recorded()
        return found if found and self._alive(found) else None

    def up(
        self,
        command: Callable[[int], Sequence[str]],
        environment: Mapping[str, str],
        ready: Callable[[RunningProcess], bool],
        port: int = 0,
    ) -> tuple[RunningProcess, bool]:
        """The process, started if need be and `ready`; the flag says whether it was. Of two that start it, one waits.

        `port` is what its command is made with. Raises `ServerFailed` when it ends or does not get ready.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.state.is_dir():
            raise ServerFailed(f"{self.state} is a folder where a file belongs", "remove it")
        with self._starting():
            found = self.running()
            process = found or self._start(command(port), environment, port)
        self._await(process, ready)
        return process, found is None

    def down(self) -> bool:
        """Stop it and what it started. Returns whether it ran."""
        found = self._recorded()
        process = self._alive(found) if found else None
        if self.state.is_file():
            self.state.unlink()
        if process is None:
            return False
        family = [process, *process.children(recursive=True)]
        for member in family:
            member.terminate()
        _, stubborn = psutil.wait_procs(family, timeout=STOP_SECONDS)
        for member in stubborn:
            member.kill()
        child = _children.pop(process.pid, None)
        if child:
            child.wait()
        return True

    def _start(self, command: Sequence[str], environment: Mapping[str, str], port: int) -> RunningProcess:
        with self.log.open("ab") as log:
            started = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        _children[started.pid] = started
        found = RunningProcess(started.pid, psutil.Process(started.pid).create_time(), port)
        self.state.write_text(json.dumps(asdict(found)), encoding="utf-8")
        return found

    def _await(self, process: RunningProcess, ready: Callable[[RunningProcess], bool]) -> None:
        deadline = monotonic() + START_SECONDS
        while monotonic() < deadline:
            if ready(process):
                return
            if self._alive(process) is None:
                break
            sleep(0.1)
        raise ServerFailed(f"the {self.title} did not start", f"its output is in {self.log}")

    def _alive(self, found: RunningProcess) -> psutil.Process | None:
        """The process, if it still is the one that was started: the same start and the same kind of command line."""
        try:
            process = psutil.Process(found.pid)
            command = process.cmdline()
            # A process that is just being started has no command line yet.
            same = abs(process.create_time() - found.created) < 1 and (not command or self.words <= set(command))
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.Error:
            return None

    def _recorded(self) -> RunningProcess | None:
        """What the state file says; None without one, and for one that says nothing usable."""
        try:
            found = json.loads(self.state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        match found:
            case {"pid": int(pid), "created": float(created), "port": int(port)}:
                return RunningProcess(pid, created, port) if 0 < pid < 2**31 and 0 <= port < 2**16 else None
        return None

    @contextmanager
    def _starting(self) -> Iterator[None]:
        """Alone until the new process is on record."""
        with (self.folder / f"{self.name}.lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield


def free_port(wanted: int = 0) -> int:
    """A port of this machine that nobody listens on, the one that is `wanted` if it can be."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            # A port that was left a moment ago is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerFailed(f"no port of {HOST} is free", "end a program that listens on one")


def clean_environment(*without: str) -> dict[str, str]:
    """The variables of this process, but for some."""
    return {name: value for name, value in os.environ.items() if name not in without}
