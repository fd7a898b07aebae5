"""A run killed before any file it touches changes nothing that readers see, and the next one goes on from there."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from tasks.pipeline import STAGES
from tests.flows.faults.forge import Outcome
from tests.flows.faults.site import Site

MOMENTS = 12
LONGEST = 4.0


@pytest.fixture(scope="session")
def trail(changed: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """What a run that nothing happens to touches, in order."""
    outcome = changed.copied(tmp_path_factory.mktemp("trail") / "warehouse").ingest()
    assert outcome.code == 0, outcome.err
    return outcome.changes


def _finished(outcome: Outcome) -> set[str]:
    """The stages whose files were all there, but for the last: its result may not have been noted any more."""
    moved = {change.split("/")[2] for change in outcome.changes if change.startswith("rename /lake/")}
    done = [stage.name for stage in STAGES if moved >= set(stage.tables)]
    return set(done[:-1])


def _check_killed(site: Site, **fault: float) -> None:
    before = site.state()
    outcome = site.ingest(**fault)
    assert outcome.code in {-signal.SIGKILL, 0}
    assert site.state() in (before, site.clean)
    healed = site.healed()
    assert not _finished(outcome) & healed.worked.keys()
    assert site.ingest().report["generation"] is None


@pytest.mark.slow
def test_a_run_killed_between_its_generation_and_the_link_to_it_leaves_the_last_one_and_is_resumed(
    site: Site, trail: tuple[str, ...]
) -> None:
    _check_killed(site, kill=next(n for n, name in enumerate(trail, start=1) if name.startswith("symlink /.current")))


@pytest.mark.slow
def test_a_run_killed_before_any_change_of_a_file_leaves_the_last_generation_and_is_resumed(
    changed: Site, trail: tuple[str, ...], tmp_path: Path
) -> None:
    for number in range(1, len(trail) + 1):
        _check_killed(changed.copied(tmp_path / str(number)), kill=number)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MOMENTS))
def test_a_run_killed_at_any_moment_leaves_the_last_generation_and_is_resumed(site: Site, seed: int) -> None:
    _check_killed(site, after=random.Random(seed).uniform(0, LONGEST))
