"""Means with their intervals, the test of a difference, and the questions that were won and lost."""

from __future__ import annotations

import pytest

from tasks.evaluate.outcomes import Flip, Trial, compute_changes, compute_estimates, find_flips
from warehouse.records import Ranking

HALF = {f"q{number}": {"m": float(number % 2)} for number in range(100)}


def _trial(values: dict[str, dict[str, float]], ranks: dict[str, int | None]) -> Trial:
    return Trial("t", Ranking(), values, (1.0, 2.0, 3.0, 100.0), {}, compute_estimates(values), ranks)


def test_the_interval_of_a_share_is_that_of_its_standard_error() -> None:
    found = compute_estimates(HALF)["m"]
    assert (found.mean, found.questions) == (0.5, 100)
    assert (found.low, found.high) == pytest.approx((0.4, 0.6), abs=0.015)


def test_a_measure_is_estimated_over_the_questions_that_it_judges() -> None:
    values = {"a": {"doc": 1.0}, "b": {"span": 0.5, "doc": 0.0}, "c": {"span": 1.0, "doc": 0.0}}
    found = compute_estimates(values)
    assert list(found) == list(_trial(values, {}).means) == ["span", "doc"]
    assert (found["span"].mean, found["span"].questions) == (0.75, 2)
    assert found["doc"].mean == pytest.approx(1 / 3)


def test_a_difference_that_signs_explain_is_not_sure_and_another_is() -> None:
    better = {name: {"m": 1.0} for name in HALF}
    assert compute_changes(better, HALF)["m"].p < 0.01
    turned = {name: {"m": 1.0 - value["m"]} for name, value in HALF.items()}
    assert compute_changes(turned, HALF)["m"].p > 0.9
    assert compute_changes(HALF, HALF)["m"].p == 1.0


def test_of_three_questions_all_won_the_test_is_exact() -> None:
    """Of the eight ways to turn the signs, two move the mean so far."""
    before = {name: {"m": 0.0} for name in "abc"}
    assert compute_changes({name: {"m": 1.0} for name in "abc"}, before)["m"].p == pytest.approx(2 / 8)


def test_flips_name_the_questions_with_their_ranks() -> None:
    before = _trial({"a": {"m": 1.0}, "b": {"m": 0.5}, "c": {"m": 0.2}}, {"a": 1, "b": 2, "c": 5})
    after = _trial({"a": {"m": 0.0}, "b": {"m": 1.0}, "c": {"m": 0.2}}, {"a": None, "b": 1, "c": 5})
    found = find_flips(after, before, next(iter(after.means)))
    assert found.gains == (Flip("b", 0.5, 1.0, 2, 1),)
    assert found.losses == (Flip("a", 1.0, 0.0, 1, None),)


def test_most_searches_take_no_more_than_the_tail() -> None:
    trial = _trial(HALF, {})
    assert trial.median_milliseconds == 2.5
    assert 3.0 < trial.p95_milliseconds <= 100.0
