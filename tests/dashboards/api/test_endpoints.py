"""The HTTP API as its clients meet it: a real server over loopback, every endpoint, and what it refuses."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest

from dashboards.api.middleware import AccessRules
from dashboards.cli.main import run
from tests.building import build_warehouse
from tests.dashboards.api.serving import events, served
from tests.dashboards.assistant.messages_script import Cite, Reply, Says, Uses, says
from tests.dashboards.assistant.messages_server import MessagesServer
from warehouse.settings.loader import Settings, load_settings
from warehouse.settings.models import ChatSettings

SAMPLES = Path(__file__).parents[3] / "samples"
QUESTION = "What was total revenue in the three months ended June 30, 2025?"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("api") / "warehouse"
    build_warehouse(folder, SAMPLES)
    return load_settings({"warehouse": folder, "embed": {"model": "hashing"}, "parse": {"processes": 1}})


@pytest.fixture(scope="module", autouse=True)
def _nobody_to_ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[httpx.Client]:
    with served(settings) as url, httpx.Client(base_url=url, timeout=60) as found:
        yield found


def problem(response: httpx.Response, status: int) -> dict[str, Any]:
    """The problem of a response, which must be one."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = response.json()
    assert found["status"] == status
    assert "Traceback" not in response.text
    return found


def test_query_answers_with_sources_and_a_session(client: httpx.Client) -> None:
    found = client.post("/api/query", json={"query": QUESTION}).json()
    assert found["kind"] == "extracts"
    assert "Total revenue" in found["answer"]
    assert [source["number"] for source in found["sources"]] == list(range(1, len(found["sources"]) + 1))
    first = found["sources"][0]
    assert first["text"] == first["citation"]["label"]
    assert first["url"].startswith("file:///")
    assert all(quote in first["passage"] for quote in first["quotes"])
    assert len(found["session_id"]) == 32
    passages = {each["chunk_id"]: each for each in found["passages"]}
    assert passages[first["chunk_id"]]["text"] == first["passage"]
    assert {"document_id", "start", "end", "score", "source", "title", "page", "date"} < found["passages"][0].keys()


def test_a_session_goes_on(client: httpx.Client) -> None:
    first = client.post("/api/query", json={"query": QUESTION}).json()
    again = client.post("/api/query", json={"query": "And the quarter before?", "session_id": first["session_id"]})
    assert again.json()["session_id"] == first["session_id"]


def test_an_unknown_session_is_not_found(client: httpx.Client) -> None:
    for name in ("0" * 32, "../../etc/passwd", ""):
        assert "cure" in problem(client.post("/api/query", json={"query": "x", "session_id": name}), 404)


def test_the_streamed_answer_is_the_same_as_the_whole(client: httpx.Client) -> None:
    whole = client.post("/api/query", json={"query": QUESTION}).json()
    told = events(client.post("/api/query/stream", json={"query": QUESTION}))
    names = [name for name, _ in told]
    assert names[0] == "session"
    assert names[-1] == "answer"
    assert "".join(data["text"] for name, data in told if name == "piece") == told[-1][1]["answer"]
    assert names.index("source") < names.index("piece")
    assert told[0][1]["session_id"] == told[-1][1]["session_id"]
    assert {**told[-1][1], "session_id": ""} == {**whole, "session_id": ""}


def test_a_client_that_accepts_events_gets_them(client: httpx.Client) -> None:
    found = client.post("/api/query", json={"query": QUESTION}, headers={"Accept": "text/event-stream"})
    assert found.headers["content-type"].startswith("text/event-stream")
    assert events(found)[-1][0] == "answer"


def test_filters_bind_an_answer(client: httpx.Client) -> None:
    found = client.post("/api/query", json={"query": "turbine revenue nitrate", "kinds": ["paper"]}).json()
    kinds = client.get("/api/documents", params={"kind": "paper"}).json()["documents"]
    assert {source["citation"]["source"] for source in found["sources"]} <= {each["source"] for each in kinds}


