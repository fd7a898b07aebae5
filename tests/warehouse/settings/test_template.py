"""The commented settings file: every setting is there, real, described, and has its default."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setting_descriptions import iter_setting_descriptions
from warehouse.settings.loader import flatten_settings, load_settings
from warehouse.settings.template import (
    DeclaredSource,
    format_settings_template,
    format_toml_value,
)

SWITCHED_OFF = re.compile(r"^#(?! )", re.MULTILINE)
SOURCE = DeclaredSource("Two notes.", {"folder": "notes"}, {"kind": "note", "topic": "x", "fiscal_year_end": "12-31"})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in [each for each in os.environ if each.startswith("KALENDS_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_as_it_is_written_only_the_sources_hold(folder: Path) -> None:
    defaults = flatten_settings(load_settings())
    (folder / "kalends.toml").write_text(format_settings_template([SOURCE]))
    found = load_settings()
    assert [(each.folder, each.kind) for each in found.sources] == [(folder / "notes", None)]
    assert {**flatten_settings(found), "sources": [], "warehouse": ""} == {**defaults, "warehouse": ""}


def test_without_its_comment_signs_every_setting_is_accepted(folder: Path) -> None:
    defaults = flatten_settings(load_settings())
    text = SWITCHED_OFF.sub("", format_settings_template([SOURCE]))
    (folder / "kalends.toml").write_text(text)
    found = flatten_settings(load_settings())
    examples = {name for name, value in defaults.items() if value is None}
    repeated = "chunk.kinds.report."
    assert {name for name in defaults if found[name] != defaults[name]} - {"sources"} == {
        name for name in examples if not name.startswith("chunk.kinds.") or name.startswith(repeated)
    }
    named = set(_flat(tomllib.loads(text)))
    missing = {name for name, _ in iter_setting_descriptions()} - named
    assert {
        name for name in missing if not re.match(r"chunk\.kinds\.(paper|course|note|text|book|message)\.", name)
    } == set()


def test_every_setting_is_described() -> None:
    described = dict(iter_setting_descriptions())
    assert not [name for name, text in described.items() if not text.endswith((".", ").")) or len(text) < 8]
    assert set(flatten_settings(load_settings())) <= set(described)


def test_no_folder_gives_a_file_without_sources(folder: Path) -> None:
    (folder / "kalends.toml").write_text(
        format_settings_template([DeclaredSource("Name one:", {}, {"folder": "documents"})])
    )
    assert load_settings().sources == ()


@given(
    st.recursive(
        st.text(st.characters(exclude_categories=["Cs"])) | st.integers(-(2**63), 2**63 - 1) | st.booleans(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab ."', max_size=5), inner, max_size=3),
    )
)
def test_values_are_written_as_toml(value: object) -> None:
    assert tomllib.loads(f"x = {format_toml_value(value)}\n") == {"x": value}


def _flat(tree: dict[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in tree.items():
        found[prefix + name] = value
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{name}.")
    return found
