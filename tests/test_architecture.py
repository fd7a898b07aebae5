"""The house rules that no linter knows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    "flows",
    "tasks",
    "warehouse",
    "dashboards",
    "tests",
    "docs",
    "benchmarks",
    "samples",
    "pyproject.toml",
    "prefect.yaml",
    "README.md",
    "Makefile",
    "Dockerfile",
    "compose.yaml",
    "LICENSE",
}
DRAWERS = {"utils", "util", "common", "helpers", "helper", "misc"}


def _tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so what belongs to it is not known")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


def test_top_level_is_fixed() -> None:
    names = {path.split("/")[0] for path in _tracked()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_no_drawers() -> None:
    assert not [path for path in _tracked() if path.endswith(".py") and DRAWERS & set(Path(path).with_suffix("").parts)]


def test_commands_that_need_no_run_import_neither_prefect_nor_a_model() -> None:
    code = (
        "import sys, dashboards.cli.main as m, warehouse.reader, tasks.pipeline;"
        "print(sorted({*'prefect openvino torch spacy streamlit sentence_transformers'.split()} & set(sys.modules)))"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
