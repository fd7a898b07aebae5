"""How surely a quotation answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ask.certainty import (
    FIGURE,
    FOREIGN,
    NAMES,
    ROW,
    SENTENCE,
    CertaintyFeatures,
    Weights,
    compute_certainty,
    is_answered,
    lacks_value,
    select_best,
)
from tasks.ask.expected_answers import find_answer_type, fits_type

SHARES = st.floats(0, 1)


@given(
    model=st.sampled_from([SENTENCE, ROW, FIGURE, FOREIGN]),
    features=st.builds(CertaintyFeatures, **dict.fromkeys(NAMES, SHARES)),
    name=st.sampled_from(NAMES),
    less=SHARES,
)
def test_no_feature_speaks_against_a_quotation(
    model: Weights, features: CertaintyFeatures, name: str, less: float
) -> None:
    weaker = replace(features, **{name: less * getattr(features, name)})
    assert 0 < model.compute_probability(weaker) <= model.compute_probability(features) < 1


def test_beside_the_answer_only_what_is_nearly_as_sure_and_has_what_is_asked_for() -> None:
    whole, part = CertaintyFeatures(complete=1.0), CertaintyFeatures()
    assert select_best([part, part, part], [0.6, 0.3, 0.2]) == [0, 1]
    assert select_best([whole, part, whole], [0.6, 0.5, 0.4]) == [0, 2]
    row, other_row = CertaintyFeatures(label_fit=1.0, time_fit=1.0), CertaintyFeatures(label_fit=1.0)
    assert select_best([row, other_row, row], [0.9, 0.8, 0.7]) == [0, 2]
    assert select_best([], []) == []


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("How much did the panels cost?", "The panels are put off.", True),
        ("When was the shed built?", "The greenhouse stands behind the shed.", True),
        ("When is the rent due?", "It is due on the first Monday.", False),
        ("Who won the Harrow Open?", "The Harrow Open was won again.", True),
        ("What is the salary of Ada Byron?", "Ada Byron leads the talks.", True),
        ("Who won the Harrow Open?", "The Harrow Open was won by Ada Byron.", False),
        ("Under what name did Wilson play when he released his album?", "He was known as Porcupine Tree.", False),
    ],
)
def test_what_asks_for_a_value_is_answered_by_one(question: str, text: str, lacks: bool) -> None:
    features = CertaintyFeatures(answer_type=fits_type(find_answer_type(question), question, text))
    assert lacks_value(question, features) is lacks


@pytest.mark.parametrize(("passage", "is_sure"), [(0.06, False), (0.4, True)])
def test_a_passage_in_an_unread_script_needs_words_of_the_question(passage: float, is_sure: bool) -> None:
    features = CertaintyFeatures(answer_type=1.0, times=1.0, rank=1.0, passage=passage)
    assert is_answered([compute_certainty(FOREIGN, features)]) is is_sure
