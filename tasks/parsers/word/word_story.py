"""The content of a Word document, or of one of its other stories, as blocks in reading order.

Tables with their cells (ECMA-376 part 1, 17.4) and captions; each block is followed by the footnotes it refers to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.table_spans import Laid, SpanCell, lay_out, span
from tasks.parsers.word.word_package import attribute, child, inside, is_on, name, text_boxes, value
from tasks.parsers.word.word_styles import LEVELS, Numbering, ParagraphStyle, Styles, outline_level
from tasks.parsers.word.word_text import Note, Words
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

    from tasks.parsers.word.word_package import WordPackage

_OF_TABLE = re.compile(
    r"(?:table|tab\.|tabelle|tableau|tabla|exhibit|表)\s*[\dIVXA-Z一二三四五六七八九十]", re.IGNORECASE
)
_OF_FIGURE = re.compile(r"(?:fig|abb|image|photo|chart|box|图|圖)", re.IGNORECASE)
_LONGEST_CAPTION = 400


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
        rows = visible_rows(table)
        read = [
            [(cell, [] if cell.node is None else list(self.pieces(cell.node))) for cell in row]
            for row in read_cells(rows)
        ]
        every = [piece for row in read for _, pieces in row for piece in pieces]
        laid = lay_out([[SpanCell(_words(pieces), c.rows, c.columns) for c, pieces in row] for row in read])
        if not laid.is_table:
            yield from every
            return
        own = (piece.notes for piece in every if piece.table is None)
        notes = tuple(note for notes in own for note in notes)
        yield StoryPart(BlockKind.TABLE, table=replace(laid, header_rows=count_header_rows(rows)), notes=notes)
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


@dataclass(slots=True)
class WordCell:
    """A cell as written: its content, None where a row begins later than its table, and what it covers."""

    node: _Element | None
    rows: int = 1
    columns: int = 1


def visible_rows(table: _Element) -> list[_Element]:
    """The rows, those that a tracked change deletes left out."""
    return [row for row in inside(table, "tr") if child(row, "trPr", "del") is None]


def count_header_rows(rows: list[_Element]) -> int | None:
    """How many of the first rows are marked as header, None where none is."""
    count = 0
    while count < len(rows) and is_on(rows[count], "trPr", "tblHeader"):
        count += 1
    return count or None


def read_cells(rows: list[_Element]) -> list[list[WordCell]]:
    """The cells of each row; one that continues the cell above it or before it makes that one larger instead."""
    laid: list[list[WordCell]] = []
    above: dict[int, WordCell] = {}
    for row in rows:
        free = value(row, "trPr", "gridBefore")
        cells = [WordCell(None) for _ in range(min(span(free), 200))] if free not in ("", "0") else []
        column, running = len(cells), dict[int, WordCell]()
        for node in inside(row, "tc"):
            width, is_merged = span(value(node, "tcPr", "gridSpan")), child(node, "tcPr", "vMerge") is not None
            if value(node, "tcPr", "hMerge") == "continue" and cells:
                cells[-1].columns += width
            elif is_merged and value(node, "tcPr", "vMerge") != "restart" and column in above:
                above[column].rows += 1
                running[column] = above[column]
            else:
                cells.append(WordCell(node, columns=width))
                if is_merged:
                    running[column] = cells[-1]
            column += width
        laid.append(cells)
        above = running
    return laid


def captions(pieces: Sequence[StoryPart]) -> Iterator[tuple[int, str]]:
    """The caption of each table by its place: the caption paragraph above it, else the one below."""
    used: set[int] = set()
    for place, piece in enumerate(pieces):
        if piece.table is None:
            continue
        for beside in (place - 1, place + 1):
            if 0 <= beside < len(pieces) and beside not in used and _is_caption(pieces[beside]):
                used.add(beside)
                yield place, pieces[beside].line
                break


def _is_caption(piece: StoryPart) -> bool:
    """A paragraph in the style of captions, or one that begins like the caption of a table."""
    if piece.kind is not BlockKind.PARAGRAPH or len(piece.text) > _LONGEST_CAPTION:
        return False
    return bool(_OF_TABLE.match(piece.text)) or (piece.is_caption and not _OF_FIGURE.match(piece.text))


class Blocks:
    """Adds pieces to an assembly; endnotes wait until all else is there."""

    def __init__(self, assembly: Assembly, package: WordPackage, reader: StoryReader) -> None:
        self._assembly = assembly
        self._reader = reader
        self._endnotes: list[Note] = []
        self._stories: dict[tuple[str, str], _Element] = {}
        for story in ("footnotes", "endnotes"):
            root = package.part(story)
            self._stories |= {(story, attribute(note, "id")): note for note in (() if root is None else root)}

    def add(self, pieces: Sequence[StoryPart]) -> None:
        """Adds pieces in order; items and lines of code that follow each other are one block."""
        of_tables = dict(captions(pieces))
        for kind, group in groupby(enumerate(pieces), key=lambda entry: entry[1].kind):
            members = list(group)
            if kind is BlockKind.LIST:
                self._assembly.add(kind, "\n".join("  " * piece.level + piece.line for _, piece in members))
            elif kind is BlockKind.CODE:
                self._assembly.add(kind, "\n".join(piece.text for _, piece in members))
            for place, piece in members:
                self._add_one(piece, of_tables.get(place, ""))
                self._add_notes(piece.notes)

    def add_endnotes(self) -> None:
        """Adds the endnotes, those that other endnotes refer to included."""
        for note in self._endnotes:
            self._add_note(note)

    def _add_one(self, piece: StoryPart, caption: str) -> None:
        if piece.table is not None:
            laid = piece.table
            self._assembly.table(laid.rows, header_rows=laid.header_rows, merges=laid.merges, caption=caption)
        elif piece.kind is BlockKind.HEADING:
            self._assembly.heading(piece.line, piece.level)
        elif piece.kind is BlockKind.PARAGRAPH:
            self._assembly.add(piece.kind, piece.text)

    def _add_notes(self, notes: Sequence[Note]) -> None:
        self._endnotes += (note for note in notes if note.story == "endnotes")
        for note in notes:
            if note.story == "footnotes":
                self._add_note(note)

    def _add_note(self, note: Note) -> None:
        story = self._stories.pop((note.story, note.note_id), None)
        if story is None:
            return
        pieces = list(self._reader.pieces(story))
        if pieces and pieces[0].table is None:
            first = pieces.pop(0)
            self._assembly.add(BlockKind.PARAGRAPH, " ".join(filter(None, (note.mark, first.line))))
            self._add_notes(first.notes)
        self.add(pieces)