def test_search_tells_all_of_each_hit(client: httpx.Client) -> None:
    found = client.post("/api/search", json={"query": QUESTION, "count": 3, "boxes": True}).json()
    assert len(found["hits"]) == 3
    best = found["hits"][0]
    assert best["citation"]["formatted_with_link"].endswith(best["citation"]["url"])
    assert best["excerpt"]["text"] in best["text"]
    assert sum(part["value"] for part in best["parts"]) == pytest.approx(best["score"])
    assert best["regions"][0]["page"] == best["citation"]["page"]
    assert found["understood"]["windows"][0]["start"] == "2025-04-01"


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ({"kinds": ["course"]}, lambda hit: hit["citation"]["source"].startswith("samples/courses")),
        ({"since": "2025-07-01", "until": "August 2025"}, lambda hit: hit["citation"]["date"][:7] == "2025-07"),
        ({"min_year": 2024, "max_year": 2024}, lambda hit: hit["citation"]["date"][:4] == "2024"),
        ({"documents": ["samples/vault/Gaps.md"]}, lambda hit: hit["citation"]["title"] == "Gaps"),
        ({"ranking": {"mode": "keyword"}}, lambda hit: hit["dense"] is None),
    ],
)
def test_search_filters(client: httpx.Client, asked: dict[str, Any], fits: Any) -> None:
    hits = client.post("/api/search", json={"query": "nitrate revenue lesson gap", **asked}).json()["hits"]
    assert hits
    assert all(fits(hit) for hit in hits)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"during": "no time at all"}, 400),
        ({"min_year": 2025, "max_year": 2024}, 400),
        ({"ranking": {"rerank": "nosuch"}}, 400),
        ({"documents": ["nowhere/at/all.pdf"]}, 404),
        ({"count": 0}, 422),
        ({"kinds": ["poem"]}, 422),
        ({"colour": "red"}, 422),
        ({"query": ""}, 422),
    ],
)
def test_what_cannot_be_asked_is_a_problem_with_a_cure(
    client: httpx.Client, asked: dict[str, Any], status: int
) -> None:
    assert problem(client.post("/api/search", json={"query": "x", **asked}), status)["cure"]


def test_a_refused_value_is_named(client: httpx.Client) -> None:
    found = problem(client.post("/api/search", json={"query": "x", "count": 99}), 422)
    assert [fault["place"] for fault in found["errors"]] == ["body.count"]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"query": 1e999}', b'{"query": "\\ud800"}'])
def test_a_body_that_is_no_json_is_refused(client: httpx.Client, body: bytes) -> None:
    done = client.post("/api/search", content=body, headers={"Content-Type": "application/json"})
    problem(done, 422 if done.status_code == 422 else 400)


def test_a_form_of_a_page_is_no_request(client: httpx.Client) -> None:
    done = client.post("/api/search", content=b'{"query": "x"}', headers={"Content-Type": "text/plain"})
    problem(done, 422)


def test_documents_come_page_by_page(client: httpx.Client) -> None:
    whole = client.get("/api/documents").json()
    assert whole["total"] == len(whole["documents"]) == sum(whole["kinds"].values())
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = client.get("/api/documents", params={"limit": 4, "offset": offset}).json()
        seen += [each["source"] for each in page["documents"]]
        offset = page["next_offset"]
    assert seen == [each["source"] for each in whole["documents"]]


def test_documents_are_filtered(client: httpx.Client) -> None:
    found = client.get("/api/documents", params={"kind": ["paper", "course"], "text": "nitrate"}).json()
    assert [each["source"] for each in found["documents"]] == ["samples/papers/nitrate-drift.xml"]
    problem(client.get("/api/documents", params={"limit": 0}), 422)
    problem(client.get("/api/documents", params={"colour": "red"}), 422)


def test_a_document_is_found_by_id_and_by_source(client: httpx.Client) -> None:
    (course,) = client.get("/api/documents", params={"text": "reading-quarters"}).json()["documents"]
    by_id = client.get(f"/api/documents/{course['document_id']}").json()
    assert by_id == client.get(f"/api/documents/{course['source']}").json()
    assert [lesson["number"] for lesson in by_id["lessons"]]
    assert by_id.items() >= course.items()
    problem(client.get("/api/documents/nowhere"), 404)


