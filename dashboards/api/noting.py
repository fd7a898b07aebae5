"""Requests in the journal: what was asked for and how it ended, never the words of a question."""

from __future__ import annotations

from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from warehouse.journal import record


class Noting:
    """Writes an event for each answered request, refused ones too."""

    def __init__(self, app: ASGIApp) -> None:
        """`app` answers."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and note how it was answered (ASGI 3)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = monotonic(), 0

        async def heard(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, heard)
        finally:
            seconds = monotonic() - started
            record("debug", "request", method=scope["method"], path=scope["path"], status=status, seconds=seconds)
