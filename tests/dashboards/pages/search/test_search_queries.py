"""What the search page tells beside its hits: functions of a warehouse or of a hit."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import csv
from pydantic_core import to_json

from dashboards.html.passage_markup import Highlight, HighlightKind, extract_beginning, render_passage
from dashboards.pages.search.search_queries import (
    find_answer_spans,
    find_first_tables,
    find_highlights,
    find_nearby_passages,
    list_alternatives,
    list_readings,
)
from dashboards.serializers.catalogue import select_documents
from dashboards.serializers.search_results import build_hits_table, serialize_search
from dashboards.serializers.sheets import as_csv
from dashboards.widgets.search_filters import format_picked_period, list_years
from tasks.ask.extracts import Extract
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Citation, Filters, Hit, Question, SearchRequest, SearchResult, Window

TODAY = date(2025, 11, 22)
ROWS = "| Segment | Q2 |\n| --- | --- |\n| Share of turbines sold | 9 |\n| Turbines sold | 41 |"
TABLE = f"[TABLE 1]\n{ROWS}\n[END TABLE]"


def ask(warehouse: Warehouse, question: str, **wanted: Any) -> SearchResult:
    return find(warehouse, SearchRequest(question, **wanted), open_embedder("hashing"), TODAY)


def hit(text: str, start: int = 0, excerpt: tuple[int, int] | None = None) -> Hit:
    citation = Citation("d", "Harbour", "a.txt", None, 0, None, (), 1.0, None, "Harbour", "")
    return Hit("c", "d", start, text, 0.6, 0.5, None, citation, excerpt=excerpt)


def spans(found: Hit, *quotes: str, question: str = "turbines sold") -> list[str]:
    extracts = [Extract(quote, 0, 1.0) for quote in quotes]
    return [found.text[a - found.start : b - found.start] for a, b in find_answer_spans(found, 0, extracts, question)]


def test_what_is_quoted_is_meant_and_of_a_table_the_row() -> None:
    found = hit(f"They fell. It grew.\n\n{TABLE}", start=100)
    assert spans(found, "It grew.") == ["It grew."]
    assert spans(found, "| Segment | Q2 |\n| Turbines sold | 41 |") == ["| Turbines sold | 41 |"]


def test_without_a_quotation_the_excerpt_is_meant_and_of_a_table_the_row_named_best() -> None:
    text = f"They fell. It grew.\n\n{TABLE}"
    assert spans(hit(text, 100, (111, 119))) == ["It grew."]
    assert spans(hit(text, 100, (121, 100 + len(text)))) == ["| Turbines sold | 41 |"]
    assert spans(hit(text, 100, (121, 100 + len(text))), question="herring") == [TABLE]


def test_marks_stand_apart_and_where_their_words_do(warehouse: Warehouse) -> None:
    found = ask(warehouse, "turbine", k=10).hits
    passages = [(each.document_id, each.start, each.end) for each in found]
    seen = set()
    for passage, marks in zip(found, find_highlights(warehouse, passages, HighlightKind), strict=True):
        assert all(one.end <= other.start for one, other in pairwise(marks))
        seen |= {(passage.text[mark.start : mark.end], mark.meaning) for mark in marks}
    assert ("Q2 2025", "2025-04-01 to 2025-06-30") in seen
    assert find_highlights(warehouse, [], HighlightKind) == []


def test_marks_lose_no_character_and_no_word_of_the_question() -> None:
    text = "Sold in Q2 | 2023\n| a \\| Q2 2023 | b |"
    marks = [
        Highlight(8, 17, HighlightKind.NAME, "<x>"),
        Highlight(text.index("Q2 2023"), text.index("Q2 2023") + 7, HighlightKind.NAME, "y"),
    ]
    html = render_passage(text, frozenset({"2023"}), marks)
    assert Reading(html).text == "Sold in Q2 | 2023a | Q2 2023b"
    assert html.count("<mark>2023</mark>") == 2
    assert 'title="&lt;x&gt;">Q2 | <mark>' in html


def test_a_passage_begins_with_lines_that_say_something() -> None:
    assert extract_beginning(f"\n\nOne\n\n{TABLE}\nfurther") == f"One\n\n{ROWS}"
    assert extract_beginning("x" * 1000).endswith("x …")


def test_neighbours_stand_on_both_sides_in_order(tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    parts = [f"## Part {number}\n\n{f'Word{number} of the part. ' * 60}" for number in range(5)]
    (tmp_path / "n" / "a.md").write_text("\n\n".join(parts), encoding="utf-8")
    house = build_warehouse(tmp_path / "w", tmp_path / "n")
    middle = next(each for each in ask(house, "Word2 of the part", k=5).hits if "Word2" in each.text)
    (before,), (after,) = find_nearby_passages(house, middle, 1)
    assert before.start < middle.start < after.start
    all_before, all_after = find_nearby_passages(house, middle, 9)
    numbers = [each.number for each in (*all_before, *all_after)]
    assert numbers == sorted(numbers)
    assert len(all_before) == middle.citation.chunk_index


def test_tables_of_passages_and_years_of_documents(warehouse: Warehouse) -> None:
    found = ask(warehouse, "segment turbines parts service", k=10).hits
    held = {found[place].citation.source: number for place, number in find_first_tables(warehouse, found).items()}
    assert held == {"vault/report.md": 1}
    assert 2025 in list_years(warehouse)
    assert [format_picked_period(2025, part) for part in ("Whole year", "H1")] == ["2025", "H1 2025"]


def test_documents_are_named_by_source_id_and_words(warehouse: Warehouse) -> None:
    entries, (own,) = warehouse.list_documents(), [warehouse.find_document_id("vault/notes/older.md")]
    for said in ("vault/notes/older.md", str(own), "older NOTES"):
        assert select_documents(entries, [said], []) == (own,)
    assert select_documents(entries, [], []) == ()
    with pytest.raises(BadInput, match="no document is of Nobody"):
        select_documents(entries, [], ["Nobody"])


def test_words_read_plainly_are_no_time_and_no_name(warehouse: Warehouse) -> None:
    question = "What did Northlight of “Quarter” earn in Q2 2025?"
    read = {reading.words for reading in list_readings(ask(warehouse, question).question)}
    assert {"Q2 2025", "Northlight"} <= read
    plain = ask(warehouse, question, literal_terms=("q2 2025", "northlight"))
    assert read - {reading.words for reading in list_readings(plain.question)} == {"Q2 2025", "Northlight"}
    assert plain.question.query == question


def test_the_nearest_document_by_its_date_is_said(warehouse: Warehouse) -> None:
    (note, *_) = ask(warehouse, "turbine", filters=Filters(since=date(2024, 8, 1), until=date(2025, 6, 1))).notes
    assert note.endswith("nearest is 2025-06-30, an entry in vault/report.md")
    assert warehouse.describe_nearest_dates(Filters(since=date(2020, 1, 1))) == ()


def test_hits_as_rows_and_as_json(warehouse: Warehouse) -> None:
    found = ask(warehouse, "turbine", k=3)
    table = build_hits_table(found.hits)
    assert table["place"].to_pylist() == [1, 2, 3]
    assert csv.read_csv(io.BytesIO(as_csv(table))).num_rows == 3
    told = json.loads(to_json(serialize_search(found.question, found.hits, found.notes)))
    assert list(told) == ["question", "understood", "notes", "hits"]
    assert [each["chunk_id"] for each in told["hits"]] == [each.chunk_id for each in found.hits]


def test_a_period_with_two_readings_offers_the_question_that_means_the_other() -> None:
    own = Window(
        date(2023, 2, 13), date(2023, 5, 8), date(2023, 7, 1), date(2023, 10, 1), text="Q3 2023", period=(2023, 7, 3)
    )
    plain = Window(
        date(2023, 1, 1), date(2024, 1, 1), date(2022, 7, 1), date(2023, 7, 1), text="2023", period=(2023, 1, 12)
    )
    near = Window(
        date(2023, 4, 2), date(2023, 7, 2), date(2023, 4, 1), date(2023, 7, 1), text="Q2 2023", period=(2023, 4, 3)
    )

    def other(text: str, window: Window) -> list[tuple[str, str]]:
        question = Question(text, text, np.zeros(1), (window,))
        return [(each.meaning, each.question) for each in list_alternatives(question)]

    assert other("sales in Q3 2023?", own) == [
        ("calendar Q3 2023 (Jul 1 to Sep 30, 2023)", "sales in calendar Q3 2023?")
    ]
    assert other("sales in 2023", plain) == [("fiscal 2023 (Jul 1, 2022 to Jun 30, 2023)", "sales in fiscal 2023")]
    assert other("sales in Q2 2023", near) == []
    assert other("sales in Q3 2023", replace(own, fiscal=True)) == []
    assert other("sales in Q3 2023", replace(own, excluded=True)) == []
