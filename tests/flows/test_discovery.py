"""What lies in a folder and is no document of it: a line each, and never opened."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from flows.discovery import RootScope, UnreadablePath, discover_files, list_paths
from warehouse.records import Root


def found(folder: Path) -> tuple[set[str], dict[str, str]]:
    """The files to read, and the problems of the others, by path."""
    scope = RootScope(Root("docs", folder))
    every = list(discover_files(scope, {}, 1 << 20))
    problems = {item.path: item.problem for item in every if isinstance(item, UnreadablePath)}
    return {item.path for item in every} - set(problems), problems


def test_links_out_of_the_root_are_named_and_not_followed(tmp_path: Path) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "docs"
    secret.mkdir()
    folder.mkdir()
    (secret / "key.md").write_text("tell nobody")
    (folder / "in.md").write_text("fine")
    (folder / "again.md").symlink_to("in.md")
    (folder / "up").symlink_to(folder)
    (folder / "out.md").symlink_to(secret / "key.md")
    (folder / "far").symlink_to(secret)
    read, problems = found(folder)
    assert read == {"in.md", "again.md"}
    assert set(problems) == {"out.md", "far"}
    assert all("link out of its source folder" in problem for problem in problems.values())
    assert set(list_paths(RootScope(Root("docs", folder)))) == {"in.md", "again.md"}


def test_what_is_no_plain_file_is_named_and_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door.md"))
        (tmp_path / "large.md").write_bytes(bytes(2 << 20))
        (tmp_path / "loop.md").symlink_to("loop.md")
        (tmp_path / "lost.md").symlink_to("gone/away.md")
        read, problems = found(tmp_path)
    assert read == set()
    assert set(problems) == {"pipe.md", "door.md", "large.md", "loop.md", "lost.md"}
    assert all("\n" not in problem for problem in problems.values())


def test_names_that_turn_or_break_lines_are_shown_as_escapes(tmp_path: Path) -> None:
    for name in ("two\nlines.md", "tab\t.md", "exe\u202ecod.md", "\u2066x.md", "שלום.md", "naïve 测试.md"):
        (tmp_path / name).write_text("x")
    read, problems = found(tmp_path)
    assert read == {"שלום.md", "naïve 测试.md"}
    assert set(problems) == {"two\\nlines.md", "tab\\t.md", "exe\\u202ecod.md", "\\u2066x.md"}


def test_what_editors_save_by_themselves_is_left_out_and_logs_of_channels_are_not(tmp_path: Path) -> None:
    for name in ("#garden.log", "#draft.md#", "~$memo.docx", "memo.md~", "memo.md"):
        (tmp_path / name).write_text("words")
    assert found(tmp_path)[0] == {"#garden.log", "memo.md"}
