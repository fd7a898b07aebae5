"""What a passage can be cut into when a part of it is shown: sentences, list items, tables whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tasks.chunkers.atoms import trimmed
from tasks.chunkers.sentences import starts

Span = tuple[int, int]

_TABLE = re.compile(r"^\[TABLE \d+\]$.*?^\[END TABLE\]$", re.MULTILINE | re.DOTALL)
_NUMBERED = r"(?:Item|Part|Section|Note|Article|Chapter|Appendix|Exhibit|Rule)[ \t]+(?:\d{1,3}[A-Z]?|[IVX]{1,5})\."
_BREAK = re.compile(rf"\n(?=\s*\n)|\n(?=[ \t]*(?:[-*+•‣▪]|\d{{1,3}}[.)]|{_NUMBERED})\s+\S)")
_LABEL = re.compile(rf"{_NUMBERED}\s+\Z")
_COMPANY = re.compile(r"\b(?:Inc|Corp|Ltd|Co|Cos|Bros|L\.P|N\.V|S\.A)\.\s+\Z")
_MONTH = re.compile(r"(?<![^\W_])(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s+\Z")
_LONGEST_LABEL = 24


def units(text: str) -> list[Span]:
    """The spans of a passage's units in order, without white space at their ends; together they hold all else."""
    found: list[Span] = []
    end = 0
    for table in _TABLE.finditer(text):
        found += _sentences(text, end, table.start())
        found.append(table.span())
        end = table.end()
    return [*found, *_sentences(text, end, len(text))]


def is_table(unit: str) -> bool:
    """Whether a unit's text is a table's."""
    return unit.startswith("[TABLE ")


def sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Where sentences after the first begin; what is numbered stays with its number: "Item 1A. Risk Factors".

    So does the dateline of a release with its day, "--Nov. 2, 2022--", and a company with its symbol, "Inc. (NYSE: …)".
    """
    return [place for place in starts(text, start, end) if not _goes_on(text, start, place)]


def _goes_on(text: str, start: int, place: int) -> bool:
    before = text[max(start, place - _LONGEST_LABEL) : place]
    if text[place] == "(" and _COMPANY.search(before):
        return True
    return bool(_LABEL.search(before) or (text[place].isdigit() and _MONTH.search(before)))


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    breaks = [start, *(found.end() for found in _BREAK.finditer(text, start, end)), end]
    for left, right in pairwise(breaks):
        for first, stop in pairwise([left, *sentence_starts(text, left, right), right]):
            span = trimmed(text, first, stop)
            if span:
                yield span
