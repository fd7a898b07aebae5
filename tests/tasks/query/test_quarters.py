"""A question for a quarter finds the table of that quarter, with the default model and through the command line."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tasks.query.subjects import find_subjects
from tests.building import build_warehouse
from tests.command_line import kalends
from tests.dashboards.cli.test_main import SAMPLES
from warehouse.reader import Warehouse
from warehouse.records import Filters, Kind, SearchRequest


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quarters") / "warehouse"
    build_warehouse(folder, SAMPLES / "reports", embed={"model": "minilm"})
    return folder


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("revenue in Q2 2025", "| Total revenue | 101.7 | 88.4 |"),
        ("What was total revenue in the third quarter of fiscal 2025?", "| Total revenue | 108.3 | 92.1 |"),
        ("revenue in Q4 2025", "| Total revenue | 115.8 | 97.6 |"),
    ],
)
def test_the_table_of_the_quarter_is_found(warehouse: Path, question: str, row: str) -> None:
    found = find(Warehouse(warehouse), SearchRequest(question), open_embedder("minilm"), date(2026, 1, 1))
    assert any(row in hit.text for hit in found.hits)


def test_a_question_is_read_with_the_calendar_of_the_company_that_it_is_about(warehouse: Path) -> None:
    face = Warehouse(warehouse)
    subjects = find_subjects("Northlight revenue in Q2 2025", face.catalogue, lambda _: {})
    calendar = face.find_fiscal_calendar(subjects, Filters())
    assert calendar is not None
    assert calendar.first_month == 10
    assert face.find_fiscal_calendar(subjects, Filters(kinds=(Kind.PAPER,))) is None


def test_the_command_finds_it_too_and_shows_what_was_understood_of_the_time(warehouse: Path) -> None:
    done = kalends("search", "Northlight revenue in Q2 2025", "-w", warehouse, "--json", KALENDS_EMBED__MODEL="minilm")
    answer = json.loads(done.stdout)
    assert any("| Total revenue | 101.7 | 88.4 |" in hit["text"] for hit in answer["hits"]), done.stderr
    understood = answer["understood"]
    (window,) = understood["windows"]
    assert (window["start"], window["end"], window["demanded"]) == ("2025-01-01", "2025-04-01", True)
    assert (window["other_start"], window["other_end"]) == ("2025-04-01", "2025-07-01")
    assert (understood["rest"], understood["as_of"]) == ("Northlight revenue", None)
