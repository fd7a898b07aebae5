"""One forge for all faults, and a warehouse whose folder has changed since."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from flows.service.processes import RunningProcess
from tests.flows.faults import forge
from tests.flows.faults.site import Site, change_notes, write_notes


@pytest.fixture(scope="session")
def hearth(prefect_server: RunningProcess) -> Iterator[forge.Forge]:
    """The process that forks runs."""
    with forge.opened() as found:
        yield found


@pytest.fixture(scope="session")
def changed(hearth: forge.Forge, prefect_server: RunningProcess, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A warehouse of one generation, and changes in its folder that the next run has to take in. Not to be harmed."""
    return prepared(tmp_path_factory.mktemp("faults"), hearth, prefect_server.url)


@pytest.fixture
def site(changed: Site, tmp_path: Path) -> Site:
    """A copy to be harmed."""
    return changed.copied(tmp_path / "warehouse")


def prepared(place: Path, hearth: forge.Forge, url: str) -> Site:
    """Write notes, ingest them, change them, and ingest them elsewhere to know what is right."""
    environment = {
        "PREFECT_API_URL": url,
        "KALENDS_EMBED__MODEL": "hashing",
        "KALENDS_ENTITIES__KINDS": "[]",
        "KALENDS_PARSE__PROCESSES": "1",
        "HOME": os.environ.get("HOME", str(place)),
    }
    site = Site(place / "docs", place / "warehouse", hearth, environment)
    write_notes(site.docs)
    assert site.ingest().code == 0
    change_notes(site.docs)
    right = replace(site, warehouse=place / "clean")
    assert right.ingest().code == 0
    return replace(site, clean=right.state())
