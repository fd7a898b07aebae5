"""A share that is unmounted, and one that comes back."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.flows.faults.site import Site, write

NOTES = 21


@pytest.fixture
def share(changed: Site, tmp_path: Path) -> Iterator[Site]:
    """A folder on a file system of its own."""
    docs = tmp_path / "share"
    docs.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(docs)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a file system to take away")
    for number in range(NOTES):
        write(docs, f"note-{number}.md", number)
    site = replace(changed, docs=docs, warehouse=tmp_path / "warehouse", clean=None)
    assert site.ingest().code == 0
    yield site
    subprocess.run(["umount", "--lazy", str(docs)], check=False, capture_output=True)


def test_an_unmounted_share_deletes_nothing_until_somebody_agrees(share: Site) -> None:
    before = share.state()
    subprocess.run(["umount", "--lazy", str(share.docs)], check=True)
    outcome = share.scan()
    assert (outcome.code, outcome.report["generation"], outcome.report["withheld"]) == (1, None, {"share": NOTES})
    assert share.state() == before
    assert share.ingest("--allow-removal").code == 0
    assert share.state().documents == []
    for number in range(NOTES):
        write(share.docs, f"note-{number}.md", number)
    back = share.ingest()
    assert back.worked.keys() <= {"publish"}
    assert share.state().passages == before.passages
