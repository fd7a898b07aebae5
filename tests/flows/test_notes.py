"""What an assistant writes is found at once: the note tools with the flow that reads the note again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import anyio
import pytest

from dashboards.assistant.tools.contract import TOOLS, ToolContext, ToolResult
from flows.locks import write_lock
from tests.dashboards.mcp.clients import Surroundings, over_stdio
from tests.flows.conftest import Bench
from warehouse.errors import BadInput
from warehouse.records import Filters
from warehouse.settings.models import VaultSettings
from warehouse.store.layout import Layout

Use = Callable[..., ToolResult]


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
    monkeypatch.setattr("dashboards.assistant.vault.note_edits.PATIENCE", 0.0)
    with write_lock(Layout(bench.settings.warehouse)):
        yield


def test_a_new_note_is_found_at_once_and_nothing_else_is_read(use: Use, bench: Bench) -> None:
    before = bench.warehouse.runs()[-1]
    given = use("create_note", source="W/Trip.md", content="# Trip\n\nThe ferry leaves at dawn. [[Nowhere]]\n")
    assert "Warning: line 3: [[Nowhere]] leads to no note (broken-link)" in given.text
    assert "Searches know it" in given.data["indexed"]
    run = bench.warehouse.runs()[-1]
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


def test_an_agent_finds_what_it_wrote(use: Use, bench: Bench) -> None:
    vault = bench.settings.vault
    variables = {
        "KALENDS_WAREHOUSE": str(bench.settings.warehouse),
        "KALENDS_EMBED__MODEL": "hashing",
        "KALENDS_VAULT__ROOT": str(vault.root),
        "KALENDS_VAULT__WRITE": str(vault.write),
    }

    async def session() -> tuple[Any, Any]:
        async with over_stdio(Surroundings(bench.docs.parent, variables)) as agent:
            made = await agent.call_tool("create_note", {"source": "W/Trip.md", "content": "The ferry is late.\n"})
            return made, await agent.call_tool("search_notes", {"question": "ferry", "top_k": 1})

    made, found = anyio.run(session)
    assert "Searches know it" in made.content[0].text
    assert found.structured_content["hits"][0]["source"] == "W/Trip.md"


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
