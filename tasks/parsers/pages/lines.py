"""A line of running text as the page sets it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pages.line_kinds import is_parted
from tasks.parsers.pages.rows import PageRow
from tasks.parsers.pages.words import around_words
from warehouse.records import Box

_SHOWN_HYPHEN = re.compile("\u00ad(?=\\S)")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, its usual font size in points, whether most of it is bold, and whether all of it is italic.

    It is parted where a wide gap stands in it; `pieces` are what wide gaps leave of it.
    """

    line: AssembledLine
    size: float
    bold: bool
    italic: bool = False
    parted: bool = False
    pieces: tuple[AssembledLine, ...] = ()

    @property
    def text(self) -> str:
        """The words of the line."""
        return self.line.text

    @property
    def box(self) -> Box:
        """Where the line stands."""
        return self.line.box


def text_line(row: PageRow, page: int) -> TextLine:
    """A row as a line of the document."""
    heavy = sum(len(word.text) for word in row.words if word.bold)
    line = AssembledLine(with_hyphens(row.text), page, row.box)
    pieces = (AssembledLine(with_hyphens(piece.text), page, around_words(piece.words)) for piece in row.pieces)
    return TextLine(
        line,
        row.size,
        2 * heavy > sum(len(word.text) for word in row.words),
        all(word.italic for word in row.words),
        is_parted(row),
        tuple(pieces) if len(row.pieces) > 1 else (line,),
    )


def with_hyphens(text: str) -> str:
    """A line in which soft hyphens, which a page shows as it shows others, are hyphens but for one at its end."""
    return _SHOWN_HYPHEN.sub("-", text)
