"""Requests as malformed as they come, against the applications themselves: refused in one line, never a failure."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.types import Message

from dashboards.api.app import build_app
from dashboards.api.middleware import AccessRules
from dashboards.mcp.server import McpService, build_http_app
from flows.locks import write_lock
from tests.building import build_warehouse
from tests.examples import examples
from warehouse.settings.loader import Settings, load_settings
from warehouse.store.layout import Layout

SAMPLES = Path(__file__).parents[3] / "samples"
TOKEN = "a-token-for-the-tests-only"
MALFORMED = (
    b"",
    b"[",
    b"http://[",
    b"http://[::1",
    b"https://]x[:99999",
    b"//[",
    b"http://[v1.x]:y/",
    b"http://\xe2\x84\x80.example",
    b"http://localhost:port",
    b"\xff\xfe\xe9",
    b"null",
    b"*",
    b",;=\"'",
    b"9" * 5000,
    b"-1",
    b"1e9",
    b"%00%ff",
    b"a\tb",
    b"Bearer",
    b"Bearer \xe9\xff",
    b"Basic !!",
    b"text/event-stream;q=x, */*",
    b"application/json; charset=\xff",
    b"multipart/form-data",
    b"x=\xed\xa0\x80; kalends_pass=1.\xff",
)
HEADERS = (
    b"host",
    b"origin",
    b"authorization",
    b"content-type",
    b"content-length",
    b"transfer-encoding",
    b"accept",
    b"accept-encoding",
    b"cookie",
    b"range",
    b"if-modified-since",
    b"x-forwarded-for",
    b"access-control-request-method",
    b"mcp-session-id",
    b"mcp-protocol-version",
    b"last-event-id",
)
FITTING: Mapping[bytes, bytes] = {
    b"host": b"127.0.0.1:8000",
    b"authorization": f"Bearer {TOKEN}".encode(),
    b"content-type": b"application/json",
    b"accept": b"application/json, text/event-stream",
}
PATHS = (
    "/api/query",
    "/api/query/stream",
    "/api/search",
    "/api/documents",
    "/api/documents",
    "/api/papers",
    "/api/dates",
    "/api/runs",
    "/reindex/files",
    "/",
    "/docs",
    "/mcp",
)
ODD_TEXTS = ("", "\0", "\ud800", "../../etc/passwd", "a" * 5000, "[", "%", "\u202e", "２０２５年", "9" * 400, "\n")


@dataclass(frozen=True, slots=True)
class Request:
    """A request as a server hands it to an application."""

    method: str = "POST"
    path: str = "/api/search"
    query: bytes = b""
    headers: Sequence[tuple[bytes, bytes]] = tuple(FITTING.items())
    body: bytes = b"{}"


@dataclass(slots=True)
class Response:
    """What an application sent."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


Send = Callable[[Request], Response]


