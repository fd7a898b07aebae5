"""An unchanged file is not read again, and a changed one is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tasks
from tasks.check.sheet_cache import list_code_files
from tasks.parsers import reader
from tests.tasks.quality.cases import DATED, LONG, PROSE
from tests.tasks.quality.checking import checked, write

ROOT = Path(__file__).parents[3]


def test_a_second_check_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    write(folder, {"a.md": f"{DATED}{PROSE}See [[Nowhere]].", "b.md": DATED + PROSE})
    first = checked(folder, cache=cache).report
    assert first.read == 2
    monkeypatch.setattr(reader, "read_files", None)
    second = checked(folder, cache=cache).report
    assert second.read == 0
    assert second.files == first.files


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    write(folder, {"a.md": DATED + PROSE, "b.md": DATED + LONG})
    checked(folder, cache=cache)
    write(folder, {"a.md": f"{DATED}{PROSE}See [[Nowhere]]."})
    report = checked(folder, cache=cache).report
    assert report.read == 1
    assert [entry.source_finding.finding.code for entry in report.entries] == ["VLT001"]


def test_a_damaged_cache_counts_as_empty_once(tmp_path: Path) -> None:
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    write(folder, {"a.md": DATED + PROSE})
    write(cache, {"check.sqlite": b"no database"})
    assert checked(folder, cache=cache).report.read == 1
    assert checked(folder, cache=cache).report.read == 0


def test_checking_loads_no_model(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": DATED + PROSE})
    code = (
        "import sys; from dashboards.cli.main import run; code = run(['check', sys.argv[1]]);"
        "heavy = {*'prefect openvino torch spacy streamlit sentence_transformers'.split()};"
        "print(code, sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 []", done.stdout + done.stderr


def test_a_changed_word_list_makes_the_cache_stale() -> None:
    package = Path(tasks.__file__).parent
    data = {path for path in package.rglob("*.*") if path.suffix in {".toml", ".tsv", ".txt"}}
    assert data
    assert data < {*list_code_files(package)}
