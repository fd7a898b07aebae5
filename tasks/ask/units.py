"""What a passage can be cut into when a part of it is shown: sentences, list items, tables whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tasks.chunkers.atoms import trimmed
from tasks.chunkers.sentences import starts

Span = tuple[int, int]

_TABLE = re.compile(r"^\[TABLE \d+\]$.*?^\[END TABLE\]$", re.MULTILINE | re.DOTALL)
_BREAK = re.compile(r"\n(?=\s*\n)|\n(?=[ \t]*(?:[-*+•‣▪]|\d{1,3}[.)])\s+\S)")


def units(text: str) -> list[Span]:
    """The spans of a passage's units in order, without white space at their ends; together they hold all else."""
    found: list[Span] = []
    end = 0
    for table in _TABLE.finditer(text):
        found += _sentences(text, end, table.start())
        found.append(table.span())
        end = table.end()
    return [*found, *_sentences(text, end, len(text))]


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    breaks = [start, *(found.end() for found in _BREAK.finditer(text, start, end)), end]
    for left, right in pairwise(breaks):
        for first, stop in pairwise([left, *starts(text, left, right), right]):
            span = trimmed(text, first, stop)
            if span:
                yield span