def test_papers_and_courses_are_counted(client: httpx.Client) -> None:
    papers = client.get("/api/papers").json()
    assert papers["total_papers"] == len(papers["titles"]) >= 1
    courses = client.get("/api/courses").json()
    assert courses["total_courses"] == len(courses["course_titles"]) == 2
    assert courses["total_lessons"] >= 2


def test_health_says_what_answers(client: httpx.Client) -> None:
    found = client.get("/api/health").json()
    assert found["status"] == "ok"
    assert found["generation"] == 1
    assert found["documents"] > 0


def test_without_a_warehouse_health_answers_and_the_rest_says_what_to_do(tmp_path: Path) -> None:
    settings = load_settings({"warehouse": tmp_path / "none", "embed": {"model": "hashing"}})
    with served(settings) as url, httpx.Client(base_url=url) as empty:
        assert empty.get("/api/health").json()["status"] == "empty"
        assert "kalends ingest" in problem(empty.get("/api/documents"), 503)["cure"]
        assert "kalends ingest" in problem(empty.post("/api/query", json={"query": "x"}), 503)["cure"]
        assert "kalends ingest" in problem(empty.post("/api/query/stream", json={"query": "x"}), 503)["cure"]


def test_a_new_generation_is_followed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Alpha\n\nThe zeppelin left in March 2021.\n")
    build_warehouse(tmp_path / "warehouse", docs)
    settings = load_settings({"warehouse": tmp_path / "warehouse", "embed": {"model": "hashing"}})
    with served(settings) as url, httpx.Client(base_url=url) as client:
        assert client.get("/api/documents").json()["total"] == 1
        (docs / "b.md").write_text("# Beta\n\nMarmalade is made of bitter oranges.\n")
        build_warehouse(tmp_path / "warehouse", docs)
        assert client.get("/api/documents").json()["total"] == 2
        found = client.post("/api/search", json={"query": "bitter oranges"}).json()
        assert found["generation"] == 2
        assert found["hits"][0]["citation"]["source"] == "docs/b.md"


def test_a_model_is_heard_while_it_answers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "loopback")
    found = Reply((Says("It was "), Says("$131.2 million.", (Cite(0),))))
    script = [Reply((Uses("search", {"question": QUESTION}), Uses("create_note", {"source": "x.md"}))), found]
    with MessagesServer(script) as model:
        chat = ChatSettings(base_url=model.url, citations="service")
        with served(settings.model_copy(update={"chat": chat})) as url, httpx.Client(base_url=url) as client:
            assert client.get("/api/health").json()["answers"] == "model"
            told = events(client.post("/api/query/stream", json={"query": QUESTION}, timeout=60))
    names = [name for name, _ in told]
    assert names[0] == "session"
    assert names.index("calling") < names.index("call") < names.index("piece")
    assert names[-1] == "answer"
    whole = told[-1][1]
    assert whole["kind"] == "model"
    assert [source["number"] for source in whole["sources"]] == [1]
    assert {call["name"]: call["failed"] for call in whole["calls"]} == {"search": False, "create_note": True}
    assert whole["usage"]["rounds"] == 2


def test_an_answer_ends_when_nobody_listens_any_more(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "loopback")
    script = [Reply((Says("Let me look. " * 20), Uses("search", {"question": QUESTION})), pause=0.05), says("Never.")]
    with MessagesServer(script) as model:
        chat = ChatSettings(base_url=model.url, citations="service")
        with served(settings.model_copy(update={"chat": chat})) as url, httpx.Client(base_url=url) as client:
            with client.stream("POST", "/api/query/stream", json={"query": QUESTION}) as response:
                assert "event: piece" in next(text for text in response.iter_text() if "piece" in text)
            sleep(3)
        assert len(model.requests) == 1


