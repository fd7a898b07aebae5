"""Background processes of a warehouse: the local Prefect server, its worker, and the class for any other.

A process is started once, recorded in a state file in the warehouse folder, found again, and stopped. It counts as
running if the process of its state file is still the same one: an ended process, another one with its number, or an
unreadable state file is recognised and ignored. The server listens on loopback only; the worker takes the runs of
the deployments one at a time, each in a process of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from warehouse.errors import ServerFailed
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    import psutil

HOST = "127.0.0.1"
SERVER_PROGRAM = "flows.service.prefect_server"
POOL = "kalends"  # The work pool of the deployments, and the name of the worker.
START_SECONDS = 240.0
STOP_SECONDS = 10.0

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Processes that this one started and must wait for when they end, or they stay as zombies."""


@dataclass(frozen=True, slots=True)
class RunningProcess:
    """A recorded process. `created` distinguishes it from a later one with the same number; port 0 means no port."""

    pid: int
    created: float
    port: int

    @property
    def ui(self) -> str:
        """The pages of a server, for people."""
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The API of a Prefect server, for its clients."""
        return f"{self.ui}/api"


@dataclass(frozen=True, slots=True)
class BackgroundProcess:
    """A kind of background process of one warehouse.

    `title` is its name in messages, `name` that of its state file and log in `folder`; `words` of its command line
    identify it.
    """

    title: str
    name: str
    folder: Path
    words: frozenset[str]

    @property
    def state(self) -> Path:
        """The state file."""
        return self.folder / f"{self.name}.json"

    @property
    def log(self) -> Path:
        """The file of its output."""
        return self.folder / f"{self.name}.log"

    def find_running(self) -> RunningProcess | None:
        """The recorded process, if it still runs."""
        process = self._read_state()
        return process if process and self._find_process(process) else None

    def ensure_running(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        ready: Callable[[RunningProcess], bool],
        port: int = 0,
    ) -> tuple[RunningProcess, bool]:
        """The process, started if need be and `ready`, and whether it was started. Of two callers, one waits.

        `port` is the one in its command. Raises `ServerFailed` when it ends or does not get ready.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.state.is_dir():
            raise ServerFailed(f"{self.state} is a folder, but must be a file", "remove it")
        with (self.folder / f"{self.name}.lock").open("w") as lock:
            # Held until the new process is on record.
            fcntl.flock(lock, fcntl.LOCK_EX)
            running = self.find_running()
            process = running or self._start(command, environment, port)
        self._await_ready(process, ready)
        return process, running is None

    def stop(self) -> bool:
        """Stop it and its children. Returns whether it ran."""
        recorded = self._read_state()
        process = self._find_process(recorded) if recorded else None
        if self.state.is_file():
            self.state.unlink()
        if process is None:
            return False
        import psutil

        processes = [process]
        with suppress(psutil.NoSuchProcess):  # It, or a child of it, may end at any moment by itself.
            processes += process.children(recursive=True)
        for member_process in processes:
            with suppress(psutil.NoSuchProcess):
                member_process.terminate()
        _, remaining = psutil.wait_procs(processes, timeout=STOP_SECONDS)
        for member_process in remaining:
            with suppress(psutil.NoSuchProcess):
                member_process.kill()
        child = _children.pop(process.pid, None)
        if child:
            child.wait()
        return True

    def _start(self, command: Sequence[str], environment: Mapping[str, str], port: int) -> RunningProcess:
        import psutil

        # Its children do not import from the user's current folder either, which may contain any module.
        variables = {**environment, "PYTHONSAFEPATH": "1"}
        with self.log.open("ab") as log:
            child = subprocess.Popen(
                command, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        _children[child.pid] = child
        process = RunningProcess(child.pid, psutil.Process(child.pid).create_time(), port)
        self.state.write_text(json.dumps(asdict(process)), encoding="utf-8")
        return process

    def _await_ready(self, process: RunningProcess, ready: Callable[[RunningProcess], bool]) -> None:
        deadline = monotonic() + START_SECONDS
        while monotonic() < deadline:
            if ready(process):
                return
            if self._find_process(process) is None:
                break
            sleep(0.1)
        raise ServerFailed(f"the {self.title} did not start", f"its output is in {self.log}")

    def _find_process(self, record: RunningProcess) -> psutil.Process | None:
        """The process, if it is still the one that was started: same start time, same kind of command line."""
        import psutil  # Where nothing was started it is not loaded.

        try:
            process = psutil.Process(record.pid)
            command = process.cmdline()
            # A process that is just being started has no command line yet.
            is_same = abs(process.create_time() - record.created) < 1 and (not command or self.words <= set(command))
            if process.status() == psutil.STATUS_ZOMBIE:
                raise psutil.ZombieProcess(record.pid)
            return process if is_same else None
        except psutil.NoSuchProcess:  # A zombie is one of these, until it is waited for.
            if child := _children.pop(record.pid, None):
                child.wait()
            return None
        except psutil.Error:
            return None

    def _read_state(self) -> RunningProcess | None:
        """The process of the state file; None without a file, or where it is unreadable."""
        try:
            state = json.loads(self.state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        match state:
            case {"pid": int(pid), "created": float(created), "port": int(port)}:
                return RunningProcess(pid, created, port) if 0 < pid < 2**31 and 0 <= port < 2**16 else None
        return None


def find_free_port(preferred_port: int = 0) -> int:
    """A free port of this machine, `preferred_port` if it is free."""
    for port in (preferred_port, 0):
        with socket.socket() as probe:
            # A port that was released a moment ago counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerFailed(f"no port of {HOST} is free", "stop a program that listens on one")


QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
}


def find_server(layout: Layout) -> RunningProcess | None:
    """The warehouse's server, if it runs and answers."""
    server = make_server_process(layout).find_running()
    return server if server and _answers_health_check(server) else None


def start_server(layout: Layout) -> tuple[RunningProcess, bool]:
    """The warehouse's server, started if need be; the flag says whether it was.

    Raises `ServerFailed` when it does not come up.
    """
    layout.make_folder()
    home = layout.prefect.resolve()
    port = find_free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PREFECT_API_URL"},
        **QUIET,
        "PREFECT_HOME": str(home),
        "PREFECT_PROFILES_PATH": str(home / "profiles.toml"),
        # Longer than the clients keep a connection: one that is closed as it is used again costs a retry after 2 s.
        "PREFECT_SERVER_API_KEEPALIVE_TIMEOUT": "60",
        # For the links in notifications.
        "PREFECT_UI_URL": f"http://{HOST}:{port}",
    }
    command = [sys.executable, "-P", "-m", SERVER_PROGRAM, "server", "start", "--host", HOST, "--port", str(port)]
    return make_server_process(layout).ensure_running(command, environment, _answers_health_check, port)


