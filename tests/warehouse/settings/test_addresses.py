"""Which files may name the servers that keys, questions and documents are sent to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.building import build_warehouse
from warehouse.errors import BadSettings
from warehouse.settings.loader import load_settings

ELSEWHERE = {
    "chat.base_url": "https://models.example.org",
    "embed.model": "server:https://models.example.org/v1#m",
    "rerank.model": "server:http://10.0.0.8:8080#m",
    "lake.url": "s3://bucket/prefix",
    "scale.dask": "tcp://workers.example.org:8786",
}
HERE = {
    "chat.base_url": "http://127.0.0.1:11434",
    "embed.model": "server:http://localhost:8080/v1#m",
    "rerank.model": "server:http://[::1]:8080#m",
    "lake.url": "file:///srv/lake",
    "scale.dask": "tcp://127.0.0.1:8786",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(os, "environ", {"ANTHROPIC_API_KEY": "sk-of-the-user"})
    monkeypatch.setattr("warehouse.settings.env_file._applied_variables", {})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, value: str, rest: str = "") -> None:
    table, _, key = name.partition(".")
    (folder / "kalends.toml").write_text(f'[{table}]\n{key} = "{value}"\n{rest}')


@pytest.mark.parametrize(("name", "address"), ELSEWHERE.items())
def test_a_vault_may_not_choose_who_gets_the_key(folder: Path, name: str, address: str) -> None:
    write(folder, name, address)
    assert load_settings()
    (folder / ".obsidian").mkdir()
    with pytest.raises(BadSettings, match=r"lies among documents .* use --config kalends.toml, or set KALENDS_"):
        load_settings()


@pytest.mark.parametrize(("name", "address"), HERE.items())
def test_a_server_of_this_machine_may_be_named_anywhere(folder: Path, name: str, address: str) -> None:
    (folder / ".obsidian").mkdir()
    write(folder, name, address)
    assert load_settings()


def test_nor_may_the_variables_beside_it(folder: Path) -> None:
    (folder / ".obsidian").mkdir()
    (folder / "kalends.toml").write_text("")
    (folder / ".env").write_text("KALENDS_CHAT__BASE_URL=https://models.example.org\n")
    with pytest.raises(BadSettings, match=r"setting 'chat.base_url' of .*\.env names models.example.org"):
        load_settings()


def test_nor_may_a_file_in_a_folder_of_documents(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write(folder, "chat.base_url", "https://models.example.org", '[[sources]]\nfolder = "."\n')
    with pytest.raises(BadSettings, match="lies among documents"):
        load_settings()
    write(folder, "chat.base_url", "https://models.example.org", '[[sources]]\nfolder = "docs"\n')
    assert load_settings()
    (folder / "plain.txt").write_text("In May 2024 it rained.\n")
    warehouse = tmp_path_factory.mktemp("elsewhere") / "warehouse"
    build_warehouse(warehouse, folder)
    with pytest.raises(BadSettings, match="lies among documents"):
        load_settings({"warehouse": warehouse})


@pytest.mark.parametrize(
    "chosen", [{"KALENDS_CONFIG": "kalends.toml"}, {"KALENDS_CHAT__BASE_URL": "https://a.example"}]
)
def test_the_user_may(folder: Path, monkeypatch: pytest.MonkeyPatch, chosen: dict[str, str]) -> None:
    (folder / ".obsidian").mkdir()
    write(folder, "chat.base_url", "https://models.example.org")
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    assert load_settings().chat.base_url
