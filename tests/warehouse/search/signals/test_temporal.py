"""A question's times prefer the passages that speak of them, and leave the others in their order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import parse_question
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Hit, SearchRequest, Window
from warehouse.records.calendars import add_months


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("timely")
    (folder / "reports").mkdir()
    for quarter in (1, 2, 3, 4):
        text = f"The turbine works made 3 turbines in the quarter ended {_END[quarter]}, 2024, and sold them.\n"
        (folder / "reports" / f"q{quarter}.txt").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "reports")


_END = {1: "March 31", 2: "June 30", 3: "September 30", 4: "December 31"}


def _asked(warehouse: Warehouse, *windows: Window) -> list[Hit]:
    """The hits of a question that speaks of turbines and of these times alone."""
    question = parse_question(SearchRequest("turbines made"), open_embedder("hashing"), date(2025, 11, 22))
    return warehouse.search(replace(question, windows=windows))


def _source(hit: Hit) -> str:
    return Path(hit.citation.source).stem


@pytest.mark.parametrize("quarter", [1, 2, 3, 4])
def test_the_quarter_asked_for_is_first(warehouse: Warehouse, quarter: int) -> None:
    start = date(2024, 3 * quarter - 2, 1)
    assert _source(_asked(warehouse, Window(start, add_months(start, 3)))[0]) == f"q{quarter}"


def test_the_second_reading_counts_as_well(warehouse: Warehouse) -> None:
    window = Window(date(2030, 1, 1), date(2030, 4, 1), date(2024, 7, 1), date(2024, 10, 1))
    assert _source(_asked(warehouse, window)[0]) == "q3"


def test_an_open_time_prefers_all_inside_it(warehouse: Warehouse) -> None:
    late = {_source(hit) for hit in _asked(warehouse, Window(date(2024, 7, 1), None))[:2]}
    assert late == {"q3", "q4"}


def test_a_leaning_counts_and_scores_stay_in_bounds(warehouse: Warehouse) -> None:
    plain, timed = _asked(warehouse), _asked(warehouse, Window(date(2024, 7, 1), date(2024, 10, 1), required=False))
    assert [0 <= hit.score <= 1 for hit in (*plain, *timed)] == [True] * 8
    assert _source(timed[0]) == "q3"
