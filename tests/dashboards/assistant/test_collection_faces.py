"""Questions about the collection are answered from records at every face, with a model and without."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from dashboards.assistant.answer_types import Answer, AnswerKind
from dashboards.assistant.answers import answer
from dashboards.assistant.sessions import Session, Sessions
from dashboards.assistant.tools.contract import TOOLS, ToolContext
from dashboards.cli.main import app
from tests.building import build_warehouse
from tests.building_papers import course, paper
from tests.dashboards.api.serving import served
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.assistant.tool_contexts import tool_context_at
from warehouse.records import SearchRequest

ASKED = "Which papers are on tidal mixing?"
HEAD = "2 papers on tidal mixing (title), newest first:"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faces")
    root = folder / "library"
    root.mkdir()
    for number, year in enumerate((2019, 2022)):
        title = f"Tidal mixing in fjord number {number}"
        (root / f"tide{number}.xml").write_text(paper(title, number=100 + number, year=year))
    (root / "agents.txt").write_text(course("Protocols for Agents", "Elsa Norén", {1: ("First", "We begin.")}))
    build_warehouse(folder / "w", root)
    return folder / "w"


def said(context: ToolContext, question: str, session: Session | None = None) -> Answer:
    return answer(
        context, SearchRequest(question), session, on_event=lambda event: None, ask_permission=lambda name, given: False
    )


def test_a_model_is_not_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    with MessagesServer([]) as server:
        found = said(tool_context_at(folder, server.url), ASKED)
        assert server.requests == []
    assert found.kind is AnswerKind.RECORDS
    assert found.text.startswith(HEAD)
    assert [source.citation.url for source in found.sources] == [
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC101/",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC100/",
    ]


def test_a_follow_up_goes_on_from_a_list(folder: Path) -> None:
    context, session = tool_context_at(folder), Sessions(folder).start_session()
    said(context, ASKED, session)
    found = said(context, "and from 2019?", session)
    assert found.text.startswith("1 paper on tidal mixing (title) from 2019:")
    assert found.notes == ("read as: Which papers are on tidal mixing from 2019?",)
    assert session.exchanges[-1].kind is AnswerKind.RECORDS


def test_the_command_line_prints_the_list_with_links(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    shown = CliRunner().invoke(app, ["ask", ASKED, "--warehouse", str(folder)])
    assert shown.exit_code == 0, shown.output
    assert HEAD in shown.output
    assert "[2] https://www.ncbi.nlm.nih.gov/pmc/articles/PMC100/" in shown.output
    as_json = CliRunner().invoke(app, ["ask", "who teaches agents?", "--json", "--warehouse", str(folder)])
    assert json.loads(as_json.output)["kind"] == "records"


def test_the_api_answers_and_resolves_names(folder: Path) -> None:
    with served(tool_context_at(folder).settings) as url:
        found = httpx.post(f"{url}/api/query", json={"query": ASKED}).json()
        assert (found["kind"], len(found["sources"])) == ("records", 2)
        only = {"query": "what do we begin?", "documents": ["agents course"], "extracts_only": True}
        loose = httpx.post(f"{url}/api/query", json=only).json()
        assert "'agents course' is read as “Protocols for Agents” (library/agents.txt)" in loose["notes"]
        assert httpx.get(f"{url}/api/documents/protocols agents").json()["title"] == "Protocols for Agents"
        several = httpx.get(f"{url}/api/documents/tidal mixing")
        assert (several.status_code, "may mean 2 names" in several.text) == (400, True)
        assert httpx.get(f"{url}/api/documents/zzzz").status_code == 404


def test_agents_have_a_tool_for_it(folder: Path) -> None:
    given = TOOLS["describe_collection"].call(tool_context_at(folder), {"question": ASKED})
    assert given.text.startswith(HEAD)
    assert [each["source"] for each in given.data["documents"]] == ["library/tide1.xml", "library/tide0.xml"]
    other = TOOLS["describe_collection"].call(tool_context_at(folder), {"question": "how fast is the mixing?"})
    assert "use search" in other.text
