"""Measures against values worked out by hand."""

from __future__ import annotations

from math import log2

import pytest

from tasks.evaluate.answers import HitAnswer, exclude_question
from tasks.evaluate.dataset import Dataset, Gold, JudgedQuestion
from tasks.evaluate.measures import list_measures, score_answers
from tasks.evaluate.outcomes import compute_changes

QUESTION = JudgedQuestion("q", "What?", (Gold("a", grade=2), Gold("b")))


def _shown(*documents: str) -> list[HitAnswer]:
    return [HitAnswer(document) for document in documents]


def test_documents_are_ranked_by_their_best_passage() -> None:
    """The second best document is relevant with grade 2, the third with 1: hits of one document take one rank."""
    exam = Dataset("e", (), (QUESTION,))
    found = score_answers(exam.questions, {"q": _shown("x", "x", "a", "x", "b")}, list_measures(exam, [2]))["q"]
    assert found == pytest.approx(
        {
            "nDCG@10": (2 / log2(3) + 1 / log2(4)) / (2 / log2(2) + 1 / log2(3)),
            "recall@5": 1.0,
            "recall@10": 1.0,
            "MRR@10": 0.5,
            "hit@5": 1.0,
            "recall@1": 0.0,
            "recall@2": 0.5,
        }
    )


def test_what_is_not_found_counts_as_nothing() -> None:
    exam = Dataset("e", (), (QUESTION, JudgedQuestion("p", "Who?", (Gold("gone"),))))
    found = score_answers(exam.questions, {"q": _shown("b"), "p": []}, list_measures(exam))
    assert (found["q"]["recall@10"], found["q"]["MRR@10"]) == (0.5, 1.0)
    assert set(found["p"].values()) == {0.0}


def test_the_order_of_the_search_counts_and_not_that_of_names() -> None:
    exam = Dataset("e", (), (JudgedQuestion("q", "What?", (Gold("z"),)),))
    assert score_answers(exam.questions, {"q": _shown("z", "a")}, list_measures(exam))["q"]["recall@1"] == 1.0


def test_every_hit_takes_a_rank_where_pages_are_asked() -> None:
    """Five hits of the right document, the fifth on the page that was asked for."""
    question = JudgedQuestion("q", "What?", (Gold("d", 7), Gold("d", 9)))
    exam = Dataset("e", (), (question,))
    hits = [HitAnswer("d", (page,)) for page in (1, 2, 3, 4)] + [HitAnswer("d", (6, 7)), HitAnswer("d", (7, 8))]
    found = score_answers(exam.questions, {"q": hits}, list_measures(exam, [4]))["q"]
    assert found == {"page@5": 1.0, "page@1": 0.0, "page@10": 1.0, "MRR@10": 0.2, "doc@5": 1.0, "page@4": 0.0}


def test_the_right_page_of_another_document_is_no_hit() -> None:
    exam = Dataset("e", (), (JudgedQuestion("q", "What?", (Gold("d", 7),)),))
    found = score_answers(
        exam.questions, {"q": [HitAnswer("c", (7,))] * 5 + [HitAnswer("d", (8,))]}, list_measures(exam)
    )["q"]
    assert set(found.values()) == {0.0}


def test_a_question_is_no_answer_to_itself_unless_it_is_judged_to_be() -> None:
    assert exclude_question(JudgedQuestion("q", "What?", (Gold("a"),)), _shown("q", "a")) == _shown("a")
    assert exclude_question(JudgedQuestion("q", "What?", (Gold("q"),)), _shown("q", "a")) == _shown("q", "a")


def test_a_difference_has_an_interval_that_holds_it_and_is_the_same_each_time() -> None:
    before = {f"q{number}": {"m": float(number % 2)} for number in range(40)}
    after = {name: {"m": values["m"] or float(name == "q0")} for name, values in before.items()}
    found = compute_changes(after, before)
    assert found == compute_changes(after, before)
    assert found["m"].difference == pytest.approx(1 / 40)
    # The one question that is better is drawn 0 to 4 times, hardly ever more.
    assert (found["m"].low, found["m"].high) == pytest.approx((0.0, 3 / 40))
    assert compute_changes(before, before)["m"].high == 0.0


def test_one_question_has_no_interval_but_its_difference() -> None:
    found = compute_changes({"q": {"m": 1.0}}, {"q": {"m": 0.25}})["m"]
    assert (found.difference, found.low, found.high) == (0.75, 0.75, 0.75)
