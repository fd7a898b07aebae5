"""What an assistant writes is found at once: the note tools with the flow that reads the note again."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import date
from typing import Any

import anyio
import pytest
from mcp import Client

from dashboards.assistant.tools.contract import TOOLS, ToolContext, ToolResult
from flows.locks import write_lock
from tests.dashboards.mcp.clients import TOKEN, Surroundings, over_http, over_stdio, serving
from tests.flows.conftest import Bench
from warehouse.errors import BadInput
from warehouse.records import Filters
from warehouse.settings.models import VaultSettings
from warehouse.store.layout import Layout

Use = Callable[..., ToolResult]
Connect = Callable[[Surroundings], AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def _over_http(where: Surroundings) -> AsyncIterator[Client]:
    with serving(where) as (url, _):
        async with over_http(url) as client:
            yield client


@pytest.fixture
def use(bench: Bench) -> Use:
    (bench.docs / "W").mkdir()
    bench.build()
    bench.settings = bench.settings.model_copy(
        update={"vault": VaultSettings(root=bench.docs.resolve(), write=(bench.docs / "W").resolve())}
    )

    def call(tool: str, context: dict[str, Any] | None = None, **given: object) -> ToolResult:
        at = ToolContext(bench.settings, bench.warehouse, date(2025, 1, 1))
        return TOOLS[tool].call(replace(at, **(context or {})), given)

    return call


@pytest.fixture
def unread(use: Use, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another ingest runs: notes are written and not read again, which takes longer than all else."""
    monkeypatch.setattr("dashboards.assistant.vault.note_edits.LOCK_WAIT_SECONDS", 0.0)
    with write_lock(Layout(bench.settings.warehouse)):
        yield


def test_a_new_note_is_found_at_once_and_nothing_else_is_read(use: Use, bench: Bench) -> None:
    before = bench.warehouse.list_runs()[-1]
    given = use("create_note", source="W/Trip.md", content="# Trip\n\nThe ferry leaves at dawn. [[Nowhere]]\n")
    assert "Warning: line 3: [[Nowhere]] leads to no note (broken-link)" in given.text
    assert "Searches know it" in given.data["indexed"]
    run = bench.warehouse.list_runs()[-1]
    assert (run.generation, run.new, run.changed) == (before.generation + 1, 1, 0)
    assert use("search_notes", question="ferry at dawn", top_k=1).data["hits"][0]["source"] == "W/Trip.md"


def test_notes_of_the_vault_alone_are_searched(use: Use) -> None:
    assert all(hit["source"].endswith(".md") for hit in use("search_notes", question="oranges").data["hits"])
    nothing = use("search_notes", {"within": Filters(documents=("no such",))}, question="zeppelin")
    assert nothing.hits == ()


def test_what_there_is_is_replaced_on_demand_only(use: Use, bench: Bench) -> None:
    use("create_note", source="W/Trip.md", content="The ferry.\n")
    with pytest.raises(BadInput, match="already exists"):
        use("create_note", source="W/Trip.md", content="The train.\n")
    given = use("create_note", source="W/Trip.md", content="The train.\n", overwrite=True)
    assert given.data["change"][1:] == ["-The ferry.", "+The train."]
    assert bench.sources("train") == {"docs/W/Trip.md"}
    assert bench.sources("ferry") == set()


@pytest.mark.usefixtures("unread")
def test_a_note_grows_and_changes_in_parts(use: Use, bench: Bench) -> None:
    bench.write("W/Trip.md", "The ferry.")
    use("update_note", source="W/Trip.md", content="The train.\n", mode="append")
    use("update_note", source="W/Trip.md", content="The boat.", mode="replace", passage="The ferry.")
    assert (bench.docs / "W/Trip.md").read_text() == "The boat.\nThe train.\n"
    with pytest.raises(BadInput, match="is there 2 times"):
        use("update_note", source="W/Trip.md", content="A", mode="replace", passage="The ")
    use("update_note", source="W/Trip.md", content="Walk.\n")
    assert (bench.docs / "W/Trip.md").read_text() == "Walk.\n"
    with pytest.raises(BadInput, match=r"there is no W/Other\.md"):
        use("update_note", source="W/Other.md", content="x")


