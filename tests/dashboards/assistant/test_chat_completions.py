"""The loop through the real SDK, against a server that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import Answer, ConversationTurn, StreamRestart
from dashboards.assistant.chat_completions import build_completion_request, iter_message_events
from dashboards.assistant.loop import converse
from dashboards.assistant.service import make_client
from tests.building import build_warehouse
from tests.dashboards.assistant.tool_contexts import SAMPLES, Heard, tool_context_at
from warehouse.errors import BadInput, NoAnswer
from warehouse.settings.loader import load_settings

Piece = dict[str, Any]


def piece(stop: str | None = None, **delta: Any) -> Piece:
    return {"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]}


def call(place: int, arguments: str, name: str | None = None) -> Piece:
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {"index": place, "function": function, **({"id": f"id{place}", "type": "function"} if name else {})}


TOKENS = {"prompt_tokens": 90, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}
USAGE = {"choices": [], "usage": TOKENS}
SEARCHES = [
    piece(role="assistant", content="I look. "),
    piece(tool_calls=[call(0, '{"question": ', "search"), call(1, "", "search")]),
    piece(tool_calls=[call(1, '{"question": "costs", "count": 1}')]),
    piece(tool_calls=[call(0, '"revenue", "count": 1}')]),
    piece("tool_calls"),
    USAGE,
]
SAYS = [piece(role="assistant"), piece(content="It was "), piece(content="108.3 million [1]."), piece("stop"), USAGE]


class Server(ThreadingHTTPServer):
    """Gives the replies of a script in order: pieces to stream, a status, or raw bytes."""

    daemon_threads = True

    def __init__(self, script: Sequence[list[Piece] | int | bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.requests, self.keys = list(script), list[Piece](), list[str]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(body)
        self.server.keys.append(self.headers.get("authorization", ""))
        reply = self.server.script.pop(0) if self.path == "/v1/chat/completions" else 404
        if isinstance(reply, int):
            answer = json.dumps({"error": {"message": f"trouble {reply}"}}).encode()
            self.send_response(reply)
            if reply in {429, 500}:
                self.send_header("retry-after", "0.01")
        elif isinstance(reply, bytes):
            answer = reply
            self.send_response(200)
        elif body.get("stream"):
            lines = [": keep-alive", *(f"data: {json.dumps(each)}" for each in reply), "data: [DONE]"]
            answer = "\n\n".join([*lines, ""]).encode()
            self.send_response(200)
        else:
            text = "".join(each["choices"][0]["delta"].get("content") or "" for each in reply if each["choices"])
            choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            answer = json.dumps({**USAGE, "choices": [choice]}).encode()
            self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(*script: list[Piece] | int | bytes) -> Iterator[Server]:
    with Server(script) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completions") / "warehouse"
    build_warehouse(folder, SAMPLES / "vault")
    return folder


@pytest.fixture
def ask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    monkeypatch.setenv("KALENDS_MODEL_KEY", "secret")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    def asked(server: Server, heard: Heard | None = None) -> Answer:
        context = tool_context_at(folder, server.url, api="chat-completions", model="m")
        heard = heard or Heard()
        turns = [ConversationTurn("user", "Revenue?")]
        client = make_client(context.settings)
        return converse(
            context,
            turns,
            on_event=heard.events.append,
            ask_permission=heard.ask_permission,
            system="Be brief.",
            client=client,
        )

    return asked


def test_tools_are_used_and_the_answer_cites_by_marks(ask: Callable[..., Answer]) -> None:
    heard = Heard()
    with serving(SEARCHES, SAYS) as server:
        found = ask(server, heard)
    assert found.text == "I look.\n\nIt was 108.3 million [1]."
    assert heard.text == found.text
    assert [source.number for source in found.sources] == [1]
    assert [use.arguments["question"] for use in found.calls] == ["revenue", "costs"]
    assert (found.usage.input, found.usage.cache_read, found.usage.output, found.usage.rounds) == (100, 80, 14, 2)
    first, second = server.requests
    assert server.keys == ["Bearer secret"] * 2
    assert first["messages"][0]["role"] == "system"
    assert {tool["function"]["name"] for tool in first["tools"]} >= {"search"}
    assert [message["role"] for message in second["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    said = second["messages"][2]
    assert [each["id"] for each in said["tool_calls"]] == [each["tool_call_id"] for each in second["messages"][3:]]


@pytest.mark.parametrize(
    "trouble",
    [429, 500, [*SAYS[:2]], [SAYS[0], {"error": {"message": "overloaded"}}]],
    ids=["busy", "failing", "cut", "error in the stream"],
)
def test_trouble_that_passes_is_told_and_asked_again(trouble: list[Piece] | int, ask: Callable[..., Answer]) -> None:
    heard = Heard()
    with serving(trouble, SAYS) as server:
        assert ask(server, heard).text == "It was 108.3 million."
    assert sum(isinstance(event, StreamRestart) for event in heard.events) == 1


@pytest.mark.parametrize(
    ("trouble", "line"),
    [
        (401, r"the key was refused \(trouble 401\): set .*KALENDS_MODEL_KEY"),
        (404, "does not know the model m: correct the setting chat.model"),
        (400, r"refused the request \(400\): trouble 400"),
        (b"data: no JSON\n\n", "does not answer as a model does: correct chat.base_url or chat.api"),
    ],
)
def test_trouble_that_stays_ends_in_a_line(trouble: int | bytes, line: str, ask: Callable[..., Answer]) -> None:
    with serving(trouble) as server, pytest.raises(NoAnswer, match=line) as failed:
        ask(server)
    assert "secret" not in str(failed.value)


def test_an_answer_that_is_cut_goes_on(ask: Callable[..., Answer]) -> None:
    cut = [piece(content="It was "), piece("length")]
    with serving(cut, [piece(content="41."), piece("stop")]) as server:
        assert ask(server).text == "It was 41."


def test_a_whole_message_is_read_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KALENDS_MODEL_KEY", raising=False)
    with serving(SAYS) as server:
        settings = load_settings({"chat": {"base_url": server.url, "api": "chat-completions", "model": "m"}})
        message = make_client(settings).messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "Revenue?"}]
        )
    assert message.content[0].text == "It was 108.3 million [1]."
    assert message.usage.output_tokens == 7
    assert server.keys == [""]


def test_the_protocol_needs_a_server() -> None:
    with pytest.raises(BadInput, match=r"chat-completions needs chat\.base_url"):
        load_settings({"chat": {"api": "chat-completions"}})


def test_a_tool_that_must_be_used_is_named() -> None:
    tool = {"name": "ask", "description": "Ask.", "input_schema": {"type": "object"}}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "?"}], "tools": [tool]}
    for choice, expected in (
        ({"type": "tool", "name": "ask"}, {"type": "function", "function": {"name": "ask"}}),
        ({"type": "none"}, "none"),
        ({"type": "any"}, "required"),
    ):
        assert build_completion_request({**body, "tool_choice": choice})["tool_choice"] == expected


@given(
    st.lists(st.text(min_size=1), max_size=5), st.lists(st.dictionaries(st.text(), st.text(), max_size=2), max_size=3)
)
def test_no_text_and_no_use_is_lost(texts: list[str], inputs: list[dict[str, str]]) -> None:
    pieces = [piece(content=text) for text in texts]
    for place, each in enumerate(inputs):
        whole = json.dumps(each)
        pieces += [piece(tool_calls=[call(place, whole[:3], "search")]), piece(tool_calls=[call(place, whole[3:])])]
    lines = [f"data: {json.dumps(each)}" for each in [*pieces, piece("tool_calls" if inputs else "stop")]]
    events = [json.loads(data) for _, data in iter_message_events(lines)]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert "".join(delta.get("text", "") for delta in deltas) == "".join(texts)
    assert [json.loads(delta["partial_json"]) for delta in deltas if "partial_json" in delta] == inputs
    assert events[-1] == {"type": "message_stop"}