def test_many_at_once_do_not_mix(client: httpx.Client) -> None:
    words = ["nitrate", "revenue", "mooring", "gap", "quarter"] * 4

    def ask(number: int) -> tuple[str, str, str]:
        whole = client.post("/api/query", json={"query": words[number]}).json()
        said = client.post("/api/search", json={"query": words[number]}).json()
        return said["question"], whole["session_id"], whole["answer"]

    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(ask, range(20)))
    assert [question for question, _, _ in found] == words
    assert len({session for _, session, _ in found}) == 20
    assert len({(question, answer) for question, _, answer in found}) == 5


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.168.1.5", "", "[", "localhost@evil"])
def test_another_host_is_misdirected(client: httpx.Client, host: str) -> None:
    problem(client.get("/api/health", headers={"Host": host}), 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:99", "[::1]:8000"])
def test_this_machine_goes_by_several_names(client: httpx.Client, host: str) -> None:
    assert client.get("/api/health", headers={"Host": host}).status_code == 200


def test_a_page_of_another_site_may_not_ask(client: httpx.Client) -> None:
    problem(client.post("/reindex/scan", headers={"Origin": "https://evil.example"}), 403)
    problem(client.post("/reindex/scan", headers={"Origin": "null"}), 403)
    assert "access-control-allow-origin" not in client.get("/api/health").headers


def test_a_named_site_may_ask(settings: Settings) -> None:
    site = "https://app.example"
    with served(settings, AccessRules(origins=(site,), token="let me in")) as url, httpx.Client(base_url=url) as client:
        asked = {
            "Origin": site,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        }
        assert client.options("/api/query", headers=asked).headers["access-control-allow-origin"] == site
        known = {"Origin": site, "Authorization": "Bearer let me in"}
        assert client.get("/api/health", headers=known).headers["access-control-allow-origin"] == site


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer wrong", "Basic let me in", "Bearer let me in too", "Bearer \xe9"]
)
def test_a_token_is_asked_for(settings: Settings, given: str) -> None:
    with served(settings, AccessRules(token="let me in")) as url, httpx.Client(base_url=url) as client:
        refused = client.get("/api/health", headers={"Authorization": given.encode("latin-1")})
        problem(refused, 401)
        assert refused.headers["www-authenticate"] == "Bearer"
        problem(client.get("/openapi.json"), 401)
        assert client.get("/api/health", headers={"Authorization": "bearer let me in"}).status_code == 200


def test_a_large_request_is_not_read(client: httpx.Client) -> None:
    problem(client.post("/api/search", json={"query": "x" * (1 << 20)}), 413)

    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 65536

    problem(client.post("/api/search", content=pieces(), headers={"Content-Type": "application/json"}), 413)


def test_what_is_not_there_is_a_problem(client: httpx.Client) -> None:
    missing = problem(client.get("/nowhere\u202e"), 404)
    assert missing["detail"] == "there is no '/nowhere\\u202e'"
    assert missing["cure"] == "see /docs"
    refused = client.get("/api/query")
    assert problem(refused, 405)["cure"] == "use POST"
    assert refused.headers["allow"] == "POST"
    assert client.put("/api/documents").headers["allow"] == "GET, POST"
    assert problem(client.post("/docs/swagger_ui.js"), 405)["cure"] == "use GET"


def test_a_body_without_its_header_is_told_which(client: httpx.Client) -> None:
    found = problem(client.post("/api/search", content=b'{"query": "x"}'), 422)
    assert "content-type: application/json" in found["cure"]
    found = problem(client.post("/api/search", json={"query": "x", "count": 99}), 422)
    assert "body.count: Input should be less than or equal to 50" in found["detail"]


def test_the_first_address_says_what_this_is(client: httpx.Client) -> None:
    found = client.get("/").json()
    assert found["docs"] == "/docs"
    for address in (found["docs"], found["openapi"], found["health"]):
        assert client.get(address).status_code == 200
    page = client.get("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["vary"] == "Accept"
    assert f"curl -F 'files=@report.pdf' {client.base_url.netloc.decode()}/api/documents" in page.text
    odd = client.get("/", headers={"Accept": "text/html", "Host": "localhost:<b>"})
    assert "<b>" not in odd.text


def test_pages_take_nothing_from_elsewhere(client: httpx.Client) -> None:
    for address in ("/", "/docs"):
        page = client.get(address, headers={"Accept": "text/html"})
        assert "script-src 'self';" in page.headers["content-security-policy"]
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page.text)
        assert "<script>" not in page.text
        for name in re.findall(r'(?:src|href)="(docs/[^"]+)"', page.text):
            found = client.get(f"/{name}")
            assert found.status_code == 200, name
            assert found.headers["cache-control"] == "no-cache"
            again = client.get(f"/{name}", headers={"If-None-Match": found.headers["etag"]})
            assert again.status_code in (200, 304)
    assert client.get("/docs/").headers["location"] == "../docs"
    problem(client.get("/docs/..%2f__init__.py"), 404)


def test_pages_say_nothing_of_the_warehouse_and_need_no_token(settings: Settings) -> None:
    with served(settings, AccessRules(token="let me in")) as url, httpx.Client(base_url=url) as client:
        for address in ("/", "/docs", "/docs/docs.js", "/docs/mark.svg"):
            assert client.get(address, headers={"Accept": "text/html"}).status_code == 200, address
            problem(client.get(address, headers={"Host": "evil.example"}), 421)
        for method, address in (("POST", "/docs/docs.js"), ("GET", "/docsx"), ("GET", "/api/health")):
            problem(client.request(method, address), 401)


def test_times_of_a_text_are_those_of_the_command(client: httpx.Client, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Sales in Q3 rose from 03/04/2025; we guide to the second half of fiscal 2026, 每年两次"
    options = ["--anchor", "2025-10-30", "--fiscal-year-end", "09-30", "--day-order", "day-first"]
    assert run(["dates", text, *options, "--json"]) == 0
    body = {"text": text, "anchor": "2025-10-30", "fiscal_year_end": "09-30", "day_order": "day-first"}
    found = client.post("/api/dates", json=body).json()
    assert found["mentions"] == json.loads(capsys.readouterr().out)
    assert found["anchor"] == "2025-10-30"
    assert [text[each["start"] : each["end"]] for each in found["mentions"]] == [
        each["text"] for each in found["mentions"]
    ]
    assert (found["mentions"][0]["start_date"], found["mentions"][1]["start_date"]) == ("2025-04-01", "2025-04-03")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"anchor": "yesterday"}, 400),
        ({"fiscal_year_end": "13-40"}, 400),
        ({"day_order": "year-first"}, 422),
        ({"text": None}, 422),
        ({"colour": "red"}, 422),
    ],
)
def test_times_that_cannot_be_read_so_are_a_problem(client: httpx.Client, asked: dict[str, Any], status: int) -> None:
    assert problem(client.post("/api/dates", json={"text": "last year", **asked}), status)["cure"]