@contextmanager
def running(app: Starlette) -> Iterator[Send]:
    """Send requests to an application that runs on a thread of its own."""

    async def answer(request: Request) -> Response:
        response = Response()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": request.path,
            "raw_path": request.path.encode("utf-8", "surrogatepass"),
            "query_string": request.query,
            "root_path": "",
            "headers": [*request.headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
        }
        sent = False

        async def receive() -> Message:
            nonlocal sent
            if sent:
                return {"type": "http.disconnect"}
            sent = True
            return {"type": "http.request", "body": request.body, "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                response.status = message["status"]
                response.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
            else:
                response.body += message.get("body", b"")

        await app(scope, receive, send)
        return response

    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
    ):
        yield lambda request: portal.call(answer, request)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A warehouse of the samples that no request can change, and nobody to write answers."""
    folder = tmp_path_factory.mktemp("http") / "warehouse"
    build_warehouse(folder, SAMPLES / "vault")
    with pytest.MonkeyPatch.context() as patch, write_lock(Layout(folder)):
        for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield load_settings({"warehouse": folder, "embed": {"model": "hashing"}, "parse": {"processes": 1}})


@pytest.fixture(scope="module")
def api(served: Settings) -> Iterator[Send]:
    with running(build_app(served, AccessRules(token=TOKEN))) as send:
        yield send


@pytest.fixture(scope="module")
def mcp(served: Settings) -> Iterator[Send]:
    from warehouse.reader import Warehouse

    with running(build_http_app(McpService(served, Warehouse(served.warehouse), True), TOKEN, ["127.0.0.1"])) as send:
        yield send


_values = st.one_of(st.sampled_from(MALFORMED), st.binary(max_size=40))
_texts = st.one_of(st.sampled_from(ODD_TEXTS), st.text(max_size=20), st.text(st.characters(), max_size=5))
_numbers = st.one_of(st.integers(), st.floats(), st.just(10**400))
_json = st.recursive(
    st.one_of(st.none(), st.booleans(), _numbers, _texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_texts, inner, max_size=3)),
    max_leaves=6,
)
_names = st.sampled_from(
    ("query", "count", "kinds", "documents", "during", "since", "as_of", "min_year", "session_id", "ranking", "files")
)
FORM = b"multipart/form-data; boundary=b"
_parts = st.builds(
    lambda head, name, content: b'--b\r\n%s; name="files"; filename="%s"\r\n\r\n%s\r\n' % (head, name, content),
    st.sampled_from((b"Content-Disposition: form-data", b"content-disposition:", b"X: y", b"")),
    st.one_of(st.sampled_from(MALFORMED), _texts.map(lambda text: text.encode(errors="surrogatepass"))),
    st.one_of(st.binary(max_size=40), st.sampled_from((b"%PDF-1.7", b"PK\x03\x04", b"# Oats\n", b"\r\n--b\r\n"))),
)
_forms = st.builds(
    lambda parts, end: b"".join((*parts, end)),
    st.lists(_parts, max_size=3),
    st.sampled_from((b"--b--\r\n", b"--b", b"")),
)
_bodies = st.one_of(
    _forms,
    st.sampled_from((b"", b"{", b"[" * 100_000, b'{"query": ' * 5_000, b"\xff\xfe{", b'{"query":"\\ud800"}', b"NaN")),
    st.binary(max_size=40),
    st.builds(lambda found: json.dumps(found).encode(), st.dictionaries(st.one_of(_names, _texts), _json, max_size=4)),
    st.builds(
        lambda query, more: json.dumps({**more, "query": query}).encode(),
        _texts,
        st.dictionaries(_names, _json, max_size=2),
    ),
)
_headers = st.builds(
    lambda fitting, added: [*fitting.items(), *added],
    st.one_of(
        st.just(FITTING),
        st.just({**FITTING, b"content-type": FORM}),
        st.builds(
            lambda changed: {**FITTING, **changed}, st.dictionaries(st.sampled_from(HEADERS), _values, max_size=2)
        ),
        st.just({}),
    ),
    st.lists(st.tuples(st.sampled_from(HEADERS), _values), max_size=2),
)
_paths = st.one_of(
    st.sampled_from(PATHS),
    _texts.map(lambda text: f"/api/documents/{text}"),
    _texts.map(lambda text: f"/api/documents/inbox/{text}"),
    _texts.map(lambda text: f"/api/runs/{text}"),
    _texts.map(lambda text: f"/docs/{text}"),
    _texts.map(lambda text: f"/{text}"),
)
_queries = st.one_of(
    st.just(b""),
    st.binary(max_size=30),
    st.sampled_from(
        (
            b"limit=%ff",
            b"kind=%00",
            b"offset=" + b"9" * 5000,
            b"text=%ed%a0%80",
            b"&=&=",
            b"limit=1&limit=",
            b"%ud800=1",
        )
    ),
)
_methods = st.sampled_from(("GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "x"))
REQUESTS = st.builds(Request, _methods, _paths, _queries, _headers, _bodies)


def with_header(name: bytes, value: bytes) -> Request:
    """A request that fits but for one header."""
    return Request(headers=tuple({**FITTING, name: value}.items()), body=b'{"query": "oats"}')


def check(response: Response) -> Any:
    """A refusal names in one line what is wrong; nothing is a failure of the server."""
    assert 200 <= response.status < 500, response
    if response.status >= 400 and response.headers.get("content-type") == "application/problem+json":
        said = json.loads(response.body)
        assert said["status"] == response.status
        assert said["detail"]
        assert "\n" not in said["detail"]
        return said
    assert b"Traceback" not in response.body
    return None


@example(with_header(b"origin", b"http://["))
@example(with_header(b"content-length", b"9" * 5000))
@example(with_header(b"content-length", b"-1"))
@example(Request(path="/api/documents/\0"))
@example(Request(body=b'{"query": "oats", "\\ud800": 1}'))
@example(Request(body=b'{"query": "oats", "documents": ["\\ud800"]}'))
@example(Request("GET", "/api/documents/\ud800"))
@example(Request("GET", "/api/runs/\ud800"))
@example(Request("GET", "/api/papers/", b"\x80"))
@example(Request("GET", "/nowhere", b"\x80"))
@example(Request("GET", "/docs/\0"))
@example(Request("GET", "/docs/" + "a" * 5000))
@example(Request("DELETE", "/api/documents/inbox/\0"))
@example(Request("DELETE", "/api/documents/inbox/" + "a" * 5000))
@example(with_header(b"content-type", FORM))
@examples(2)
@given(REQUESTS)
def test_no_request_fails_the_api(api: Send, sent: Request) -> None:
    check(api(sent))


@pytest.mark.slow
@settings(max_examples=5_000)
@given(REQUESTS)
def test_none_of_many_fails_the_api(api: Send, sent: Request) -> None:
    check(api(sent))


def mcp_body(method: object, params: object) -> bytes:
    """A message of the protocol."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


