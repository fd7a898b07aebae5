"""A source's fiscal year end in the settings: documents are read with it, and only what depends on it runs again."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from flows.planning import make_plan
from flows.progress import Action
from tests.building import SMALL_SETTINGS, build_warehouse
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings
from warehouse.store.generations import find_current
from warehouse.store.layout import Layout

TEXT = "Sales rose in Q1 2023.\n\n| | FY23 |\n| --- | --- |\n| Sales | 5 |\n| Costs | 4 |\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("fiscal")
    (place / "docs").mkdir()
    (place / "docs" / "report.md").write_text(TEXT)
    return place


def settings(place: Path, year_end: str) -> dict[str, Any]:
    return {"sources": [{"folder": str(place / "docs"), "fiscal_year_end": year_end}]}


def quarter(warehouse: Warehouse) -> tuple[object, ...]:
    columns = "start_date, fiscal_year_start"
    query = f"SELECT {columns} FROM mentions JOIN documents USING (document_id) WHERE text = 'Q1 2023'"
    return warehouse.snapshot.query_rows(query)[0]


def test_a_changed_year_end_runs_again_what_depends_on_it(place: Path) -> None:
    first = build_warehouse(place / "warehouse", place / "docs", **settings(place, ""))
    assert quarter(first) == (date(2023, 1, 1), None)
    changed = load_settings({"warehouse": place / "warehouse", **SMALL_SETTINGS, **settings(place, "09-30")})
    (planned,) = make_plan(changed, find_current(Layout(place / "warehouse")), []).files
    assert (planned.action, planned.stages) == (Action.RESTAGED, ("tables", "temporal", "chunk", "score", "embed"))
    second = build_warehouse(place / "warehouse", place / "docs", **settings(place, "09-30"))
    assert quarter(second) == (date(2022, 10, 1), 10)
    cells = second.snapshot.query_rows("SELECT DISTINCT period_start, period_end FROM cells WHERE value IS NOT NULL")
    assert cells == [(date(2022, 10, 1), date(2023, 10, 1))]
    assert quarter(build_warehouse(place / "warehouse", place / "docs", **settings(place, ""))) == (
        date(2023, 1, 1),
        None,
    )
