"""Variables of the file `.env` beside the settings file: what is taken, what is stronger, and what is refused."""

from __future__ import annotations

import os
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.errors import BadSettings
from warehouse.settings.env_file import CONFIG, KEYS, apply_env_file, find_env_file
from warehouse.settings.loader import find_origins, find_secret_origins, load_settings

TAKEN = {*KEYS, "KALENDS_CHUNK__SIZE", "KALENDS_PARSE__SECONDS"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in [each for each in os.environ if each.startswith(("KALENDS_", "ANTHROPIC_"))]:
        monkeypatch.delenv(variable)
    # Both are restored when the test ends, whatever a file has set.
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setattr("warehouse.settings.env_file._applied_variables", {})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kalends.toml").write_text("")
    return tmp_path


def test_it_sets_what_the_environment_does_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_PARSE__SECONDS", "5")
    text = "# a comment\nKALENDS_PARSE__SECONDS=6\nexport KALENDS_CHUNK__SIZE='700'\nANTHROPIC_API_KEY=a-secret-key\n"
    (folder / ".env").write_text(text)
    settings, places = load_settings(), find_origins()
    assert (settings.parse.seconds, settings.chunk.size) == (5, 700)
    assert places["parse.seconds"] == "environment"
    assert places["chunk.size"] == str(folder / ".env")
    assert os.environ["ANTHROPIC_API_KEY"] == "a-secret-key"
    assert find_secret_origins() == {"ANTHROPIC_API_KEY": str(folder / ".env")}


def test_it_is_stronger_than_the_settings_file(folder: Path) -> None:
    (folder / "kalends.toml").write_text("[parse]\nseconds = 4\n")
    (folder / ".env").write_text("KALENDS_PARSE__SECONDS=6\n")
    assert load_settings().parse.seconds == 6


def test_variables_of_other_programs_are_left_alone(folder: Path) -> None:
    (folder / ".env").write_text("ANTHROPIC_BASE_URL=http://example.org\nPREFECT_API_URL=http://x\nPATH=/tmp\n")
    before = dict(os.environ)
    load_settings()
    assert os.environ == before


def test_without_a_settings_file_it_is_not_read(folder: Path) -> None:
    (folder / "kalends.toml").unlink()
    (folder / ".env").write_text("KALENDS_PARSE__SECONDS=6\n")
    assert load_settings().parse.seconds == 300


def test_what_one_file_set_ends_with_it(folder: Path) -> None:
    (folder / ".env").write_text("KALENDS_PARSE__SECONDS=6\n")
    assert load_settings().parse.seconds == 6
    (folder / ".env").unlink()
    assert load_settings().parse.seconds == 300
    assert "KALENDS_PARSE__SECONDS" not in os.environ


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"KALENDS_PARSE__SECOND=3", ".env) is no setting: did you mean KALENDS_PARSE__SECONDS?"),
        (b"KALENDS_ENTITIES__KINDS=note", ".env) is not a JSON list"),
        (b"KALENDS_PARSE__SECONDS=soon", "correct it in KALENDS_PARSE__SECONDS ("),
        (b"\n= nothing", "line 2 of"),
        (b"\xff", "it is not UTF-8"),
        (CONFIG.encode() + b"=other.toml", "use --config"),
    ],
)
def test_what_cannot_be_used_is_one_line_that_names_the_file(folder: Path, text: bytes, said: str) -> None:
    (folder / ".env").write_bytes(text)
    with pytest.raises(BadSettings) as caught:
        load_settings()
    assert said in str(caught.value)
    assert ".env" in str(caught.value)
    assert "\n" not in str(caught.value)


NAMES = st.sampled_from([*sorted(TAKEN), "PATH", "HOME", "ANTHROPIC_BASE_URL", "PREFECT_API_URL", "LD_PRELOAD"])
VALUES = st.text(string.ascii_letters + string.digits + " :/.", min_size=1, max_size=12).map(str.strip).filter(bool)


@given(file=st.dictionaries(NAMES, VALUES, max_size=5), own=st.dictionaries(NAMES, VALUES, max_size=5))
def test_only_our_variables_are_taken_and_the_environment_is_stronger(
    file: dict[str, str], own: dict[str, str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", dict(own))
        patch.setattr("warehouse.settings.env_file._applied_variables", {})
        Path(".env").write_text("".join(f'{name}="{value}"\n' for name, value in file.items()))
        apply_env_file(Path("kalends.toml"))
        assert os.environ == {name: value for name, value in file.items() if name in TAKEN} | own
        assert {name for name in os.environ if find_env_file(name)} == (file.keys() & TAKEN) - own.keys()
        Path(".env").unlink()
        apply_env_file(Path("kalends.toml"))
        assert os.environ == own
