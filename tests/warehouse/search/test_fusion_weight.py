"""Which half a question's script, numbers and best passage leave in charge."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from warehouse.records import Question
from warehouse.search.scoring import (
    FOREIGN_PIECE_WEIGHT,
    PIECE_WEIGHT,
    CandidatePool,
    compute_fusion_weight,
    get_piece_weight,
)


def _weight(question: Question, best: float, most: float) -> float:
    return compute_fusion_weight(
        CandidatePool(question, np.arange(2), np.array([0.5, 0.4]), np.array([0.0, best]), most)
    )


def _asked(text: str, *, foreign: bool = False) -> Question:
    return Question(text, text, np.ones(1), foreign=foreign)


def test_a_script_that_the_model_does_not_read_is_left_to_the_words() -> None:
    known, foreign = _asked("收入是多少"), _asked("收入是多少", foreign=True)
    assert (get_piece_weight(known), get_piece_weight(foreign)) == (PIECE_WEIGHT, FOREIGN_PIECE_WEIGHT)
    assert _weight(foreign, 5, 20) < 0.05 < _weight(known, 5, 20)


def test_numbers_are_left_to_the_words() -> None:
    shares = [_weight(_asked(text), 5, 20) for text in ("sales growth", "sales growth in 2019", "2018 2019")]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == 3


def test_the_words_are_trusted_as_far_as_the_best_passage_holds_them() -> None:
    shares = [_weight(_asked("sales growth"), best, 20) for best in (0, 5, 10, 20)]
    assert shares == sorted(shares, reverse=True)
    assert _weight(_asked("sales growth"), 30, 20) == shares[-1], "neighbours can give more than the words"


@given(st.text(), st.floats(0, 100), st.floats(0, 100), st.booleans())
def test_neither_half_is_ever_left_out(question: str, best: float, most: float, foreign: bool) -> None:
    assert 0 < _weight(_asked(question, foreign=foreign), best, most) < 0.9
