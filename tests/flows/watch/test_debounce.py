"""Changes settle into batches: no change is forgotten, none waits for ever, a burst is one batch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from flows.watch.folder_monitor import compute_covering_paths
from flows.watch.watcher import ChangeDebouncer
from warehouse.settings.models import WatchSettings

LIMITS = WatchSettings(quiet=0.5, patience=2.0, longest=10.0)
WITHOUT_END = LIMITS.model_copy(update={"longest": 1e6})
PATHS = [Path(f"/docs/{name}") for name in ("a.md", "b.md", "deep/c.md")]

changes = st.lists(st.tuples(st.floats(0, 3), st.sampled_from(PATHS)), min_size=1, max_size=60)


def batches(gaps: Sequence[tuple[float, Path]], limits: WatchSettings = LIMITS) -> list[tuple[float, frozenset[Path]]]:
    """The batches of changes, each so many seconds after the one before; asked for whenever one may be due."""
    settling, found, now = ChangeDebouncer(limits, lambda path: None), [], 0.0

    def settle(until: float) -> float:
        at = now
        while (wait := settling.compute_wait(at)) <= until - at:
            at += wait
            batch = settling.remove_due(at)
            if batch:
                found.append((at, batch))
            elif not wait:
                break
        return until

    for gap, path in gaps:
        now = settle(now + gap)
        settling.record_change(path, now)
    settle(now + limits.longest)
    return found


@given(changes)
def test_every_change_is_in_a_batch_after_it_and_none_waits_for_ever(gaps: list[tuple[float, Path]]) -> None:
    found = batches(gaps)
    at = 0.0
    for gap, path in gaps:
        at += gap
        after = [moment for moment, batch in found if path in batch and moment >= at]
        assert after
        assert min(after) <= at + LIMITS.longest + 1e-3


@given(changes)
def test_no_batch_holds_a_file_that_has_just_changed(gaps: list[tuple[float, Path]]) -> None:
    moments: dict[Path, list[float]] = {}
    at = 0.0
    for gap, path in gaps:
        at += gap
        moments.setdefault(path, []).append(at)
    for moment, batch in batches(gaps, WITHOUT_END):
        assert all(not moment - LIMITS.quiet + 1e-3 < each < moment for path in batch for each in moments[path])


@given(st.lists(st.tuples(st.floats(0, 0.4), st.sampled_from(PATHS)), min_size=1, max_size=5))
def test_a_burst_is_one_batch(gaps: list[tuple[float, Path]]) -> None:
    found = batches(gaps)
    assert [batch for _, batch in found] == [frozenset(path for _, path in gaps)]


def test_a_file_that_is_written_without_end_starves_no_other_and_is_taken_at_last() -> None:
    endless, other = PATHS[:2]
    found = batches([(0.0, other), *[(0.2, endless)] * 100])
    assert found[0][1] == {other}
    assert found[0][0] <= LIMITS.patience + 0.2
    assert min(moment for moment, batch in found if endless in batch) <= LIMITS.longest + 0.5


def test_a_file_that_grows_without_an_event_waits() -> None:
    sizes = iter([1, 2, 2, 2])
    settling = ChangeDebouncer(LIMITS, lambda path: next(sizes))
    settling.record_change(PATHS[0], 0.0)
    assert settling.remove_due(0.6) == frozenset()
    assert settling.remove_due(1.2) == {PATHS[0]}


def test_many_paths_become_their_folders_and_what_lies_in_a_named_folder_is_left_out() -> None:
    many = [Path(f"/docs/{n % 3}/{n}.md") for n in range(90)]
    assert compute_covering_paths([*many, Path("/docs/new"), Path("/docs/new/x.md")], [Path("/docs")], 10) == (
        Path("/docs"),
    )
    assert compute_covering_paths(many, [Path("/docs")], 3) == tuple(Path(f"/docs/{n}") for n in range(3))
    assert compute_covering_paths([Path("/docs/new"), Path("/docs/new/x.md")], [Path("/docs")], 10) == (
        Path("/docs/new"),
    )
    assert len(compute_covering_paths(many, [Path("/elsewhere")], 3)) == 90
