"""What fuzzing has found stays mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import FOUND, TARGETS

FILES = sorted(path for path in FOUND.rglob("*") if path.is_file() and path.parent.name in TARGETS)


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_stays_mended(file: Path) -> None:
    TARGETS[file.parent.name](file.read_bytes())
