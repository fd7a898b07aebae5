"""The bearer token (RFC 6750) that clients over HTTP must know."""

from __future__ import annotations

import os
from secrets import compare_digest, token_urlsafe

from mcp.server.auth.provider import AccessToken

from dashboards.listening import TOKEN, is_local
from warehouse.errors import BadInput

_SHORTEST = 16


class OneToken:
    """Verifies the one token there is, in time that does not depend on what is wrong with another."""

    def __init__(self, token: str) -> None:
        """`token` is the right one."""
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whoever knows the token may do everything; None for all others."""
        if not compare_digest(token.encode("utf-8", "surrogateescape"), self._token):
            return None
        return AccessToken(token=token, client_id="kalends", scopes=[])


def token_for(host: str) -> tuple[str, bool]:
    """The token of the variable, else a new one where only this machine is served; the flag says that it is new.

    Raises `BadInput` for a token that can be guessed or typed into no header, and for a host beyond this machine
    without one.
    """
    token = os.environ.get(TOKEN, "")
    if token and (len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token):
        raise BadInput(f"{TOKEN} is no good token", f"give it at least {_SHORTEST} letters and digits")
    if not token and not is_local(host):
        raise BadInput(f"{host} can be reached from other machines", f"set {TOKEN}, or serve 127.0.0.1")
    return (token, False) if token else (token_urlsafe(32), True)
