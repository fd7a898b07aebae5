"""How a server of ours listens, and how it ends."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from types import FrameType
from typing import TYPE_CHECKING

from warehouse.errors import BadInput

if TYPE_CHECKING:
    from starlette.types import ASGIApp

PATIENCE = 5
"""Seconds that answers have to end once a server is told to."""


def is_local(host: str) -> bool:
    """Whether only programs on this machine can reach an address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises `BadInput` for an address that cannot be listened on."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise BadInput(
            f"cannot listen on {host} port {port} ({error.strerror})", "choose another with --host and --port"
        ) from None


def written(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def answer(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application until told to stop, by Ctrl-C or SIGTERM, which is no failure."""
    import uvicorn

    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=PATIENCE, ws="none"
    )
    # Uvicorn ends in good order and then raises the signal anew.
    signal.signal(signal.SIGTERM, _leave)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
