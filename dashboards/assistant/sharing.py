"""One client for all conversations of a process: making one takes longer than a round may, and keeps no connection."""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING

from dashboards.assistant.service import client_of
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic

_clients: dict[tuple[str, ...], Anthropic] = {}
_lock = Lock()


def shared_client(settings: Settings) -> Anthropic:
    """The client of these settings and of what the environment says of the service. Raises `NoAnswer` without a key.

    Kept for as long as the process lives; safe to share between threads.
    """
    said = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("ANTHROPIC_"))
    with _lock:
        key = (settings.chat.base_url, *said)
        if key not in _clients:
            _clients[key] = client_of(settings)
        return _clients[key]
