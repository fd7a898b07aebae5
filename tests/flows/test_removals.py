"""An unmounted share deletes nothing, and whoever means to delete is obeyed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.discovery import make_source_name
from flows.document_facts import make_document_id
from flows.planning import IngestPlan, make_plan
from flows.progress import Action
from flows.roots import Removal, select_withheld_documents
from tests.building import build_warehouse
from warehouse.records import CatalogEntry, Output, Root, SourceFile, Status
from warehouse.settings.loader import Settings, load_settings
from warehouse.settings.models import RemovalSettings
from warehouse.store.generations import find_current
from warehouse.store.layout import Layout

NOTES = 24


def _holding(root: str, number: int, *, read: bool = True) -> CatalogEntry:
    path = f"{number}.md"
    file = SourceFile(make_source_name(Root(root, Path("/")), path), root, path, f"{root}{number}", 1, 1)
    outputs = (Output("parse", str(number), "file"),) if read else ()
    return CatalogEntry(make_document_id(file.source), file, Status.PUBLISHED, outputs=outputs)


roots = st.dictionaries(st.sampled_from("abc"), st.integers(1, 60), min_size=1)
limits = st.builds(RemovalSettings, share=st.floats(0, 1), least=st.integers(1, 40))


@given(roots, limits, st.data())
def test_a_root_is_kept_whole_or_let_go_as_its_own_loss_says(
    sizes: dict[str, int], limit: RemovalSettings, data: st.DataObject
) -> None:
    entries = [_holding(root, number) for root, size in sizes.items() for number in range(size)]
    numbers = st.sets(st.integers(0, len(entries) - 1))
    gone = [entries[number] for number in sorted(data.draw(numbers))]
    moved = {entry.file.sha256 for entry in gone} & {entries[number].file.sha256 for number in data.draw(numbers)}
    kept = {each.root: each.documents for each in select_withheld_documents(entries, gone, moved, limit)}
    for root, size in sizes.items():
        lost = tuple(h for h in gone if h.file.root == root and h.file.sha256 not in moved)
        great = len(lost) >= limit.least and len(lost) > limit.share * size
        assert kept.get(root, ()) == (lost if great else ())


def test_what_was_never_read_is_no_loss() -> None:
    broken = [_holding("a", number, read=False) for number in range(100)]
    assert not select_withheld_documents(broken, broken, set(), RemovalSettings(share=0, least=1))


@dataclass(frozen=True)
class Share:
    """A folder that was ingested, and what a run over it would do now."""

    docs: Path
    settings: Settings

    def plan(self, *paths: str, removal: Removal = Removal.NAMED) -> IngestPlan:
        named = [self.docs / path for path in paths]
        return make_plan(self.settings, find_current(Layout(self.settings.warehouse)), named, (), removal)


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Share:
    place = tmp_path_factory.mktemp("share")
    (place / "docs" / "deep").mkdir(parents=True)
    for number in range(NOTES):
        name = f"{number}.md" if number < 2 else f"deep/{number}.md"
        (place / "docs" / name).write_text(f"# Note {number}\n\nThe obelisk stands since 19{number:02}.\n")
    settings = load_settings(
        {"warehouse": place / "warehouse", "embed": {"model": "hashing"}, "entities": {"kinds": ()}}
    )
    build_warehouse(settings.warehouse, place / "docs")
    return Share(place / "docs", settings)


@pytest.fixture
def share(ingested: Share, tmp_path: Path) -> Iterator[Share]:
    """With its folder as it was, to do with as a test likes."""
    shutil.copytree(ingested.docs, tmp_path / "kept", copy_function=shutil.copy2)
    yield ingested
    shutil.rmtree(ingested.docs)
    (tmp_path / "kept").rename(ingested.docs)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def test_an_empty_mount_point_deletes_nothing_and_is_named_with_the_cure(share: Share) -> None:
    _empty(share.docs)
    plan = share.plan()
    assert plan.idle
    assert len(plan.untouched_entries) == NOTES
    (warning,) = plan.warnings
    assert f"source folder 'docs': {NOTES} of its {NOTES}" in warning
    assert "kalends ingest --allow-removal" in warning


def test_a_root_that_is_gone_deletes_nothing(share: Share) -> None:
    shutil.rmtree(share.docs)
    plan = share.plan()
    share.docs.mkdir()
    assert (plan.idle, len(plan.untouched_entries)) == (True, NOTES)


def test_the_rest_of_the_run_goes_on(share: Share) -> None:
    _empty(share.docs)
    (share.docs / "new.md").write_text("The only one that is there.")
    plan = share.plan()
    assert {action: count for action, count in plan.counts.items() if count} == {Action.NEW: 1}
    assert len(plan.untouched_entries) == NOTES


def test_documents_that_only_moved_are_moved(share: Share) -> None:
    (share.docs / "deep").rename(share.docs / "deeper")
    plan = share.plan()
    assert not plan.withheld
    assert (plan.counts[Action.RENAMED], plan.counts[Action.GONE]) == (NOTES - 2, 0)


def test_whoever_agrees_is_obeyed(share: Share) -> None:
    _empty(share.docs)
    assert share.plan(removal=Removal.ALL).counts[Action.GONE] == NOTES


def test_to_name_a_deleted_folder_is_to_agree_unless_events_named_it(share: Share) -> None:
    shutil.rmtree(share.docs / "deep")
    assert share.plan("deep").counts[Action.GONE] == NOTES - 2
    assert share.plan("deep", removal=Removal.NONE).idle
    assert share.plan().idle


def test_to_name_a_folder_that_is_there_and_empty_agrees_to_nothing(share: Share) -> None:
    _empty(share.docs / "deep")
    assert share.plan("deep").idle


def test_a_smaller_loss_is_a_deletion(share: Share) -> None:
    _empty(share.docs)
    patient = share.settings.model_copy(update={"removal": RemovalSettings(least=NOTES + 1)})
    assert Share(share.docs, patient).plan().counts[Action.GONE] == NOTES
