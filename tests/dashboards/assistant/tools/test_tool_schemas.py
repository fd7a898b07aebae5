"""What descriptions and prompts say of a tool's arguments is so, and each argument is described and used."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from dashboards.assistant.prompts import read_prompt
from dashboards.assistant.tools.contract import TOOLS, ToolContext
from dashboards.mcp.server import INSTRUCTIONS, PROMPTS
from tests.building import build_warehouse
from tests.dashboards.assistant.tool_contexts import tool_context_at
from warehouse.errors import BadInput
from warehouse.records.search_request import FILTER_FIELDS

ROOT = Path(__file__).parents[4] / "dashboards"
SYNONYMS = {"time": {"period", "during", "since"}, "place": {"start"}, "day": {"since", "until"}}
"""Arguments that a description calls by another word."""
_CALL = re.compile(rf"\b({'|'.join(TOOLS)})(?:\((?!context)([^)]*)\)| with (\w+=\S+))")
_ARGUMENT = re.compile(r"\b([a-z_]+)=")
_BY = re.compile(r"\bby ((?:\w+, )*\w+ and \w+)")
_CODE = re.compile(r"`(\w+)`")

TABLE = "| (in millions) | Q1 2025 | Q2 2025 |\n| --- | --- | --- |\n| Revenue | {first} | {second} |\n"


def _texts(name: str) -> Iterator[str]:
    """All that a model is told of a tool's arguments."""
    yield TOOLS[name].description
    for field in TOOLS[name].schema["properties"].values():
        yield field["description"]


def _arguments(name: str) -> set[str]:
    return set(TOOLS[name].schema["properties"])


def _strings(path: Path) -> Iterator[str]:
    """The strings of a module; a formatted one with its values left out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_each_argument_is_described(name: str) -> None:
    missing = [each for each, field in TOOLS[name].schema["properties"].items() if not field.get("description")]
    assert missing == []


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_each_argument_is_used(name: str) -> None:
    body = ast.parse(dedent(inspect.getsource(TOOLS[name].function)))
    read = {node.id for node in ast.walk(body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert set(inspect.signature(TOOLS[name].function).parameters) - read == set()


@pytest.mark.parametrize(("name", "left_out"), [("search", set()), ("list_documents", {"documents"})])
def test_a_tool_that_takes_filters_offers_all_that_a_search_request_declares(name: str, left_out: set[str]) -> None:
    declared = {field for field, each in FILTER_FIELDS.items() if name == "search" or not each.passages}
    assert declared - left_out <= _arguments(name)
    assert not left_out & _arguments(name)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_what_a_description_offers_to_ask_by_is_an_argument(name: str) -> None:
    for text in _texts(name):
        for found in _BY.finditer(text):
            for word in re.split(r", | and ", found[1]):
                assert {word, *SYNONYMS.get(word, ())} & _arguments(name), f"{name} takes no {word}"
        assert set(_CODE.findall(text)) <= {*TOOLS, *_arguments(name)}


def test_a_call_that_any_text_shows_can_be_made() -> None:
    said = [text for name in TOOLS for text in _texts(name)]
    said += [read_prompt(path.stem) for path in (ROOT / "assistant" / "prompts").glob("*.md")]
    said += [INSTRUCTIONS, *(each.text for each in PROMPTS.values())]
    said += [text for path in ROOT.rglob("*.py") for text in _strings(path)]
    calls = [(found[1], found[2] or found[3]) for text in said for found in _CALL.finditer(text)]
    assert len(calls) > 3
    for name, given in calls:
        assert set(_ARGUMENT.findall(given)) <= _arguments(name), f"{name}({given})"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("figures")
    sources = folder / "filings"
    sources.mkdir()
    for name, first in (("BRANDTWORKS", "101.5"), ("OSTERGAARD", "77.25")):
        text = f"# {name.title()}, Inc. Reports Results\n\n{TABLE.format(first=first, second='5.5')}"
        (sources / f"{name}_2025Q2_EARNINGS.md").write_text(text)
    build_warehouse(folder / "w", sources)
    return tool_context_at(folder / "w")


@pytest.mark.parametrize(
    "given",
    [
        {"item": "revenue", "company": "Brandtworks"},
        {"item": "revenue of Brandtworks", "company": "brandtworks"},
        {"item": "revenue", "company": "BRANDTWORKS", "documents": ["BRANDTWORKS_2025Q2_EARNINGS", "OSTERGAARD"]},
    ],
)
def test_a_company_limits_figures_to_its_documents(given: dict[str, object], context: ToolContext) -> None:
    found = TOOLS["query_cells"].call(context, {"period": "Q1 2025", **given})
    assert [each["value"] for each in found.data["figures"]] == [101_500_000.0]


def test_a_company_without_any_of_the_documents_is_refused(context: ToolContext) -> None:
    given = {"item": "revenue", "company": "Brandtworks", "documents": ["OSTERGAARD"]}
    with pytest.raises(BadInput, match="none of these documents"):
        TOOLS["query_cells"].call(context, given)
