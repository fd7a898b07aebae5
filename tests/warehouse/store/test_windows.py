from __future__ import annotations

import numpy as np
import pytest

from warehouse.store.columns.passage_columns import Windows


@pytest.fixture
def windows() -> Windows:
    """Passage 0 has the vectors 0 and 2; 1 and 3 have equal text and share vector 1; 2 has 3; nothing has 4."""
    return Windows.from_pairs(np.array([1, 0, 0, 3, 2]), np.array([1, 0, 2, 1, 3]), 4, 5)


def test_the_vectors_of_all_passages_are_the_live_ones(windows: Windows) -> None:
    assert windows.mask_vectors(None).tolist() == [True, True, True, True, False]


def test_the_vectors_of_some_passages_are_live(windows: Windows) -> None:
    assert windows.mask_vectors(np.array([True, True, False, True])).tolist() == [True, True, True, False, False]
    assert not windows.mask_vectors(np.zeros(4, np.bool_)).any()


def test_each_passage_asked_for_has_its_vectors_together(windows: Windows) -> None:
    vectors, places = windows.find_vectors(np.array([3, 0]))
    assert (vectors.tolist(), places.tolist()) == ([1, 0, 2], [0, 1, 1])


def test_a_passage_is_as_near_as_its_nearest_window(windows: Windows) -> None:
    found, scores = np.array([2, 1, 0]), np.array([0.9, 0.5, 0.2])
    assert windows.select_best(found, scores, None) == {0: 0.9, 1: 0.5, 3: 0.5}
    assert windows.select_best(found, scores, np.array([False, False, True, True])) == {3: 0.5}
