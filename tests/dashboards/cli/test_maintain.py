"""`kalends doctor` and `kalends maintain` as their users meet them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from flows import doctor
from flows.doctor import CHECKS, Diagnosis, Level, run_checks
from flows.locks import write_lock
from tests.building import build_warehouse
from tests.command_line import kalends
from warehouse.settings.loader import load_settings
from warehouse.store.generations import SCHEMA_VERSION, read_current
from warehouse.store.layout import Layout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.txt").write_text("The obelisk weighs 3 tons.\n")
    build_warehouse(folder / "house", folder / "docs")
    return folder


@pytest.fixture
def layout(made: Path, tmp_path: Path) -> Layout:
    shutil.copytree(made / "house", tmp_path / "house", symlinks=True)
    return Layout(tmp_path / "house")


def told(layout: Layout, check: str, *, deep: bool = False) -> list[Diagnosis]:
    settings = load_settings({"warehouse": layout.folder, "embed": {"model": "hashing"}})
    return [each for each in run_checks(settings, deep=deep) if each.check == check]


def test_a_sound_warehouse_has_no_errors(layout: Layout) -> None:
    done = kalends("doctor", "-w", layout.folder, "--deep", "--json", KALENDS_EMBED__MODEL="hashing")
    found = json.loads(done.stdout)
    assert {each["check"] for each in found} == set(CHECKS)
    assert [each for each in found if each["level"] == "error"] == []
    assert done.returncode == 0


def test_an_unreadable_file_counts_as_no_document(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The obelisk weighs 3 tons.\n")
    (tmp_path / "docs" / "empty.txt").write_text(" \n")
    build_warehouse(tmp_path / "house", tmp_path / "docs")
    assert [each.line for each in told(Layout(tmp_path / "house"), "counts")] == ["1 document, 1 chunk, 1 vector"]


def turn_a_bit(path: Path) -> None:
    """In the text of the passages: their checksums cover the pages of a column, and not the headers of these."""
    whole = bytearray(path.read_bytes())
    whole[whole.index(b"obelisk")] ^= 1
    path.write_bytes(whole)


def rewrite_manifest(layout: Layout, version: int) -> None:
    path = layout.current / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema_version": version}))


def lose_a_document(layout: Layout) -> None:
    import duckdb

    with duckdb.connect(str(layout.catalog.resolve())) as connection:
        connection.execute("DELETE FROM documents")


def lake_file(layout: Layout) -> Path:
    return next(path for path in (layout.lake / "chunks").glob("*.parquet") if path.stem != "none")


TROUBLES: dict[str, tuple[Callable[[Layout], object], str, Level, str, str]] = {
    "lost file": (lambda layout: lake_file(layout).unlink(), "damage", Level.ERROR, "is missing", "kalends ingest"),
    "older": (
        lambda layout: rewrite_manifest(layout, 1),
        "version",
        Level.ERROR,
        "schema version 1",
        "kalends maintain",
    ),
    "newer": (
        lambda layout: rewrite_manifest(layout, SCHEMA_VERSION + 1),
        "version",
        Level.ERROR,
        f"schema version {SCHEMA_VERSION + 1}",
        "install",
    ),
    "counts": (lose_a_document, "counts", Level.ERROR, "documents in DuckDB: 0 instead of 1", "kalends ingest"),
    "orphan": (
        lambda layout: shutil.copy(lake_file(layout), layout.lake / "chunks" / f"{'a' * 32}.parquet"),
        "leftovers",
        Level.WARNING,
        "1 files of the lake are not used",
        "kalends maintain",
    ),
    "begun": (
        lambda layout: (layout.generations / ".000002.partial").mkdir(),
        "leftovers",
        Level.WARNING,
        "are incomplete",
        "kalends maintain",
    ),
    "none": (
        lambda layout: layout.current.unlink(),
        "version",
        Level.WARNING,
        "nothing is published",
        "kalends ingest",
    ),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_trouble_is_named_with_its_cure(trouble: str, layout: Layout) -> None:
    make, check, level, line, cure = TROUBLES[trouble]
    make(layout)
    (found,) = told(layout, check)
    assert found.level is level
    assert line in found.line
    assert cure in found.cure


def test_a_root_that_is_gone_is_a_warning(made: Path, layout: Layout) -> None:
    moved = (made / "docs").rename(made / "elsewhere")
    try:
        assert [each.level for each in told(layout, "sources")] == [Level.WARNING]
    finally:
        moved.rename(made / "docs")


def test_only_a_deep_look_sees_a_bit_that_turned(layout: Layout) -> None:
    turn_a_bit(lake_file(layout))
    assert [each.level for each in told(layout, "damage")] == [Level.OK]
    (found,) = told(layout, "damage", deep=True)
    assert (found.level, lake_file(layout).name in found.line) == (Level.ERROR, True)


def test_who_writes_is_named(layout: Layout) -> None:
    with write_lock(layout):
        (found,) = told(layout, "locks")
    assert found.line.startswith("process ")
    assert [each.line for each in told(layout, "locks")] == ["no process is writing"]


def test_a_package_of_another_version_is_an_error(monkeypatch: pytest.MonkeyPatch, layout: Layout) -> None:
    monkeypatch.setattr(doctor, "version", lambda name: "0.0.1")
    found = told(layout, "installation")
    assert re.search("duckdb 0[.]0[.]1 is installed, .* is needed", " ".join(each.line for each in found))
    assert any(each.cure.startswith("pip install 'duckdb") for each in found)


def test_the_key_is_never_shown(monkeypatch: pytest.MonkeyPatch, layout: Layout) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    found = told(layout, "settings")
    assert any("ANTHROPIC_API_KEY is set" in each.line for each in found)
    assert "secret" not in str(found)


def test_an_error_is_exit_code_1_and_bad_input_2(layout: Layout) -> None:
    lake_file(layout).unlink()
    done = kalends("doctor", "-w", layout.folder, KALENDS_EMBED__MODEL="hashing")
    assert (done.returncode, done.stderr) == (1, "")
    assert "error    damage" in done.stdout
    assert kalends("doctor", "--shallow").returncode == 2


def test_maintain_says_what_it_does(layout: Layout) -> None:
    stray = layout.lake / "chunks" / f"{'a' * 32}.parquet"
    shutil.copy(lake_file(layout), stray)
    before = kalends("maintain", "-w", layout.folder, "--grace", 0, "--dry-run")
    assert before.stdout.splitlines()[0].startswith("lake files would be removed: 1 files, ")
    assert stray.exists()
    done = kalends("maintain", "-w", layout.folder, "--grace", 0, "--json")
    assert json.loads(done.stdout)["removed"]["lake files"]["files"] == 1
    assert not stray.exists()
    assert kalends("maintain", "-w", layout.folder).stdout == "Nothing to do.\n"
    assert read_current(layout).manifest.number == 1


def test_maintain_refuses_what_is_no_warehouse(tmp_path: Path) -> None:
    done = kalends("maintain", "-w", tmp_path / "none")
    assert done.returncode == 2
    assert "nothing has been ingested" in done.stderr
