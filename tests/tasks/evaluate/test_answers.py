"""Hits judged by the gold they show: judges, measures by pieces of gold, and overlap by character."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.embedder import open_embedder
from tasks.evaluate.answers import JUDGES, AnswerSpan, HitAnswer, judge_answers, measure_overlap
from tasks.evaluate.dataset import Dataset, Gold, JudgedQuestion
from tasks.evaluate.measures import Unit, find_first_rank, list_measures, score_answers

GOLD = Gold("d", text="bitter oranges", span=(100, 140))
PLACES = st.lists(
    st.builds(lambda d, s, n: AnswerSpan(d, s, s + n), st.sampled_from("ab"), st.integers(0, 30), st.integers(0, 9))
)


def _hit(start: int, end: int, document: str = "d", text: str = "") -> HitAnswer:
    return HitAnswer(document, (), text, (AnswerSpan(document, start, end),))


def _golds(question: JudgedQuestion, answers: list[HitAnswer], name: str = "span") -> list[set[int]]:
    return [set(each.golds) for each in judge_answers(question, answers, JUDGES[name], open_embedder("hashing"))]


@given(PLACES.filter(lambda places: any(place.length for place in places)), PLACES)
def test_overlap_is_that_of_sets_of_characters(gold: list[AnswerSpan], shown: list[AnswerSpan]) -> None:
    def characters(places: list[AnswerSpan]) -> set[tuple[str, int]]:
        return {(place.document, at) for place in places for at in range(place.start, place.end)}

    length = sum(place.length for place in shown)
    wanted, hit = characters(gold), characters(gold) & characters(shown)
    found = measure_overlap(gold, shown)
    assert found.recall == pytest.approx(len(hit) / len(wanted))
    assert found.precision == pytest.approx(len(hit) / length if length else 0)
    assert found.iou == pytest.approx(len(hit) / (length + len(wanted) - len(hit)))


def test_a_passage_answers_by_half_of_the_shorter() -> None:
    question = JudgedQuestion("q", "?", (GOLD,))
    passages = [_hit(0, 400), _hit(0, 120), _hit(0, 119), _hit(130, 150), _hit(131, 151), _hit(100, 140, "other")]
    assert _golds(question, passages) == [{0}, {0}, set(), {0}, set(), set()]


def test_a_passage_answers_by_the_places_that_say_the_same() -> None:
    copied = HitAnswer("other", (), "", (AnswerSpan("other", 0, 50), AnswerSpan("d", 90, 150)))
    assert _golds(JudgedQuestion("q", "?", (GOLD,)), [copied]) == [{0}]


def test_words_are_a_hit_wherever_they_stand() -> None:
    passages = [_hit(0, 9, "x", "Made of BITTER\noranges."), _hit(0, 9, "x", "Made of bitter limes.")]
    assert _golds(JudgedQuestion("q", "?", (GOLD,)), passages, "substring") == [{0}, set()]


def test_the_reference_takes_what_is_like_the_gold() -> None:
    gold = replace(GOLD, text="marmalade is made of bitter oranges from the south")
    passages = [_hit(0, 9, "x", "Marmalade is made of bitter oranges of the south"), _hit(0, 9, "x", "Lighthouses")]
    assert _golds(JudgedQuestion("q", "?", (gold,)), passages, "substring") == [set(), set()]
    assert _golds(JudgedQuestion("q", "?", (gold,)), passages, "similarity") == [{0}, set()]


def test_gold_without_words_is_its_document_and_gold_that_is_lost_is_none() -> None:
    question = JudgedQuestion("q", "?", (Gold("d"), Gold("d", text="lost"), Gold("d", 3)))
    assert _golds(question, [_hit(0, 1), replace(_hit(0, 1), pages=(3,)), _hit(0, 1, "x")]) == [{0}, {0, 2}, set()]


def test_measures_by_gold_are_those_worked_out_by_hand() -> None:
    """The second hit shows two pieces of three, the third one of them again; the other is never shown."""
    question = JudgedQuestion("q", "?", (GOLD, replace(GOLD, span=(140, 160)), replace(GOLD, span=(900, 950))))
    exam = Dataset("e", (), (question,))
    hits = judge_answers(
        question, [_hit(0, 50), _hit(100, 200), _hit(100, 130)], JUDGES["span"], open_embedder("hashing")
    )
    found = score_answers(exam.questions, {"q": hits}, list_measures(exam))["q"]
    assert found == pytest.approx(
        {
            "span nDCG@10": (1 / log2(3)) / (1 + 1 / log2(3)),
            "span MRR@10": 0.5,
            "span hit@1": 0.0,
            "span hit@5": 1.0,
            "span hit@10": 1.0,
            "span recall@5": 2 / 3,
            "passage recall": 60 / 110,
            "passage precision": 60 / 180,
            "passage IoU": 60 / (180 + 110 - 60),
            "excerpt recall": 0.0,
            "excerpt precision": 0.0,
            "excerpt IoU": 0.0,
            "doc@5": 1.0,
        }
    )
    assert find_first_rank(question, hits, Unit.HIT_OF_GOLD) == 2
    assert find_first_rank(question, hits[:1], Unit.HIT_OF_GOLD) is None


def test_a_question_whose_gold_is_lost_has_no_value_by_gold() -> None:
    lost = JudgedQuestion("lost", "?", (Gold("d", text="never found"),))
    exam = Dataset("e", (), (lost, JudgedQuestion("q", "?", (GOLD,))))
    found = score_answers(exam.questions, {"lost": [_hit(0, 1)], "q": [_hit(100, 140)]}, list_measures(exam))
    assert found["lost"] == {"doc@5": 1.0}
    assert found["q"]["passage IoU"] == 1.0
