"""Pipe tables in plain text, as programs write them that turn filings into text: GitHub Flavored Markdown, 4.10."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from warehouse.records import Merge

RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*){1,200}\|?[ \t]*$", re.MULTILINE)
"""The line between header and body."""
_BETWEEN = re.compile(r"(?<!\\)\|")


def parts(text: str) -> Iterator[str | list[list[str]]]:
    """A text in its parts: what is no table as it stands, a pipe table as its rows, the rule left out."""
    lines = text.split("\n")
    done, place = 0, 1
    while place < len(lines):
        if "|" not in lines[place - 1] or place - 1 < done or not RULE.fullmatch(lines[place]):
            place += 1
            continue
        end = place + 1
        while end < len(lines) and "|" in lines[end]:
            end += 1
        if end > place + 1:
            yield "\n".join(lines[done : place - 1])
            yield [_cells(line) for line in (lines[place - 1], *lines[place + 1 : end])]
            done = end
        place = end + 1
    yield "\n".join(lines[done:])


def spanning_heads(rows: Sequence[Sequence[str]], header_rows: int) -> list[Merge]:
    """The cells of all header rows but the last that reach over the empty ones beside them.

    A pipe table has no way to say so; a blank over a column that has a name below stands for the name before it.
    """
    merges = []
    for number, row in enumerate(rows[: max(0, header_rows - 1)]):
        starts = [column for column, cell in enumerate(row) if cell and column > 0]
        for start, end in zip(starts, [*starts[1:], len(row)], strict=True):
            if end - start > 1:
                merges.append(Merge(number, start, 1, end - start))
    return merges


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|") for cell in _BETWEEN.split(inner)]
