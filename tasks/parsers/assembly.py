"""Builder of documents for all parsers, so that spans, order and numbering are right by construction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TypeVar

from tasks.faults import EMPTY_FILE
from tasks.parsers.language import detect_document_language
from tasks.parsers.office.symbol_fonts import NO_CHARACTER, PRIVATE, decode_private
from tasks.parsers.parser_contract import TextMark, extract_marks, without_marks
from tasks.parsers.plain_text.adjacent_tables import find_second_start, split_sides
from tasks.parsers.table_form import (
    ParsedGrid,
    RowPlace,
    are_pairs,
    count_header_rows,
    guess_header_rows,
    split_date_headers,
    tidy,
)
from warehouse.records import (
    Attributes,
    Block,
    BlockKind,
    Box,
    DateClaim,
    Document,
    Fact,
    Finding,
    Kind,
    Merge,
    Region,
    Severity,
    Table,
    TablePart,
)
from warehouse.table_notation import escape_cell, format_table

_Part = TypeVar("_Part")
MAX_HEADER_ROWS = 12  # Each cell repeats the headers above it: header rows that a page marks beyond these are body.
_BLOCK_SEPARATOR = "\n\n"
MAX_DEPTH = 6  # The level of the lowest heading.
MAX_HEADING_LENGTH = 200  # The longest heading in characters, since every block and chunk below repeats it.
MAX_TITLE_LENGTH = 300  # The longest title in characters; a longer one is cut.
_LINE_END = re.compile("\r\n?|[\v\x85\u2028\u2029]")
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[@-Z\\^_c])")
"""Escape sequences that set a terminal's colour, position or title (ECMA-48, 5.4 and 5.6)."""
_OVERSTRUCK = re.compile(r"[^\r\n\b]\x08")
"""A character that the next one overprints, as printers and `man` write bold and underlined words."""
_CLEANED_CHARACTER = re.compile("[\x00-\x08\x0b\x0d-\x1f\x7f\x85\u00ad\u200b\u2028\u2029\u2060\ufeff]")
"""Characters that the patterns here can match: most texts have none, and are searched only once."""
_REMOVED_CHARACTER = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b\u2060\ufeff]")


@dataclass(frozen=True, slots=True)
class AssembledLine:
    """A line of text and its box on a page; `joint` separates it from the line below."""

    text: str
    page: int
    box: Box
    joint: str = "\n"


@dataclass(frozen=True, slots=True)
class BlockContent:
    """The content of a block without its position, for another document. `table` is the table of a `TABLE` block."""

    kind: BlockKind
    text: str
    level: int = 0
    table: Table | None = None


def make_block_contents(blocks: Iterable[Block], texts: Iterable[str], tables: Sequence[Table]) -> list[BlockContent]:
    """Blocks with their texts and the tables of their document, without their places."""
    return [
        BlockContent(block.kind, text, block.level, None if block.table is None else tables[block.table - 1])
        for block, text in zip(blocks, texts, strict=True)
    ]


def clean(text: str) -> str:
    """A text with line ends as one newline, and private characters of known meaning replaced.

    NUL, other control characters, byte order marks, soft hyphens, blanks of no width, overprinted characters and escape
    sequences of terminals are removed; half surrogates and noncharacters become U+FFFD.
    """
    if _CLEANED_CHARACTER.search(text):
        text = _OVERSTRUCK.sub("", text) if "\b" in text else text
        text = _REMOVED_CHARACTER.sub("", _ESCAPE_SEQUENCE.sub("", _LINE_END.sub("\n", text)))
    if text.isascii():
        return text
    return PRIVATE.sub(lambda match: decode_private(match[0]) or match[0], NO_CHARACTER.sub("\ufffd", text))