def test_the_version_that_was_read_guards_what_came_since(use: Use, bench: Bench) -> None:
    bench.write("W/Trip.md", "The ferry.\n")
    version = use("read_note", source="W/Trip.md").data["version"]
    bench.write("W/Trip.md", "By its owner.\n")
    with pytest.raises(BadInput, match="has changed since"):
        use("update_note", source="W/Trip.md", content="x", version=version)
    assert (bench.docs / "W/Trip.md").read_text() == "By its owner.\n"


def test_errors_leave_the_note_and_the_warehouse_alone(use: Use, bench: Bench) -> None:
    bench.write("W/Trip.md", "The ferry.\n")
    before = bench.warehouse.generation
    with pytest.raises(BadInput, match="unclosed-wikilink"):
        use("update_note", source="W/Trip.md", content="[[Open\n", mode="append")
    with pytest.raises(BadInput, match="unclosed-wikilink"):
        use("create_note", source="W/Deep/New.md", content="[[Open\n")
    assert (bench.docs / "W/Trip.md").read_text() == "The ferry.\n"
    assert not (bench.docs / "W/Deep").exists()
    assert bench.warehouse.generation == before


@pytest.mark.usefixtures("unread")
def test_line_ends_of_windows_are_kept(use: Use, bench: Bench) -> None:
    (bench.docs / "W/Trip.md").write_bytes(b"One.\r\nTwo.\r\n")
    use("update_note", source="W/Trip.md", content="Three.\n", mode="append")
    use("update_note", source="W/Trip.md", content="1\n2", mode="replace", passage="One.\nTwo.")
    assert (bench.docs / "W/Trip.md").read_bytes() == b"1\r\n2\r\nThree.\r\n"


def test_a_removed_note_is_forgotten_and_kept_in_the_trash(use: Use, bench: Bench) -> None:
    use("create_note", source="W/Deep/Trip.md", content="The ferry.\n")
    given = use("delete_note", source="W/Deep/Trip.md")
    assert given.data["trashed"] == "W/.trash/Deep/Trip.md"
    assert "have forgotten it" in given.text
    assert bench.sources("ferry") == set()
    assert (bench.docs / "W/.trash/Deep/Trip.md").read_text() == "The ferry.\n"
    with pytest.raises(BadInput, match="there is no"):
        use("delete_note", source="W/Deep/Trip.md")


@pytest.mark.usefixtures("unread")
def test_a_note_that_was_written_is_said_so_even_where_it_cannot_be_read_yet(use: Use) -> None:
    given = use("create_note", source="W/Trip.md", content="The ferry.\n")
    assert given.text.startswith("Created W/Trip.md")
    assert "Searches do not know it yet" in given.text


