"""The time of a file dates nothing: a copied folder is the same warehouse, and what nothing dates is undated."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from flows.planning import make_plan
from flows.progress import Action
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import SMALL_SETTINGS, build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest, SearchResult
from warehouse.settings.loader import load_settings

SAID = "The lighthouse keeper counted forty gulls last month, and again in March 2021."
FILES = {
    "copied.txt": f"{SAID}\n",
    "copied.md": f"# Gulls\n\n{SAID}\n",
    "copied.html": f"<html><body><h1>Gulls</h1><p>{SAID}</p></body></html>",
    "gulls.csv": "Place,Gulls\nPier,41\nLighthouse,40\n",
    "course.txt": "Course Title: Gulls\nCourse Instructor: A. Nobody\n\nLesson 0: Start\nGulls are counted at dawn.\n",
    "dated.md": f"---\ndate: 2022-02-02\n---\n# Dated\n\n{SAID}\n",
    "paper.xml": "<article><front><article-meta><title-group><article-title>Gulls</article-title></title-group>"
    f"</article-meta></front><body><p>{SAID}</p></body></article>",
}
TODAY = date(2026, 1, 1)
TABLES = """
    SELECT table_name FROM information_schema.tables
    WHERE table_name NOT IN ('runs', 'documents') AND NOT starts_with(table_name, 'trial')
"""


def _built(folder: Path, moment: float) -> Warehouse:
    docs = folder / "docs"
    docs.mkdir(parents=True)
    for name, text in FILES.items():
        (docs / name).write_text(text, encoding="utf-8")
        os.utime(docs / name, (moment, moment))
    return build_warehouse(folder / "house", docs)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return _built(tmp_path_factory.mktemp("one"), 1.7e9)


def _ask(house: Warehouse, text: str, **filters: object) -> SearchResult:
    return find(house, SearchRequest(text, filters=Filters(**filters)), open_embedder("hashing"), TODAY)  # type: ignore[arg-type]


def test_copies_of_a_folder_give_the_same_tables(house: Warehouse, tmp_path: Path) -> None:
    other = _built(tmp_path, 1.1e9)
    tables = [name for (name,) in house.run_sql(TABLES).rows]
    assert {"chunks", "mentions", "findings", "outputs", "cells", "embeddings", "scores"} <= set(tables)
    queries = [
        "SELECT * EXCLUDE modified FROM documents ORDER BY ALL",
        *(f"FROM {name} ORDER BY ALL" for name in tables),
    ]
    for query in queries:
        assert house.snapshot.query_rows(query) == other.snapshot.query_rows(query), query


def test_a_touched_file_is_kept_with_all_that_was_made_of_it(tmp_path: Path) -> None:
    house = _built(tmp_path, 1.1e9)
    for path in (tmp_path / "docs").iterdir():
        os.utime(path, (1.7e9, 1.7e9))
    settings = load_settings({"warehouse": tmp_path / "house", **SMALL_SETTINGS})
    plan = make_plan(settings, house.snapshot.generation, [tmp_path / "docs"])
    assert {(planned.action, planned.reason, planned.stages) for planned in plan.files} == {
        (Action.KEPT, "only its time changed", ())
    }


def test_what_nothing_dates_is_undated_and_its_relative_times_are_no_day(house: Warehouse) -> None:
    days = dict(house.snapshot.query_rows("SELECT path, document_date FROM documents"))
    # "March 2021" names a month, and no day that a text is written on.
    assert {path: day for path, day in days.items() if day} == {"dated.md": date(2022, 2, 2)}
    sql = "SELECT path, start_date FROM mentions JOIN documents USING (document_id) WHERE text = 'last month'"
    relative = dict(house.snapshot.query_rows(sql))
    assert relative.pop("dated.md") == date(2022, 1, 1)
    assert len(relative) >= 3
    assert set(relative.values()) == {None}
    prefixes = house.snapshot.query_rows(
        "SELECT prefix FROM chunks JOIN documents USING (document_id) WHERE path <> 'dated.md'"
    )
    assert not [prefix for (prefix,) in prefixes if "Date:" in prefix or "[date:" in prefix]


def test_a_citation_says_that_its_document_is_undated(house: Warehouse) -> None:
    lines = {hit.citation.source: hit.citation.formatted for hit in _ask(house, "gulls at the lighthouse").hits}
    assert "| Date: 2022-02-02 |" in lines.pop("docs/dated.md")
    assert lines
    assert all("| Date: undated |" in line for line in lines.values())


@pytest.mark.parametrize(
    "filters", [{"since": date(2020, 1, 1)}, {"until": date(2030, 1, 1)}, {"as_of": TODAY}, {"years": (2020, 2026)}]
)
def test_a_filter_by_date_leaves_the_undated_out_and_says_how_many(house: Warehouse, filters: dict[str, date]) -> None:
    found = _ask(house, "gulls at the lighthouse", **filters)
    assert {hit.citation.source for hit in found.hits} == {"docs/dated.md"}
    assert found.notes == ("6 undated documents are left out: a filter by date finds only documents that have one",)


def test_a_filter_by_what_is_spoken_of_finds_the_undated(house: Warehouse) -> None:
    found = _ask(house, "gulls", during=(date(2021, 1, 1), date(2022, 1, 1)))
    held = {source for hit in found.hits for source in (hit.citation.source, *(d.source for d in hit.duplicates))}
    assert len(held) >= 4
    assert found.notes == ()