class Assembly:
    """Takes blocks and tables in reading order and yields the `Document` over their canonical text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._path: list[tuple[int, str]] = []
        self._mark_offsets: tuple[dict[int, int], dict[int, int]] = {}, {}

    @property
    def spans(self) -> dict[int, tuple[int, int]]:
        """The spans of the pieces whose marks were in the added texts, by their numbers (`parser_contract`)."""
        starts, ends = self._mark_offsets
        return {piece: (start, ends[piece]) for piece, start in starts.items() if ends.get(piece, start) > start}

    @property
    def end(self) -> int:
        """The length of the text so far."""
        return self._length

    @property
    def headings(self) -> tuple[str, ...]:
        """The words of the headings so far."""
        return tuple(block.section[-1] for block in self._blocks if block.kind is BlockKind.HEADING)

    @property
    def heading_paths(self) -> tuple[tuple[str, ...], ...]:
        """The section paths of the headings so far, their own words last."""
        return tuple(block.section for block in self._blocks if block.kind is BlockKind.HEADING)

    @property
    def contents(self) -> list[BlockContent]:
        """The contents of the blocks so far."""
        return make_block_contents(self._blocks, self._pieces, self._tables)

    def list_beginning(self, length: int) -> list[str]:
        """The words of the blocks that begin in the first `length` characters, without furniture and tables."""
        ignored_kinds = (BlockKind.FURNITURE, BlockKind.TABLE)
        pairs = zip(self._blocks, self._pieces, strict=True)
        return [text for block, text in pairs if block.start < length and block.kind not in ignored_kinds]

    def list_ending(self, length: int) -> list[str]:
        """The words of the paragraphs that begin in the last `length` characters."""
        pairs = zip(self._blocks, self._pieces, strict=True)
        return [text for block, text in pairs if self.end - length <= block.start and block.kind is BlockKind.PARAGRAPH]

    def list_first_tables(self, length: int) -> list[Table]:
        """The tables that begin in the first `length` characters."""
        return [table for table in self._tables if table.start < length]

    def add_heading(
        self, text: str, level: int, page: int | None = None, lines: Sequence[AssembledLine] = ()
    ) -> Block | None:
        """Adds a heading; `level` is limited to 1 to 6. Blocks that follow are in its section.

        Words too long for a heading are a paragraph, which does not change the section.
        """
        depth = min(max(level, 1), MAX_DEPTH)
        marked_words = " ".join(clean(text or " ".join(line.text for line in lines)).split())
        words = without_marks(marked_words)
        if not words:
            return None
        if len(words) > MAX_HEADING_LENGTH:
            if lines:
                return self.add_lines(BlockKind.PARAGRAPH, lines)
            return self.add(BlockKind.PARAGRAPH, marked_words, page=page)
        self.end_sections(depth)
        self._path.append((depth, words))
        if lines:
            return self.add_lines(BlockKind.HEADING, lines, level=depth)
        return self.add(BlockKind.HEADING, marked_words, level=depth, page=page)

    def end_sections(self, level: int) -> None:
        """Ends the sections of this level and below: blocks that follow are outside them."""
        self._path = [(outer, title) for outer, title in self._path if outer < level]

    def add(self, kind: BlockKind, text: str, *, level: int = 0, page: int | None = None) -> Block | None:
        """Adds a block of this text, stripped (code keeps its indentation); None if nothing is left."""
        text = clean(text)
        text = text.rstrip().lstrip("\n") if kind is BlockKind.CODE else text.strip()
        if not text.strip():
            return None
        text, marks = extract_marks(text)
        self._record_marks(marks, self._next_start)
        return self._append_block(kind, text, level=level, page=page)

    def _record_marks(self, marks: Iterable[TextMark], start: int) -> None:
        """Record the positions of the marks of a text that begins at `start`."""
        for mark in marks:
            self._mark_offsets[mark.is_end][mark.piece] = start + mark.offset

    def add_block_content(self, block: BlockContent, level_offset: int = 0) -> Block | None:
        """Adds a block of another document; a heading is `level_offset` levels deeper."""
        if block.kind is BlockKind.HEADING:
            return self.add_heading(block.text, block.level + level_offset)
        if block.table is None:
            return self.add(block.kind, block.text)
        table = block.table
        return self.add_table(
            table.rows,
            header_rows=table.header_rows,
            caption=table.caption,
            notes=table.notes,
            merges=table.merges,
            confidence=table.confidence,
        )

    def add_list(self, pieces: Iterable[str | _Part], add_part: Callable[[_Part], object]) -> None:
        """Adds a list of lines, interrupted by parts that cannot be lines, which `add_part` adds."""
        lines: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                lines.append(piece)
                continue
            self.add(BlockKind.LIST, "\n".join(lines))
            lines.clear()
            add_part(piece)
        self.add(BlockKind.LIST, "\n".join(lines))

    def add_lines(self, kind: BlockKind, lines: Sequence[AssembledLine], *, level: int = 0) -> Block | None:
        """Adds a block of lines, one region each. Items of a list keep the spaces before them, except the first."""
        pairs = [(words, line) for line in lines if (words := " ".join(clean(line.text).split()))]
        if not pairs:
            return None
        regions, text, start = [], "", self._next_start
        for words, line in pairs:
            if kind is BlockKind.LIST and text.endswith("\n"):
                text += " " * (len(line.text) - len(line.text.lstrip(" ")))
            regions.append(Region(start + len(text), start + len(text) + len(words), line.page, line.box))
            text += words + line.joint
        text = text.rstrip("\n")
        return self._append_block(kind, text, level=level, page=pairs[0][1].page, regions=tuple(regions))

    def add_table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        header_rows: int | None = None,
        caption: str = "",
        notes: Sequence[str] = (),
        merges: Sequence[Merge] = (),
        confidence: float = 1.0,
        places: Sequence[RowPlace] = (),
    ) -> Block | None:
        """Adds a table, or a paragraph of its words if it has less than two rows or two columns.

        None as `header_rows` means that it is guessed, 0 that there is no header. `places` has the page and box of each
        row; rows of several pages make a table of several parts. A merged cell's text is given only at its first
        position; its others are empty.
        """
        if rows and header_rows and not any(cell.strip() for row in rows[:header_rows] for cell in row):
            header_rows = 0 if max(map(len, rows)) == 2 else None  # A blank header, which Markdown requires.
        grid = tidy([[clean(cell) for cell in row] for row in rows], places, merges)
        if not grid.is_table:
            words = [" ".join(filter(None, row)) for row in grid.rows]
            if not grid.places:
                return self.add(BlockKind.PARAGRAPH, "\n".join(words))
            pairs = zip(words, grid.places, strict=True)
            return self.add_lines(
                BlockKind.PARAGRAPH, [AssembledLine(text, place.page, place.box) for text, place in pairs]
            )
        unmarked, marks = _without_marks(grid)
        rows = unmarked.rows
        headers = guess_header_rows(rows) if header_rows is None else count_header_rows(rows, header_rows)
        headers = 0 if headers == 1 and are_pairs(rows) else headers
        headers = min(headers, len(rows) - 1, MAX_HEADER_ROWS)
        if second_start := find_second_start(rows, headers):
            add_side = partial(self.add_table, header_rows=header_rows, caption=caption, confidence=confidence)
            left, right = split_sides(grid, second_start)
            first = add_side(left.rows, merges=left.merges, places=left.places)
            add_side(right.rows, notes=notes, merges=right.merges, places=right.places)
            return first
        grid = split_date_headers(unmarked, headers)
        number, start = len(self._tables) + 1, self._next_start
        listing = format_table(number, grid.rows, headers)
        row_spans = _compute_row_spans(listing, start, headers)
        for row, column, cell_marks in marks:
            old_text, new_text = unmarked.rows[row][column], grid.rows[row][column]
            self._record_marks(
                _shift_marks(grid.rows[row], column, cell_marks, is_split=old_text != new_text), row_spans[row][0]
            )
        places = grid.places
        regions = tuple(
            Region(*span, place.page, place.box) for span, place in zip(row_spans, places, strict=bool(places))
        )
        page = places[0].page if places else None
        block = self._append_block(BlockKind.TABLE, "\n".join(listing), page=page, regions=regions, table=number)
        self._tables.append(
            Table(
                number,
                block.start,
                block.end,
                grid.rows,
                row_spans,
                headers,
                " ".join(without_marks(clean(caption)).split()),
                tuple(filter(None, (" ".join(clean(note).split()) for note in notes))),
                grid.merges,
                confidence,
                _build_parts(places),
            )
        )
        return block

    @property
    def _next_start(self) -> int:
        return self._length + len(_BLOCK_SEPARATOR) if self._pieces else 0

    def _append_block(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        page: int | None = None,
        regions: tuple[Region, ...] = (),
        table: int | None = None,
    ) -> Block:
        start = self._next_start
        section = tuple(title for _, title in self._path)
        block = Block(len(self._blocks), kind, start, start + len(text), page, level, section, table, regions)
        self._pieces.append(text)
        self._length = block.end
        self._blocks.append(block)
        return block

    def finish(
        self,
        kind: Kind,
        media_type: str,
        *,
        title: str = "",
        authors: Sequence[str] = (),
        dates: Sequence[DateClaim] = (),
        total_pages: int | None = None,
        attributes: Attributes | None = None,
        findings: Sequence[Finding] = (),
        facts: Sequence[Fact] = (),
    ) -> Document:
        """The document over everything that was added."""
        text = _BLOCK_SEPARATOR.join(self._pieces)
        empty_findings = () if text else (EMPTY_FILE.make_finding("there is no text in it", severity=Severity.NOTE),)
        body_blocks = (block for block in self._blocks if block.kind is not BlockKind.FURNITURE)
        pages = {
            page for block in body_blocks for page in (block.page, *(region.page for region in block.regions)) if page
        }
        return Document(
            kind=kind,
            media_type=media_type,
            text=text,
            blocks=tuple(self._blocks),
            tables=tuple(self._tables),
            title=" ".join(clean(title).split())[:MAX_TITLE_LENGTH].rstrip(),
            authors=tuple(filter(None, (" ".join(clean(author).split()) for author in authors))),
            language=detect_document_language(text, self._blocks),
            dates=tuple(dict.fromkeys(dates)),
            total_pages=total_pages,
            non_empty_pages=len(pages) if total_pages is not None else None,
            attributes=attributes or Attributes(),
            findings=(*findings, *empty_findings),
            facts=tuple(facts),
        )


def shorten_heading(words: str) -> str:
    """The words of a heading, cut if they are too long for one."""
    return words if len(words) <= MAX_HEADING_LENGTH else f"{words[: MAX_HEADING_LENGTH - 1].rstrip()}…"


def enclose_boxes(boxes: Sequence[Box]) -> Box:
    """The smallest box that contains all boxes."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.top for box in boxes),
        max(box.x1 for box in boxes),
        max(box.bottom for box in boxes),
    )


