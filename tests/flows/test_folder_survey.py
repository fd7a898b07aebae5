"""Folders as they are before a first ingest, and the sources that are found in them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from flows.folder_survey import MAX_FOLDERS, survey_folder
from tests.command_line import ROOT
from warehouse.records import Kind

SAMPLES = ROOT / "samples"
COURSE = (SAMPLES / "courses" / "ocean-time-series.txt").read_text("utf-8")
PAPER = (SAMPLES / "papers" / "nitrate-drift.xml").read_text("utf-8")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_a_vault_is_one_source(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".obsidian/app.json": "{}", "a.md": "# A\n\nText.\n", "deep/b.md": "# B\n", "x.png": "", "y.canvas": ""},
    )
    (found,) = survey_folder(tmp_path)
    assert (found.folder, found.kind, found.is_vault, dict(found.formats)) == (tmp_path, Kind.NOTE, True, {".md": 2})
    (inside,) = survey_folder(tmp_path / "deep")
    assert inside.is_vault


def test_folders_of_different_kinds_are_sources_of_their_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a/x.txt": COURSE, "b/x.xml": PAPER, "c/.obsidian/app.json": "{}", "c/n.md": "# N\n", "loose.md": "# L\n"},
    )
    (tmp_path / "empty").mkdir()
    found = {each.folder.relative_to(tmp_path).as_posix(): each for each in survey_folder(tmp_path)}
    assert {name: each.kind for name, each in found.items()} == {
        ".": Kind.NOTE,
        "a": Kind.COURSE,
        "b": Kind.PAPER,
        "c": Kind.NOTE,
    }
    assert [each.documents for each in found.values()] == [1, 1, 1, 1]


@pytest.mark.parametrize("folders", [2, MAX_FOLDERS + 1])
def test_folders_of_one_kind_are_one_source(tmp_path: Path, folders: int) -> None:
    write(tmp_path, {f"{number}/x.txt": COURSE for number in range(folders)})
    (found,) = survey_folder(tmp_path)
    assert (found.folder, found.kind, found.is_uniform, found.documents) == (tmp_path, Kind.COURSE, True, folders)


def test_reports_tell_when_their_fiscal_years_end(tmp_path: Path) -> None:
    for name in ("northlight-fy2025-q3.pdf", "incident-2025-06.txt"):
        shutil.copy(SAMPLES / "reports" / name, tmp_path)
    (found,) = survey_folder(tmp_path)
    assert (found.kind, found.is_uniform, found.fiscal_year_end) == (Kind.REPORT, False, "09-30")


def test_topics_of_papers_are_found(tmp_path: Path) -> None:
    write(tmp_path, {"p.xml": PAPER, "topics.json": json.dumps([{"title": "A long title of it", "topic": "oceans"}])})
    (found,) = survey_folder(tmp_path)
    assert (found.topics, found.documents) == ("topics.json", 1)


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "broken.pdf", tmp_path)
    (tmp_path / "empty.md").touch()
    (tmp_path / "out").symlink_to("/etc")
    (found,) = survey_folder(tmp_path)
    assert (found.kind, found.documents) == (None, 2)


def test_an_empty_folder_has_none(tmp_path: Path) -> None:
    assert survey_folder(tmp_path) == []
