"""A question's times prefer the passages that speak of them, and leave the others in their order."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.ask.understanding import understand
from tasks.embedders.choosing import embedder
from tests.building import build_warehouse
from warehouse.reader import Warehouse

TODAY = date(2025, 11, 22)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("timely")
    (folder / "reports").mkdir()
    for quarter in (1, 2, 3, 4):
        text = f"The turbine works made 3 turbines in the quarter ended {_END[quarter]}, 2024, and sold them.\n"
        (folder / "reports" / f"q{quarter}.txt").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "reports")


_END = {1: "March 31", 2: "June 30", 3: "September 30", 4: "December 31"}


def _first(warehouse: Warehouse, text: str) -> str:
    hits = warehouse.search(understand(text, embedder("hashing"), TODAY))
    return Path(hits[0].citation.source).stem


@pytest.mark.parametrize("quarter", [1, 2, 3, 4])
def test_the_quarter_asked_for_is_first(warehouse: Warehouse, quarter: int) -> None:
    assert _first(warehouse, f"turbines made in Q{quarter} 2024") == f"q{quarter}"


def test_a_day_lies_in_its_quarter(warehouse: Warehouse) -> None:
    assert _first(warehouse, "turbines made from May 2 to June 20, 2024") == "q2"


def test_scores_stay_in_bounds(warehouse: Warehouse) -> None:
    hits = warehouse.search(understand("turbines made before 2025", embedder("hashing"), TODAY))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= hit.score <= 1 for hit in hits)
