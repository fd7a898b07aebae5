"""Pictures, recordings and boards of a vault: counted, found by links, and neither documents nor failures."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dashboards.cli.ingesting import lines
from dashboards.cli.serving import _status
from flows.attachments import SUFFIXES, attachments
from flows.planning import Action, make_plan
from flows.report import Report
from tests.building import build_warehouse
from warehouse.records import Status
from warehouse.settings import load
from warehouse.store.generations import latest
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
    generation = latest(Layout(tmp_path / "warehouse"))
    assert generation
    assert [(each.file.path, each.status) for each in generation.holdings()] == [("Note.md", Status.PUBLISHED)]
    assert sorted(attachments(generation.manifest.roots)) == [
        "vault/Reading.base",
        "vault/files/Talk.mp3",
        "vault/files/board.canvas",
        "vault/files/chart.png",
    ]
    found = _status(Layout(tmp_path / "warehouse"))
    assert (found["documents"], found["unreadable_documents"], found["attachments"]) == (1, 0, 4)
    assert warehouse.generation == 1


def test_what_an_older_program_took_for_documents_leaves_without_a_question(vault: Path, tmp_path: Path) -> None:
    aside = tmp_path / "obsidian"
    shutil.move(vault / ".obsidian", aside)
    build_warehouse(tmp_path / "warehouse", vault)
    generation = latest(Layout(tmp_path / "warehouse"))
    assert generation
    assert len(generation.holdings()) == 5
    shutil.move(aside, vault / ".obsidian")
    plan = make_plan(load({"warehouse": tmp_path / "warehouse"}), generation, [vault])
    assert plan.counts[Action.GONE] == 4
    assert not plan.withheld
    assert {step.reason for step in plan.steps if step.action is Action.GONE} == {
        "it is an attachment of its vault, no document"
    }


def test_beyond_a_vault_they_are_named_as_unreadable(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "chart.png").write_bytes(PNG)
    (folder / "note.md").write_text("# Note\n\n![[chart.png]]\n")
    build_warehouse(tmp_path / "warehouse", folder)
    generation = latest(Layout(tmp_path / "warehouse"))
    assert generation
    assert {each.file.path: each.reason for each in generation.holdings() if each.reason} == {
        "chart.png": "a PNG image: save it as PDF, DOCX, Markdown or plain text"
    }
    assert not list(attachments(generation.manifest.roots))


def test_a_vault_below_a_root_is_one_and_a_named_file_is_none(vault: Path, tmp_path: Path) -> None:
    settings = load({"warehouse": tmp_path / "warehouse"})
    assert {step.source for step in make_plan(settings, None, [tmp_path]).steps} == {f"{tmp_path.name}/vault/Note.md"}
    (step,) = make_plan(settings, None, [vault / "files/chart.png"]).steps
    assert step.action is Action.NEW


def test_the_summary_counts_them() -> None:
    report = Report(1, 299, 2_000, {}, files=351, attachments=52)
    assert "351 files: 299 documents, 52 attachments." in lines(report)


def test_documents_are_no_attachments() -> None:
    assert not SUFFIXES & {".md", ".pdf", ".docx", ".csv", ".txt", ".html", ".xml"}
