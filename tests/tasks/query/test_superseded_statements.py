"""A statement that a later document makes anew stands behind the newer one, and says so."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.ask.explanations import iter_hit_notes
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Hit, SearchRequest

_PLANS = {2021: ("30", "The basic plan is for one person."), 2023: ("35", ""), 2022: ("32", "")}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("superseding")
    (folder / "plans").mkdir()
    for year, (price, more) in _PLANS.items():
        text = f"Prices of {year}-03-01\n\nThe basic plan costs {price} dollars for each person who uses it. {more}\n"
        (folder / "plans" / f"prices-{year}-03-01.txt").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "plans")


def _hits(warehouse: Warehouse, text: str) -> tuple[Hit, ...]:
    return find(warehouse, SearchRequest(text), open_embedder("hashing"), date(2025, 11, 22)).hits


def _year(hit: Hit) -> int:
    return int(Path(hit.citation.source).stem.split("-")[1])


def test_the_newest_statement_stands_before_those_it_replaces(warehouse: Warehouse) -> None:
    hits = _hits(warehouse, "The basic plan is for one person: what does the plan of 30 dollars cost?")
    assert _year(hits[0]) == 2023
    assert {_year(hit): hit.superseded_by and hit.superseded_by.now for hit in hits} == {
        2023: None,
        2022: ("35",),
        2021: ("35",),
    }
    assert {hit.superseded_by.chunk_id for hit in hits[1:] if hit.superseded_by} == {hits[0].chunk_id}


def test_scores_still_fall_and_are_the_sums_of_their_parts(warehouse: Warehouse) -> None:
    hits = _hits(warehouse, "The basic plan is for one person: what does the plan of 30 dollars cost?")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(sum(part.value for part in hit.parts) == pytest.approx(hit.score) for hit in hits)


def test_who_asks_for_a_time_gets_what_held_then_and_is_told(warehouse: Warehouse) -> None:
    first = _hits(warehouse, "What did the basic plan cost in 2021?")[0]
    assert _year(first) == 2021
    assert list(iter_hit_notes(first)) == ["Superseded: '30' is '35' in plans/prices-2023-03-01.txt of 2023-03-01"]
