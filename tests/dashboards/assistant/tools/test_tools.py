"""The promises that every tool keeps: it refuses what its schema refuses, stays short, and changes nothing."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from dashboards.assistant.tools.contract import TOOLS, Tool, ToolContext, ToolResult
from tasks.token_budget import DEFAULT_BUDGET, count_tokens
from tests.building import build_warehouse
from tests.examples import examples
from warehouse.errors import BadInput, KalendsError
from warehouse.settings.loader import load_settings

SAMPLES = Path(__file__).parents[4] / "samples"
KEPT = (
    "reports/northlight-fy2025-q3.pdf",
    "papers/nitrate-drift.xml",
    "courses/reading-quarters.txt",
    "chinese",
    "vault",
)
READING = sorted(name for name in TOOLS if not TOOLS[name].writes)
WORDS = (
    "revenue Q3 2025 Northlight",
    "reports/northlight-fy2025-q3.pdf",
    "wide.md",
    "Item 3",
    "2025-06-30",
    "last year",
    "营业收入",
    "SELECT * FROM cells",
    "SELECT text FROM contents",
    "..",
    "\x00",
    "",
)
ERROR = 1000
"""Tokens of an error at most: that of a query shows columns."""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    """A warehouse of a few samples and a table of 300 rows and 12 columns with long names."""
    folder = tmp_path_factory.mktemp("tools")
    sources = folder / "docs"
    for each in KEPT:
        place = sources / each
        place.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (SAMPLES / each).is_dir() else shutil.copy)(SAMPLES / each, place)
    (sources / "wide.md").write_text(_wide(), encoding="utf-8")
    warehouse = build_warehouse(folder / "warehouse", sources)
    chosen = load_settings(
        {"warehouse": folder / "warehouse", "embed": {"model": "hashing"}, "parse": {"processes": 1}}
    )
    return ToolContext(chosen, warehouse, date(2025, 11, 22))


def _wide() -> str:
    names = [f"a long name of column number {column}" for column in range(12)]
    rows = [[f"Item {row} of many", *(f"{row * column:,}" for column in range(1, 12))] for row in range(300)]
    lines = [names, ["---"] * 12, *rows]
    return "# A wide table\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _values(field: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a field's schema allows."""
    kinds = field.get("anyOf", [field])
    return st.one_of(*map(_of_kind, kinds)) if kinds else st.none()


def _of_kind(kind: dict[str, Any]) -> st.SearchStrategy[Any]:
    match kind.get("type"):
        case "string":
            fitting = [word for word in WORDS if kind.get("minLength", 0) <= len(word) <= kind.get("maxLength", 99)]
            free = st.text(min_size=kind.get("minLength", 0), max_size=min(40, kind.get("maxLength", 40)))
            return st.sampled_from(kind["enum"]) if "enum" in kind else st.sampled_from(fitting) | free
        case "integer":
            least, most = kind.get("minimum", -(1 << 63)), kind.get("maximum", 1 << 63)
            return st.integers(least, min(most, least + 5)) | st.integers(least, most)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(_of_kind(kind["items"]), max_size=2)
        case "null":
            return st.none()
    return st.sampled_from(WORDS)


def _inputs(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    fields = tool.schema["properties"]
    needed = set(tool.schema.get("required", ()))
    required = {name: _values(fields[name]) for name in fields if name in needed}
    optional = {name: _values(fields[name]) for name in fields if name not in needed and name != "tokens"}
    return st.fixed_dictionaries(required, optional=optional)


def _state(context: ToolContext) -> dict[str, tuple[int, int]]:
    folder = context.settings.warehouse.parent
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def began(context: ToolContext) -> dict[str, tuple[int, int]]:
    """The files before a tool is first asked."""
    return _state(context)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_tool_says_what_it_is_and_takes(name: str) -> None:
    tool = TOOLS[name]
    assert tool.name == name
    assert 30 < len(tool.description) < 700
    assert tool.schema["additionalProperties"] is False
    assert "context" not in tool.schema["properties"]
    json.dumps(tool.schema)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_an_unknown_field_is_refused(name: str, context: ToolContext) -> None:
    with pytest.raises(BadInput, match=name):
        TOOLS[name].call(context, {"no_such_field": 1})


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_value_of_another_type_is_refused(name: str, context: ToolContext) -> None:
    fields = TOOLS[name].schema["properties"]
    for field in fields:
        given_others = {other: "x" for other in TOOLS[name].schema.get("required", ()) if other != field}
        with pytest.raises(BadInput, match=f"{name}: "):
            TOOLS[name].call(context, {**given_others, field: {"an": "object"}})


@pytest.mark.parametrize("name", READING)
@examples(1, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_is_asked_the_answer_is_short_and_nothing_changes(
    name: str, context: ToolContext, began: dict[str, tuple[int, int]], data: st.DataObject
) -> None:
    asked = data.draw(_inputs(TOOLS[name]))
    found, most = _told(TOOLS[name], context, asked)
    assert 0 < count_tokens(found.text.strip()) <= most
    json.dumps(found.data)
    assert _state(context) == began


def _told(tool: Tool, context: ToolContext, asked: dict[str, Any]) -> tuple[ToolResult, int]:
    """What a tool gives, or the line of its error; and how many tokens that may have."""
    try:
        return tool.call(context, asked), DEFAULT_BUDGET
    except KalendsError as error:
        return ToolResult(_line(str(error))), ERROR


def _line(text: str) -> str:
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("search", {"question": "Item 3 of many", "count": 20}),
        ("query_cells", {"item": "Item", "count": 50}),
        ("open_passage", {"document": "wide.md", "table": 1}),
        ("run_sql", {"query": "SELECT * FROM cells", "rows": 1000}),
        ("document_outline", {"document": "wide.md"}),
        ("list_documents", {"count": 200}),
    ],
)
@pytest.mark.parametrize("budget", [200, 500, 5000])
def test_a_budget_is_kept_over_a_huge_table(
    name: str, asked: dict[str, Any], budget: int, context: ToolContext
) -> None:
    text = TOOLS[name].call(context, {**asked, "tokens": budget}).text
    assert count_tokens(text) <= budget


def test_only_tools_that_change_something_write() -> None:
    assert {name for name in TOOLS if TOOLS[name].writes} >= {"import_documents"}
    assert "search" in READING


def test_a_table_is_read_to_its_end_below_its_head(context: ToolContext) -> None:
    asked: dict[str, Any] = {"document": "wide.md", "table": 1}
    rows: list[str] = []
    while True:
        found = TOOLS["open_passage"].call(context, asked)
        assert "a long name of column number 11" in found.text
        rows += [line for line in found.data["text"].splitlines() if line.startswith("| Item")]
        if found.data["next"] is None:
            break
        asked = {"document": "wide.md", "start": found.data["next"]}
    assert [row.split(" of ")[0] for row in rows] == [f"| Item {number}" for number in range(300)]


def test_hits_are_the_passages_that_the_text_shows(context: ToolContext) -> None:
    found = TOOLS["query_cells"].call(context, {"item": "Northlight net income Q3 2025", "count": 1})
    (hit,) = found.hits
    assert hit.excerpt_text.startswith("| Net income | 15.6 |")
    assert hit.text == context.warehouse.read_text(hit.document_id)[hit.start : hit.end]
    assert hit.chunk_id in found.text
