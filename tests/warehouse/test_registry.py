"""Families: a member is imported alone, and all of them where they are listed or one of several in a file is asked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from warehouse.errors import BadInput
from warehouse.registry import Family


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Family[str]:
    package = tmp_path / "some_members"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "first.py").write_text("member = 'the first'\n")
    (package / "second.py").write_text("member = 'the second'\n")
    (package / "related.py").write_text("members = {'third': 'the third', 'fourth': 'the fourth'}\n")
    (package / "contract.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield Family("some_members", "member")
    for name in [name for name in sys.modules if name.partition(".")[0] == "some_members"]:
        del sys.modules[name]


def _imported() -> set[str]:
    return {name.removeprefix("some_members.") for name in sys.modules if name.startswith("some_members.")}


def test_a_member_is_imported_alone(family: Family[str]) -> None:
    assert family["first"] == "the first"
    assert _imported() == {"first"}


def test_one_of_several_in_a_file_is_found(family: Family[str]) -> None:
    assert family["third"] == "the third"
    assert "first" in family
    assert list(family) == ["first", "fourth", "second", "third"]


@pytest.mark.parametrize("name", ["nobody", "contract", "related", ""])
def test_a_name_that_no_member_has_is_refused_with_those_there_are(family: Family[str], name: str) -> None:
    with pytest.raises(BadInput, match="choose from first, fourth, second, third"):
        family[name]
