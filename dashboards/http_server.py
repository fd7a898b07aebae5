"""Sockets and the run of HTTP servers, the API in the background; the variables with the token and the password."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from flows.service.processes import HOST, BackgroundProcess, RunningProcess, find_free_port
from warehouse.errors import BadInput
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from warehouse.settings.loader import Settings

SHUTDOWN_SECONDS = 5  # Seconds that running answers have to end after a server is stopped.
TOKEN = "KALENDS_TOKEN"  # noqa: S105 - the variable's name
"""The variable with the bearer token (RFC 6750) that clients must know."""
PASSWORD = "KALENDS_PASSWORD"  # noqa: S105 - the variable's name
"""The variable with the password that opens the dashboard."""


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises `BadInput` for an address that cannot be listened on."""
    listening = None
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # The protocol is named because asyncio sends small answers at once only where it is (40 ms each otherwise).
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        # Requests wait while a model is loading instead of being refused.
        listening.listen(128)
    except OSError as error:
        if listening:
            listening.close()
        problem = f"cannot listen on {host} port {port} ({error.strerror})"
        raise BadInput(problem, "choose another with --host and --port") from None
    return listening


def format_url_host(host: str) -> str:
    """A host as part of a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def serve_app(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application until Ctrl-C or SIGTERM; neither is an error."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ws="none",
    )
    # Uvicorn shuts down and then raises the signal again.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def start_api(settings: Settings) -> RunningProcess:
    """The HTTP API in the background for this machine, on the port of the settings or, where it is taken, a free one.

    One that runs is not started again. Raises `ServerFailed` when it does not come up.
    """
    layout = Layout(settings.warehouse)
    port, warehouse = find_free_port(settings.serve.port), str(settings.warehouse.resolve())
    command = [sys.executable, "-P", "-m", _PROGRAM, "serve", "--host", HOST, "--port", str(port), "-w", warehouse]
    return make_api_process(layout).ensure_running(command, os.environ, is_listening, port)[0]


def make_api_process(layout: Layout) -> BackgroundProcess:
    """The HTTP API of a warehouse, in the background."""
    return BackgroundProcess("HTTP API", "api", layout.prefect, frozenset({_PROGRAM, "serve"}))


_PROGRAM = "dashboards.cli.main"


def is_listening(process: RunningProcess) -> bool:
    """Whether its port takes connections; with a token set, requests without it are refused."""
    with suppress(OSError), socket.create_connection((HOST, process.port), 1):
        return True
    return False
