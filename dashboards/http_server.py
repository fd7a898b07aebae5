"""Sockets and the run of HTTP servers; the variables with the token and the password."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from warehouse.errors import BadInput

if TYPE_CHECKING:
    from starlette.types import ASGIApp

SHUTDOWN_SECONDS = 5  # Seconds that running answers have to end after a server is stopped.
TOKEN = "KALENDS_TOKEN"  # noqa: S105 - the variable's name
"""The variable with the bearer token (RFC 6750) that clients must know."""
PASSWORD = "KALENDS_PASSWORD"  # noqa: S105 - the variable's name
"""The variable with the password that opens the dashboard."""


def is_local(host: str) -> bool:
    """Whether only programs on this machine can reach an address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises `BadInput` for an address that cannot be listened on."""
    found = None
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # The protocol is named because asyncio sends small answers at once only where it is (40 ms each otherwise).
        found = socket.socket(family, kind, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        # Requests wait while a model is loading instead of being refused.
        found.listen(128)
    except OSError as error:
        if found:
            found.close()
        problem = f"cannot listen on {host} port {port} ({error.strerror})"
        raise BadInput(problem, "choose another with --host and --port") from None
    return found


def url_host(host: str) -> str:
    """A host as URLs write it: IPv6 addresses in brackets."""
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
    # Uvicorn ends in good order and then raises the signal anew.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
