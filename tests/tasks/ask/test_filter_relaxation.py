"""A time that leaves nothing becomes a wish, up to the last year there is."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.ask.retrieval import find
from tasks.embedders.registry import embedder
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("widening")
    (folder / "in").mkdir()
    (folder / "in" / "note.md").write_text("The zeppelin left Friedrichshafen on 4 March 2021.\n")
    return build_warehouse(folder / "w", folder / "in", entities={"kinds": ()})


@pytest.mark.parametrize(
    ("years", "said"),
    [
        ((2019, 2020), "from 2019-01-01 up to 2020-12-31"),
        ((9998, 9999), "from 9998-01-01"),
        ((9999, 9999), "from 9999"),
    ],
)
def test_years_that_hold_nothing_are_said(years: tuple[int, int], said: str, warehouse: Warehouse) -> None:
    wanted = SearchRequest("zeppelin", Filters(years=years))
    found = find(warehouse, wanted, embedder("hashing"), date(2025, 1, 1))
    assert [hit.citation.source for hit in found.hits] == ["in/note.md"]
    assert found.notes[0].startswith(f"nothing falls in the time {said}")
