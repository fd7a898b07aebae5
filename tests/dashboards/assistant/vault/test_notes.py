"""Which folder is the vault, and which part of it may be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboards.assistant.vault.notes import open_vault
from tests.building import build_warehouse
from warehouse.errors import BadInput, BadSettings
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "notes" / "Claude").mkdir(parents=True)
    (tmp_path / "notes" / ".obsidian").mkdir()
    (tmp_path / "notes" / "One.md").write_text("One.\n")
    (tmp_path / "reports").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _vault(home: Path, settings: str) -> tuple[Path, tuple[str, ...] | None]:
    (home / "kalends.toml").write_text(settings)
    found = open_vault(load_settings(), Warehouse(home / "warehouse"))
    return found.root, found.write


def test_folders_are_relative_to_the_settings_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_CONFIG", str(home / "kalends.toml"))
    monkeypatch.chdir(home / "reports")
    vault = _vault(home, '[vault]\nroot = "notes"\nwrite = "notes/Claude"\n')
    assert vault == (home / "notes", ("Claude",))


def test_the_whole_vault_may_be_the_write_vault(home: Path) -> None:
    assert _vault(home, '[vault]\nroot = "notes"\nwrite = "notes"\n') == (home / "notes", ())


@pytest.mark.parametrize("write", ["reports", "notes/../reports", "/tmp", ".", "notes/out"])
def test_a_write_vault_outside_is_refused(home: Path, write: str) -> None:
    (home / "notes" / "out").symlink_to(home / "reports")
    with pytest.raises(BadSettings, match=r"setting 'vault\.write': .* is not in the vault"):
        _vault(home, f'[vault]\nroot = "notes"\nwrite = "{write}"\n')


def test_the_first_source_that_is_a_vault_is_read(home: Path) -> None:
    sources = '[[sources]]\nfolder = "reports"\n[[sources]]\nfolder = "notes"\n'
    assert _vault(home, sources) == (home / "notes", None)
    assert _vault(home, f'{sources}[vault]\nwrite = "notes/Claude"\n') == (home / "notes", ("Claude",))
    with pytest.raises(BadSettings, match="is not in the vault"):
        _vault(home, f'{sources}[vault]\nwrite = "reports"\n')


def test_a_vault_that_was_ingested_is_read(home: Path) -> None:
    build_warehouse(home / "warehouse", home / "notes")
    assert _vault(home, "") == (home / "notes", None)


def test_a_vault_says_itself_what_may_be_written_unless_the_settings_do(home: Path) -> None:
    build_warehouse(home / "warehouse", home / "notes")
    (home / "notes" / "kalends.toml").write_text('[vault]\nwrite = "Claude"\n')
    assert _vault(home, "") == (home / "notes", ("Claude",))
    assert _vault(home, '[vault]\nroot = "notes"\n') == (home / "notes", None)


def test_an_ingested_folder_of_notes_is_a_vault_without_a_mark(home: Path) -> None:
    (home / "notes" / ".obsidian").rmdir()
    build_warehouse(home / "warehouse", home / "notes")
    assert _vault(home, "") == (home / "notes", None)


def test_without_a_vault_the_cure_is_told(home: Path) -> None:
    with pytest.raises(BadInput, match=r"no vault is set: set its folder: root"):
        _vault(home, '[[sources]]\nfolder = "reports"\n')
    with pytest.raises(BadSettings, match="is not a folder"):
        _vault(home, '[vault]\nroot = "nowhere"\n')
