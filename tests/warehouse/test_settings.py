"""Settings that cannot be used are refused in one line that names them and where they stand."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.errors import BadSettings
from warehouse.settings.loader import find_origins, load_settings, load_vault_settings, use_settings_file


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in [variable for variable in os.environ if variable.startswith("KALENDS_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("")
    return tmp_path


def refused() -> str:
    with pytest.raises(BadSettings) as caught:
        load_settings()
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
    found = load_settings()
    assert (found.chunk.size, found.chunk.overlap, found.entities.kinds) == (900, 90, ("paper",))
    assert [source.folder for source in found.sources] == [folder / "a", folder / "b"]


def test_the_settings_beside_a_warehouse_hold_from_any_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "site" / "away").mkdir(parents=True)
    file = folder / "site" / "kalends.toml"
    file.write_text('[chunk]\nsize = 900\n[[sources]]\nfolder = "docs"\n')
    warehouse = folder / "site" / ".kalends"
    found = load_settings({"warehouse": warehouse})
    assert (found.chunk.size, found.sources[0].folder, found.warehouse) == (900, folder / "site" / "docs", warehouse)
    assert find_origins({"warehouse": warehouse})["chunk.size"] == str(file)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(warehouse))
    assert load_settings().chunk.size == 900
    (folder / "kalends.toml").write_text("[chunk]\nsize = 700\n")
    assert load_settings().chunk.size == 700
    monkeypatch.setenv("KALENDS_CONFIG", str(file))
    assert load_settings().chunk.size == 900


def test_a_wrong_line_beside_a_warehouse_is_named(folder: Path) -> None:
    (folder / "site").mkdir()
    (folder / "site" / "kalends.toml").write_text("[chunk]\nsise = 900\n")
    with pytest.raises(BadSettings, match=r"no setting 'chunk\.sise' \(.*/site/kalends\.toml\)"):
        load_settings({"warehouse": folder / "site" / ".kalends"})


def test_the_file_of_the_command_line_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_CONFIG", "")
    (folder / "other.toml").write_text("[chunk]\nsize = 800\n")
    use_settings_file(Path("other.toml"))
    assert load_settings().chunk.size == 800
    with pytest.raises(BadSettings, match=r"there is no settings file nowhere\.toml: correct --config"):
        use_settings_file(Path("nowhere.toml"))


@given(
    table=st.dictionaries(
        st.sampled_from(["root", "write", "x"]),
        st.text(max_size=9) | st.sampled_from(["~nobody-here", "..", "/", "a\0b"]),
        max_size=3,
    )
)
def test_a_vault_sets_nothing_outside_of_itself(table: dict[str, str]) -> None:
    with TemporaryDirectory() as place:
        home = Path(place).resolve()
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
        (home / "kalends.toml").write_text(f'[chat]\nbase_url = "http://x"\n[vault]\n{lines}')
        with suppress(BadSettings):
            found = load_vault_settings(home)
            assert all(each is None or each.is_relative_to(home) for each in (found.root, found.write))
