"""Notes put together from pieces, each of which becomes one chunk: what is planted and what it shows is then known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from benchmarks.passages.questions import Span

WRITTEN = date(2025, 1, 1)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a note's source that is one chunk. `shows` is the span of the clean note that it says, if any."""

    text: str
    shows: Span | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A Markdown note. Its questions are asked of its `pool`, and its chunks aim at `target` characters.

    `doubtful` says that the parser is not sure of its tables, which no Markdown makes it.
    """

    name: str
    pool: str
    pieces: tuple[Piece, ...]
    target: int
    written: date = WRITTEN
    doubtful: bool = False

    @property
    def head(self) -> str:
        """Its front matter."""
        return f"---\ndate: {self.written}\n---\n\n"

    @property
    def source(self) -> str:
        """The file."""
        return self.head + "".join(piece.text for piece in self.pieces)


def changed(note: Note, pieces: Iterable[Piece]) -> Note:
    """The note with other pieces."""
    return replace(note, pieces=tuple(pieces))
