"""Running the API: where it listens and who may ask."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable

from dashboards.api.app import application
from dashboards.api.guarding import LOCAL, Rules
from dashboards.listening import TOKEN, answer, bound, is_local, written
from tasks.embedders.choosing import embedder
from warehouse.settings.loader import Settings


def serve(settings: Settings, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until told to stop (SIGTERM or Ctrl-C). Raises `BadInput` for an address that cannot be listened on.

    `say` hears where the API is, `warn` the token where one had to be made.
    """
    embedder(settings.embed.model)
    chosen = settings.serve
    listening = bound(chosen.host, chosen.port)
    port = listening.getsockname()[1]
    app = application(settings, _rules(settings, warn))
    say(f"API: http://{written(chosen.host)}:{port} (described at /openapi.json; Ctrl-C stops it)")
    answer(app, listening)


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
