"""Timed questions made from tables, and what their hits do when the time changes: on the samples."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from benchmarks.timed import measure_moves, negated
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.makers.figures import TimedQuestion, make_timed_questions
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.dashboards.cli.test_main import SAMPLES
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, SearchRequest


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("timed") / "warehouse", SAMPLES / "reports").pin_generation()


@pytest.fixture(scope="module")
def questions(warehouse: Warehouse) -> tuple[TimedQuestion, ...]:
    return make_timed_questions(warehouse)


def test_questions_name_the_period_of_a_figure_in_several_ways(questions: tuple[TimedQuestion, ...]) -> None:
    revenue = [each for each in questions if each.label == "Total revenue"]
    texts = {each.text for each in (*revenue, *negated(revenue))}
    assert "What was Total revenue for the quarter ended June 30, 2025?" in texts
    assert "What was Total revenue in Q3 FY2025?" in texts
    assert "What was Total revenue before April 1, 2025?" in texts


def test_hits_move_as_they_must(warehouse: Warehouse, questions: tuple[TimedQuestion, ...]) -> None:
    def search(text: str, ranking: Ranking) -> Sequence[Hit]:
        return find(
            warehouse, SearchRequest(text, ranking=ranking, k=5), open_embedder("hashing"), date(2025, 11, 22)
        ).hits

    labels = list(dict.fromkeys(each.label for each in questions))[:3]
    found = measure_moves([each for each in questions if each.label in labels], search)
    assert found.unchanged.part == 1
    assert found.found.cases > 20
    assert found.found.part >= found.found_without.part
    assert found.first.part > found.first_without.part
    assert found.shifted.part > found.shifted_without.part
    assert min(found.found.part, found.negated.part, found.reworded.part, found.shifted.part) >= 0.8


def test_where_several_companies_report_a_question_names_one(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    for company, sales in (("Alder Works", "1,204"), ("Birch Mills", "987")):
        text = _REPORT.format(company=company, sales=sales)
        (tmp_path / "reports" / f"{company.split()[0]}_2023_10K.html").write_text(text, encoding="utf-8")
    found = make_timed_questions(build_warehouse(tmp_path / "w", tmp_path / "reports").pin_generation())
    texts = {each.text for each in found}
    assert "What was Alder Works's Net sales for the year ended December 31, 2023?" in texts
    assert "What was Birch Mills's Net sales in FY2022?" in texts
    birch = [each for each in found if each.label == "Birch Mills's Net sales"]
    assert "What was Birch Mills's Net sales other than in FY2022?" in {each.text for each in negated(birch)}


_REPORT = """<html><head><title>{company} 10-K</title></head><body>
<p>FORM 10-K</p><p>ANNUAL REPORT</p><p>For the fiscal year ended December 31, 2023</p>
<p>{company}, Inc.</p><p>(Exact name of registrant as specified in its charter)</p>
<table><tr><th></th><th>Year ended December 31, 2023</th><th>Year ended December 31, 2022</th></tr>
<tr><td>Net sales</td><td>{sales}</td><td>1,001</td></tr></table></body></html>
"""
