"""A disk that fills up in the middle of a run: one line that says so, the last generation answers, room heals."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.faults.site import Site

ROOM = range(0, 400_000, 40_000)
"""Bytes left to the run; it needs about 350,000."""
DISK = 8 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes in memory, with the place to mount it."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small file system to fill")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def _fill(place: Path, left: int) -> Path:
    """Write a file that leaves so many bytes."""
    ballast = place / "ballast"
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_frsize
    ballast.write_bytes(bytes(free - left))
    return ballast


def _check_filled(site: Site, place: Path, left: int) -> bool:
    """Whether the disk was full before the run was over."""
    before = site.state()
    ballast = _fill(place, left)
    outcome = site.ingest()
    assert site.state() in (before, site.clean)
    ballast.unlink()
    if outcome.code:
        assert (outcome.code, "full" in outcome.err, len(outcome.err.splitlines())) == (2, True, 1), outcome.err
    site.healed()
    return bool(outcome.code)


def test_a_full_disk_ends_the_run_in_one_line_and_loses_nothing(changed: Site, disk: Path) -> None:
    assert _check_filled(changed.copied(disk / "warehouse"), disk, 40_000)


@pytest.mark.slow
@pytest.mark.parametrize("left", ROOM)
def test_a_disk_that_fills_up_anywhere_loses_nothing(changed: Site, disk: Path, left: int) -> None:
    _check_filled(changed.copied(disk / "warehouse"), disk, left)
