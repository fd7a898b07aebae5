"""Running the API: where it listens, who may ask, and how it ends."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType

import uvicorn

from dashboards.api.app import application
from dashboards.api.guarding import LOCAL, Rules
from tasks.embedders.choosing import embedder
from warehouse.errors import BadInput
from warehouse.settings import Settings

TOKEN = "KALENDS_TOKEN"  # noqa: S105 - the variable's name
PATIENCE = 5
"""Seconds that answers have to end once the server is told to."""


def serve(settings: Settings, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until told to stop (SIGTERM or Ctrl-C). Raises `BadInput` for an address that cannot be listened on.

    `say` hears where the API is, `warn` the token where one had to be made.
    """
    embedder(settings.embed.model)
    chosen = settings.serve
    listening = bound(chosen.host, chosen.port)
    port = listening.getsockname()[1]
    app = application(settings, _rules(settings, warn))
    say(f"API: http://{_written(chosen.host)}:{port} (described at /openapi.json; Ctrl-C stops it)")
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=PATIENCE, ws="none"
    )
    # Uvicorn ends in good order and then raises the signal anew: being told to stop is no failure.
    signal.signal(signal.SIGTERM, _leave)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        return


def _rules(settings: Settings, warn: Callable[[str], None]) -> Rules:
    chosen = settings.serve
    token = os.environ.get(TOKEN, "")
    size = chosen.kilobytes << 10
    if is_local(chosen.host):
        return Rules({*LOCAL, *chosen.hosts}, chosen.origins, token, size)
    if not token:
        token = secrets.token_urlsafe(32)
        warn(f"token for this run (set {TOKEN} to choose one): {token}")
    names = {chosen.host, socket.gethostname(), *chosen.hosts} - LOCAL
    return Rules({name.lower() for name in names}, chosen.origins, token, size)


def is_local(host: str) -> bool:
    """Whether only programs on this machine can reach an address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises `BadInput` for an address that cannot be had."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # The protocol is named because asyncio sends small answers at once only where it is (40 ms each otherwise).
        found = socket.socket(family, kind, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        # Whoever asks while the model is loading waits instead of being turned away.
        found.listen(128)
    except OSError as error:
        cure = "choose another with --host and --port"
        raise BadInput(f"cannot listen on {host} port {port} ({error.strerror})", cure) from None
    return found


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
