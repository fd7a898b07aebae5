"""Files and folders that refuse to be read keep what is known of them, and cost nobody else anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.flows.faults.site import Site, write
from warehouse.records import Status

CLOSED = 0o000


@pytest.fixture
def own(changed: Site, tmp_path: Path) -> Iterator[Site]:
    """A site with a folder of its own, whose modes are as they should be in the end."""
    site = replace(changed, docs=tmp_path / "own", warehouse=tmp_path / "warehouse", clean=None)
    (site.docs / "deep").mkdir(parents=True)
    for number in range(2):
        write(site.docs, f"note-{number}.md", number)
        write(site.docs / "deep", f"note-{number}.md", 10 + number)
    assert site.ingest().code == 0
    yield site
    for path in (site.docs, *site.docs.rglob("*")):
        path.chmod(0o755)


def test_a_folder_that_cannot_be_listed_keeps_its_documents(own: Site) -> None:
    before = own.state()
    (own.docs / "deep").chmod(CLOSED)
    write(own.docs, "new.md", 3)
    outcome = own.ingest(humble=True)
    assert outcome.code == 1, outcome.err
    assert own.ingest(humble=True).code == 0, "it is known by now"
    assert list(outcome.report["unreadable"]) == ["own/deep"]
    assert "cannot be listed: Permission denied" in outcome.report["unreadable"]["own/deep"]
    assert {passage[0] for passage in own.state().passages} > {passage[0] for passage in before.passages}
    (own.docs / "deep").chmod(0o755)
    own.ingest()
    assert {document[2] for document in own.state().documents} == {Status.PUBLISHED}
    assert own.ingest().report["generation"] is None


@pytest.mark.slow
def test_a_root_that_cannot_be_listed_keeps_its_documents(own: Site) -> None:
    before = own.state()
    own.docs.chmod(CLOSED)
    outcome = own.scan(humble=True)
    assert outcome.code == 0, outcome.err
    assert "cannot be listed (Permission denied): its documents are kept" in outcome.report["warnings"][0]
    assert own.state() == before


@pytest.mark.slow
def test_a_file_that_cannot_be_opened_keeps_its_last_good_version(own: Site) -> None:
    before = own.state()
    write(own.docs, "note-0.md", 99)
    (own.docs / "note-0.md").chmod(CLOSED)
    outcome = own.ingest(humble=True)
    assert list(outcome.report["unreadable"]) == ["own/note-0.md"]
    assert own.state().passages == before.passages
    (own.docs / "note-0.md").chmod(0o644)
    own.ingest()
    assert own.state().passages != before.passages
