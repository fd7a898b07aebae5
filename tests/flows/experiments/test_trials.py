"""A kept trial is asked again when code that a search runs through has changed."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from types import FrameType

from flows.experiments.grids import SEARCH_CODE
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest

ROOT = Path(__file__).parents[3]
QUESTIONS = (
    "What was the revenue in Q2 2025?",
    "how did the nitrate load change after 2019",
    "2025年第二季度的收入是多少",
    "my notes on the budget from last week",
)


def test_the_digest_covers_the_code_that_a_search_runs_through(tmp_path: Path) -> None:
    build_warehouse(tmp_path / "warehouse", ROOT / "samples")
    warehouse, model = Warehouse(tmp_path / "warehouse"), open_embedder("hashing")
    ran: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for question in QUESTIONS:
            find(warehouse, SearchRequest(question), model, date(2025, 11, 3))
    finally:
        sys.setprofile(before)
    covered = [(ROOT / package / part).resolve() for package, part in SEARCH_CODE]
    code = [Path(name) for name in ran if name.startswith((f"{ROOT}/warehouse/", f"{ROOT}/tasks/"))]
    assert code
    assert [path for path in code if not any(path.is_relative_to(place) for place in covered)] == []
