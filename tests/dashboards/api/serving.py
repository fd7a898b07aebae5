"""A real server of the HTTP API on loopback, in a thread of the test's process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from dashboards.api.app import build_app
from dashboards.api.middleware import AccessRules
from dashboards.http_server import open_listening_socket
from warehouse.settings.loader import Settings


@contextmanager
def served(settings: Settings, rules: AccessRules | None = None) -> Iterator[str]:
    """The address of an API over the warehouse of the settings."""
    listening = open_listening_socket("127.0.0.1", 0)
    config = uvicorn.Config(
        build_app(settings, rules), log_config=None, ws="none", access_log=False, timeout_graceful_shutdown=5
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
        assert not thread.is_alive()


def events(response: httpx.Response) -> list[tuple[str, Any]]:
    """The server-sent events of a whole response, comments left out."""
    found = []
    for block in response.text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
