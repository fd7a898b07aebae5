"""`kalends init`: the file that it writes is used by the next command, and nothing is ever written over."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.command_line import ROOT, kalends

VAULT = ROOT / "samples" / "vault"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(VAULT, tmp_path / "notes")
    (tmp_path / "notes" / ".obsidian").mkdir()
    return tmp_path


def test_its_file_declares_what_the_next_commands_read(home: Path) -> None:
    done = kalends("init", cwd=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == [
        "Wrote kalends.toml.",
        "  notes              5 documents (5 .md), an Obsidian vault",
    ]
    plan = json.loads(kalends("plan", "--json", cwd=home).stdout)
    assert [step["action"] for step in plan["steps"]] == ["new"] * 5
    settings = json.loads(kalends("status", "--settings", "--format", "json", cwd=home).stdout)
    assert settings["sources"]["origin"] == "kalends.toml"


def test_an_existing_file_is_left_as_it_is(home: Path) -> None:
    (home / "kalends.toml").write_text("# mine\n")
    done = kalends("init", home)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "there is already a" in done.stderr
    assert (home / "kalends.toml").read_text() == "# mine\n"


def test_a_link_that_leads_nowhere_is_not_followed(home: Path) -> None:
    (home / "kalends.toml").symlink_to(home / "elsewhere")
    assert kalends("init", home).returncode == 2
    assert not (home / "elsewhere").exists()


@pytest.mark.parametrize(("name", "said"), [("nowhere", "check the path"), ("notes/Gaps.md", "give a folder")])
def test_what_is_no_folder_is_refused(home: Path, name: str, said: str) -> None:
    done = kalends("init", home / name)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_folder_without_documents_gets_an_example(tmp_path: Path) -> None:
    done = kalends("init", tmp_path / ".", "--json")
    assert json.loads(done.stdout) == {"file": str(tmp_path / "kalends.toml"), "sources": []}
    assert kalends("status", cwd=tmp_path).returncode == 0


def test_keys_beside_it_are_named_by_their_origin_and_never_shown(home: Path) -> None:
    kalends("init", cwd=home)
    (home / ".env").write_text("KALENDS_TOKEN=a-token-of-mine\nKALENDS_PARSE__SECONDS=7\n")
    unset = {name: "" for name in os.environ if name.startswith("KALENDS_")}
    shown = kalends("status", "--settings", cwd=home, **unset).stdout
    assert f"KALENDS_TOKEN is set  ({home / '.env'})" in shown
    assert f"parse.seconds = 7  ({home / '.env'})" in shown
    assert "a-token-of-mine" not in shown
