"""The lines of a passage with their places in it, so that what is drawn of them can be marked by where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MARKER = re.compile(r"\[TABLE \d+\]|\[END TABLE\]")
_ROW = re.compile(r"\|.*\|")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*:?-{3,}:?\s*")


@dataclass(frozen=True, slots=True)
class PassageLine:
    """Some words of one line, and where they begin in the passage."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where they end."""
        return self.start + len(self.text)

    @property
    def cells(self) -> tuple[PassageLine, ...]:
        """The cells of a table's row, as they are written: a bar within one has a backslash before it."""
        inner = self.text.strip()
        begun = self.start + self.text.index(inner) + 1
        return tuple(_stripped(begun + low, cell) for low, cell in _split(inner[1:-1]))


def passage_lines(text: str) -> Iterator[PassageLine]:
    """The lines of a passage without the markers around tables."""
    place = 0
    for line in text.splitlines(keepends=True):
        shown = line.splitlines()[0]
        if not is_marker(shown):
            yield PassageLine(place, shown)
        place += len(line)


def is_marker(line: str) -> bool:
    """Whether a line only says where a table begins or ends."""
    return _MARKER.fullmatch(line.strip()) is not None


def is_row(line: str) -> bool:
    """Whether a line is a row of a table, or the rule below its header."""
    return _ROW.fullmatch(line.strip()) is not None


def split_header(rows: Sequence[PassageLine]) -> tuple[list[PassageLine], list[PassageLine]]:
    """The rows above and below a table's rule, the empty ones above left out; no header where there is no rule."""
    rule = next((place for place, row in enumerate(rows) if all(_RULE.fullmatch(c.text) for c in row.cells)), None)
    if rule is None:
        return [], list(rows)
    return [row for row in rows[:rule] if any(cell.text for cell in row.cells)], list(rows[rule + 1 :])


def _split(row: str) -> Iterator[tuple[int, str]]:
    done = 0
    for bar in _BETWEEN_CELLS.finditer(row):
        yield done, row[done : bar.start()]
        done = bar.end()
    yield done, row[done:]


def _stripped(start: int, text: str) -> PassageLine:
    inner = text.strip()
    return PassageLine(start + (text.index(inner) if inner else 0), inner)
