"""The server as agents meet it: tools, documents and questions, by the official client, over both transports."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from dashboards.mcp.resources import PAGE, list_resources
from tests.building import build_warehouse
from tests.dashboards.mcp.clients import COMMAND, TOKEN, Surroundings, over_http, over_stdio, serving

SAMPLES = Path(__file__).parents[3] / "samples"
Connect = Callable[[], AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Surroundings:
    folder = tmp_path_factory.mktemp("mcp")
    held = build_warehouse(folder / "warehouse", SAMPLES / "vault")
    variables = {
        "KALENDS_WAREHOUSE": str(held.layout.folder),
        "KALENDS_EMBED__MODEL": "hashing",
        "KALENDS_VAULT__ROOT": str(SAMPLES / "vault"),
        "KALENDS_TOKEN": TOKEN,
    }
    return Surroundings(folder, variables)


@pytest.fixture(scope="module")
def url(where: Surroundings) -> Iterator[str]:
    with serving(where, "--read-only") as (address, said):
        assert not any(TOKEN in line for line in said)
        yield address


@pytest.fixture(params=["auto", "legacy"])
def connect(request: pytest.FixtureRequest, url: str) -> Connect:
    return partial(over_http, url, request.param)


def _asked(connect: Connect, ask: Callable[[Client], Any]) -> Any:
    async def session() -> Any:
        async with connect() as client:
            return await ask(client)

    return anyio.run(session)


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.slow)])
def test_tools_over_standard_streams(where: Surroundings, mode: str) -> None:
    async def ask(client: Client) -> tuple[Any, Any]:
        listed = await client.list_tools()
        return listed.tools, await client.call_tool("search_notes", {"question": "nitrate lamp", "top_k": 1})

    tools, found = _asked(partial(over_stdio, where, mode=mode), ask)
    by_name = {tool.name: tool for tool in tools}
    assert {"search", "query_cells", "read_note", "create_note", "delete_note"} <= by_name.keys()
    assert by_name["search_notes"].input_schema["required"] == ["question"]
    reads, removes = by_name["read_note"].annotations, by_name["delete_note"].annotations
    assert (reads.read_only_hint, reads.destructive_hint) == (True, False)
    assert (removes.read_only_hint, removes.destructive_hint, removes.idempotent_hint) == (False, True, False)
    assert found.content[0].text.startswith("[1] Nitrate sensor.md")
    assert found.structured_content["hits"][0]["source"] == "Nitrate sensor.md"


def test_only_the_protocol_reaches_standard_output(where: Surroundings) -> None:
    version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"id": 1, "method": "initialize", "params": version},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"question": "nitrate"}}},
        {"id": 3, "method": "no/such/method"},
    ]
    process = subprocess.Popen(
        COMMAND, cwd=where.folder, env=where.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    lines = [json.loads(process.stdout.readline()) for _ in range(3)]
    rest, _ = process.communicate(timeout=30)
    assert rest == ""
    assert {line["jsonrpc"] for line in lines} == {"2.0"}
    assert {line["id"]: "result" in line for line in lines} == {1: True, 2: True, 3: False}
    assert process.returncode == 0


def test_what_writes_is_left_out_when_only_reading(connect: Connect) -> None:
    async def ask(client: Client) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    names = _asked(connect, ask)
    assert "read_note" in names
    assert not names & {"create_note", "update_note", "delete_note", "import_documents"}


def test_an_error_is_a_result_of_one_line(connect: Connect) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool("read_note", {"source": "../secret.md"})

    result = _asked(connect, ask)
    assert result.is_error
    assert "leads up" in result.content[0].text
    assert "\n" not in result.content[0].text


def test_a_tool_that_there_is_not_is_refused(connect: Connect) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match="there is no tool 'create_note'"):
            await client.call_tool("create_note", {"source": "x.md", "content": "x"})

    _asked(connect, ask)


def test_documents_are_resources(connect: Connect) -> None:
    async def ask(client: Client) -> Any:
        listed = await client.list_resources()
        (one,) = [each for each in listed.resources if each.title == "Field log"]
        return one.uri, (await client.read_resource(one.uri)).contents

    uri, (text, facts) = _asked(connect, ask)
    assert uri == "kalends://document/vault/Field%20log.md"
    assert "All three moorings answer." in text.text
    known = json.loads(facts.text)
    assert (known["source"], known["kind"], known["document_date"]) == ("vault/Field log.md", "note", "2025-08-21")
    assert known["end"] == known["characters"] == len(text.text)


def test_the_list_of_documents_begins_with_notes(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    for number in range(PAGE):
        (folder / f"b{number:03}.txt").parent.mkdir(exist_ok=True)
        (folder / f"b{number:03}.txt").write_text(f"Text {number}.")
    (folder / "z.md").write_text("# Zeppelin\n")
    warehouse = build_warehouse(tmp_path / "warehouse", folder)
    first = list_resources(warehouse, None)
    second = list_resources(warehouse, first.next_cursor)
    names = [each.name for page in (first, second) for each in page.resources]
    assert names == ["a/z.md", *(f"a/b{number:03}.txt" for number in range(PAGE))]
    assert second.next_cursor is None


def test_a_document_that_there_is_not_is_refused(connect: Connect) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match=r"no document 'vault/None\.md'"):
            await client.read_resource("kalends://document/vault/None.md")

    _asked(connect, ask)


def test_prompts_are_filled_and_take_what_they_want(connect: Connect) -> None:
    async def ask(client: Client) -> Any:
        names = {each.name for each in (await client.list_prompts()).prompts}
        given = {"figure": "revenue", "first": "Q2 {2024}", "second": "Q2 2025"}
        with pytest.raises(MCPError, match="the arguments of compare are figure, first, second, company"):
            await client.get_prompt("compare", {"figure": "revenue"})
        return names, await client.get_prompt("compare", given)

    names, prompt = _asked(connect, ask)
    assert names == {"figure", "compare", "changes", "summarise"}
    assert "Compare revenue in Q2 {2024} with Q2 2025." in prompt.messages[0].content.text


def test_many_agents_at_once_get_their_own_answers(url: str) -> None:
    notes = ["Field log", "Gaps", "Mooring array", "Nitrate sensor", "Tuva Brekke"]
    found: dict[int, str] = {}

    async def one(number: int) -> None:
        async with over_http(url) as client:
            result = await client.call_tool("read_note", {"source": f"{notes[number % 5]}.md"})
            found[number] = result.content[0].text.partition(".md")[0]

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(one, number)

    anyio.run(all_of_them)
    assert found == {number: notes[number % 5] for number in range(20)}
