"""The reranker of the settings is used by each interface, and a search that names none goes without.

It is `maxsim` beside an embedder that shows no vectors of tokens, so that each use of it is refused in one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import httpx
import pytest

from dashboards.api.app import serve_api
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.search import search
from dashboards.assistant.tools.vault_notes import search_notes
from dashboards.cli.main import run
from dashboards.pages.search.search_page import run_search
from dashboards.widgets.resources import PageContext
from tests.building import build_warehouse
from tests.dashboards.api.serving import served
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.settings.loader import Settings, load_settings

QUESTION = "When was the pump replaced?"
TODAY = date(2025, 11, 22)
REFUSAL = "does not show the vectors of tokens"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reranker")
    vault = folder / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "2025-11-19.md").write_text("The pump was replaced.")
    build_warehouse(folder / "w", vault)
    (folder / "kalends.toml").write_text(
        f"""warehouse = "{folder / "w"}"
[embed]
model = "hashing"
[rerank]
model = "maxsim"
[vault]
root = "{vault}"
"""
    )
    return folder


@pytest.fixture
def settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(folder)
    return load_settings()


USES: dict[str, Callable[[ToolContext], object]] = {
    "answer": lambda context: extract_answer(context, SearchRequest(QUESTION), on_event=lambda event: None),
    "tool search": lambda context: search(context, QUESTION, Filters()),
    "tool search_notes": lambda context: search_notes(context, QUESTION),
    "page": lambda context: run_search(
        PageContext(context.settings, context.warehouse), SearchRequest(QUESTION), context.today
    ),
}


@pytest.mark.parametrize("use", USES)
def test_it_is_used(settings: Settings, use: str) -> None:
    with pytest.raises(BadInput, match=REFUSAL):
        USES[use](ToolContext(settings, Warehouse(settings.warehouse), TODAY))


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("command", ["search", "ask"])
def test_it_is_used_by_a_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, QUESTION]) == 2
    assert REFUSAL in capsys.readouterr().err


@pytest.mark.usefixtures("settings")
def test_a_search_goes_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", QUESTION, "--reranker", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"]


def test_it_is_used_by_the_http_api(settings: Settings) -> None:
    with pytest.raises(BadInput, match=REFUSAL):
        serve_api(settings, print, print)
    with served(settings) as address:
        answer = httpx.post(f"{address}/api/search", json={"query": QUESTION})
        without = httpx.post(f"{address}/api/search", json={"query": QUESTION, "ranking": {"reranker": "none"}})
    assert (answer.status_code, REFUSAL in answer.text) == (400, True)
    assert without.json()["hits"]
