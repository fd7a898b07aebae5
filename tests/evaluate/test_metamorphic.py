"""Questions made from tables, and what their hits do when the time changes: on the samples."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.ask.finding import find
from tasks.embedders.choosing import embedder
from tasks.evaluate.metamorphic import moved
from tasks.evaluate.timed import TimedQuestion, timed_questions
from tests.building import build_warehouse
from tests.faces.test_cli import SAMPLES
from warehouse.reader import Warehouse
from warehouse.records import Ranking, Wanted


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("timed") / "warehouse", SAMPLES / "reports").at()


@pytest.fixture(scope="module")
def questions(warehouse: Warehouse) -> tuple[TimedQuestion, ...]:
    return timed_questions(warehouse)


def test_questions_name_the_period_of_a_figure_in_several_ways(questions: tuple[TimedQuestion, ...]) -> None:
    texts = {each.text for each in questions if each.label == "Total revenue"}
    assert "What was Total revenue for the quarter ended June 30, 2025?" in texts
    assert "What was Total revenue in Q3 FY2025?" in texts
    assert "What was Total revenue before April 1, 2025?" in texts


def test_hits_move_as_they_must(warehouse: Warehouse, questions: tuple[TimedQuestion, ...]) -> None:
    def search(text: str, ranking: Ranking) -> list[str]:
        wanted = Wanted(text, ranking=ranking, k=5)
        return [hit.chunk_id for hit in find(warehouse, wanted, embedder("hashing"), date(2025, 11, 22)).hits]

    labels = list(dict.fromkeys(each.label for each in questions))[:12]
    found = moved([each for each in questions if each.label in labels], search)
    assert found.unchanged.part == 1
    assert found.found.cases > 20
    assert found.found.part >= found.found_without.part
    assert min(found.found.part, found.negated.part, found.reworded.part) >= 0.8
    assert found.shifted.part >= 0.6
