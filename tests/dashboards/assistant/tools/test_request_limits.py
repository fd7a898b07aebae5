"""What a person limits a question to binds every tool that the model uses for it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dashboards.assistant.answer_types import ToolCall
from dashboards.assistant.loop import run_tool_uses
from dashboards.assistant.streaming import ToolUse
from dashboards.assistant.tools import request_limits
from dashboards.assistant.tools.contract import TOOLS, ToolContext
from tests.building import build_warehouse
from tests.dashboards.assistant.tool_contexts import SAMPLES, tool_context_at
from warehouse.records import Filters

INSIDE = "samples/vault/Nitrate sensor.md"
OUTSIDE = "samples/papers/nitrate-drift.xml"
NOTE, OTHER = "Nitrate sensor.md", "Mooring array.md"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("limits")
    for each in ("vault", "papers"):
        shutil.copytree(SAMPLES / each, folder / "samples" / each)
    warehouse = build_warehouse(folder / "warehouse", folder / "samples")
    (held,) = warehouse.snapshot.read_entries([warehouse.find_document_id(INSIDE) or ""]).values()
    context = tool_context_at(folder / "warehouse", vault=folder / "samples" / "vault")
    return replace(context, within=Filters(documents=(held.document_id,)))


def use(context: ToolContext, tool: str, given: Mapping[str, Any]) -> ToolCall:
    """What the model hears, everything being permitted."""
    (used,) = run_tool_uses(context, [ToolUse("1", tool, given)], lambda event: None, lambda name, asked: True)
    return used.call


def passage_of(context: ToolContext, source: str) -> str:
    (row,) = context.warehouse.snapshot.query_rows(
        "SELECT chunk_id FROM chunks WHERE document_id = $id ORDER BY chunk_index LIMIT 1",
        {"id": context.warehouse.find_document_id(source)},
    )
    return str(row[0])


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("open_passage", {"document": "SOURCE", "start": 0}),
        ("open_passage", {"passage": "PASSAGE"}),
        ("document_outline", {"document": "SOURCE"}),
        ("verify_quote", {"document": "SOURCE", "quote": "nitrate"}),
        ("extract_temporal_context", {"document": "SOURCE", "text": "last quarter"}),
        ("read_note", {"source": "NOTE"}),
    ],
)
def test_a_document_is_opened_within_the_limits_only(tool: str, given: dict[str, Any], context: ToolContext) -> None:
    for source, note, failed in ((INSIDE, NOTE, False), (OUTSIDE, OTHER, True)):
        names = {"SOURCE": source, "PASSAGE": passage_of(context, source), "NOTE": note}
        call = use(context, tool, {name: names.get(value, value) for name, value in given.items()})
        assert call.failed == failed, call.text
        assert ("within what the person limits" in call.text) == failed
    assert not use(replace(context, within=Filters()), tool, {k: names.get(v, v) for k, v in given.items()}).failed


@pytest.mark.parametrize(("tool", "given"), [("run_sql", {"query": "SELECT text FROM chunks"}), ("list_notes", {})])
def test_what_cannot_be_limited_is_refused(tool: str, given: dict[str, Any], context: ToolContext) -> None:
    call = use(context, tool, given)
    assert call.failed
    assert call.text == (f"{tool} cannot keep to what the person limits the question to: use search, which keeps to it")
    assert not use(replace(context, within=Filters()), tool, given).failed


@pytest.mark.parametrize(
    ("tool", "given"),
    [("open_passage", {"document": INSIDE, "start": 0}), ("query_cells", {"item": "revenue"})],
)
def test_limits_on_passages_are_kept_by_searches_alone(tool: str, given: dict[str, Any], context: ToolContext) -> None:
    limited = replace(context, within=Filters(pages=(1,), tables=False))
    assert "cannot keep to the limits on pages, tables" in use(limited, tool, given).text
    assert not use(limited, "search", {"question": "revenue"}).failed
    assert not use(limited, "extract_temporal_context", {"text": "last quarter"}).failed


@pytest.mark.parametrize("tool", ["read_note", "update_note", "delete_note"])
def test_a_note_that_the_warehouse_does_not_know_is_within_no_limits(
    tool: str, context: ToolContext, tmp_path: Path
) -> None:
    (tmp_path / "New.md").write_text("unread")
    limited = replace(tool_context_at(context.settings.warehouse, vault=tmp_path), within=context.within)
    call = use(limited, tool, {"source": "New.md", **({"content": "x"} if tool == "update_note" else {})})
    assert "within what the person limits" in call.text
    assert (tmp_path / "New.md").read_text() == "unread"
    assert not use(replace(limited, within=Filters()), "read_note", {"source": "New.md"}).failed


def test_every_tool_is_bound_in_one_way_or_refused() -> None:
    named = (
        request_limits.KEEPING
        | request_limits.SILENT
        | request_limits.BY_DOCUMENT
        | request_limits.BY_NOTE
        | {request_limits.FIGURES}
    )
    assert {*TOOLS} - named == {"run_sql", "list_notes"}
