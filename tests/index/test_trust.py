"""Which half a question's script, numbers and best passage leave in charge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.search.pool import Pool
from warehouse.search.trust import FOREIGN_PIECE, PIECE, alpha_for, is_latin, trust


def _pool(best: float, most: float) -> Pool:
    return Pool(np.arange(2), np.array([0.5, 0.4]), np.array([0.0, best]), most)


@pytest.mark.parametrize("question", ["revenue in Q3", "résumé des résultats", "revenue 收入", "2023", ""])
def test_latin_letters_are_known(question: str) -> None:
    assert is_latin(question)
    assert alpha_for(question) == PIECE


@pytest.mark.parametrize("question", ["收入是多少", "第三季度 revenue 收入增长多少", "выручка"])
def test_other_scripts_are_left_to_the_words(question: str) -> None:
    assert not is_latin(question)
    assert alpha_for(question) == FOREIGN_PIECE
    assert trust(question, _pool(5, 20)) < trust("what was the revenue", _pool(5, 20))


def test_numbers_are_left_to_the_words() -> None:
    shares = [trust(text, _pool(5, 20)) for text in ("sales growth", "sales growth in 2019", "2018 2019")]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == 3


def test_the_words_are_trusted_as_far_as_the_best_passage_holds_them() -> None:
    shares = [trust("sales growth", _pool(best, 20)) for best in (0, 5, 10, 20)]
    assert shares == sorted(shares, reverse=True)
    assert trust("sales growth", _pool(30, 20)) == shares[-1], "neighbours can give more than the words"


@given(st.text(), st.floats(0, 100), st.floats(0, 100))
def test_neither_half_is_ever_left_out(question: str, best: float, most: float) -> None:
    assert 0.01 < trust(question, _pool(best, most)) < 0.9
