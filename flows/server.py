"""The local Prefect server: started once, in the background, on loopback; its state lives in the warehouse folder."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

from flows.serving.standing import HOST, BackgroundProcess, RunningProcess, clean_environment, free_port
from warehouse.store.layout import Layout

QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
}


@dataclass(frozen=True, slots=True)
class PrefectServer(RunningProcess):
    """A running server."""

    @property
    def url(self) -> str:
        """The API, for Prefect's clients."""
        return f"http://{HOST}:{self.port}/api"

    @property
    def ui(self) -> str:
        """The pages, for people."""
        return f"http://{HOST}:{self.port}"


def find(layout: Layout) -> PrefectServer | None:
    """The warehouse's server, if it runs and answers."""
    found = _standing(layout).running()
    return _server(found) if found and _healthy(found) else None


def up(layout: Layout) -> tuple[PrefectServer, bool]:
    """The warehouse's server, started if need be; the flag says whether it was.

    Raises `ServerFailed` when it does not come up.
    """
    layout.make()
    home = layout.prefect.resolve()
    port = free_port()
    environment = {
        **clean_environment("PREFECT_API_URL"),
        **QUIET,
        "PREFECT_HOME": str(home),
        "PREFECT_PROFILES_PATH": str(home / "profiles.toml"),
        # Longer than the clients keep a connection: one that is closed as it is used again costs a retry after 2 s.
        "PREFECT_SERVER_API_KEEPALIVE_TIMEOUT": "60",
        # For the links in notifications.
        "PREFECT_UI_URL": f"http://{HOST}:{port}",
    }
    found, started = _standing(layout).up(_command, environment, _healthy, port)
    return _server(found), started


def down(layout: Layout) -> bool:
    """Stop the warehouse's server and what it started. Returns whether one ran."""
    return _standing(layout).down()


def answers(port: int, path: str) -> bool:
    """Whether what listens on a port of this machine answers a request for a page with OK."""
    connection = HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _standing(layout: Layout) -> BackgroundProcess:
    return BackgroundProcess("local Prefect server", "server", layout.prefect, frozenset({"prefect", "server"}))


def _command(port: int) -> list[str]:
    return [sys.executable, "-m", "prefect", "server", "start", "--host", HOST, "--port", str(port)]


def _server(found: RunningProcess) -> PrefectServer:
    return PrefectServer(found.pid, found.created, found.port)


def _healthy(found: RunningProcess) -> bool:
    return answers(found.port, "/api/health")
