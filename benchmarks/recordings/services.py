"""The parts of the two servers: the HTTP API and the Model Context Protocol."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.recordings.commands import slug
from benchmarks.recordings.workplace import Workplace

if TYPE_CHECKING:
    from mcp import Client

REVENUE = "What was the revenue of Northlight in Q2 2025?"
GETS = (
    "/api/health",
    "/api/documents?limit=5",
    "/api/documents?kind=paper&kind=course&limit=50",
    "/api/documents?root=samples&text=nitrate",
    "/api/documents?offset=1000000",
    "/api/documents/northlight-fy2025-q2",
    "/api/documents/samples/papers/nitrate-drift.xml",
    "/api/documents/samples/broken.pdf",
    "/api/papers",
    "/api/courses",
    "/reindex/status",
    # Bad input.
    "/api/documents/nothing%20at%20all",
    "/api/documents/northlight",
    "/api/documents?limit=0",
    "/api/documents?kind=book",
    "/api/documents?wrong=1",
    "/api/nothing",
    "/api/search",
)
POSTS: Sequence[tuple[str, Any]] = (
    ("/api/search", {"query": REVENUE, "count": 3}),
    ("/api/search", {"query": "nitrate drift", "kinds": ["paper"], "min_year": 2020, "boxes": True}),
    ("/api/search", {"query": "nitrate drift", "excerpts": False, "ranking": {"mode": "keyword", "merge": False}}),
    ("/api/search", {"query": "net sales", "documents": ["Amcor"], "has_table": True, "during": "Q2 2023"}),
    ("/api/search", {"query": "revenue", "during": "1950"}),
    ("/api/query", {"query": REVENUE}),
    ("/api/query", {"query": "Who leads the mooring array?", "extracts_only": True}),
    ("/api/query", {"query": "How many documents are there of 2023?"}),
    ("/api/query/stream", {"query": "Why were 212 windows recalled?"}),
    # Bad input.
    ("/api/search", {}),
    ("/api/search", {"query": ""}),
    ("/api/search", {"query": "x", "count": 0}),
    ("/api/search", {"query": "x", "count": "3"}),
    ("/api/search", {"query": "x", "wrong": 1}),
    ("/api/search", {"query": "x", "kinds": ["book"]}),
    ("/api/search", {"query": "x", "during": "the day of nothing"}),
    ("/api/search", {"query": "x", "min_year": 2025, "max_year": 2020}),
    ("/api/search", {"query": "x", "documents": ["nothing at all"]}),
    ("/api/search", {"query": "x", "ranking": {"rerank": "nothing"}}),
    ("/api/query", {"query": "x", "session_id": "nothing"}),
    ("/api/query", ["x"]),
    ("/api/query", {"query": "x" * 10_001}),
    ("/reindex/files", {"paths": ["/etc/passwd"]}),
    ("/reindex/files", {}),
)
CALLS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("search", {"question": REVENUE}),
    ("search", {"question": "nitrate drift", "count": 2, "kinds": ["paper"]}),
    ("describe_collection", {"question": "How many documents are there of 2023?"}),
    ("describe_collection", {"question": "Which periods do the documents cover?"}),
    ("list_documents", {}),
    ("list_documents", {"kinds": ["report"], "since": "2025-01-01", "sort": "newest", "count": 3}),
    ("document_outline", {"document": "northlight-fy2025-q4"}),
    ("document_outline", {"document": "AMCOR_2023Q2_10Q", "containing": "earnings per share", "depth": 2}),
    ("document_outline", {"document": "nothing at all"}),
    ("open_passage", {"document": "northlight-fy2025-q4", "page": 2}),
    ("open_passage", {"document": "northlight-fy2025-q4", "table": 1}),
    ("open_passage", {"document": "incident-2025-06", "start": 100, "neighbours": 1}),
    ("open_passage", {"passage": "nothing"}),
    ("open_passage", {}),
    ("query_cells", {"item": "revenue", "period": "Q2 2025"}),
    ("query_cells", {"item": "net sales", "company": "Amcor", "period": "fiscal 2023"}),
    ("query_cells", {"item": "nothing of the kind"}),
    ("extract_temporal_context", {"text": "The board met last Friday; Q2 2025 was strong.", "anchor": "2025-08-15"}),
    ("extract_temporal_context", {"text": "x", "anchor": "someday"}),
    ("verify_quote", {"quote": "tested at 80 m only", "document": "incident-2025-06"}),
    ("verify_quote", {"quote": "tested at 99 m only", "document": "incident-2025-06"}),
    ("run_sql", {"query": "select kind, count(*) as n from documents group by kind order by kind"}),
    ("run_sql", {"query": "drop table documents"}),
    ("list_notes", {}),
    ("list_notes", {"folder": "nothing"}),
    ("read_note", {"source": "Mooring array.md"}),
    ("read_note", {"source": "../reports/incident-2025-06.txt"}),
    ("search_notes", {"question": "nitrate lamp", "top_k": 2}),
    ("create_note", {"source": "New.md", "content": "x"}),
    # Bad input.
    ("search", {}),
    ("search", {"question": 3}),
    ("search", {"question": "x", "wrong": 1}),
    ("search", {"question": "x", "during": "the day of nothing"}),
    ("no_such_tool", {}),
)
PROMPTS: Sequence[tuple[str, dict[str, str]]] = (
    ("figure", {"figure": "revenue", "period": "Q2 2025"}),
    ("figure", {}),
    ("nothing", {}),
)
URIS = (
    "kalends://document/samples/vault/Mooring%20array.md",
    "kalends://document/samples/reports/incident-2025-06.txt?start=100",
    "kalends://document/nothing",
    "file:///etc/passwd",
)


def record_api(place: Workplace) -> None:
    """The description of the API, and answers to good and bad requests."""
    with _serving(place) as address:
        place.write("api/openapi.json", json.dumps(json.loads(_asked(f"{address}/openapi.json")[1]), indent=1))
        for path in GETS:
            _write(place, f"GET {path}", _asked(address + path))
        for path, body in POSTS:
            shown = json.dumps(body, ensure_ascii=False)
            _write(place, f"POST {path} {shown}"[:400], _asked(address + path, shown.encode()))
        _write(place, "POST /api/search not JSON", _asked(f"{address}/api/search", b"{"))
        foreign = {"Host": "evil.example"}
        _write(place, "GET /api/papers of another host", _asked(f"{address}/api/papers", headers=foreign))


def _write(place: Workplace, request: str, answer: tuple[str, str]) -> None:
    head, body = answer
    try:
        body = json.dumps(json.loads(body), indent=1, ensure_ascii=False)
    except ValueError:
        body = body.replace("\\n", "\n")
    place.write(f"api/{slug(request)}.txt", f"{request}\n{head}\n\n{body}")


def _asked(url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> tuple[str, str]:
    """The status and the kind of an answer, and its text."""
    sent = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, body, sent)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return f"{answer.status} {answer.headers['Content-Type']}", answer.read().decode()
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.headers['Content-Type']}", error.read().decode()


@contextmanager
def _serving(place: Workplace) -> Iterator[str]:
    """The address of the API."""
    process = subprocess.Popen(
        [sys.executable, "-m", place.module, "serve", "--port", "0"],
        cwd=place.folder,
        env=place.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    lines = []
    try:
        for line in process.stdout or ():
            lines.append(line)
            if found := re.search(r"http://[\w.]+:\d+", line):
                place.write("api/serve.txt", "".join(lines))
                yield found[0]
                return
        raise SystemExit(f"the API does not start: {''.join(lines)}")
    finally:
        process.terminate()
        process.communicate(timeout=60)


def record_mcp(place: Workplace) -> None:
    """The tools, prompts and resources, and what calls give."""
    import anyio

    anyio.run(_record_mcp, place)


async def _record_mcp(place: Workplace) -> None:
    from mcp import Client, StdioServerParameters

    variables = {**place.environment, "KALENDS_VAULT__ROOT": str(place.folder / "library" / "samples" / "vault")}
    command = StdioServerParameters(
        command=sys.executable, args=["-m", place.module, "mcp"], cwd=place.folder, env=variables
    )
    async with Client(command) as client:
        tools = sorted((await client.list_tools()).tools, key=lambda tool: tool.name)
        for tool in tools:
            place.write(f"mcp/tool-{tool.name}.json", _json(tool))
        lists: Mapping[str, Any] = {
            "prompts": client.list_prompts,
            "resources": client.list_resources,
            "templates": client.list_resource_templates,
        }
        for name, listed in lists.items():
            place.write(f"mcp/{name}.json", _json(await listed()))
        await _record_calls(place, client)


async def _record_calls(place: Workplace, client: Client) -> None:
    from mcp import MCPError

    async def answer(asked: Any) -> str:
        try:
            return _json(await asked)
        except MCPError as error:
            return f"error: {error}"

    for name, given in CALLS:
        words = f"{name} {json.dumps(given)}"
        place.write(f"mcp/call-{slug(words)}.txt", f"{words}\n{await answer(client.call_tool(name, dict(given)))}")
    for name, values in PROMPTS:
        words = f"{name} {json.dumps(values)}"
        place.write(f"mcp/prompt-{slug(words)}.txt", f"{words}\n{await answer(client.get_prompt(name, values))}")
    for uri in URIS:
        place.write(f"mcp/resource-{slug(uri)}.txt", f"{uri}\n{await answer(client.read_resource(uri))}")


def _json(value: Any) -> str:
    """A message of the protocol, its long texts with lines of their own."""
    plain = value.model_dump(mode="json", exclude_none=True)
    return json.dumps(plain, indent=1, ensure_ascii=False).replace("\\n", "\n")
