"""Only regular files are read: a pipe or a device may never end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.check.report import read_baseline
from tasks.evaluate.experiments.grid_file import read_yaml
from tasks.evaluate.json_files import iter_lines, read_json
from tasks.parsers.reader import Job, load_raw
from warehouse.errors import BadSettings, KalendsError
from warehouse.regular_files import require_regular_file
from warehouse.settings.loader import load_settings


def test_a_file_and_a_link_to_one_are_regular(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "b"
    file.touch()
    link.symlink_to(file)
    assert [require_regular_file(path) for path in (file, link)] == [file, link]
    for path in (tmp_path, tmp_path / "nowhere", Path("/dev/null")):
        with pytest.raises(OSError, match=r"folder|device|No such"):
            require_regular_file(path)


@pytest.mark.parametrize(
    "read",
    [
        read_yaml,
        read_json,
        read_baseline,
        lambda path: next(iter_lines(path)),
        lambda path: load_raw(Job("a", path), 1),
    ],
)
def test_readers_refuse_a_pipe(tmp_path: Path, read: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KalendsError, match="no regular file"):
        read(tmp_path / "pipe")


def test_settings_in_a_pipe_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("KALENDS_CONFIG", str(tmp_path / "pipe"))
    with pytest.raises(BadSettings, match="no regular file"):
        load_settings()
