"""Passages are opened with what is around them, in the words of the file, and quotations are found in it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dashboards.assistant.tools.contract import TOOLS, ToolContext, ToolResult
from flows.roots import find_permitted_files
from tasks.token_budget import count_tokens
from tests.building import build_warehouse
from warehouse.errors import BadInput, BadQuery
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings

SAMPLES = Path(__file__).parents[4] / "samples"
RELEASE = "docs/northlight-fy2025-q3.pdf"
COURSE = "docs/ocean-time-series.txt"
PAPER = "docs/nitrate-drift.xml"
KEPT = ("reports/northlight-fy2025-q3.pdf", "courses/ocean-time-series.txt", "papers/nitrate-drift.xml")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("reading")
    (folder / "docs").mkdir()
    for each in KEPT:
        shutil.copy(SAMPLES / each, folder / "docs")
    warehouse = build_warehouse(folder / "warehouse", folder / "docs")
    chosen = load_settings(
        {"warehouse": folder / "warehouse", "embed": {"model": "hashing"}, "parse": {"processes": 1}}
    )
    return ToolContext(chosen, warehouse, date(2025, 11, 22))


def call(context: ToolContext, name: str, **asked: Any) -> ToolResult:
    return TOOLS[name].call(context, asked)


def test_a_search_names_passages_that_can_be_opened(context: ToolContext) -> None:
    found = call(context, "search", question="revenue of the quarter", documents=[RELEASE], count=2)
    for hit in found.hits:
        assert f"Passage: {hit.chunk_id}" in found.text
        opened = call(context, "open_passage", passage=hit.chunk_id, neighbours=0)
        # A hit of several passages of a page has the id of the best of them.
        assert (opened.data["text"].strip() in hit.text) if hit.leaves else (hit.text.strip() in opened.text)


def test_neighbours_stand_around_a_passage_as_in_the_document(context: ToolContext) -> None:
    (_, middle, *_) = call(context, "open_passage", document=COURSE).hits
    shown = call(context, "open_passage", passage=middle.chunk_id, neighbours=1).data["text"]
    before, _, rest = shown.partition("— passage —")
    own, _, after = rest.partition("— after —")
    assert own.strip() == middle.text.strip()
    assert before.startswith("— before —")
    text = context.warehouse.read_text(middle.document_id)
    assert after.strip()[:40] in text[middle.end :]


def test_a_passage_is_shown_with_its_whole_table(context: ToolContext) -> None:
    hit = call(context, "query_cells", item="net income", documents=[RELEASE], count=1).hits[0]
    shown = call(context, "open_passage", passage=hit.chunk_id, whole="table").data["text"]
    assert shown.startswith("[TABLE 1]")
    assert shown.endswith("[END TABLE]")


def test_a_page_is_read(context: ToolContext) -> None:
    found = call(context, "open_passage", document=RELEASE, page=2)
    assert {hit.citation.page for hit in found.hits} == {2}


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"passage": "nothing"},
        {"passage": "a", "document": RELEASE},
        {"document": RELEASE, "page": 99},
        {"document": RELEASE, "table": 99},
        {"document": RELEASE, "page": 1, "start": 0},
        {"document": RELEASE, "start": 10_000_000},
        {"document": COURSE, "page": 1},
    ],
)
def test_what_is_not_there_is_refused_with_a_cure(context: ToolContext, asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        TOOLS["open_passage"].call(context, asked)
    assert refused.value.cure


def test_an_outline_says_where_each_part_starts(context: ToolContext) -> None:
    parts = call(context, "document_outline", document=COURSE).data["parts"]
    lessons = [part for part in parts if part["what"] == "lesson"]
    assert [part["name"].partition(":")[0] for part in lessons] == [f"Lesson {number}" for number in range(4)]
    for part in lessons:
        shown = call(context, "open_passage", document=COURSE, start=part["start"], tokens=300).data["text"]
        assert shown.startswith(part["name"].partition(" http")[0])


def test_an_outline_is_narrowed_by_words(context: ToolContext) -> None:
    parts = call(context, "document_outline", document=PAPER, containing="median drift").data["parts"]
    assert [part["what"] for part in parts] == ["table"]


def test_documents_are_counted_and_come_in_the_order_asked_for(context: ToolContext) -> None:
    found = call(context, "list_documents", sort="oldest", count=2)
    assert found.data["count"] == 3
    first, second = found.data["documents"]
    assert first["date"] <= second["date"]
    (third,) = call(context, "list_documents", sort="oldest", count=2, after=2).data["documents"]
    assert third["source"] not in {first["source"], second["source"]}


def test_a_quotation_is_verified_on_its_page(context: ToolContext) -> None:
    found = call(context, "verify_quote", quote="| Net income | 15.6 | 10.7 |", document=RELEASE)
    assert found.data["verified"]
    (region,) = found.data["proofs"][0]["regions"]
    assert region["page"] == 2
    assert "page 2 [" in found.text


def test_a_false_quotation_is_shown_what_stands_there(context: ToolContext) -> None:
    found = call(context, "verify_quote", quote="Net income was $16.6 million", document=RELEASE)
    assert not found.data["verified"]
    assert "nearest: " in found.text
    assert "$15.6 million" in " ".join(found.text.split())


def test_times_are_read_by_the_calendar_of_a_document(context: ToolContext) -> None:
    found = call(context, "extract_temporal_context", text="Revenue in Q3 2025", document=RELEASE)
    (time,) = found.data["times"]
    assert (time["start_date"], time["end_date"]) == ("2025-04-01", "2025-07-01")
    assert "2025-04-01 to 2025-06-30" in found.text


def test_relative_times_count_from_the_anchor(context: ToolContext) -> None:
    found = call(context, "extract_temporal_context", text="last year", anchor="2021-03-04")
    assert found.data["times"][0]["value"] == "2020"


def test_a_query_gives_rows_and_a_wrong_one_the_columns(context: ToolContext) -> None:
    found = call(context, "run_sql", query="SELECT count(*) AS n FROM documents")
    assert found.data == {"columns": ["n"], "rows": [[3]]}
    # Also where nobody has asked the warehouse for a table of the lake before.
    for each in (context, replace(context, warehouse=Warehouse(context.warehouse.layout.folder))):
        with pytest.raises(BadQuery, match="row_header, column_header"):
            call(each, "run_sql", query="SELECT nothing FROM cells")


@pytest.mark.parametrize(
    "query", ["DROP TABLE documents", "SELECT * FROM read_text('/etc/passwd')", "SELECT 1; SELECT 2"]
)
def test_sql_reads_the_warehouse_and_nothing_else(context: ToolContext, query: str) -> None:
    with pytest.raises(BadQuery):
        call(context, "run_sql", query=query)


def test_a_long_passage_is_shown_by_its_excerpt(context: ToolContext) -> None:
    found = call(context, "search", question="net income", documents=[RELEASE], count=1, tokens=200)
    assert count_tokens(found.text) <= 200
    assert "income" in found.data["hits"][0]["text"].lower()


@pytest.mark.parametrize(
    "path", ["no/such/folder", "\x00", "x" * 300, "/etc/passwd", "docs/../..", "docs/outside", "~", "/"]
)
def test_nothing_but_the_warehouse_s_folders_is_imported(context: ToolContext, path: str) -> None:
    outside = context.settings.warehouse.parent / "docs" / "outside"
    if not outside.is_symlink():
        outside.symlink_to("/etc")
    with pytest.raises(BadInput):
        call(context, "import_documents", path=path)
    assert context.warehouse.generation == 1


@pytest.mark.parametrize("name", ["docs", "docs/nitrate-drift.xml", "nitrate-drift.xml", "PATH"])
def test_what_is_in_them_may_be_named_in_any_way(context: ToolContext, name: str) -> None:
    docs = context.settings.warehouse.parent / "docs"
    (place,) = find_permitted_files(context.settings, [name if name != "PATH" else str(docs / "nitrate-drift.xml")])
    assert place == (docs if name == "docs" else docs / "nitrate-drift.xml").resolve()
