"""The inbox: names from outside, files that are never lost, and typed texts as notes that are read back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.vault.note_paths import check_new_names
from dashboards.background.inbox import (
    StorageOutcome,
    TypedNote,
    delete_upload,
    make_safe_file_name,
    parse_tags,
)
from flows.planning import make_plan
from flows.progress import Action
from flows.roots import select_scopes
from tasks.parsers.notes.properties import split_front_matter
from tests.building import build_warehouse
from tests.dashboards.background.storing import store_upload
from warehouse.errors import BadInput
from warehouse.records import Kind
from warehouse.settings.loader import load_settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Q2 2023.pdf", "Q2 2023.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\report.docx", "report.docx"),
        (".hidden.md", "hidden.md"),
        ("a\u202egpj.exe", "agpj.exe"),
        ("<b>x</b>.html", "b.html"),
        ("what: is | this?.md", "what- is - this.md"),
        ("", "document"),
        ("...", "document"),
        ("con.txt", "document con.txt"),
        ("報告 2023.pdf", "報告 2023.pdf"),
    ],
)
def test_names_from_outside_become_names_that_can_be_kept(given_name: str, kept: str) -> None:
    assert make_safe_file_name(given_name) == kept


@given(st.text(max_size=300))
def test_every_name_can_be_kept_and_names_no_path(name: str) -> None:
    kept = make_safe_file_name(name)
    check_new_names((kept,))
    assert not set("/\\\0") & set(kept)
    assert not kept.startswith(".")
    assert make_safe_file_name(kept) == kept


def test_nothing_is_lost_and_nothing_is_kept_twice(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    assert store_upload(inbox, "a.md", b"one") == (inbox / "a.md", StorageOutcome.NEW)
    assert store_upload(inbox, "a.md", b"one") == (inbox / "a.md", StorageOutcome.SAME)
    assert store_upload(inbox, "a.md", b"two") == (inbox / "a 2.md", StorageOutcome.RENAMED)
    assert store_upload(inbox, "a.md", b"two") == (inbox / "a 2.md", StorageOutcome.SAME)
    assert {file.name: file.read_bytes() for file in inbox.iterdir()} == {"a.md": b"one", "a 2.md": b"two"}


def test_a_newer_version_takes_the_place_if_asked(tmp_path: Path) -> None:
    store_upload(tmp_path, "a.md", b"one")
    kept = store_upload(tmp_path, "a.md", b"two", replace=True)
    assert kept == (tmp_path / "a.md", StorageOutcome.REPLACED)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.md", b"two")]


def test_only_files_of_the_inbox_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("stays", "utf-8")
    inbox = tmp_path / "inbox"
    store_upload(inbox, "a.md", b"one")
    with pytest.raises(BadInput, match="is not in the inbox"):
        delete_upload(inbox, "../outside.md")
    assert not delete_upload(inbox, "a.md").exists()
    assert (tmp_path / "outside.md").exists()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "inbox").write_text("a file", "utf-8")
    with pytest.raises(BadInput, match="cannot be written"):
        store_upload(tmp_path / "inbox", "a.md", b"one")


@given(st.text(min_size=1).filter(lambda text: text.split()), st.lists(st.text(alphabet="ab-#:[]{}\"'é中\x7f")))
def test_a_typed_text_is_a_note_whose_properties_are_read_back(title: str, tags: list[str]) -> None:
    note = split_front_matter(TypedNote(title, "The text.", date(2023, 6, 30), tuple(tags)).note)
    assert not note.problem
    assert note.body.strip() == "The text."
    assert note.properties["date"] == date(2023, 6, 30)
    assert isinstance(note.properties["title"], str)


@pytest.mark.parametrize(("title", "text"), [("", "text"), (" \n", "text"), ("title", " ")])
def test_a_text_without_title_or_words_is_refused(title: str, text: str) -> None:
    with pytest.raises(BadInput):
        _ = TypedNote(title, text).note


def test_tags_are_parted_by_commas_or_spaces() -> None:
    assert parse_tags("#a, b c,, #a/") == ("a", "b", "c")


def test_the_inbox_is_a_root_from_when_it_is_there(tmp_path: Path) -> None:
    sources = tmp_path / "docs"
    sources.mkdir()
    (sources / "a.md").write_text("# A\n\nA turbine.", "utf-8")
    folder = tmp_path / "docs" / ".kalends"
    build_warehouse(folder, sources)
    settings = load_settings({"warehouse": folder, "embed": {"model": "hashing"}})
    inbox = Layout(folder).inbox
    kept, _ = store_upload(inbox, "b.md", TypedNote("B", "A rotor.", date(2023, 6, 30)).note.encode())
    plan = make_plan(settings, find_latest(Layout(folder)), [kept])
    assert [(planned.action, planned.source) for planned in plan.files] == [(Action.NEW, "inbox/b.md")]
    everything = make_plan(settings, find_latest(Layout(folder)), [])
    assert {planned.source for planned in everything.files} == {"docs/a.md", "inbox/b.md"}
    held = build_warehouse(folder, inbox).list_documents()
    assert [(each.file.source, each.kind, each.title) for each in held][1] == ("inbox/b.md", Kind.NOTE, "B")
    with pytest.raises(BadInput, match="is the inbox of the warehouse"):
        select_scopes(settings, find_latest(Layout(folder)), [], ["inbox"])


def test_a_title_is_no_path() -> None:
    assert TypedNote("Profit/loss, 2023\\Q1", "x").name == "Profit-loss, 2023-Q1.md"
