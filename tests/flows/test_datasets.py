"""Ordinary documents become an exam: by a file of questions, or by questions made from them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from flows.datasets import GENERATED, get_dataset_folder, open_dataset, with_generated_questions, write_questions
from flows.evaluation import EvaluationRun, evaluate_rankings
from tasks.evaluate.configurations import choose_rankings
from tasks.evaluate.dataset import Dataset
from tasks.evaluate.outcomes import Trial
from tests.flows.conftest import Bench
from tests.tasks.evaluate.written_datasets import lines
from warehouse.errors import BadInput


def _taken(bench: Bench, exam: Dataset, judge: str = "span") -> Trial:
    work = get_dataset_folder(exam, bench.settings)
    settings = bench.settings.model_copy(update={"warehouse": work / "warehouse"})
    sitting = EvaluationRun(choose_rankings(["hybrid"]), (), date(2025, 1, 1), work, judge)
    return evaluate_rankings(exam, sitting, settings, bench.said.append).trials[0]


@pytest.mark.parametrize(
    "judge", ["span", *(pytest.param(name, marks=pytest.mark.slow) for name in ("substring", "similarity"))]
)
def test_a_folder_of_documents_is_asked_a_file_of_questions(bench: Bench, tmp_path: Path, judge: str) -> None:
    evidence = [{"document": "gamma", "text": "Turbines of the third\ndam were replaced in Q2 2023"}]
    lines(tmp_path / "q.jsonl", [{"id": "q", "question": "When were the turbines replaced?", "evidence": evidence}])
    trial = _taken(bench, open_dataset(bench.docs, str(tmp_path / "q.jsonl")), judge)
    assert trial.values["q"][f"{judge} hit@1"] == trial.values["q"]["passage recall"] == 1.0
    assert trial.values["q"]["excerpt IoU"] >= trial.values["q"]["passage IoU"] > 0
    assert trial.ranks == {"q": 1}


def test_questions_are_made_saved_and_asked_again_with_the_same_result(bench: Bench, tmp_path: Path) -> None:
    corpus = open_dataset(bench.docs, GENERATED)
    work = get_dataset_folder(corpus, bench.settings)
    settings = bench.settings.model_copy(update={"warehouse": work / "warehouse"})
    exam = with_generated_questions(corpus, None, work, settings, bench.said.append)
    write_questions(exam, tmp_path / "made.jsonl")
    again = open_dataset(bench.docs, str(tmp_path / "made.jsonl"))
    assert [each.text for each in again.questions] == [each.text for each in exam.questions]
    assert len(exam.questions) >= 2
    assert _taken(bench, again).values == _taken(bench, exam).values
    with pytest.raises(BadInput, match="File exists"):
        write_questions(exam, tmp_path / "made.jsonl")


def test_a_file_that_is_not_there_is_named_with_the_other_way(bench: Bench) -> None:
    with pytest.raises(BadInput, match=r"there is no file gone.jsonl: name a file of questions, or 'made'"):
        open_dataset(bench.docs, "gone.jsonl")
