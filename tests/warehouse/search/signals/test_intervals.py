"""One time beside another, and a period in the calendars of several documents."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.records import Window
from warehouse.records.calendars import FiscalCalendar, Weeks
from warehouse.search.signals.temporal import CONTRADICTED_WEIGHT, NESTED_FIT, SAME_END_FIT, list_readings, overlap
from warehouse.store.columns.passage_columns import NO_DAY, NO_END, DocumentTimes, to_day_number

QUARTER = (date(2022, 10, 1), date(2023, 1, 1))
SPANS = st.tuples(st.integers(-50_000, 50_000), st.integers(1, 5_000)).map(lambda pair: (pair[0], sum(pair)))


def fit(mentioned: tuple[date, date], asked: tuple[date, date] = QUARTER) -> float:
    return float(overlap(*(np.array([to_day_number(each)]) for each in (*mentioned, *asked)))[0])


@pytest.mark.parametrize(
    ("mentioned", "expected"),
    [
        (QUARTER, 1.0),
        ((date(2022, 9, 25), date(2022, 12, 31)), 1.0),
        ((date(2022, 12, 31), date(2023, 1, 1)), SAME_END_FIT),
        ((date(2022, 1, 1), date(2023, 1, 1)), SAME_END_FIT),
        ((date(2022, 11, 5), date(2022, 11, 6)), NESTED_FIT),
        ((date(2022, 7, 1), date(2023, 7, 1)), 92 / 365),
        ((date(2021, 10, 1), date(2022, 1, 1)), 0.0),
    ],
)
def test_how_well_a_time_fits(mentioned: tuple[date, date], expected: float) -> None:
    assert fit(mentioned) == pytest.approx(expected)


def test_all_within_an_open_time_fits() -> None:
    assert fit((date(2022, 3, 1), date(2022, 3, 2)), (date(2020, 1, 1), date.max)) == 1.0
    assert to_day_number(date.max) == NO_END


@given(SPANS, SPANS)
def test_a_fit_is_symmetric_and_in_bounds(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = [np.array([side]) for side in one], [np.array([side]) for side in other]
    value = float(overlap(*first, *second)[0])
    assert 0 <= value <= 1
    assert value == float(overlap(*second, *first)[0])
    assert float(overlap(*first, *first)[0]) == 1.0


def make_times(first_months: list[int], early: list[bool], *calendars: FiscalCalendar) -> DocumentTimes:
    """The first documents have the calendars."""
    unknown = np.full(len(first_months), NO_DAY, np.int32)
    places = np.array([place if place < len(calendars) else -1 for place in range(len(first_months))])
    months, is_early = np.array(first_months), np.array(early)
    return DocumentTimes(unknown, unknown, unknown, months, is_early, unknown > 0, places, calendars)


def test_each_document_reads_a_quarter_with_its_own_calendar() -> None:
    window = Window(date(2023, 4, 1), date(2023, 7, 1), period=(2023, 4, 3))
    asked, own = list_readings(window, make_times([7, 2, 2, 0], [False, False, True, False]), np.arange(4))
    assert own.start[:3].tolist() == [
        to_day_number(date(2022, 10, 1)),
        to_day_number(date(2022, 5, 1)),
        to_day_number(date(2023, 5, 1)),
    ]
    assert own.weight.tolist() == [1, 1, 1, 0]
    assert asked.weight.tolist() == [CONTRADICTED_WEIGHT, CONTRADICTED_WEIGHT, CONTRADICTED_WEIGHT, 1]


def test_a_calendar_of_weeks_reads_a_quarter_to_the_day() -> None:
    grocer = FiscalCalendar(8, "", weeks=Weeks(6, quarters=(12, 24, 36)))
    window = Window(date(2023, 7, 1), date(2023, 10, 1), period=(2023, 7, 3))
    asked, own = list_readings(window, make_times([9, 0], [False, False], grocer), np.arange(2))
    assert (own.start[0], own.end[0]) == (to_day_number(date(2023, 2, 13)), to_day_number(date(2023, 5, 8)))
    assert own.weight.tolist() == [1, 0]
    assert asked.weight.tolist() == [CONTRADICTED_WEIGHT, 1]


def test_fiscal_leaves_no_other_reading_where_the_calendar_is_known() -> None:
    window = Window(date(2023, 4, 1), date(2023, 7, 1), period=(2023, 4, 3), fiscal=True)
    asked, _ = list_readings(window, make_times([7, 0], [False, False]), np.arange(2))
    assert asked.weight.tolist() == [0, 1]