_methods_of_mcp = st.one_of(
    st.sampled_from(
        ("initialize", "tools/list", "tools/call", "resources/read", "resources/list", "prompts/get", "ping")
    ),
    _texts,
)
_messages = st.one_of(
    _bodies,
    st.builds(mcp_body, _methods_of_mcp, _json),
    st.builds(lambda name, given: mcp_body("tools/call", {"name": name, "arguments": given}), _texts, _json),
    st.builds(lambda uri: mcp_body("resources/read", {"uri": uri}), _texts),
)
MESSAGES = st.builds(
    Request, _methods, st.sampled_from(("/mcp", "/mcp", "/mcp", "/", "/mcp/x")), _queries, _headers, _messages
)


def mcp_request(body: bytes, **headers: bytes) -> Request:
    """A message with headers that fit but for those given."""
    named = {name.replace("_", "-").encode(): value for name, value in headers.items()}
    return Request("POST", "/mcp", b"", tuple({**FITTING, **named}.items()), body)


@example(mcp_request(mcp_body("ping", {}), origin=b"http://["))
@example(mcp_request(mcp_body("ping", {}), content_length=b"9" * 5000))
@example(mcp_request(mcp_body("ping", {}), content_length=b"-1"))
@example(mcp_request(mcp_body("ping", {}), authorization=b"Bearer \xe9\xff"))
@example(mcp_request(b"\xff\xfe{"))
@example(mcp_request(b"[" * 100_000))
@example(mcp_request(mcp_body("\ud800", {})))
@example(mcp_request(mcp_body("tools/call", {"name": "\ud800", "arguments": {}})))
@example(mcp_request(mcp_body("resources/read", {"uri": "\ud800"})))
@examples(2)
@given(MESSAGES)
def test_no_request_fails_the_mcp_server(mcp: Send, sent: Request) -> None:
    check(mcp(sent))


@pytest.mark.slow
@settings(max_examples=5_000)
@given(MESSAGES)
def test_none_of_many_fails_the_mcp_server(mcp: Send, sent: Request) -> None:
    check(mcp(sent))
