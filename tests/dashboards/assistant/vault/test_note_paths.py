"""No path leads out of a vault, nor to what is hidden in it, however it is spelt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboards.assistant.vault.note_edits import edit_note
from dashboards.assistant.vault.note_paths import check_new_names, parse_folder_path, parse_note_path
from dashboards.assistant.vault.notes import Vault
from warehouse.errors import BadInput

SECRET = "the owner's own words"
PIECES = (
    *("..", ".", "/", "//", "\\", "．", "．．", "‥", "…", "․", "。", "／", "＼", "∕", "⁄", "%2e%2e%2f", "~", "~$", "#"),
    *("\0", "\n", "\r", "\t", " ", "\u00a0", "\u200b", "\u202e", "\u2066", "\ufeff", "\ud800", "\u200d", "\u0301"),
    *("C:", "c:", "::$DATA", "CON", "nul", "COM1", "COM¹", "lpt9.txt", "*", "?", '"', "<", ">", "|"),
    *("W", "w", "Plan", "é", "e\u0301", "secret", "outside", "link", "Ｗ", ".trash", ".obsidian", ".md", ".MD", "a"),
)
PATHS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)
NOTES = st.builds(lambda start, path, end: start + path + end, st.sampled_from(["", "W/"]), PATHS, st.just(".md"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return _laid_out(tmp_path)


def _laid_out(folder: Path) -> Path:
    """A vault with a write vault W, a secret beside it and links that lead to it."""
    (folder / "outside").mkdir()
    (folder / "outside" / "secret.md").write_text(SECRET)
    (folder / "secret.md").write_text(SECRET)
    root = folder / "vault"
    for name in ("W/Plan", "W/é", ".obsidian", "W/.trash"):
        (root / name).mkdir(parents=True)
    for name in ("own.md", ".obsidian/secret.md", "W/.trash/secret.md"):
        (root / name).write_text(SECRET)
    (root / "W" / "link").symlink_to(folder / "outside")
    (root / "W" / "secret.md").symlink_to(folder / "secret.md")
    (root / "W" / "a.md").write_text("Mine.\n")
    return root


def _files(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file() and not file.is_symlink()}


@pytest.fixture(scope="module")
def standing() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield _laid_out(Path(folder).resolve())


@given(NOTES)
@example("../secret.md")
@example("W/../../secret.md")
@example("W/link/secret.md")
@example("W/secret.md")
@example("W/．．/．．/secret.md")
@example("W/..／..／secret.md")
@example(".obsidian/secret.md")
def test_nothing_outside_or_hidden_is_read(standing: Path, source: str) -> None:
    try:
        note = Vault(standing, ("W",)).read(source)
    except BadInput:
        return
    assert note.content == b"Mine.\n" or source == "own.md"


@given(NOTES)
def test_a_refusal_is_one_line(source: str) -> None:
    try:
        check_new_names(Vault(Path("/nowhere"), ("W",)).parse_writable_path(source))
    except BadInput as error:
        said = str(error)
    else:
        said = "none"
    assert "\n" not in said


@given(NOTES)
@example("W/link/new.md")
@example("W/secret.md")
@example("W/‥/new.md")
@example("W/.. /new.md")
@example("own.md")
@example("W.md")
@example("Ｗ/new.md")
def test_nothing_outside_of_the_write_vault_is_changed(source: str) -> None:
    with TemporaryDirectory() as folder:
        root = _laid_out(Path(folder).resolve())
        before = _files(Path(folder))
        try:
            with edit_note(Vault(root, ("W",)), source, make=True) as place:
                written = place.write_text("New.\n").source
        except BadInput:
            assert _files(Path(folder)) == before
            return
        after = _files(Path(folder))
        fresh = {name for name, content in after.items() if before.get(name) != content}
        assert fresh == {str(root / written)}
        parts = Path(written).parts
        assert parts[0] == "W"
        assert written == normalize("NFC", written)
        assert not any(part.startswith(".") for part in parts)


@given(NOTES)
@example("W/link/secret.md")
@example("W/secret.md")
@example("own.md")
def test_only_own_notes_reach_the_trash(source: str) -> None:
    with TemporaryDirectory() as folder:
        root = _laid_out(Path(folder).resolve())
        before = _files(Path(folder))
        try:
            with edit_note(Vault(root, ("W",)), source) as place:
                if place.before:
                    place.move_to_trash()
        except BadInput:
            assert _files(Path(folder)) == before
            return
        after = _files(Path(folder))
        assert sorted(after.values()) == sorted(before.values())
        assert {name for name in before if name not in after} <= {str(root / "W" / "a.md")}


@pytest.mark.parametrize(
    "source",
    [
        "/etc/x.md",
        "a//x.md",
        "a/../x.md",
        "./x.md",
        "..",
        "",
        "x",
        ".md",
        "a/.md",
        "C:/x.md",
        "C:x.md",
        "a\\x.md",
        " /x.md",
    ],
)
def test_what_names_no_note_is_refused(source: str) -> None:
    with pytest.raises(BadInput):
        parse_note_path(source)


@pytest.mark.parametrize(
    "source", ["2023／24 plan.md", "👩‍💻 work.md", "会议。记录.md", "v1.2 final.md", "A & B (c).MD"]
)
def test_ordinary_names_are_names(source: str) -> None:
    check_new_names(parse_note_path(source))


@pytest.mark.parametrize("name", ["CON.md", "nul", "COM¹.md", "a?.md", "a .md", " a.md", "a.", "~$a.md", "a\u200b.md"])
def test_names_that_some_system_cannot_keep_are_not_made(name: str) -> None:
    with pytest.raises(BadInput, match="cannot name"):
        check_new_names((name,))


def test_folders_are_checked_as_notes_are() -> None:
    assert parse_folder_path("") == ()
    assert parse_folder_path("a/b") == ("a", "b")
    with pytest.raises(BadInput):
        parse_folder_path("a/../..")


def test_a_link_that_is_put_in_the_way_is_not_followed(home: Path) -> None:
    (home / "W" / "Plan").rmdir()
    (home / "W" / "Plan").symlink_to(home.parent / "outside")
    with pytest.raises(BadInput, match="is a link"), edit_note(Vault(home, ("W",)), "W/Plan/x.md", make=True):
        pass


def test_a_trash_that_leads_away_is_not_used(home: Path) -> None:
    (home / "W" / ".trash" / "secret.md").unlink()
    (home / "W" / ".trash").rmdir()
    (home / "W" / ".trash").symlink_to(home.parent / "outside")
    with pytest.raises(BadInput), edit_note(Vault(home, ("W",)), "W/a.md") as place:
        place.move_to_trash()
    assert (home / "W" / "a.md").read_text() == "Mine.\n"


def test_a_pipe_is_no_note_and_nobody_waits_for_it(home: Path) -> None:
    os.mkfifo(home / "W" / "pipe.md")
    with pytest.raises(BadInput, match="not a regular file"):
        Vault(home, ("W",)).read("W/pipe.md")


def test_names_composed_otherwise_are_the_same_note(home: Path) -> None:
    (home / "W" / "e\u0301.md").write_text("Composed otherwise.\n")
    assert Vault(home).read("W/é.md").text == "Composed otherwise.\n"
    with pytest.raises(BadInput, match="already"), edit_note(Vault(home, ("W",)), "W/A.md", make=True):
        pass


def test_nothing_is_written_without_a_write_vault(home: Path) -> None:
    with pytest.raises(BadInput, match="can only be read"), edit_note(Vault(home), "W/a.md"):
        pass
