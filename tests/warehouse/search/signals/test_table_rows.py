"""Table rows: the passage with the row that a question asks for, inside the documents that it names."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import REASON_WORDS
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, Ranking, SearchRequest, SearchResult, StatementKind

TOPICS = ("harbours", "cranes", "ropes", "lamps", "winds", "tides", "pilots", "charts", "buoys", "anchors")
PROSE = "\n\n".join(
    f"## About {topic} {number}\n\n" + f"The company spends money on {topic} and pays for what its {topic} need. " * 6
    for number in range(3)
    for topic in TOPICS
)
BALANCE = """# Consolidated Balance Sheets

| | 2023 | 2022 |
|---|---|---|
| Total current assets | 120 | 110 |
| Inventories | 20 | 10 |
| Total assets | 300 | 290 |
| Accounts payable | 30 | 20 |
| Total current liabilities | 80 | 70 |
| Total liabilities | 90 | 80 |
"""
CASH = """# Consolidated Statements of Cash Flows

| | 2023 | 2022 |
|---|---|---|
| Net income | 12 | 11 |
| Net cash provided by operating activities | 20 | 10 |
| Purchases of property and equipment | 9 | 8 |
| Dividends paid | 3 | 2 |
| Net cash used in financing activities | 8 | 7 |
| Net change in cash | 1 | 2 |
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder: Path = tmp_path_factory.mktemp("rows")
    (folder / "in").mkdir()
    for company in ("Northmoor", "Eastvale"):
        text = f"---\ntitle: {company} annual report\ncompany: {company}\n---\n\n{PROSE}\n\n{BALANCE}\n\n{CASH}\n"
        (folder / "in" / f"{company}.md").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "w", folder / "in")


def ask(warehouse: Warehouse, question: str, filters: Filters | None = None, **ranking: bool) -> SearchResult:
    wanted = SearchRequest(question, filters=filters or Filters(), ranking=Ranking(**ranking), k=3)
    found = find(warehouse, wanted, open_embedder("hashing"), date(2025, 1, 1))
    for hit in found.hits:
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
        assert 0 <= hit.score <= 1
    return found


def test_the_statement_of_the_item_comes_first(warehouse: Warehouse) -> None:
    (document,) = [each.document_id for each in warehouse.catalogue.documents.values() if each.stem == "Northmoor"]
    for question, row in (("the capex", "Purchases of property"), ("its quick ratio", "Total current liabilities")):
        found = ask(warehouse, question, Filters(documents=(document,)))
        assert row in found.hits[0].text
        assert "rows" in {part.name for part in found.hits[0].parts}
        assert {hit.document_id for hit in found.hits} == {document}
        without = ask(warehouse, question, Filters(documents=(document,)), query_expansion=False)
        assert "rows" not in {part.name for hit in without.hits for part in hit.parts}


def test_a_question_to_no_known_document_has_no_items(warehouse: Warehouse) -> None:
    assert ask(warehouse, "the capex").question.items == ()


def test_a_question_for_reasons_is_left_to_the_sentences(warehouse: Warehouse) -> None:
    document = next(iter(warehouse.catalogue.documents))
    found = ask(warehouse, "why is capex so high", Filters(documents=(document,)))
    assert all(each.text.endswith(REASON_WORDS) for each in found.question.related)
    assert found.question.related
    assert "rows" not in {part.name for hit in found.hits for part in hit.parts}


def test_every_label_has_a_vector_and_a_passage_that_shows_it(warehouse: Warehouse) -> None:
    snapshot = warehouse.snapshot
    labels = snapshot.row_labels
    assert len(labels.passages) == len(labels.vectors) == len(labels.statements) == 24
    assert set(labels.statements.tolist()) == {StatementKind.BALANCE_SHEET, StatementKind.CASH_FLOWS}
    assert snapshot.vectors.read_vectors(labels.vectors).shape == (24, snapshot.generation.manifest.dimension)
    shown = snapshot.query_rows(
        "SELECT c.text, v.label FROM chunk_vectors v JOIN chunks c USING (chunk_id) WHERE label <> ''"
    )
    assert all(label in text for text, label in shown)
    assert warehouse.snapshot.query_rows("SELECT count(*) FROM embeddings") == warehouse.snapshot.query_rows(
        "SELECT count(*) FROM chunk_vectors WHERE label = ''"
    )
