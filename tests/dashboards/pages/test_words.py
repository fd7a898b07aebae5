"""The words of the pages: ordinary ones, one for each thing, in the right number; the old ones do not come back."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from dashboards.pages.quality.quality_page import VIEWS
from dashboards.pages.tables.tables_page import PARTS
from dashboards.widgets.navigation import PAGES
from tasks.quality.phrases import format_count
from tasks.quality.rule import list_rules, parse_page
from tests.dashboards.pages.elements import Reading
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]
FOLDER = Path(__file__).parents[3] / "dashboards"
READ = ("pages", "widgets", "html", "serializers", "background")
"""The packages whose texts are seen on pages."""
NOUNS = (
    "documents|passages|files|tables|findings|questions|configurations|pages|rows|cells|columns|runs|generations|hits"
)
OLD = re.compile(
    "|".join(
        (
            r"\b[Tt]ake in\b",
            r"\b[Pp]ut away\b",
            r"\b[Hh]oles\b",
            r"\b[Ss]peaks of\b",
            r"\b[Tt]imes spoken of\b",
            r"\bParted by\b",
            r"\bBars of a\b",
            r"\bSpared\b",
            r"\bTake it along\b",
            r"\b[Mm]istake of ours\b",
            r"\bThe documents do not say\b",
            r"\bNo sentence here says it\b",
            r"\bthat is to stand there\b",
            r"\bask a physician\b",
            r"\b[Tt]hat is well\b",
            r"\b[Tt]o take along\b",
            r"\b[Hh]ere stands\b",
            r"\bwaits? for a question\b",
            r"\b[Ss]aid again\b|\b[Ss]ays again\b",
            r"\btold of below\b",
            r"\bhanded over\b",
            r"\b[Tt]ake one away\b",
            r"\b[Ww]orked on anew\b",
            r"\b[Ww]hat it says\b",
            rf"(?<![\d.,/-])1 (?:{NOUNS})\b",
        )
    )
)
CHUNK = re.compile(r"\b[Cc]hunks?\b(?![.\-_=]| \d)")
"""A passage by its name in the code; settings (`chunk.size`) and citations ("Chunk 3") keep their form."""
NOT_READ = {"id", "key", "formId", "data", "arrowData", "js", "css", "jsContent", "cssContent", "columnOrder", "spec"}


@pytest.fixture(scope="module")
def addresses(warehouse: Warehouse) -> list[tuple[str, dict[str, str]]]:
    """Every page, every part of it, and what can be opened on it."""
    code, document, chunk = warehouse.snapshot.query_rows(
        "SELECT code, document_id, chunk_id FROM findings WHERE chunk_id IS NOT NULL LIMIT 1"
    )[0]
    table = warehouse.snapshot.query_rows("SELECT document_id FROM tables LIMIT 1")[0][0]
    return [
        *((leaf.name, {}) for leaf in PAGES),
        *(("library", {"document": each.document_id}) for each in warehouse.list_documents()),
        ("library", {"document": "none"}),
        ("library", {"text": "nothing like it"}),
        ("search", {"q": "turbine revenue", "explain": "true"}),
        *(("quality", {"by": side}) for side in VIEWS),
        ("quality", {"rule": code}),
        ("quality", {"rule": "CHK001"}),
        ("quality", {"document": document}),
        ("quality", {"document": document, "chunk": chunk}),
        ("quality", {"chunk": "none"}),
        ("quality", {"twin": "none"}),
        *(("timeline", {"show": show}) for show in ("Over time", "Coverage", "One figure")),
        *(("tables", {"part": part}) for part in PARTS),
        ("tables", {"part": "Find a figure", "item": "turbines"}),
        ("tables", {"document": table, "table": "1", "cell": "1.1"}),
        ("sql", {"query": "SELECT count(*) AS documents FROM documents"}),
        ("sql", {"query": "SELECT nothing"}),
        ("experiments", {"part": "New experiment", "vary": "fusion"}),
    ]


@pytest.mark.slow
def test_no_page_says_an_old_word(draw: Draw, addresses: list[tuple[str, dict[str, str]]]) -> None:
    wrong = []
    for name, parameters in addresses:
        page = draw(name, **parameters)
        assert not page.exception, (name, parameters)
        said = list(texts_of(page))
        assert len(said) > 3, (name, parameters)
        # A table of the database is called so.
        banned = (OLD, CHUNK) if name != "sql" else (OLD,)
        wrong += [(name, parameters, text) for text in said if any(each.search(text) for each in banned)]
    assert not wrong, wrong


def test_no_text_in_the_code_of_pages_has_an_old_word() -> None:
    files = [file for package in READ for file in sorted((FOLDER / package).rglob("*.py"))]
    assert len(files) > 80
    assert not [(file.name, text) for file in files for text in literals_of(file) if OLD.search(text)]


def test_rules_speak_of_passages() -> None:
    for rule in list_rules().values():
        page = parse_page(rule)
        for text in (rule.name, page.title, page.what, page.why, page.example, page.cure):
            assert not CHUNK.search(re.sub("`[^`]*`", "", text)), (rule.code, text)


@pytest.mark.parametrize(
    ("number", "plural", "said"),
    [(1, "", "1 file"), (0, "", "0 files"), (2000, "", "2,000 files"), (2, "many", "2 many")],
)
def test_a_number_has_the_right_noun(number: int, plural: str, said: str) -> None:
    assert format_count(number, "file", plural) == said


def texts_of(page: AppTest) -> Iterator[str]:
    """Everything that a page says: texts, labels, helps, placeholders, alternative texts and names of columns."""
    for block in (page.main, page.sidebar):
        yield from _of_node(block)


def _of_node(node: object) -> Iterator[str]:
    proto = getattr(node, "proto", None)
    if proto is not None and hasattr(proto, "DESCRIPTOR"):
        for name, text in _strings(MessageToDict(proto), ""):
            if name in ("columns", "config"):
                yield from (column.get("label") or "" for column in json.loads(text or "{}").values() if column)
            else:
                yield _without_code(text) if "<" in text else text
    for child in getattr(node, "children", {}).values():
        yield from _of_node(child)


def _strings(value: object, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in NOT_READ:
                yield from _strings(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each, name)
    elif isinstance(value, str) and value:
        yield name, value


def _without_code(html: str) -> str:
    return Reading(re.sub(r"<(code|style|pre)\b.*?</\1>", "", html, flags=re.DOTALL)).text


def literals_of(file: Path) -> Iterator[str]:
    """The texts of a module that are no documentation, those with values in them with a 1 in the place of each."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    within: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            within |= {id(each) for each in node.values}
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation | within:
            yield node.value
