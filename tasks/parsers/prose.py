"""Running text cut into paragraphs of bounded length, and dates as people write them at the head of an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_LONGEST = 4_000


def paragraphs(text: str) -> Iterator[str]:
    """Pieces between blank lines; one that is over 4,000 characters is cut further, at line ends only."""
    for piece in _BLANK.split(text):
        if len(piece) <= _LONGEST:
            yield piece
        else:
            yield from _cut(piece)


def _cut(piece: str) -> Iterator[str]:
    lines: list[str] = []
    size = 0
    for line in piece.split("\n"):
        if lines and size + len(line) > _LONGEST:
            yield "\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    yield "\n".join(lines)


def is_list(text: str) -> bool:
    """Whether every line is an item."""
    return all(re.match(r"\s*(?:[-*+•‣▪]|\d{1,3}[.)])\s+\S", line) for line in text.strip().split("\n"))


def make_date(year: int, month: int, day: int) -> date | None:
    """The date, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
