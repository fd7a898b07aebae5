"""Reference lists are ranked down and never quoted, and are found where somebody asks for a reference."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from time import process_time

import pytest

from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.extracts import find_extracts
from tasks.query.question_parser import parse_question
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.search.search import wants_references
from warehouse.settings.loader import load_settings

TODAY = date(2025, 11, 22)
PAPER = """# Counting herring

## Results

Landings fell by a third over nine years. The quay of Bergen saw {fewest} of all. Boats came at night and left at dawn.

## Methods

Counts were made by hand from the pier, three times a day, by people who did not know what the others had written.

## References

1. Smith J, Moe K (2011) Herring at the quay of Bergen: why landings of herring fell. Journal of Harbours 3: 12-19.
2. Smith J, Berg A (2012) Why landings of herring fell at the quay of Bergen. Journal of Harbours 4: 22-29.
3. Dahl P (2013) Landings of herring at Bergen: why they fell. Journal of Piers 5: 32-39.
4. Dahl P (2014) Counting herring landings at quays. Journal of Piers 6: 42-49.
"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("references")
    (folder / "sources").mkdir()
    (folder / "sources" / "paper.md").write_text(PAPER.format(fewest="the fewest herring"))
    warehouse = build_warehouse(folder / "warehouse", folder / "sources", chunk={"size": 400, "overlap": 0})
    return ToolContext(
        load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}}), warehouse, TODAY
    )


def test_a_list_that_repeats_the_question_is_ranked_down_and_not_quoted(context: ToolContext) -> None:
    wanted = SearchRequest("Why did landings of herring fall at the quay of Bergen?")
    hits = find(context.warehouse, wanted, context.embedder, TODAY).hits
    assert not hits[0].is_references
    assert any(hit.is_references for hit in hits)
    for hit in hits:
        assert abs(sum(part.value for part in hit.parts) - hit.score) < 1e-9
    said = extract_answer(context, wanted, on_event=lambda _: None)
    assert "Journal of" not in said.text
    lists = [hit for hit in hits if hit.is_references]
    question = find(context.warehouse, wanted, context.embedder, TODAY).question
    assert find_extracts(question, lists, context.embedder) == []
    assert find_extracts(replace(question, text=f"{question.text} (cited)"), lists, context.embedder)


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("Which paper by Smith and Berg (2012) is cited?", Filters()),
        ("What did Dahl et al. write on herring?", Filters()),
        ("landings of herring at the quay of Bergen", Filters(sections=("References",))),
    ],
)
def test_a_reference_that_is_asked_for_is_found(context: ToolContext, question: str, filters: Filters) -> None:
    hits = find(context.warehouse, SearchRequest(question, filters), context.embedder, TODAY).hits
    assert hits[0].is_references


@pytest.mark.parametrize("piece", ["a", "A ", "Smith and ", "(2010) ", "-"])
def test_a_long_question_is_looked_through_in_linear_time(context: ToolContext, piece: str) -> None:
    question = parse_question(SearchRequest("why"), context.embedder, TODAY)
    started = process_time()
    wants_references(replace(question, text=piece * (40_000 // len(piece))))
    assert process_time() - started < 1.0


@pytest.mark.parametrize(
    ("text", "wanted"), [("mortality (2019) in adults", False), ("what did Smith (2019) find", True)]
)
def test_an_author_is_a_name_before_a_year(context: ToolContext, text: str, wanted: bool) -> None:
    question = parse_question(SearchRequest("why"), context.embedder, TODAY)
    assert wants_references(replace(question, text=text)) is wanted
