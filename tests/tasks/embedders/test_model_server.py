"""Embedder and reranker on a server, asked over loopback: what they send, and what each fault is told as."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from tasks.embedders import model_server
from tasks.embedders.embedder import embed_question, open_embedder
from tasks.rerankers.reranker import open_reranker
from warehouse.errors import BadInput, ModelServerFailed

Answer = tuple[int, Any, dict[str, str]]
"""Status, body (bytes are sent as they are) and headers."""


def _vector(text: str, size: int = 8) -> list[float]:
    return np.random.default_rng(zlib.crc32(text.encode())).normal(size=size).tolist()


def embeddings(body: dict[str, Any]) -> Answer:
    rows = [{"index": number, "embedding": _vector(text)} for number, text in enumerate(body["input"])]
    return 200, {"data": rows[::-1]}, {}


def scores(body: dict[str, Any]) -> Answer:
    words = set(body["query"].lower().split())
    fits = [len(words & set(text.lower().split())) / len(words) for text in body["documents"]]
    rows = [{"index": number, "relevance_score": fit} for number, fit in enumerate(fits)]
    return 200, {"results": rows[::-1]}, {}


@dataclass
class ModelService:
    """The server: `answers` are given in turn, the last one from then on."""

    url: str = ""
    answers: list[Callable[[dict[str, Any]], Answer]] = field(default_factory=list)
    seen: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    released: Event = field(default_factory=Event)

    def name(self, model: str = "small") -> str:
        return f"server:{self.url}#{model}"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelService]:
    monkeypatch.setattr(model_server, "FIRST_WAIT", 0.0)
    monkeypatch.setenv("KALENDS_CACHE", "off")
    monkeypatch.delenv(model_server.KEY_VARIABLE, raising=False)
    made = ModelService(answers=[embeddings])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            made.seen.append((self.path, self.headers.get("authorization", ""), body))
            answer = made.answers.pop(0) if len(made.answers) > 1 else made.answers[0]
            status, content, headers = answer(body)
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            try:
                self.send_response(status)
                for header, value in {**headers, "content-length": str(len(data))}.items():
                    self.send_header(header, value)
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                return  # The client has given up.

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.released.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_vectors_are_of_unit_length_and_in_the_order_of_the_texts(service: ModelService) -> None:
    chosen = open_embedder(service.name())
    texts = [f"text {number}" for number in range(100)]
    vectors = chosen.embed(texts)
    assert (vectors.dtype, vectors.shape, chosen.dimension) == (np.float32, (100, 8), 8)
    wanted = np.array([_vector(text) for text in texts])
    assert np.allclose(vectors, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-6)
    assert [len(body["input"]) for _, _, body in service.seen] == [64, 36, 1, 64]  # texts, the dimension, probes
    assert {(path, body["model"]) for path, _, body in service.seen} == {("/v1/embeddings", "small")}
    assert chosen.embed([]).shape == (0, 8)
    assert re.fullmatch(r"small@server512-[0-9a-f]{4}", chosen.model)


def test_a_long_text_is_cut_and_an_empty_one_embedded(service: ModelService) -> None:
    chosen = open_embedder(f"{service.name()}&window=64")
    long = "the revenue of the company 季度收入增长 " * 100
    assert len(chosen.cut_windows("", long)) > 10
    assert embed_question(chosen, long).shape == (8,)
    assert chosen.embed([""]).shape == (1, 8)
    with pytest.raises(BadInput, match="exceeds the window"):
        chosen.embed([long])


def test_each_side_is_sent_its_instruction(service: ModelService) -> None:
    chosen = open_embedder(
        f"{service.name()}&window=64&question=query:+&passage=passage:+&input_type=search_query,search"
    )
    long = "the revenue of the company " * 40
    chosen.embed([*chosen.cut_windows("", long), ""])
    embed_question(chosen, long)
    sent = [(text.split()[0], body["input_type"]) for _, _, body in service.seen for text in body["input"]]
    assert set(sent) == {("passage:", "search"), ("query:", "search_query")}
    assert chosen.for_questions.model != chosen.model != open_embedder(f"{service.name()}&window=64").model
    assert service.seen[0][2]["input"][-1] == "passage: -"
    with pytest.raises(BadInput, match="exceeds the window"):
        chosen.embed([next(iter(open_embedder(f"{service.name()}&window=64").cut_windows("", long)))])


def test_without_instructions_nothing_is_added(service: ModelService) -> None:
    chosen = open_embedder(service.name())
    assert chosen.for_questions is chosen
    chosen.embed(["a"])
    assert service.seen[0][2] == {"model": "small", "input": ["a"], "encoding_format": "float"}


def test_the_key_is_sent(service: ModelService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(model_server.KEY_VARIABLE, "secret-of-mine")
    open_embedder(service.name("keyed")).embed(["a"])
    assert {key for _, key, _ in service.seen} == {"Bearer secret-of-mine"}


def _always(status: int, content: Any = None, **headers: str) -> Callable[[dict[str, Any]], Answer]:
    return lambda body: (status, content or {"error": "no"}, {name.replace("_", "-"): v for name, v in headers.items()})


@pytest.mark.parametrize("fault", [_always(429, retry_after="0"), _always(500), _always(503, b"<html>")])
def test_a_busy_server_is_asked_again(service: ModelService, fault: Callable[[dict[str, Any]], Answer]) -> None:
    service.answers = [fault, fault, embeddings]
    assert open_embedder(service.name()).embed(["a"]).shape == (1, 8)
    assert len(service.seen) >= 3


@pytest.mark.parametrize(
    ("model", "answer", "message", "requests"),
    [
        ("a", _always(401), r"refuses the key \(status 401\): set KALENDS_MODEL_KEY", 1),
        ("b", _always(429, retry_after="0"), "status 429 .*: try again later", model_server.MAX_TRIES),
        ("c", _always(500), "status 500 .*: try again later", model_server.MAX_TRIES),
        ("d", _always(404), "status 404 .*: correct the URL", 1),
        ("e", _always(400), "status 400 .*window=256", 1),
        ("f", _always(200, b"<html>"), "an answer that is not JSON", 1),
        ("g", _always(200, {"data": []}), "0 vectors for 1 texts", 1),
        ("h", _always(200, ["x"]), "no vectors as numbers", 1),
        ("i", _always(200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}), "without a direction", 1),
        ("j", _always(200, {"data": [{"index": 0, "embedding": ["x"]}]}), "no vectors as numbers", 1),
    ],
)
def test_a_fault_is_one_line_with_a_cure(
    service: ModelService, model: str, answer: Callable[[dict[str, Any]], Answer], message: str, requests: int
) -> None:
    service.answers = [answer]
    with pytest.raises(ModelServerFailed, match=message) as failed:
        open_embedder(service.name(model)).embed(["one text"])
    assert failed.value.cure
    assert "\n" not in str(failed.value)
    assert len(service.seen) == requests


def test_vectors_of_another_dimension_are_refused(service: ModelService) -> None:
    chosen = open_embedder(service.name("changing"))
    assert chosen.dimension == 8
    service.answers = [_always(200, {"data": [{"index": 0, "embedding": [1.0, 2.0]}]})]
    with pytest.raises(ModelServerFailed, match="vectors of 2 numbers where it gave 8 before"):
        chosen.embed(["a"])


def test_a_slow_server_is_given_up(service: ModelService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_server, "READ_TIMEOUT", 0.05)

    def slow(body: dict[str, Any]) -> Answer:
        service.released.wait(60)
        return embeddings(body)

    service.answers = [slow]
    with pytest.raises(ModelServerFailed, match="does not answer in time"):
        open_embedder(service.name("slow")).embed(["a"])


def test_a_server_that_does_not_run_is_told(service: ModelService) -> None:
    closed = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    port = closed.server_address[1]
    closed.server_close()
    with pytest.raises(ModelServerFailed, match=r"cannot be reached .*: start the server"):
        open_embedder(f"server:http://127.0.0.1:{port}/v1#small").embed(["a"])


def test_passages_are_ranked_by_the_server(service: ModelService) -> None:
    service.answers = [scores]
    chosen = open_reranker(service.name("ranker"), open_embedder("hashing"))
    long = "nothing of it is here " * 200
    fits = chosen.fits("blood pressure", ["revenue rose", "blood pressure fell", "", f"{long} blood"])
    assert fits.tolist() == [0.0, 1.0, 0.0, 0.5]
    assert chosen.fits("blood pressure", []).shape == (0,)
    assert [path for path, _, _ in service.seen] == ["/v1/rerank"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"results": [{"index": 0, "relevance_score": 7.5}]}, "scores=logits"),
        ({"results": []}, "0 scores for 1 texts"),
        ({"scores": [0.5]}, "no scores by index"),
    ],
)
def test_wrong_scores_are_told(service: ModelService, content: Any, message: str) -> None:
    service.answers = [_always(200, content)]
    with pytest.raises(ModelServerFailed, match=message):
        open_reranker(service.name(), open_embedder("hashing")).fits("question", ["passage"])


def test_logits_become_fits(service: ModelService) -> None:
    service.answers = [_always(200, {"results": [{"index": 0, "relevance_score": 0.0}]})]
    chosen = open_reranker(f"{service.name()}&scores=logits", open_embedder("hashing"))
    assert chosen.fits("question", ["passage"]).tolist() == [0.5]


@pytest.mark.parametrize(
    "place",
    [
        "",
        "http://h/v1#m&input_type=query",
        "http://host/v1",
        "ftp://host/v1#m",
        "http://me:pass@host/v1#m",
        "http://h/v1#m&window=x",
        "http://h#m&a=b",
    ],
)
def test_a_wrong_name_is_refused_with_a_cure(place: str) -> None:
    with pytest.raises(BadInput) as refused:
        open_embedder(f"server:{place}")
    assert refused.value.cure
    assert "pass@" not in str(refused.value)
