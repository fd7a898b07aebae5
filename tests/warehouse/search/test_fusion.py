"""Fusion: bounds, the ends of the share and the standards by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.records import Fusion, Mode, Question, Ranking, Subject
from warehouse.search.scoring import CandidatePool, compute_reciprocal_ranks, fuse_scores, scale_scores

candidates = st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 50)), max_size=8)
rankings = st.builds(Ranking, mode=st.sampled_from(Mode), fusion=st.sampled_from(Fusion), alpha=st.floats(0, 1))


def _scores(pairs: list[tuple[float, float]], ranking: Ranking, subjects: tuple[Subject, ...] = ()) -> np.ndarray:
    question = Question("revenue", "revenue", np.zeros(2), subjects=subjects, ranking=ranking)
    near, same = np.array([near for near, _ in pairs]), np.array([same for _, same in pairs])
    return fuse_scores(CandidatePool(question, np.arange(len(pairs)), near, same)).total


@given(candidates, rankings)
def test_every_candidate_has_a_score_between_0_and_1(pairs: list[tuple[float, float]], ranking: Ranking) -> None:
    found = _scores(pairs, ranking)
    assert len(found) == len(pairs)
    assert ((found >= 0) & (found <= 1 + 1e-9)).all()


@given(candidates, st.sampled_from(Fusion))
def test_one_half_alone_keeps_its_own_order(pairs: list[tuple[float, float]], fusion: Fusion) -> None:
    for mode, half in ((Mode.DENSE, 0), (Mode.KEYWORD, 1)):
        found = _scores(pairs, Ranking(mode=mode, fusion=fusion))
        for better, above in zip(pairs, found, strict=True):
            for worse, below in zip(pairs, found, strict=True):
                if better[half] > worse[half]:
                    assert above >= below


def test_the_convex_combination_by_hand() -> None:
    assert scale_scores(np.array([0.6, 0.2]), -1.0) == pytest.approx([1.0, 1.2 / 1.6])
    assert scale_scores(np.array([8.0, 4.0, 0.0]), 0.0) == pytest.approx([1.0, 0.5, 0.0])
    found = _scores([(0.6, 10.0), (0.2, 5.0)], Ranking(fusion=Fusion.CONVEX, alpha=0.75))
    level = 0.75 * 0.6 + 0.25 * 0.5
    assert found == pytest.approx([level, level * (0.75 * 1.2 / 1.6 + 0.125)])


def test_inside_reports_of_a_company_cosines_count_from_nought() -> None:
    ranking = Ranking(fusion=Fusion.CONVEX, alpha=1.0)
    pairs = [(0.6, 0.0), (0.3, 0.0), (-0.2, 0.0)]
    company, course = (Subject("x", "X", ("d",), 1.0, passages=500, company=company) for company in (True, False))
    assert _scores(pairs, ranking, (company,)) == pytest.approx([0.6, 0.3, 0.0])
    assert _scores(pairs, ranking, (course,)) == pytest.approx(_scores(pairs, ranking))


def test_reciprocal_rank_by_hand() -> None:
    assert compute_reciprocal_ranks(np.array([0.9, 0.0, 0.8])) == pytest.approx([0.5, 0.0, 30.5 / 62])


def test_what_nothing_fits_gets_a_low_score() -> None:
    low, high = _scores([(0.2, 0.0)], Ranking()), _scores([(0.9, 30.0)], Ranking())
    assert low[0] < 0.2 < 0.8 < high[0]
