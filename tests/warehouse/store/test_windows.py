from __future__ import annotations

import numpy as np
import pytest

from warehouse.store.columns import Windows

IDS = ["v0", "v1", "v2", "v3", "dead"]
"""Passage 0 has the windows v0 and v2; passages 1 and 3 have equal text and share v1; passage 2 has v3."""


@pytest.fixture
def windows() -> Windows:
    names = np.array(["v1", "v0", "v2", "v1", "v3"], dtype=object)
    return Windows.of(np.array([1, 0, 0, 3, 2]), names, IDS, 4)


def test_the_vectors_of_all_passages_are_the_live_ones(windows: Windows) -> None:
    assert windows.of_allowed(None).tolist() == [0, 1, 2, 3]


def test_the_vectors_of_some_passages_are_named_once(windows: Windows) -> None:
    assert windows.of_allowed(np.array([True, True, False, True])).tolist() == [0, 1, 2]
    assert windows.of_allowed(np.zeros(4, np.bool_)).tolist() == []


def test_each_passage_asked_for_has_its_vectors_together(windows: Windows) -> None:
    vectors, places = windows.of_passages(np.array([3, 0]))
    assert (vectors.tolist(), places.tolist()) == ([1, 0, 2], [0, 1, 1])


def test_a_passage_is_as_near_as_its_nearest_window(windows: Windows) -> None:
    found, scores = np.array([2, 1, 0]), np.array([0.9, 0.5, 0.2])
    assert windows.best_by_passage(found, scores, None) == {0: 0.9, 1: 0.5, 3: 0.5}
    assert windows.best_by_passage(found, scores, np.array([False, False, True, True])) == {3: 0.5}