@pytest.mark.slow
@pytest.mark.parametrize("connect", [over_stdio, _over_http])
def test_an_agent_is_told_of_its_note_only_and_finds_it(use: Use, bench: Bench, connect: Connect) -> None:
    vault = bench.settings.vault
    (bench.docs / ".obsidian").mkdir()
    for number in range(50):
        (bench.docs / f"Pasted image {number}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes([number]))
    (bench.docs / "picture without a suffix").write_bytes(b"\x89PNG\r\n\x1a\n")
    (bench.docs / "scan.pdf").write_bytes(b"%PDF-1.7 broken")
    bench.build()
    variables = {
        "KALENDS_WAREHOUSE": str(bench.settings.warehouse),
        "KALENDS_EMBED__MODEL": "hashing",
        "KALENDS_VAULT__ROOT": str(vault.root),
        "KALENDS_VAULT__WRITE": str(vault.write),
        "KALENDS_TOKEN": TOKEN,
    }
    steps = [
        ("create_note", {"source": "W/Trip.md", "content": "The ferry is late.\n"}, "know it", "W/Trip.md"),
        ("update_note", {"source": "W/Trip.md", "content": "The ferry sank.\n"}, "know it", "W/Trip.md"),
        ("move_note", {"source": "W/Trip.md", "target": "W/Log/Ferry.md"}, "know it", "W/Log/Ferry.md"),
        ("delete_note", {"source": "W/Log/Ferry.md"}, "have forgotten it", ""),
    ]

    async def session() -> None:
        async with connect(Surroundings(bench.docs.parent, variables)) as agent:
            for tool, arguments, told, source in steps:
                made = await agent.call_tool(tool, arguments)
                assert not made.is_error
                assert re.fullmatch(rf"Searches {told} \(\d+\.\d s\)\.", made.structured_content["indexed"])
                assert "PNG" not in made.content[0].text
                assert "PDF" not in made.content[0].text
                found = await agent.call_tool("search_notes", {"question": "ferry", "top_k": 5})
                texts = {hit["source"]: hit["text"] for hit in found.structured_content["hits"]}
                assert [each for each in texts if each.startswith("W/")] == ([source] if source else [])
                assert "ferry" in texts.get(source, "ferry")

    anyio.run(session)


def test_a_note_that_cannot_be_read_says_why(use: Use) -> None:
    use("create_note", source="W/Trip.md", content="The ferry.\n")
    given = use("update_note", source="W/Trip.md", content="\n")
    assert given.data["indexed"].startswith("Searches do not know it as it is now: the file is empty")


@pytest.mark.usefixtures("unread")
def test_a_note_that_searches_never_knew_leaves_without_a_word_of_trouble(use: Use, bench: Bench) -> None:
    bench.write("W/Trip.md", "The ferry.\n")
    assert use("delete_note", source="W/Trip.md").data["indexed"] == "Searches did not know it."


@pytest.mark.usefixtures("unread")
def test_a_note_is_moved_to_free_places_only(use: Use, bench: Bench) -> None:
    bench.write("W/Trip.md", "The ferry.\n")
    bench.write("W/Other.md", "The train.\n")
    for target, problem in {
        "W/Other.md": "already exists",
        "W/Trip.md": "already exists",
        "alpha2.md": "outside the folder for writing",
        "W/../alpha2.md": "leads up",
        "W/a:b.md": "cannot name a note",
    }.items():
        with pytest.raises(BadInput, match=problem):
            use("move_note", source="W/Trip.md", target=target)
    with pytest.raises(BadInput, match="there is no"):
        use("move_note", source="W/None.md", target="W/New.md")
    assert sorted(each.name for each in (bench.docs / "W").iterdir()) == ["Other.md", "Trip.md"]


def test_a_long_note_comes_in_parts(use: Use, bench: Bench) -> None:
    text = "".join(f"Line {number} of the log of the long night.\n" for number in range(1, 1001))
    bench.write("log.md", text)
    given = use("read_note", source="log.md")
    parts = [given.data["content"]]
    while "read_note with start=" in given.text:
        given = use("read_note", source="log.md", start=int(given.text.rpartition("start=")[2].split(".")[0]))
        parts.append(given.data["content"])
    assert len(parts) > 3
    assert "".join(parts) == text
    assert all(part.endswith("\n") for part in parts)
    assert use("read_note", source="log.md", start=10**6).data["content"] == ""


def test_notes_are_listed_by_folder_and_in_parts(use: Use, bench: Bench) -> None:
    assert use("list_notes").data["notes"] == ["alpha.md", "deep/gamma.md"]
    assert use("list_notes", recursive=False).data["notes"] == ["alpha.md"]
    assert use("list_notes", vault="deep").data["notes"] == ["deep/gamma.md"]
    for number in range(400):
        bench.write(f"many/a note of some length {number:03}.md", "x")
    given = use("list_notes", vault="many")
    seen = list(given.data["notes"])
    while given.data["more"]:
        given = use("list_notes", vault="many", after=seen[-1])
        seen += given.data["notes"]
    assert seen == [f"many/a note of some length {number:03}.md" for number in range(400)]
