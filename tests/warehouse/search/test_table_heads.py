"""Passages of a long table are found by their rows, and read below its header wherever they are shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from dashboards.assistant.citable_passages import CitableMaterial
from dashboards.assistant.tools.search import format_passage
from dashboards.html.hits import render_hit
from dashboards.serializers.search_results import format_hits_markdown, serialize_hit
from tasks.ask.excerpts import with_excerpts
from tasks.ask.extracts import find_extracts
from tasks.ask.passage_units import split_units
from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import parse_question
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Hit, SearchRequest

HEAD = "[TABLE 1]\n| Day | Ship | Cargo in tonnes |\n| --- | --- | --- |"
QUESTION = "cargo of the Kestrel on 12 March 2021"
ROW = "| 2021-03-12 | Kestrel | 1,003 |"
TODAY = date(2024, 1, 1)


def landings(folder: Path, chunker: str = "") -> Warehouse:
    """A list of 300 landings, two a day, and its warehouse."""
    (folder / "files").mkdir()
    days = [date(2021, 1, 1) + timedelta(place // 2) for place in range(300)]
    rows = [f'{day},{("Heron", "Kestrel")[place % 2]},"{862 + place:,}"' for place, day in enumerate(days)]
    (folder / "files" / "landings.csv").write_text("Day,Ship,Cargo in tonnes\n" + "\n".join(rows), encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "files", chunk={"chunker": chunker} if chunker else {})


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return landings(tmp_path_factory.mktemp("landings"))


@pytest.fixture(scope="module")
def hierarchical(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return landings(tmp_path_factory.mktemp("hierarchical"), "hierarchical")


@pytest.fixture(scope="module")
def first(warehouse: Warehouse) -> Hit:
    found = find(warehouse, SearchRequest(QUESTION), open_embedder("hashing"), TODAY)
    return with_excerpts(found.question, found.hits, open_embedder("hashing"))[0]


def test_the_row_that_is_asked_for_is_in_the_first_passage(warehouse: Warehouse, first: Hit) -> None:
    assert ROW in first.text
    assert first.table_head == HEAD
    assert warehouse.read_text(first.document_id)[first.start : first.end] == first.text
    assert first.headed_text == f"{HEAD}\n{first.text}"


def test_rows_are_one_unit_and_their_excerpt_has_the_header(first: Hit) -> None:
    assert split_units(first.text) == [(0, len(first.text))]
    whole = first.with_excerpt(first.start, first.end)
    assert whole.headed_excerpt == first.headed_text
    assert first.headed_excerpt == f"{HEAD}\n| 2021-03-12 | Heron | 1,002 |\n{ROW}"
    assert replace(first, text=f"{ROW}\n[END TABLE]\n\nMore.", excerpt=(first.end, first.end)).headed_excerpt == ""


def test_a_quoted_row_has_the_header(first: Hit) -> None:
    question = parse_question(SearchRequest(QUESTION), open_embedder("hashing"), TODAY)
    (best, *_) = find_extracts(question, [first], open_embedder("hashing"))
    assert best.text == f"| Day | Ship | Cargo in tonnes |\n{ROW}"


def test_every_reader_sees_the_header_once(first: Hit) -> None:
    (passage,) = CitableMaterial().add([first])
    shown = [
        "".join(passage.blocks),
        format_passage(first, 10_000),
        format_passage(first, 100),
        format_hits_markdown([first]),
    ]
    assert [text.count("Cargo in tonnes") for text in shown] == [1] * len(shown)
    assert passage.get_span(0, 1) == (first.start, first.start + len(first.text.partition("\n")[0]))
    # The excerpt has it, and the whole passage below it.
    assert render_hit(1, first, frozenset()).count("<th>Cargo in tonnes</th>") == 2
    assert render_hit(1, replace(first, excerpt=None), frozenset()).count("<th>Cargo in tonnes</th>") == 2
    whole = render_hit(1, first.with_excerpt(first.start, first.end), frozenset())
    assert whole.count("<th>Cargo in tonnes</th>") == 1
    assert (serialize_hit(first)["text"], serialize_hit(first)["table_head"]) == (first.text, HEAD)


@pytest.mark.parametrize("question", [QUESTION, "landings of 1 January 2021", "landings of 5 May 2021"])
def test_larger_passages_of_rows_have_the_header_once(hierarchical: Warehouse, question: str) -> None:
    for hit in find(hierarchical, SearchRequest(question, k=20), open_embedder("hashing"), TODAY).hits:
        assert hit.headed_text.count("Cargo in tonnes") == 1
        days = [line[2:12] for line in hit.text.splitlines() if line.startswith("| 20")]
        assert hit.citation.shown_date == " to ".join(dict.fromkeys([days[0], days[-1]]))
        assert hit.citation.rows
        assert hit.citation.rows[1] - hit.citation.rows[0] + 1 == len(days)
