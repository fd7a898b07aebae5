"""Settings that cannot be used are refused in one line that names them and where they stand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from warehouse.errors import BadSettings
from warehouse.settings.loader import load


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in [variable for variable in os.environ if variable.startswith("KALENDS_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("")
    return tmp_path


def refused() -> str:
    with pytest.raises(BadSettings) as caught:
        load()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("KALENDS_SOURCES", "x", "KALENDS_SOURCES is not a JSON list"),
        ("KALENDS_EMBED", "x", "KALENDS_EMBED is not a JSON object"),
        ("KALENDS_EMBED", "3", "KALENDS_EMBED is not a JSON object"),
        ("KALENDS_ENTITIES__KINDS", "note", "KALENDS_ENTITIES__KINDS is not a JSON list"),
        ("KALENDS_SOURCES", '[{"folder": "a", "kind": "z"}]', "correct it in KALENDS_SOURCES"),
        ("KALENDS_CHUNK", '{"size": 60, "overlap": 70}', "correct it in KALENDS_CHUNK"),
        ("KALENDS_PARSE__SECOND", "3", "did you mean KALENDS_PARSE__SECONDS?"),
        ("KALENDS_WAREHOSE", "x", "did you mean KALENDS_WAREHOUSE?"),
        ("KALENDS_CONFIG", "nowhere.toml", "KALENDS_CONFIG names nowhere.toml"),
        ("KALENDS_WAREHOUSE", "a-file", "is a file: name a folder"),
        ("KALENDS_WAREHOUSE", "a-file/below", "is a file: name a folder"),
    ],
)
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str) -> None:
    monkeypatch.setenv(variable, value)
    assert said in refused()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'warehouse = "\xff"', "kalends.toml is not UTF-8"),
        (b"warehouse =", "kalends.toml is not valid TOML"),
        (b'[[sources]]\nfolder = ""', "sources.0.folder"),
        (b'[[sources]]\nfolder = "a"\nname = "x"\n[[sources]]\nfolder = "b"\nname = "x"', "two are named 'x'"),
        (b'[[sources]]\nfolder = "a"\n[[sources]]\nfolder = "b/../a"', "is there twice"),
        (b'[[sources]]\nfolder = "a"\nname = "x/y"', "'x/y' cannot name a source"),
        (b'[[sources]]\nfolder = "a"\nname = "."', "'.' cannot name a source"),
        (b'[[sources]]\nfolder = "a"\nfiscal_year_end = "30-09"', "'30-09' is no day of the year"),
        (b'[[sources]]\nfolder = "a"\nname = ".."', "'..' cannot name a source"),
        (b"[chunk]\nsize = 60\noverlap = 61", "an overlap of 61"),
    ],
)
def test_a_wrong_line_of_the_file_is_named(folder: Path, text: bytes, said: str) -> None:
    (folder / "kalends.toml").write_bytes(text)
    found = refused()
    assert said in found
    assert "kalends.toml" in found or "UTF-8" in found


def test_a_folder_is_no_settings_file(folder: Path) -> None:
    (folder / "kalends.toml").mkdir()
    assert "kalends.toml cannot be read" in refused()


def test_good_settings_are_taken_from_both(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "kalends.toml").write_text('[chunk]\nsize = 900\n[[sources]]\nfolder = "a"\n[[sources]]\nfolder = "b"\n')
    monkeypatch.setenv("KALENDS_ENTITIES__KINDS", '["paper"]')
    monkeypatch.setenv("KALENDS_DEBUG", "1")
    monkeypatch.setenv("kalends_chunk__overlap", "90")
    found = load()
    assert (found.chunk.size, found.chunk.overlap, found.entities.kinds) == (900, 90, ("paper",))
    assert [source.folder for source in found.sources] == [folder / "a", folder / "b"]