def _without_marks(grid: ParsedGrid) -> tuple[ParsedGrid, list[tuple[int, int, list[TextMark]]]]:
    """A grid without the marks in its cells, and the marks by row and column."""
    marks, rows = list[tuple[int, int, list[TextMark]]](), []
    for number, row in enumerate(grid.rows):
        cells = [extract_marks(cell) for cell in row]
        rows.append(tuple(text for text, _ in cells))
        marks += ((number, column, cell_marks) for column, (_, cell_marks) in enumerate(cells) if cell_marks)
    return (replace(grid, rows=tuple(rows)), marks) if marks else (grid, [])


def _shift_marks(row: Sequence[str], column: int, marks: Iterable[TextMark], *, is_split: bool) -> Iterator[TextMark]:
    """The marks of a cell by offsets in its row's line; for a cell that was split they are at the line's ends."""
    cell_start = sum(len(escape_cell(cell)) + len(" | ") for cell in row[:column]) + len("| ")
    length = sum(len(escape_cell(cell)) + len(" | ") for cell in row) + len("|")
    for mark in marks:
        offset = cell_start + len(escape_cell(row[column][: mark.offset]))
        yield mark._replace(offset=(length if mark.is_end else 0) if is_split else offset)


def _compute_row_spans(listing: Sequence[str], start: int, header_rows: int) -> tuple[tuple[int, int], ...]:
    """The spans of the rows' lines in a shown table that begins at `start`: no markers, rule or empty header."""
    spans, position = [], start
    for line in listing:
        spans.append((position, position + len(line)))
        position += len(line) + 1
    return (*spans[1 : 1 + header_rows], *spans[2 + max(header_rows, 1) : -1])


def _build_parts(places: Sequence[RowPlace]) -> tuple[TablePart, ...]:
    """A part for each run of rows on one page."""
    parts, first = [], 0
    for page, run in groupby(places, key=lambda place: place.page):
        boxes = [place.box for place in run]
        parts.append(TablePart(page, enclose_boxes(boxes), first, first + len(boxes) - 1))
        first += len(boxes)
    return tuple(parts)
