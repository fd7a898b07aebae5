"""How documents are cut, set by folder and by kind: only what is cut otherwise is cut anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows.planning import make_plan
from flows.progress import Action
from tests.building import SMALL_SETTINGS, build_warehouse
from warehouse.settings.loader import load_settings
from warehouse.store.generations import find_current
from warehouse.store.layout import Layout

TEXT = "\n\n".join(f"Paragraph number {number} speaks of lantern {number} and of nothing else." for number in range(40))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("notes", "texts"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lanterns.md").write_text(TEXT)
    return tmp_path


def sources(place: Path, **chunk: object) -> dict[str, Any]:
    return {
        "sources": [
            {"folder": str(place / "notes"), "kind": "note"},
            {"folder": str(place / "texts"), "kind": "text", "chunk": chunk},
        ]
    }


def restaged(place: Path, **settings: Any) -> dict[str, tuple[str, ...]]:
    chosen = load_settings({"warehouse": place / "warehouse", **SMALL_SETTINGS, **settings})
    files = make_plan(chosen, find_current(Layout(place / "warehouse")), []).files
    return {planned.source: planned.stages for planned in files if planned.action is Action.RESTAGED}


def test_only_what_a_setting_is_about_is_cut_anew(place: Path) -> None:
    for folder in ("notes", "texts"):
        build_warehouse(place / "warehouse", place / folder, **sources(place))
    later = ("chunk", "score", "embed")
    assert restaged(place, **sources(place)) == {}
    assert restaged(place, **sources(place, size=300)) == {"texts/lanterns.md": later}
    kinds = {"kinds": {"note": {"chunker": "sentence"}}}
    assert restaged(place, chunk=kinds, **sources(place)) == {"notes/lanterns.md": later}


def test_parents_can_be_read_beside_their_chunks(place: Path) -> None:
    held = build_warehouse(place / "warehouse", place / "texts", **sources(place, chunker="hierarchical", size=200))
    joined = "FROM chunks JOIN parents USING (parent_id) WHERE position(chunks.text IN parents.text) > 0"
    chunks, parents = held.snapshot.query_rows(f"SELECT count(*), count(DISTINCT parent_id) {joined}")[0]
    assert held.snapshot.query_rows("SELECT count(*) FROM chunks") == [(chunks,)]
    assert chunks > 2 * parents > 2
