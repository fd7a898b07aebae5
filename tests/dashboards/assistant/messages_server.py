"""A server on the loopback that speaks the Messages API, from a script.

    with MessagesServer([Reply((Uses("search", {"question": "…"}),)), says("It is 41.")]) as server:
        settings = load({"chat": {"base_url": server.url}})     # with ANTHROPIC_API_KEY set to anything but "wrong"

The script is a list of replies, given in order, or a function from the body of a request to a reply. It answers
streams and whole messages, keeps a cache of marked prefixes and counts tokens of four characters. A request that the
real service refuses is refused with the same status and words (`messages_rules`), and kept in `refused`.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from tests.dashboards.assistant.messages_rules import fault, prefixes
from tests.dashboards.assistant.messages_script import Drops, Fails, Model, Reply, content, events

ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


class MessagesServer(ThreadingHTTPServer):
    """Serves while it is open as a context; `requests` are the bodies it accepted, `refused` why it did not.

    `seconds` is how long each request took to be answered, from its last byte to the last of the answer.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, script: Sequence[Reply | Fails | Drops] | Model, models: Sequence[str] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        left = None if callable(script) else iter(script)
        self._model: Model = script if callable(script) else lambda _: next(left or iter(()), Fails(500))
        self._models, self._lock = models, threading.Lock()
        self.requests: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.paused: list[Any] = []
        self.cached: set[str] = set()
        self.seconds: list[float] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        """For the setting chat.base_url."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is no error of the server; all else is one of the script."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def replied(self, body: Any, headers: Mapping[str, str]) -> tuple[int, Reply | Drops | str, dict[str, str]]:
        """Status, what is answered, and headers."""
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        if key in {"", "wrong"}:
            return 401, "invalid x-api-key", {}
        if "anthropic-version" not in headers:
            return 400, "anthropic-version: header is required", {}
        with self._lock:
            why = fault(body, self.paused)
            if why:
                self.refused.append(why)
                return 400, why, {}
            self.requests.append(body)
            if self._models is not None and body["model"] not in self._models:
                return 404, f"model: {body['model']}", {}
            reply = self._model(body)
        if isinstance(reply, Fails):
            after = {} if reply.retry_after is None else {"retry-after": str(reply.retry_after)}
            return reply.status, {529: "Overloaded"}.get(reply.status, "Error"), after
        return 200, reply, {}

    def usage(self, body: Mapping[str, Any], whole: Sequence[Any]) -> dict[str, int]:
        """Tokens, those of marked prefixes seen before as read from the cache."""
        with self._lock:
            marked = prefixes(body)
            read = max((len(each) // 4 for each in marked if each in self.cached), default=0)
            written = max((len(each) // 4 for each in marked), default=0) - read
            self.cached.update(marked)
        everything = sum(len(json.dumps(body.get(part, ""))) for part in ("tools", "system", "messages")) // 4
        return {
            "input_tokens": max(everything - read - written, 1),
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
            "output_tokens": max(len(json.dumps(whole)) // 4, 1),
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: MessagesServer

    def log_message(self, *args: Any) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        """Answer a request for a message."""
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        begun = perf_counter()
        self._answer(raw)
        self.server.seconds.append(perf_counter() - begun)

    def _answer(self, raw: bytes) -> None:
        if self.path.partition("?")[0] != "/v1/messages":
            return self._error(404, "Not found", {})
        try:
            body = json.loads(raw)
        except ValueError:
            return self._error(400, "The request body is not valid JSON", {})
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, reply, extra = self.server.replied(body, headers)
        if isinstance(reply, Drops):
            return self._drop()
        if isinstance(reply, str):
            return self._error(status, reply, extra)
        number = len(self.server.requests)
        whole = content(reply, body, number)
        if reply.stop_reason == "pause_turn":
            self.server.paused.append([{k: v for k, v in block.items() if v is not None} for block in whole])
        usage = self.server.usage(body, whole)
        head = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "stop_reason": reply.stop_reason,
            "stop_sequence": None,
        }
        if body.get("stream"):
            return self._stream(reply, whole, head, usage)
        return self._json(200, {**head, "content": whole, "usage": usage}, {})

    def _stream(self, reply: Reply, whole: list[dict[str, Any]], head: dict[str, Any], usage: dict[str, int]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.send_header("request-id", "req_loopback")
        self.end_headers()
        for count, (name, data) in enumerate(events(reply, whole, head, usage)):
            if reply.pause and self.server.closing.wait(reply.pause):
                return self._drop()
            if count == reply.cut and not reply.fault:
                return self._drop()
            if count == reply.cut:
                self._event("error", {"error": {"type": reply.fault, "message": "Overloaded"}})
                break
            self._event(name, data)
        self.wfile.write(b"0\r\n\r\n")
        return None

    def _event(self, name: str, data: dict[str, Any]) -> None:
        text = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()
        self.wfile.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")
        self.wfile.flush()

    def _error(self, status: int, message: str, headers: dict[str, str]) -> None:
        error = {"type": ERRORS.get(status, "api_error"), "message": message}
        self._json(status, {"type": "error", "error": error}, headers)

    def _json(self, status: int, value: Any, headers: dict[str, str]) -> None:
        text = json.dumps(value).encode()
        self.send_response(status)
        for name, each in {"content-type": "application/json", "content-length": str(len(text)), **headers}.items():
            self.send_header(name, each)
        self.end_headers()
        self.wfile.write(text)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
