"""The local Prefect server: started once, in the background, on loopback; its state lives in the warehouse folder.

A server is ours and alive when the process of its state file is still the same one and answers; anything else (a dead
one, a process that took its number, another program on its port, a state file of garbage) is recognised and left alone.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep

import psutil

from warehouse.errors import ServerFailed
from warehouse.store.layout import Layout

HOST = "127.0.0.1"
START_SECONDS = 240.0
QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
}

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Servers that this process started: it must wait for them when they end, or they stay as zombies."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. `created` tells its process from a later one with the same number."""

    pid: int
    created: float
    port: int

    @property
    def url(self) -> str:
        """The API, for Prefect's clients."""
        return f"http://{HOST}:{self.port}/api"

    @property
    def ui(self) -> str:
        """The pages, for people."""
        return f"http://{HOST}:{self.port}"


def find(layout: Layout) -> Server | None:
    """The warehouse's server, if it runs and answers."""
    server = _recorded(layout)
    return server if server and _process(server) and _healthy(server) else None


def up(layout: Layout) -> tuple[Server, bool]:
    """The warehouse's server, started if need be; the flag says whether it was.

    Raises `ServerFailed` when it does not come up.
    """
    running = _recorded(layout)
    if running and _process(running):
        return _await(layout, running), False
    layout.prefect.mkdir(parents=True, exist_ok=True)
    if _state(layout).is_dir():
        raise ServerFailed(f"{_state(layout)} is a folder where a file belongs", "remove it")
    server = _start(layout)
    _state(layout).write_text(json.dumps(asdict(server)), encoding="utf-8")
    return _await(layout, server), True


def down(layout: Layout) -> bool:
    """Stop the warehouse's server and what it started. Returns whether one ran."""
    server = _recorded(layout)
    process = _process(server) if server else None
    if _state(layout).is_file():
        _state(layout).unlink()
    if process is None:
        return False
    family = [process, *process.children(recursive=True)]
    for member in family:
        member.terminate()
    _, stubborn = psutil.wait_procs(family, timeout=10)
    for member in stubborn:
        member.kill()
    child = _children.pop(process.pid, None)
    if child:
        child.wait()
    return True


def _start(layout: Layout) -> Server:
    port = _free_port()
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", HOST, "--port", str(port)]
    home = layout.prefect.resolve()
    environment = {
        **os.environ,
        **QUIET,
        "PREFECT_HOME": str(home),
        "PREFECT_PROFILES_PATH": str(home / "profiles.toml"),
    }
    environment.pop("PREFECT_API_URL", None)
    with _log(layout).open("ab") as log:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    _children[process.pid] = process
    return Server(process.pid, psutil.Process(process.pid).create_time(), port)


def _await(layout: Layout, server: Server) -> Server:
    deadline = monotonic() + START_SECONDS
    while monotonic() < deadline:
        if _healthy(server):
            return server
        if _process(server) is None:
            break
        sleep(0.1)
    raise ServerFailed("the local Prefect server did not start", f"its output is in {_log(layout)}")


def _healthy(server: Server) -> bool:
    connection = HTTPConnection(HOST, server.port, timeout=2)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _process(server: Server) -> psutil.Process | None:
    """The process, if it still is the one that was started: the same start and a Prefect server's command line."""
    try:
        process = psutil.Process(server.pid)
        command = process.cmdline()
        # A process that is just being started has no command line yet.
        same = abs(process.create_time() - server.created) < 1 and (
            not command or {"prefect", "server"} <= set(command)
        )
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def _recorded(layout: Layout) -> Server | None:
    """What the state file says; None without one, and for one that says nothing usable."""
    try:
        found = json.loads(_state(layout).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    match found:
        case {"pid": int(pid), "created": float(created), "port": int(port)} if 0 < pid < 2**31 and 0 < port < 2**16:
            return Server(pid, created, port)
    return None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _state(layout: Layout) -> Path:
    return layout.prefect / "server.json"


def _log(layout: Layout) -> Path:
    return layout.prefect / "server.log"
