"""The examples of `docs/extending.md` are complete: each is found by its family and does what the page says of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest
from hypothesis import given

import warehouse.search.search as search_module
from tasks.chunkers.chunker import CHUNKERS, Chunker
from tasks.embedders.embedder import open_embedder
from tasks.parsers import reader
from tasks.parsers.parser_contract import Raw
from tasks.quality.rule import RULES, DocumentRule, parse_page
from tasks.query.retrieval import find
from tasks.temporal import english
from tasks.temporal.document import find_mentions
from tasks.temporal.grammar import Signal
from tasks.temporal.readings import Context
from tasks.temporal.tagger import Grammar
from tests.building import build_warehouse
from tests.tasks.chunkers.test_chunker import check_promises
from tests.tasks.documents import documents
from tests.tasks.quality.checking import subject
from warehouse.records import Document, SearchRequest
from warehouse.registry import Family

PAGE = (Path(__file__).parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^```python\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
CHUNKER, RULE, PARSER, SIGNAL, EXPRESSION = EXAMPLES


@contextmanager
def added(path: str) -> Iterator[ModuleType]:
    """The module of an example, which is a file of its package meanwhile."""
    name = path.removesuffix(".py").replace("/", ".")
    package = import_module(name.rpartition(".")[0])
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        (Path(folder) / Path(path).name).write_text(EXAMPLES[path], encoding="utf-8")
        patch.setattr(package, "__path__", [*package.__path__, folder])
        yield import_module(name)
        del sys.modules[name]


@pytest.fixture(scope="module")
def paragraph() -> Chunker:
    with added(CHUNKER):
        return Family(CHUNKERS.package, CHUNKERS.noun)["paragraph"]


@given(document=documents())
def test_a_chunker_is_a_file(document: Document, paragraph: Chunker) -> None:
    check_promises(document, paragraph, find_mentions(document, None))


def test_a_rule_is_a_function_whose_docstring_is_its_page() -> None:
    with added(RULE):
        rule = Family(RULES.package, RULES.noun)["placeholder_text"]
    assert isinstance(rule, DocumentRule)
    assert parse_page(rule).example == "`Revenue in the fourth quarter: TBD`"
    text = "Revenue in the fourth quarter: TBD"
    document = reader.parse_as("text", Raw("a.txt", text.encode()))
    (violation,) = rule.examine(subject(document))
    assert text[violation.start : violation.end] == "TBD"


def test_a_parser_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "PARSERS", Family(reader.PARSERS.package, reader.PARSERS.noun))
    raw = Raw("2025.ledger", b"2025/01/15 * Harbour Rent\n  Expenses:Rent   900 EUR\n  Assets:Bank\n")
    with added(PARSER):
        assert reader.choose_parser(raw) == "ledger"
        assert reader.read(raw).text.startswith("2025-01-15 Harbour Rent\n")


def test_a_signal_is_a_file_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with added(SIGNAL) as module:
        monkeypatch.setattr(search_module, "SIGNALS", (*search_module.SIGNALS, module.PassageQuality))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "boiler.md").write_text("# Boiler\n\nThe boiler was serviced and its valve replaced.\n")
    opened = build_warehouse(tmp_path / "warehouse", tmp_path / "notes")
    (hit,) = find(opened, SearchRequest("boiler valve"), open_embedder("hashing"), date(2025, 1, 1)).hits
    parts = {part.name: part.value for part in hit.parts}
    assert 0 < parts["quality"] <= 0.05


def test_a_temporal_expression_is_a_rule_and_a_line() -> None:
    with added(EXPRESSION) as terms:
        grammar = Grammar((*english.RULES, *terms.RULES), english.STAGES)
    context = Context(date(2024, 2, 1))
    items = grammar.find_items("Michaelmas term 2023, then Hilary term")
    values = [item.value.resolve(context).value for item in items if not isinstance(item.value, Signal)]
    assert values == ["2023-10/2023-12", "2024-01/2024-03"]
