"""What a generation takes over of the vectors of titles, and what it makes anew."""

from __future__ import annotations

from pathlib import Path

from tests.building import build_warehouse
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
