"""Pictures, recordings and boards of a vault: counted, found by links, and neither documents nor failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboards.cli.ingest import list_report_lines
from dashboards.cli.status import read_warehouse_status
from flows import planning
from flows.discovery import list_attachments
from flows.planning import make_plan
from flows.progress import Action, IngestReport
from tasks.parsers.textless_suffixes import TEXTLESS
from tests.building import build_warehouse
from warehouse.records import Status
from warehouse.settings.loader import load_settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    for path, data in {
        ".obsidian/app.json": b"{}",
        "Note.md": b"# Note\n\n![[Chart.PNG|300]] and ![[Talk.mp3]] and ![](files/board.canvas) and ![[gone.png]]\n",
        "files/chart.png": PNG,
        "files/Talk.mp3": b"ID3" + bytes(9),
        "files/board.canvas": b'{"nodes": []}',
        "Reading.base": b"views:\n  - type: table\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def test_attachments_are_no_documents_and_no_failures(vault: Path, tmp_path: Path) -> None:
    warehouse = build_warehouse(tmp_path / "warehouse", vault)
    generation = find_latest(Layout(tmp_path / "warehouse"))
    assert generation
    assert [(each.file.path, each.status) for each in generation.read_entries()] == [("Note.md", Status.PUBLISHED)]
    assert sorted(list_attachments(generation.manifest.roots)) == [
        "vault/Reading.base",
        "vault/files/Talk.mp3",
        "vault/files/board.canvas",
        "vault/files/chart.png",
    ]
    found = read_warehouse_status(Layout(tmp_path / "warehouse"))
    assert (found["documents"], found["unreadable_files"], found["attachments"]) == (1, 0, 4)
    assert warehouse.generation == 1


def test_what_an_older_program_took_for_documents_leaves_without_a_question(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "make_attachment_filter", lambda root: lambda path: False)
    build_warehouse(tmp_path / "warehouse", vault)
    monkeypatch.undo()
    generation = find_latest(Layout(tmp_path / "warehouse"))
    assert generation
    assert len(generation.read_entries()) == 5
    plan = make_plan(load_settings({"warehouse": tmp_path / "warehouse"}), generation, [vault])
    assert plan.counts[Action.GONE] == 4
    assert not plan.withheld
    assert {planned.reason for planned in plan.files if planned.action is Action.GONE} == {
        "it is an attachment, not a document"
    }


def test_in_any_folder_they_are_no_documents_and_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("chart.PNG", "talk.mp3", "all.zip", "face.woff2", "fav.ico", "run.exe", "Thumbs.db", ".DS_Store"):
        (folder / name).write_bytes(PNG)
    for name in ("old.doc", "scan.pdf", "board.canvas"):
        (folder / name).write_bytes(PNG)
    (folder / "kalends.toml").write_text("")
    (folder / "desktop.ini").write_text("[.ShellClassInfo]\nIconResource=a.dll,0\n")
    (folder / "note.md").write_text("# Note\n\n![[chart.png]]\n")
    build_warehouse(tmp_path / "warehouse", folder)
    generation = find_latest(Layout(tmp_path / "warehouse"))
    assert generation
    reason = "a PNG image: save it as PDF, DOCX, Markdown or plain text"
    assert {each.file.path: each.reason for each in generation.read_entries()} == {
        "board.canvas": reason,
        "note.md": "",
        "old.doc": reason,
        "scan.pdf": reason,
    }
    assert len(list(list_attachments(generation.manifest.roots))) == 6


def test_a_vault_below_a_root_is_one_and_its_files_may_be_named(vault: Path, tmp_path: Path) -> None:
    settings = load_settings({"warehouse": tmp_path / "warehouse"})
    named = make_plan(settings, None, [*vault.glob("*.*"), vault / "files/chart.png"])
    for plan in (make_plan(settings, None, [tmp_path]), named):
        assert [(planned.file and planned.file.path.rpartition("/")[2]) for planned in plan.files] == ["Note.md"]


def test_a_picture_named_by_itself_outside_of_a_vault_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "chart.png").write_bytes(PNG)
    (planned,) = make_plan(load_settings({"warehouse": tmp_path / "warehouse"}), None, [tmp_path / "chart.png"]).files
    assert planned.action is Action.NEW


@pytest.mark.parametrize(("notes", "kind"), [(3, None), (1, "note"), (1, None)])
def test_styles_scripts_and_data_are_attachments_among_notes_only(
    tmp_path: Path, notes: int, kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(notes):
        (folder / f"{number}.md").write_text(f"# Note {number}\n")
    for name in ("one.txt", "two.txt", "style.css", "view.js", "data.json", "board.canvas"):
        (folder / name).write_text('{"a": 1}')
    declared = f'[[sources]]\nfolder = "files"\nkind = "{kind}"\n' if kind else ""
    (tmp_path / "kalends.toml").write_text(declared)
    monkeypatch.chdir(tmp_path)
    plan = make_plan(load_settings(), None, [folder])
    documents = {planned.file.path for planned in plan.files if planned.file}
    aside = {"style.css", "view.js", "data.json", "board.canvas"}
    assert (documents & aside == set()) is (kind == "note" or notes > 2)
    assert {"one.txt", "0.md"} <= documents
    assert len(documents) + len(list(list_attachments(plan.roots))) == notes + 6


def test_the_summary_counts_them() -> None:
    report = IngestReport(1, 299, 2_000, {}, files=302, attachments=52)
    assert "302 files: 299 documents, 3 that cannot be read; also 52 attachments." in list_report_lines(report)
    assert "1 file: 1 document; also 1 attachment." in list_report_lines(
        IngestReport(1, 1, 9, {}, files=1, attachments=1)
    )
    assert "2 files: 1 document, 1 that cannot be read." in list_report_lines(IngestReport(1, 1, 9, {}, files=2))


def test_documents_are_no_attachments() -> None:
    assert not TEXTLESS & {".md", ".pdf", ".docx", ".csv", ".txt", ".html", ".xml"}
