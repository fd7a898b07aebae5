"""The lock file pins, with hashes, a set that pyproject.toml allows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PINNED = re.compile(
    r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)*)", re.MULTILINE
)
BY_HAND = {"torch"}
"""The index of its builds for processors gives other files under the same version."""


def locked() -> dict[str, tuple[str, int]]:
    """The version of each package, and how many hashes it has."""
    text = (ROOT / ".lock/requirements.txt").read_text(encoding="utf-8")
    return {
        canonicalize_name(name): (version, hashes.count("--hash")) for name, version, hashes in PINNED.findall(text)
    }


def declared() -> list[Requirement]:
    """What is needed, and what the extras of the tested set ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["dev"], *extras["dask"], *extras["s3"], *extras["login"]]
    return [needed for line in lines if (needed := Requirement(line)).name not in BY_HAND]


def test_the_lock_holds_what_pyproject_asks_for_within_its_bounds() -> None:
    pinned = locked()
    for needed in declared():
        version, _ = pinned.get(canonicalize_name(needed.name), ("", 0))
        assert version, f"{needed.name} is not locked: run `make lock`"
        assert needed.specifier.contains(version), f"{needed} and the lock's {version} disagree: run `make lock`"


def test_every_package_of_the_lock_has_its_hashes() -> None:
    assert not [name for name, (_, hashes) in locked().items() if not hashes]
    assert BY_HAND.isdisjoint(locked())


def test_every_dependency_has_a_lower_and_an_upper_bound() -> None:
    for needed in declared():
        operators = {bound.operator for bound in needed.specifier}
        assert operators == {">=", "<"} or operators == {"=="}, str(needed)
