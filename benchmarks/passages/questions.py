"""Corpora with questions whose answers are marked to the character, as `chunking_evaluation` lays them out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

Span = tuple[int, int]

_PROBE = 8
_FAR = 400


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to one corpus, and the spans of that corpus's text that answer it."""

    corpus: str
    text: str
    answers: tuple[Span, ...]


def read(folder: Path) -> tuple[dict[str, Path], list[Asked]]:
    """The corpora's files by name, and the questions, of a folder with `corpora/` and `questions.jsonl`."""
    files = {path.stem: path for path in sorted((folder / "corpora").iterdir())}
    asked = []
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        answers = tuple((part["start_index"], part["end_index"]) for part in row["references"])
        asked.append(Asked(row["corpus"], row["question"], answers))
    return files, asked


def places(text: str, raw: str) -> list[int]:
    """Where each character of a read text stands in its file, found in order; white space stands where it may.

    What the reader left out is skipped; what it put in stands where the next character does.
    """
    visible = [place for place, character in enumerate(raw) if not character.isspace()]
    source = "".join(raw[place] for place in visible)
    shown = "".join(character for character in text if not character.isspace())
    found, at, seen = [], 0, 0
    for character in text:
        if not character.isspace():
            if not source.startswith(character, at):
                later = source.find(shown[seen : seen + _PROBE], at, at + _FAR)
                at = later if later >= 0 else at
            seen += 1
        found.append(visible[min(at, len(visible) - 1)])
        at += source.startswith(character, at)
    return found
