"""The dates of notes in a warehouse: by their names as the vault's settings read them, never by their text."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from flows.planning import make_plan
from flows.progress import Action
from tests.building import SMALL_SETTINGS, build_warehouse
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings

NOTES = {
    "journal/2025/10/14-Tuesday.md": "Fixed the pump.\n",
    "journal/10-04-2025.md": "---\ndate: 2026-01-02\n---\nSlept.\n",
    "weekly/2025-W43.md": "# Week\n\nThe reunion of 4 May 1998 was remembered.\n",
    "Tom Baker.md": "# Tom Baker\n\nWe were at school together; the reunion of 4 May 1998 was at the lake.\n",
    "help.md": "# Filters\n\nWrite `since 2024-01-31` or on January 31, 2024 before the words.\n",
    "铁路.md": "# 铁路\n\n该铁路于1909年10月2日通车，全长二百公里。\n",
    "worklog.md": "# Log\n\n## 2019-05-06\n\nBegan.\n\n## 2025-10-01\n\nWent on.\n",
}
DEFAULTS = {
    "Tom Baker.md": None,
    "help.md": None,
    "铁路.md": None,
    "worklog.md": (date(2025, 10, 1), "date heading"),
    "weekly/2025-W43.md": (date(2025, 10, 20), "daily-note name"),
    "journal/10-04-2025.md": (date(2025, 4, 10), "daily-note name"),
    "journal/2025/10/14-Tuesday.md": (date(2025, 10, 14), "daily-note name"),
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        file = tmp_path / "vault" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "vault" / ".obsidian").mkdir()
    return tmp_path / "vault"


def dates(house: Warehouse) -> dict[str, tuple[date, str] | None]:
    rows = house.snapshot.query_rows("SELECT path, document_date, date_origin FROM documents")
    return {path: (day, origin) if day else None for path, day, origin in rows}


def set_format(vault: Path, form: str) -> None:
    settings = {"folder": "journal", "format": form}
    (vault / ".obsidian" / "daily-notes.json").write_text(json.dumps(settings), encoding="utf-8")


def test_passages_are_of_the_days_that_the_name_of_their_note_says(vault: Path, tmp_path: Path) -> None:
    house = build_warehouse(tmp_path / "house", vault)
    rows = house.snapshot.query_rows(
        "SELECT path, passage_date, passage_end FROM chunks JOIN documents USING (document_id) "
        "WHERE passage_date IS NOT NULL"
    )
    assert {(path, day, end) for path, day, end in rows if not path.startswith("worklog")} == {
        ("weekly/2025-W43.md", date(2025, 10, 20), date(2025, 10, 27)),
        ("journal/10-04-2025.md", date(2025, 4, 10), date(2025, 4, 11)),
        ("journal/2025/10/14-Tuesday.md", date(2025, 10, 14), date(2025, 10, 15)),
    }


def test_a_changed_format_changes_the_dates_at_the_next_ingest(vault: Path, tmp_path: Path) -> None:
    house = build_warehouse(tmp_path / "house", vault)
    assert dates(house) == DEFAULTS
    assert not house.snapshot.query_rows(
        "SELECT * FROM findings WHERE name = 'disputed-date' AND message LIKE '%heading%'"
    )
    set_format(vault, "MM-DD-YYYY")
    settings = load_settings({"warehouse": tmp_path / "house", **SMALL_SETTINGS})
    plan = make_plan(settings, house.snapshot.generation, [vault])
    worked = {each.file.path: each.reason for each in plan.files if each.file and each.action is not Action.KEPT}
    assert worked == {"journal/10-04-2025.md": "the vault's formats of note names"}
    house = build_warehouse(tmp_path / "house", vault)
    assert dates(house) == {**DEFAULTS, "journal/10-04-2025.md": (date(2025, 10, 4), "daily-note name")}
    assert make_plan(settings, house.snapshot.generation, [vault]).idle


def test_a_name_that_dates_a_note_no_more_leaves_it_to_its_content(vault: Path, tmp_path: Path) -> None:
    (vault / "journal" / "Day 2025 4.md").write_text("---\ndate: 2026-01-02\n---\nSlept.\n", encoding="utf-8")
    set_format(vault, "[Day] YYYY DDD")
    house = build_warehouse(tmp_path / "house", vault)
    assert dates(house)["journal/Day 2025 4.md"] == (date(2025, 1, 4), "daily-note name")
    (vault / ".obsidian" / "daily-notes.json").unlink()
    house = build_warehouse(tmp_path / "house", vault)
    assert dates(house)["journal/Day 2025 4.md"] == (date(2026, 1, 2), "front matter")
