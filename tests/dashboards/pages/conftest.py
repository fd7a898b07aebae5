"""A warehouse of ordinary and of hostile documents, and the pages drawn over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from dashboards.assistant.suggestions.suggested_questions import SuggestedQuestions
from dashboards.assistant.tools.contract import ToolContext
from dashboards.pages.chat import running_answers
from dashboards.pages.home import home_queries
from dashboards.widgets import state
from tests.building import build_warehouse
from warehouse.reader import Warehouse

# A server looks once for components among the installed packages, which takes longer than a page and finds none; each
# page of a test is a server of its own.
manifest_scanner.scan_component_manifests = list
# As the server has it: to look for loose expressions is to parse each script, which Python 3.11 can fail at where two
# threads do it ("AST constructor recursion depth mismatch").
config.set_option("runner.magicEnabled", False)
# As the server has it too: otherwise each element is described for Streamlit's statistics. Without a server, the
# variable that `tests.conftest` sets is not read.
config.set_option("browser.gatherUsageStats", False)

HOSTILE = (
    "The turbine <script>alert(1)</script> and <img src=x onerror=alert(2)> said ![pixel](http://evil.example/p.png) "
    "and [click](javascript:alert(3)) for $E=mc^2$ and :red[paint] in `code`."
)
OPENED = (
    "import streamlit as st\nfrom dashboards.widgets.navigation import list_page_groups\n"
    "st.navigation(list_page_groups({!r})).run()"
)
FILES = {
    "report.md": "---\ndate: 2025-06-30\ntags: [revenue]\n---\n# Quarter\n\nTurbine revenue grew by a fifth.\n\n"
    "| Segment | Q2 2025 |\n| --- | --- |\n| Turbines \\| parts | 41 |\n| Service | 7 |\n",
    "notes/older.md": "---\ndate: 2023-01-15\n---\n# Older\n\nA turbine stood still for a week in January.\n",
    "<b>bold<&b> ![t](http:evil.example).html": "<html><body><h1>"
    f"{escape('<b>Bold</b> ![t](http://evil.example/t.png)')}</h1><p>{escape(HOSTILE)}</p></body></html>",
    "course.txt": "Course Title: Turbines\nCourse Link: javascript:alert(4)\nCourse Instructor: A. Nobody\n\n"
    "Lesson 0: Start\nLesson Link: javascript:alert(5)\nThe turbine lesson begins with the rotor and its blades.\n",
    "broken.pdf": "%PDF-1.7\nnothing of a PDF follows",
}


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "vault"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def warehouse(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("warehouse"), corpus)


@pytest.fixture(autouse=True)
def _surroundings(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(warehouse.layout.folder))
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    for module in (running_answers, home_queries):
        monkeypatch.setattr(module, "SuggestedQuestions", _keep_suggested_questions)
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


_SUGGESTED: dict[tuple[Path, int], SuggestedQuestions] = {}


def _keep_suggested_questions(context: ToolContext) -> SuggestedQuestions:
    """Those of a generation are found for the first page that shows them: to find them takes longer than most pages."""
    key = context.warehouse.layout.folder, context.warehouse.generation
    return _SUGGESTED.setdefault(key, SuggestedQuestions(context))


@pytest.fixture
def listens() -> Iterator[Callable[[str], None]]:
    """Says on which address the dashboard listens."""
    before = config.get_option("server.address")
    yield lambda address: config._set_option("server.address", address, "a test")
    config._set_option("server.address", before, "a test")


@pytest.fixture
def draw() -> Callable[..., AppTest]:
    """Draws the page of this name with the URL's parameters."""

    def run(name: str, **parameters: str | list[str]) -> AppTest:
        page = AppTest.from_string(OPENED.format(name), default_timeout=60)
        for key, value in state.make_address(name, parameters).items():
            page.query_params[key] = value
        return page.run()

    return run
