"""What a generation takes over of the vectors of titles, and what it makes anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import build_warehouse
from warehouse.errors import BadWarehouse
from warehouse.reader import Warehouse
from warehouse.store import titles


def _note(folder: Path, name: str, title: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(f"---\ndate: 2025-01-02\n---\n\n# {title}\n\nA few words.\n", encoding="utf-8")


def _held(warehouse: Warehouse) -> set[tuple[str, bytes]]:
    found = warehouse.snapshot.titles
    return {(document, row.tobytes()) for document, row in zip(found.documents, found.vectors, strict=True)}


def test_titles_are_those_of_a_warehouse_made_at_once(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for name, title in (("stays", "The harbour lease"), ("changes", "Draft budget"), ("goes", "Old tender")):
        _note(notes, name, title)
    build_warehouse(tmp_path / "grown", notes)
    _note(notes, "changes", "Approved budget")
    _note(notes, "comes", "The harbour lease")
    (notes / "goes.md").unlink()
    grown = build_warehouse(tmp_path / "grown", notes)
    assert _held(grown) == _held(build_warehouse(tmp_path / "fresh", notes))


def test_lost_titles_are_made_anew(tmp_path: Path) -> None:
    _note(tmp_path / "notes", "one", "The harbour lease")
    first = build_warehouse(tmp_path / "warehouse", tmp_path / "notes")
    (first.snapshot.generation.folder / titles.FILE).unlink()
    _note(tmp_path / "notes", "two", "Draft budget")
    second = build_warehouse(tmp_path / "warehouse", tmp_path / "notes")
    assert len({document for document, _ in _held(second)}) == 2


def test_what_stays_lies_in_files_that_generations_share(tmp_path: Path) -> None:
    notes, place = tmp_path / "notes", tmp_path / "warehouse"
    for number in range(5):
        _note(notes, str(number), f"Title {number}")
    first = build_warehouse(place, notes).snapshot.generation.folder
    _note(notes, "more", "One more")
    second = build_warehouse(place, notes).snapshot.generation.folder
    before, after = (
        {path.name: path.stat().st_ino for path in titles.list_files(each)[1:]} for each in (first, second)
    )
    assert before.items() < after.items()
    assert len(after) == 2


def test_many_files_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "MAX_PARTS", 3)
    notes, place = tmp_path / "notes", tmp_path / "warehouse"
    counts = []
    for number in range(5):
        _note(notes, str(number), f"Title {number}")
        built = build_warehouse(place, notes)
        counts.append(len(titles.list_files(built.snapshot.generation.folder)) - 1)
    assert counts == [1, 2, 3, 1, 2]
    assert _held(built) == _held(build_warehouse(tmp_path / "fresh", notes))


@pytest.mark.parametrize("file", [0, 1])
def test_a_lost_file_of_titles_is_told_and_made_again(tmp_path: Path, file: int) -> None:
    notes, place = tmp_path / "notes", tmp_path / "warehouse"
    _note(notes, "one", "The harbour lease")
    first = build_warehouse(place, notes)
    held = _held(first)
    lost = titles.list_files(first.snapshot.generation.folder)[file]
    lost.write_bytes(lost.read_bytes()[:-8])
    with pytest.raises(BadWarehouse):
        Warehouse(place).snapshot.titles.vectors.any()
    assert _held(build_warehouse(place, notes)) == held
