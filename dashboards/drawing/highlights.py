"""Highlights of passages: dates and names that are set off in the text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class HighlightKind(StrEnum):
    """Kinds of facts that passages can have highlighted."""

    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A date or a name, from `start` up to `end` in its passage, and its meaning as text."""

    start: int
    end: int
    kind: HighlightKind
    meaning: str
