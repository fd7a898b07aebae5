from __future__ import annotations

from datetime import date

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from warehouse.store.columns.passage_columns import Spans, mask_runs, to_day_number

Span = tuple[int, int, int]
places = st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(1, 9)).map(lambda s: (s[0], s[1], s[1] + s[2]))


def columns(spans: list[Span]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    found = np.array(spans, np.int64).reshape(-1, 3)
    return found[:, 0], found[:, 1], found[:, 2]


@given(st.lists(places, max_size=20).map(sorted), st.lists(places, max_size=8))
def test_what_lies_inside_is_what_a_comparison_of_all_finds(spans: list[Span], stretches: list[Span]) -> None:
    found = Spans(*columns(spans)).find_inside(*columns(stretches))
    assert list(zip(*(each.tolist() for each in found), strict=True)) == [
        (place, row)
        for place, (document, start, end) in enumerate(stretches)
        for row, span in enumerate(spans)
        if span[0] == document and start <= span[1] < end and span[2] <= end
    ]


@given(st.lists(places, max_size=20).map(sorted), st.lists(places, max_size=8), st.integers(0, 2**20))
def test_a_stretch_is_touched_by_the_chosen_that_start_in_it(
    spans: list[Span], stretches: list[Span], bits: int
) -> None:
    chosen = np.array([bits >> row & 1 for row in range(len(spans))], np.bool_)
    assert mask_runs(Spans(*columns(spans)).find_runs(*columns(stretches)), chosen).tolist() == [
        any(chosen[row] and span[0] == document and start <= span[1] < end for row, span in enumerate(spans))
        for document, start, end in stretches
    ]


def test_days_count_from_1970() -> None:
    assert (to_day_number(date(1970, 1, 2)), to_day_number(date(1969, 12, 31))) == (1, -1)
