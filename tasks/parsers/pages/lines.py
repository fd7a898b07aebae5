"""A line of running text as the page sets it."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.parsers.assembly import Line
from tasks.parsers.pages.rows import Row
from warehouse.records import Box


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, its usual font size in points and whether most of it is bold."""

    line: Line
    size: float
    bold: bool

    @property
    def text(self) -> str:
        """The words of the line."""
        return self.line.text

    @property
    def box(self) -> Box:
        """Where the line stands."""
        return self.line.box


def text_line(row: Row, page: int) -> TextLine:
    """A row as a line of the document."""
    heavy = sum(len(word.text) for word in row.words if word.bold)
    return TextLine(Line(row.text, page, row.box), row.size, 2 * heavy > sum(len(word.text) for word in row.words))
