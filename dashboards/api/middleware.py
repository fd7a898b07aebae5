"""Access rules of the HTTP API (host, origin, bearer token, size of the body) and the log of its requests.

A page that somebody reads can make their browser send requests to this machine. Such a request names the page's own
host (DNS rebinding) or origin, and both are refused; without a browser in between, the token is what counts.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboards.api.problems import RequestRefused, build_problem_response
from dashboards.serializers.problems import Problem, make_http_problem
from warehouse.journal import record

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
UPLOAD = ("POST", "/api/documents")
"""Method and path of the requests that may be large."""
PAGES = "/docs"
"""The path of the page that describes the endpoints, and of its files."""
_SINGLE = ("host", "origin", "authorization", "content-length")
"""Headers that may not be repeated: two programs could each use another of the values (request smuggling)."""
_DIGITS = re.compile("[0-9]+")
_MAX_DIGITS = 18  # Digits of a content length: below 2**63.


@dataclass(frozen=True, slots=True)
class AccessRules:
    """Conditions that requests must satisfy. `token` is empty if none is needed; `size` is the limit in bytes.

    `hosts` are the host names of the server, `origins` the sites ("https://app.example") whose pages may send requests.
    `upload_size` is the limit of an upload, of which memory holds a piece at a time.
    """

    hosts: Collection[str] = LOCAL
    origins: Collection[str] = ()
    token: str = ""
    size: int = 1 << 20
    upload_size: int = 1 << 30

    def get_size_limit(self, scope: Scope) -> int:
        """The limit of a request's body in bytes."""
        return self.upload_size if (scope["method"], scope["path"]) == UPLOAD else self.size

    def find_problem(self, scope: Scope) -> Problem | None:
        """The problem of a request that is refused for its headers; None for an accepted one."""
        headers = Headers(scope=scope)
        for name in _SINGLE:
            if len(headers.getlist(name)) > 1:
                return make_http_problem(400, f"the header {name} is sent more than once", "send it once")
        if not scope["query_string"].isascii():
            return make_http_problem(400, "the query of the address is not ASCII", "percent-encode it (RFC 3986)")
        host = _split_url(f"//{headers.get('host', '')}").hostname or ""
        # Any IP address is accepted if the server listens beyond this machine: only names can be rebound.
        if host not in self.hosts and (LOCAL & {*self.hosts} or not _is_address(host)):
            return make_http_problem(
                421, "this server does not accept that host name", "add it to the setting serve.hosts"
            )
        origin = headers.get("origin")
        if origin and origin not in self.origins and _split_url(origin).netloc != headers["host"]:
            return make_http_problem(
                403, f"requests from pages of {origin!r} are not accepted", "add the site to the setting serve.origins"
            )
        scheme, _, token = headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(token.strip().encode(), self.token.encode())
        if self.token and not (scheme.lower() == "bearer" and same) and not _is_page(scope):
            return make_http_problem(401, "a token is needed", "send 'Authorization: Bearer TOKEN'")
        length = headers.get("content-length", "0")
        if not _DIGITS.fullmatch(length):
            return make_http_problem(
                400, "the header content-length is not a number", "send the body's length in bytes"
            )
        if len(length) > _MAX_DIGITS or int(length) > self.get_size_limit(scope):
            return make_size_problem(self.get_size_limit(scope))
        return None


class AccessGuard:
    """Middleware that refuses requests against the rules, before it reads their bodies."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self._app, self._rules = app, rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on (ASGI 3)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        preflight = scope["method"] == "OPTIONS" and headers.get("origin") in self._rules.origins
        problem = None if preflight else self._rules.find_problem(scope)
        if problem:
            challenge = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else None
            await build_problem_response(problem, challenge)(scope, receive, send)
            return
        cache_control = "no-cache" if scope["path"].startswith(f"{PAGES}/") else "no-store"
        await self._app(
            scope, _with_size_limit(receive, self._rules.get_size_limit(scope)), _with_headers(send, cache_control)
        )


def _is_page(scope: Scope) -> bool:
    """Whether a request is for one of the pages that say nothing of the warehouse; browsers cannot send a token."""
    return scope["method"] in ("GET", "HEAD") and (
        scope["path"] in ("/", PAGES) or scope["path"].startswith(f"{PAGES}/")
    )


def make_size_problem(size: int) -> Problem:
    """The problem of a body that is larger than `size` bytes."""
    limit = f"{size >> 20:,} MB" if size >= 1 << 20 else f"{size >> 10} KiB"
    return make_http_problem(413, f"the request is larger than {limit}", "send less in a request")


def _with_size_limit(receive: Receive, size: int) -> Receive:
    """Count the bytes of a body while it is received: a chunked body has no length header."""
    read = 0

    async def receive_limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > size:
            raise RequestRefused(make_size_problem(size))
        return message

    return receive_limited


def _with_headers(send: Send, cache_control: str) -> Send:
    """Add headers against caching (`cache_control`) and against interpretation as a web page."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                *message["headers"],
                (b"x-content-type-options", b"nosniff"),
                (b"cache-control", cache_control.encode()),
            ]
        await send(message)

    return send_with_headers


def _split_url(url: str) -> SplitResult:
    """The parts of a URL; all are empty if it is not valid."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class RequestLog:
    """Middleware that logs each request, refused ones too, without the words of a question."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log its status and duration (ASGI 3)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = monotonic(), 0

        async def send_and_read_status(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, send_and_read_status)
        finally:
            seconds = monotonic() - started
            record("debug", "request", method=scope["method"], path=scope["path"], status=status, seconds=seconds)