def test_suggestions_are_answered_by_the_documents_that_they_name(client: httpx.Client) -> None:
    found = client.get("/api/suggestions", params={"count": 4}).json()
    assert found["generation"] == 1
    assert len(found["suggestions"]) == 4
    for each in found["suggestions"]:
        answered = client.post("/api/query", json={"query": each["query"], "extracts_only": True}).json()
        assert answered["sources"][0]["citation"]["document_id"] == each["document_id"], each["query"]
        assert answered["sources"][0]["citation"]["source"] == each["source"]
    assert client.get("/api/suggestions").json()["suggestions"][:4] == found["suggestions"]
    problem(client.get("/api/suggestions", params={"count": 99}), 422)


def test_an_unknown_run_is_not_found(client: httpx.Client) -> None:
    for name in ("20261125T000000000000", "..%2f..%2fetc%2fpasswd", "x"):
        assert problem(client.get(f"/api/runs/{name}"), 404)["cure"]
    assert client.get("/api/runs").json() == {"total": 0, "runs": [], "next_offset": None, "other": None}
    problem(client.get("/api/runs", params={"limit": 0}), 422)
    problem(client.get("/api/runs/x", params={"wait": 61}), 422)


def test_the_description_names_every_problem(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            assert about["description"], (path, method)
            codes = {code for code in about["responses"] if code >= "4"}
            assert {"401", "403", "421", "500"} <= codes
            assert all("application/problem+json" in about["responses"][code]["content"] for code in codes)
