from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.stage_meter import (
    BatchProgress,
    StageMeter,
    StageProgress,
    begin_batch,
    describe_progress,
    describe_seconds,
    get_batch_progress,
    record_progress,
)

NOTHING = BatchProgress()


class Clock:
    """Seconds that go on only as they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_what_is_left_is_told_by_the_rate_of_the_stage_itself(clock: Clock) -> None:
    meter = StageMeter("parse", 4, 1_000, clock)
    meter.start_batch(2, 500)
    clock.now += 20
    assert meter.measure_progress(BatchProgress(0.5, "in/a.pdf", 90)) == StageProgress(
        "parse", 1, 4, 60.0, "in/a.pdf", 4.5
    )
    clock.now += 20
    meter.finish_batch(BatchProgress(1.0, "in/b.pdf", 180), is_computed=True)
    clock.now += 7  # between two batches no time of the stage's goes by
    assert meter.measure_progress(NOTHING) == StageProgress("parse", 2, 4, 40.0, "", 4.5)


def test_nothing_is_told_by_too_little(clock: Clock) -> None:
    meter = StageMeter("embed", 100, 1_000, clock)
    meter.start_batch(50, 500)
    clock.now += 4
    assert meter.measure_progress(BatchProgress(0.5, "a.md")).left is None
    clock.now += 60
    assert meter.measure_progress(BatchProgress(0.01, "a.md")) == StageProgress("embed", 0, 100, None, "a.md")
    assert meter.measure_progress(NOTHING).left is None


def test_a_rest_without_size_has_no_estimate(clock: Clock) -> None:
    meter = StageMeter("score", 2, 1, clock)
    meter.start_batch(1, 1)
    meter.finish_batch(NOTHING, is_computed=False)
    meter.start_batch(1, 0)
    clock.now += 60
    assert meter.measure_progress(NOTHING).left is None


def test_what_an_earlier_run_had_finished_is_neither_work_nor_time(clock: Clock) -> None:
    meter = StageMeter("score", 3, 900, clock)
    meter.start_batch(1, 300)
    clock.now += 0.1
    meter.finish_batch(NOTHING, is_computed=False)
    meter.start_batch(1, 300)
    clock.now += 10
    meter.finish_batch(NOTHING, is_computed=True)
    assert meter.measure_progress(NOTHING) == StageProgress("score", 2, 3, 10.0)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 10**9), st.floats(0, 1e5), st.booleans()), max_size=6),
    st.floats(0, 1),
)
def test_an_estimate_is_never_negative_and_counts_never_exceed(
    batches: list[tuple[int, int, float, bool]], share: float
) -> None:
    clock = Clock()
    meter = StageMeter("tables", sum(b[0] for b in batches), sum(b[1] for b in batches), clock)
    for documents, size, seconds, fresh in batches:
        meter.start_batch(documents, size)
        clock.now += seconds
        told = meter.measure_progress(BatchProgress(share, "x", 5))
        assert told.left is None or told.left >= 0
        assert 0 <= told.done <= told.of
        meter.finish_batch(BatchProgress(share), is_computed=fresh)
    assert meter.measure_progress(NOTHING).done == sum(b[0] for b in batches)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "less than 10 s"),
        (42, "about 40 s"),
        (58, "about 1 min"),
        (250, "about 4 min"),
        (5_300, "about 88 min"),
        (7_200, "about 2 h"),
        (7_800, "about 2 h 10 min"),
        (7_180, "about 2 h"),
    ],
)
def test_a_time_is_said_no_more_exactly_than_it_is_known(seconds: float, words: str) -> None:
    assert describe_seconds(seconds) == words


def test_only_what_is_known_is_said() -> None:
    assert describe_progress(None, None, "") == ""
    assert describe_progress(250, 9.34, "in/deep/report.pdf") == "about 4 min left, 9.3 pages/s, report.pdf"


def test_a_batch_takes_back_nothing_that_it_told() -> None:
    begin_batch()
    record_progress(0.5, "a", 7)
    record_progress(0.1, "b")
    assert get_batch_progress() == BatchProgress(0.5, "b", 7)
    begin_batch()
    assert get_batch_progress() == NOTHING
