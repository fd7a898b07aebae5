"""Notes are written whole, one change at a time, and checked first; what is removed can be had back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dashboards.assistant.vault.note_edits import edit_note, lint_note
from dashboards.assistant.vault.notes import Vault
from warehouse.errors import BadInput


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "W" / "Plans").mkdir(parents=True)
    (tmp_path / "Other").mkdir()
    (tmp_path / "Other" / "Budget.md").write_text("# Budget\n")
    (tmp_path / "W" / "Plans" / "Trip.md").write_text("# Trip\n")
    return Vault(tmp_path, ("W",))


def _append(vault: Vault, line: str) -> None:
    with edit_note(vault, "W/Plans/Trip.md") as place:
        assert place.before
        place.write_text(place.before.text + line)


def test_a_note_of_a_new_folder_is_made(vault: Vault) -> None:
    with edit_note(vault, "W/New/Deep/One.md", make=True) as place:
        note = place.write_text("One.\n")
    assert (note.source, note.text) == ("W/New/Deep/One.md", "One.\n")
    assert (vault.root / "W/New/Deep/One.md").read_text() == "One.\n"


def test_the_mode_of_a_note_is_kept_and_nothing_is_left_over(vault: Vault) -> None:
    file = vault.root / "W/Plans/Trip.md"
    file.chmod(0o640)
    _append(vault, "More.\n")
    assert file.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in file.parent.iterdir()] == ["Trip.md"]


def test_a_note_changed_meanwhile_is_left_alone(vault: Vault) -> None:
    file = vault.root / "W/Plans/Trip.md"
    with edit_note(vault, "W/Plans/Trip.md") as place:
        file.write_text("By its owner.\n")
        with pytest.raises(BadInput, match="changed in the meantime"):
            place.write_text("By the assistant.\n")
    assert file.read_text() == "By its owner.\n"
    assert [each.name for each in file.parent.iterdir()] == ["Trip.md"]


def test_a_note_made_meanwhile_is_left_alone(vault: Vault) -> None:
    with edit_note(vault, "W/New.md", make=True) as place:
        (vault.root / "W/New.md").write_text("By its owner.\n")
        with pytest.raises(BadInput, match="changed in the meantime"):
            place.write_text("By the assistant.\n")
    assert (vault.root / "W/New.md").read_text() == "By its owner.\n"


def test_changes_at_once_lose_nothing(vault: Vault) -> None:
    lines = [f"Line {number}.\n" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda line: _append(vault, line), lines))
    assert sorted(vault.read("W/Plans/Trip.md").text.splitlines(keepends=True)[1:]) == sorted(lines)


def test_a_reader_sees_one_whole_or_the_other(vault: Vault) -> None:
    texts = [letter * 200_000 for letter in "ab"]
    with edit_note(vault, "W/Big.md", make=True) as place:
        place.write_text(texts[0])

    def write() -> None:
        for text in texts * 10:
            with edit_note(vault, "W/Big.md") as place:
                place.write_text(text)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        seen = {vault.read("W/Big.md").text}
        while not writing.done():
            seen.add(vault.read("W/Big.md").text)
    assert seen <= set(texts)


def test_the_trash_keeps_folders_and_what_is_there(vault: Vault) -> None:
    moved = []
    for text in ("First.\n", "Second.\n", "Third.\n"):
        with edit_note(vault, "W/Plans/Trip.md", make=True) as place:
            place.write_text(text)
        with edit_note(vault, "W/Plans/Trip.md") as place:
            moved.append(place.move_to_trash())
    trash = "W/.trash/Plans"
    assert moved == [f"{trash}/Trip.md", f"{trash}/Trip 2.md", f"{trash}/Trip 3.md"]
    assert [(vault.root / each).read_text() for each in moved] == ["First.\n", "Second.\n", "Third.\n"]
    assert sorted(each.name for each in (vault.root / trash).iterdir()) == ["Trip 2.md", "Trip 3.md", "Trip.md"]


def test_errors_block_and_say_where(vault: Vault) -> None:
    with pytest.raises(BadInput, match=r"line 3: .* \(unclosed-wikilink\)"):
        lint_note("# Trip\n\n[[Budget\n", vault, "W/x.md")


def test_a_link_to_no_note_is_a_warning_only(vault: Vault) -> None:
    text = "[[Budget]], [[Other/Budget|b]], [[Mine]] and [[Nowhere]].\n"
    (warning,) = lint_note(text, vault, "W/Mine.md")
    assert (warning.rule, warning.line, "Nowhere" in warning.message) == ("broken-link", 1, True)


def test_old_errors_do_not_stand_in_the_way_of_an_addition(vault: Vault) -> None:
    old = "# Trip\n\n==open\n"
    assert lint_note(f"{old}More.\n", vault, "W/x.md", before=old) == ()
    with pytest.raises(BadInput, match="unclosed-highlight"):
        lint_note(f"{old}And ==again\n", vault, "W/x.md", before=old)


def test_a_line_without_end_is_refused_at_once(vault: Vault) -> None:
    with pytest.raises(BadInput, match="too long"):
        lint_note("[[" * 50_000, vault, "W/x.md")


def test_what_is_no_text_is_refused(vault: Vault) -> None:
    with pytest.raises(BadInput, match="an incomplete character"), edit_note(vault, "W/x.md", make=True) as place:
        place.write_text("\ud800")
    (vault.root / "W/latin.md").write_bytes("café\n".encode("latin-1"))
    with pytest.raises(BadInput, match="not UTF-8"):
        _ = vault.read("W/latin.md").text


def test_the_nearest_note_is_named_where_there_is_none(vault: Vault) -> None:
    with pytest.raises(BadInput, match=r"did you mean Other/Budget\.md"):
        vault.read("Budget.md")
    assert list(vault.iter_sources()) == ["Other/Budget.md", "W/Plans/Trip.md"]
    assert list(vault.iter_sources("W", deeper=False)) == []
