"""Defects planted into clean notes are found, and nothing else is."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.tasks.quality.checking import checked, write
from tests.tasks.quality.planting import SEEDS, clean, seeds

LEAST = 0.9


def _found(folder: Path, cache: Path | None = None) -> set[tuple[str, str]]:
    entries = checked(folder, cache=cache).report.entries
    return {(Path(entry.path).name, entry.source_finding.finding.code) for entry in entries}


def test_clean_notes_have_no_findings(tmp_path: Path) -> None:
    assert _found(write(tmp_path, clean())) == set()


@pytest.mark.parametrize("family", sorted(SEEDS))
def test_planted_defects_are_found(family: str, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    missed, false = [], []
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    for number, (code, plant) in enumerate(seeds(family)):
        notes = clean()
        expected = {(name, code) for name in plant(notes, f"Note {1 + number % 4}.md")}
        found = {each for each in _found(write(folder, notes), cache) if each[1].startswith(family)}
        shutil.rmtree(folder)
        counts["right"] += len(expected & found)
        missed += expected - found
        false += found - expected
    recall = counts["right"] / (counts["right"] + len(missed))
    precision = counts["right"] / (counts["right"] + len(false))
    assert recall >= LEAST, missed
    assert precision >= LEAST, false
