"""The content of a Word document, or of one of its other stories, as pieces in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tasks.parsers.spans import Laid, SpanCell, lay_out
from tasks.parsers.word.elements import child, inside, is_on, name, text_boxes, value
from tasks.parsers.word.list_numbers import LEVELS, Numbering
from tasks.parsers.word.styles import ParagraphStyle, Styles, outline_level
from tasks.parsers.word.tables import cells_of, header_rows, rows_of
from tasks.parsers.word.text import Note, Words
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

    from tasks.parsers.word.package import WordPackage


@dataclass(frozen=True, slots=True)
class StoryPart:
    """A paragraph, or a table, and the notes that it refers to.

    `level` is that of a heading, from 1, or the depth of an item, from 0. `mark` is an item's or heading's number.
    """

    kind: BlockKind
    text: str = ""
    level: int = 0
    mark: str = ""
    is_title: bool = False
    is_caption: bool = False
    table: Laid | None = None
    notes: tuple[Note, ...] = ()

    @property
    def line(self) -> str:
        """The words with their mark, on one line."""
        return " ".join(filter(None, (self.mark, " ".join(self.text.split()))))


class StoryReader:
    """Reads the stories of one document, whose lists and notes are counted through."""

    def __init__(self, package: WordPackage) -> None:
        self._styles = Styles(package.part("styles"))
        self._numbering = Numbering(package.part("numbering"))
        self._words = Words()

    def pieces(self, story: _Element) -> Iterator[StoryPart]:
        """What stands in an element, in order; a text box follows the paragraph that holds it."""
        begun = ""
        for block in inside(story, "p", "tbl"):
            if name(block) == "tbl":
                yield from self._table(block)
                continue
            text = begun + self._words.of(block)
            begun = text if child(block, "pPr", "rPr", "del") is not None else ""
            if not begun:
                yield from self._paragraph(block, text)
            for box in text_boxes(block):
                yield from self.pieces(box)
        if begun:
            yield StoryPart(BlockKind.PARAGRAPH, begun, notes=self._notes())

    def _notes(self) -> tuple[Note, ...]:
        notes = tuple(self._words.notes)
        self._words.notes.clear()
        return notes

    def _paragraph(self, paragraph: _Element, text: str) -> Iterator[StoryPart]:
        """The piece of a paragraph; one without words is counted in its list and not shown."""
        style = self._styles.of(paragraph)
        own = child(paragraph, "pPr")
        mark, depth = self._mark(own, style)
        notes = self._notes()
        if style.is_code or (text.strip() and not style.is_hidden):
            piece = replace(_plain(own, style, text, depth), notes=notes)
            yield replace(piece, mark="" if piece.kind in (BlockKind.CODE, BlockKind.PARAGRAPH) else mark)

    def _mark(self, own: _Element | None, style: ParagraphStyle) -> tuple[str, int | None]:
        """The number of a paragraph and its depth; None where it is no item of a numbered or bulleted list."""
        number = value(own, "numPr", "numId") or style.number
        if not number or number == "0":
            return "", None
        written = value(own, "numPr", "ilvl")
        if written.isdigit():
            level = int(written)
        elif style.number_level is not None and number == style.number:
            level = style.number_level
        else:
            level = self._numbering.level_of(number, style.style_id)
        level = min(level, LEVELS - 1)
        return self._numbering.mark(number, level), max(level, style.list_level or 0)

    def _table(self, table: _Element) -> Iterator[StoryPart]:
        """A table and after it those inside its cells; one of a single row or column is a frame around its content."""
        rows = rows_of(table)
        read = [
            [(cell, [] if cell.node is None else list(self.pieces(cell.node))) for cell in row]
            for row in cells_of(rows)
        ]
        every = [piece for row in read for _, pieces in row for piece in pieces]
        laid = lay_out([[SpanCell(_words(pieces), c.rows, c.columns) for c, pieces in row] for row in read])
        if not laid.is_table:
            yield from every
            return
        own = (piece.notes for piece in every if piece.table is None)
        yield StoryPart(
            BlockKind.TABLE,
            table=replace(laid, header_rows=header_rows(rows)),
            notes=tuple(n for ns in own for n in ns),
        )
        yield from (piece for piece in every if piece.table is not None)


def _words(pieces: list[StoryPart]) -> str:
    """The words of a cell; tables inside it stand after its table."""
    return "\n".join(piece.line for piece in pieces if piece.table is None)


def _plain(own: _Element | None, style: ParagraphStyle, text: str, depth: int | None) -> StoryPart:
    """What kind of piece a paragraph is."""
    outline = outline_level(own)
    level = style.level if outline is None or style.level else outline
    if level and text.strip():
        return StoryPart(BlockKind.HEADING, text, level, is_title=style.is_title)
    if style.is_code:
        return StoryPart(BlockKind.CODE, text)
    if style.contents_level is not None:
        return StoryPart(BlockKind.LIST, text, style.contents_level)
    if depth is not None:
        return StoryPart(BlockKind.LIST, text, depth)
    if style.list_level is not None and not is_on(own, "numPr"):
        return StoryPart(BlockKind.LIST, text, style.list_level)
    return StoryPart(BlockKind.PARAGRAPH, text, is_caption=style.is_caption)
