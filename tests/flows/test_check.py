"""What is mended is right, nothing else is touched, and a second mending changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.check import find_fixes
from flows.check import write_fix as write_mend
from tests.tasks.quality.checking import checked, write

TEXT = "The company grew in every one of its markets."
MENDED = {
    "link": (f"{TEXT} See [[budegt|the plan]].\n", f"{TEXT} See [[Budget|the plan]].\n"),
    "link with a heading": (f"{TEXT} See [[Budgets#Aims]].\n", f"{TEXT} See [[Budget#Aims]].\n"),
    "no candidate": (f"{TEXT} See [[Nowhere at all]].\n", None),
    "colon": (f"---\ntitle: Plan: draft\n---\n{TEXT}\n", f'---\ntitle: "Plan: draft"\n---\n{TEXT}\n'),
    "tabs": (f"---\ntags:\n\t- a\n---\n{TEXT}\n", f"---\ntags:\n  - a\n---\n{TEXT}\n"),
    "beyond us": (f"---\ntags: [a\n---\n{TEXT}\n", None),
    "unclosed": (f"---\ntitle: Plan\n\n{TEXT}\n", f"---\ntitle: Plan\n---\n\n{TEXT}\n"),
    "late": (f"\n\n---\ntitle: Plan\n---\n{TEXT}\n", f"---\ntitle: Plan\n---\n{TEXT}\n"),
    "heading": (f"##Risks\n\n{TEXT}\n\n```\n##no\n```\n", f"## Risks\n\n{TEXT}\n\n```\n##no\n```\n"),
    "rule": (f"[[Budget]]\n\n***\n\n{TEXT}\n", f"[[Budget]]\n\n---\n\n{TEXT}\n"),
    "rule above all": (f"\n***\n\n[[Budget]]\n\n***\n{TEXT}\n", f"\n***\n\n[[Budget]]\n\n---\n{TEXT}\n"),
    "only what is wrong": (
        f"---\ntitle: see a:b\nplan: Budget: draft\nabout: >\n  a: b: c\n---\n{TEXT}\n",
        f'---\ntitle: see a:b\nplan: "Budget: draft"\nabout: >\n  a: b: c\n---\n{TEXT}\n',
    ),
    "mark and mixed ends": (
        f"\ufeff---\r\ntitle: Plan: draft\r\n---\r\n{TEXT}  \nEnd.\r\n",
        f'\ufeff---\r\ntitle: "Plan: draft"\r\n---\r\n{TEXT}  \nEnd.\r\n',
    ),
    "windows": (f"##Risks\r\n\r\n{TEXT}\r\n", f"## Risks\r\n\r\n{TEXT}\r\n"),
}


@pytest.mark.parametrize("name", sorted(MENDED))
def test_a_note_is_mended_once(name: str, tmp_path: Path) -> None:
    before, after = MENDED[name]
    write(tmp_path, {".obsidian/app.json": "{}", "Budget.md": "# Aims\n", "Plan.md": before})
    found = list(find_fixes(checked(tmp_path)))
    assert [(mend.before, mend.after) for mend in found] == ([] if after is None else [(before, after)])
    for mend in found:
        write_mend(mend)
        assert (tmp_path / "Plan.md").read_bytes().decode() == after
    assert list(find_fixes(checked(tmp_path))) == []


def test_only_chosen_rules_are_mended(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"##Risks\n\n{TEXT}\n"})
    assert list(find_fixes(checked(tmp_path, ignore=("VLT123",)))) == []
