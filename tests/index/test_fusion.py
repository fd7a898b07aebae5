from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.search.fusion import ALPHA, FOREIGN_ALPHA, alpha_for, convex, fuse, ranked, reciprocal_rank

passages = st.text("abcdefgh", min_size=1, max_size=2)
cosines = st.dictionaries(passages, st.floats(-1, 1), max_size=8)
bm25 = st.dictionaries(passages, st.floats(0, 50), max_size=8)


@given(cosines, bm25, st.floats(0, 1))
def test_every_passage_is_ranked_once_with_a_score_between_0_and_1(
    dense: dict[str, float], keyword: dict[str, float], alpha: float
) -> None:
    found = fuse(dense, keyword, alpha)
    assert {passage for passage, _ in found} == {*dense, *keyword}
    assert len(found) == len({*dense, *keyword})
    assert all(0 <= score <= 1 + 1e-9 for _, score in found)
    assert [passage for passage, _ in found] == [passage for passage, _ in ranked(convex(dense, keyword, alpha))]
    assert all(above >= below for (_, above), (_, below) in pairwise(found))


def test_convex_by_hand() -> None:
    fused = convex({"a": 0.6, "b": 0.2}, {"b": 8.0, "c": 4.0}, alpha=0.75)
    assert fused == pytest.approx({"a": 0.75, "b": 0.75 * 1.2 / 1.6 + 0.25, "c": 0.125})


def test_what_nothing_fits_gets_a_low_score() -> None:
    assert dict(fuse({"a": 0.2}, {})) == pytest.approx({"a": 0.8 * 0.8 * 0.2})
    assert dict(fuse({"a": 0.9}, {"a": 30.0})) == pytest.approx({"a": 0.8 * 0.9 + 0.2 * 0.75})
    assert fuse({}, {}) == []


@given(cosines, bm25)
def test_the_ends_of_alpha_are_the_two_halves(dense: dict[str, float], keyword: dict[str, float]) -> None:
    for alpha, half in ((1.0, dense), (0.0, keyword)):
        fused = convex(dense, keyword, alpha)
        for better in half:
            for worse in half:
                if half[better] > half[worse]:
                    assert fused[better] >= fused[worse]


def test_reciprocal_rank_by_hand() -> None:
    fused = reciprocal_rank({"a": 0.9, "b": 0.8}, {"b": 12.0})
    assert fused == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61})


@pytest.mark.parametrize(
    "question", ["What was revenue in Q2?", "Umsätze der Müller AG", "2024?", "", "Who is 张伟 here"]
)
def test_vectors_are_trusted_for_latin_script(question: str) -> None:
    assert alpha_for(question) == ALPHA


@pytest.mark.parametrize("question", ["第二季度收入是多少?", "苹果公司 iPad 的收入是多少", "Выручка", "売上高"])
def test_words_are_trusted_for_other_scripts(question: str) -> None:
    assert alpha_for(question) == FOREIGN_ALPHA
