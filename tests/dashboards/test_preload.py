"""What the first question needs is read beside the pages, and never at their cost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from dashboards.preload import preload
from dashboards.widgets.page_activity import PageActivity
from tests.building import build_warehouse
from tests.dashboards.assistant.messages_script import says
from tests.dashboards.assistant.messages_server import MessagesServer

LIMIT = 20.0


def test_a_step_waits_until_no_page_is_being_drawn() -> None:
    drawing, entered, leave, went_on = PageActivity(), Event(), Event(), Event()

    def page() -> None:
        with drawing.count_page():
            entered.set()
            leave.wait(LIMIT)

    def step() -> None:
        drawing.wait_for_none(LIMIT)
        went_on.set()

    pages = Thread(target=page)
    pages.start()
    entered.wait(LIMIT)
    assert not drawing.wait_for_first(0)
    steps = Thread(target=step)
    steps.start()
    assert not drawing.wait_for_none(0)
    assert not went_on.is_set()
    leave.set()
    assert went_on.wait(LIMIT)
    assert drawing.wait_for_first(0)
    pages.join()
    steps.join()


def test_a_page_that_fails_is_drawn_no_more() -> None:
    drawing = PageActivity()
    with pytest.raises(ZeroDivisionError), drawing.count_page():
        _ = 1 / 0
    assert drawing.wait_for_none(0)


def test_without_a_warehouse_everything_else_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "none"))
    waited: list[None] = []
    preload(lambda: waited.append(None))
    assert len(waited) > 3


@pytest.mark.slow
def test_an_answer_after_it_imports_nothing_more(tmp_path: Path) -> None:
    """In a process of its own, since this one has read most of it: about 6 s."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "note.md").write_text("# Harrow Mills\n\nRevenue of Harrow Mills was 41 million in 2022.\n")
    build_warehouse(tmp_path / "w", tmp_path / "docs")
    code = """
import sys
from datetime import date
from dashboards.preload import preload
preload(lambda: None)
before = set(sys.modules)
from dashboards.assistant.answers import answer
from dashboards.assistant.tools.contract import ToolContext
from dashboards.widgets.resources import load_page_context
from warehouse.records import SearchRequest
here = load_page_context()
context = ToolContext(here.settings, here.warehouse, date(2025, 1, 1))
request = SearchRequest("What was Harrow Mills' revenue?")
found = answer(context, request, None, on_event=print, ask_permission=lambda *_: False)
assert found.kind == "model", found
raise SystemExit("\\n".join(sorted(set(sys.modules) - before)))
"""
    surroundings = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC")},
        "KALENDS_WAREHOUSE": str(tmp_path / "w"),
        "KALENDS_EMBED__MODEL": "hashing",
    }
    command = [sys.executable, "-c", code]
    with MessagesServer([says("It was 41 million.")]) as model:
        surroundings["KALENDS_CHAT__BASE_URL"] = model.url
        run = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False, timeout=120)
    assert len(model.requests) == 1, run.stderr[-2000:]
    late = [name for name in run.stderr.split() if name.startswith(("anthropic", "duckdb", "tasks", "dashboards"))]
    assert not late, run.stderr[-2000:]