def stop_server(layout: Layout) -> bool:
    """Stop the warehouse's server and what it started. Returns whether one ran."""
    return make_server_process(layout).stop()


def answers_request(port: int, path: str) -> bool:
    """Whether a local port answers a GET request for a path with status 200."""
    connection = HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def make_server_process(layout: Layout) -> BackgroundProcess:
    """The warehouse's Prefect server."""
    return BackgroundProcess("local Prefect server", "server", layout.prefect, frozenset({"server", "start"}))


def _answers_health_check(server: RunningProcess) -> bool:
    return answers_request(server.port, "/api/health")


def start_worker(layout: Layout, url: str, server: RunningProcess | None) -> RunningProcess:
    """The worker for the server at `url`, started if need be.

    `server` is the warehouse's own one, None for another. Raises `ServerFailed` when the worker does not start.
    """
    process = make_worker_process(layout)
    running = process.find_running()
    if running and server and running.created < server.created:
        # It polls a server that no longer runs.
        process.stop()
    port = find_free_port()
    environment = {
        **os.environ,
        **QUIET,
        "PREFECT_API_URL": url,
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO",
        "PREFECT_HOME": str(layout.prefect.resolve()),
        "PREFECT_WORKER_WEBSERVER_HOST": HOST,
        "PREFECT_WORKER_WEBSERVER_PORT": str(port),
    }
    options = ["--pool", POOL, "--type", "process", "--name", POOL, "--limit", "1", "--with-healthcheck"]
    command = [sys.executable, "-P", "-m", "prefect", "worker", "start", *options]
    return process.ensure_running(command, environment, lambda worker: answers_request(worker.port, "/health"), port)[0]


def make_worker_process(layout: Layout) -> BackgroundProcess:
    """The worker of the warehouse's deployments; it is stopped with its present run."""
    return BackgroundProcess("Prefect worker", "worker", layout.prefect, frozenset({"prefect", "worker"}))
