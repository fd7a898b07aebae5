"""Workbook sheets written into a document: islands as tables and texts, and findings on what is left out or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tasks import faults
from tasks.parsers.assembly import Assembly
from tasks.parsers.document_head import HEAD_LENGTH, Heading, find_datelines, find_first_title
from tasks.parsers.language import count_letters
from tasks.parsers.office.office_properties import FileDescription
from tasks.parsers.sheets.sheet_cells import ReadSheet, SheetGrid
from tasks.parsers.sheets.sheet_layout import Island, find_islands
from tasks.parsers.sheets.sheet_tables import SheetTable, find_dated_rows, make_table, read_text_lines, split_records
from warehouse.printable_text import format_first
from warehouse.records import BlockKind, Document, Finding, Kind

MAX_CELLS = 1_000_000
"""Cells of a workbook that are read; what comes after them is left out, with a finding.

So many cost about two and a half minutes of the processor and .8 GB where tables become cells (7 s and 38 MB for
48,000).
"""
_MAX_LINE_LENGTH = 200  # Characters of a line of a list; longer ones are paragraphs.
_MAX_CAPTION_LENGTH = 400  # Characters of the lines above a table that are its caption.
_MIN_LETTERS = 8
"""Letters of a title at the least: what is shorter names a cell. A character of Chinese counts for two."""
_MAX_TITLE_ROWS = 3  # Rows between a title and its table at most.
_MAX_NAMED_CELLS = 5  # Places of cells that a finding names.


class Workbook(Protocol):
    """A workbook of any format that is being read."""

    @property
    def lost(self) -> Sequence[Finding]:
        """What of it could not be read."""

    def iter_sheets(self) -> Iterator[ReadSheet]:
        """The sheets in the order of their tabs, to the one with more cells than may be read."""

    def read_properties(self) -> FileDescription:
        """Title, authors and days."""


def build_workbook_document(media_type: str, data: bytes, open_workbook: Callable[[bytes, int], Workbook]) -> Document:
    """The document of a workbook, which is opened with the number of cells that may be read.

    A diary is a text, any other workbook a report. Raises `UnreadableFile` as `open_workbook` does.
    """
    workbook, writer = open_workbook(data, MAX_CELLS), _SheetWriter()
    for sheet in workbook.iter_sheets():
        writer.add_sheet(sheet)
    title, authors, dates = workbook.read_properties()
    beginning = writer.assembly.list_beginning(HEAD_LENGTH)
    return writer.assembly.finish(
        Kind.TEXT if writer.is_diary else Kind.REPORT,
        media_type,
        title=title or find_first_title(writer.titles, "\n".join(beginning)),
        authors=authors,
        dates=[*find_datelines(beginning, writer.assembly.list_first_tables(HEAD_LENGTH)), *dates],
        findings=[*workbook.lost, *_report_left_out(writer.hidden, writer.grids), *_report_faults(writer.grids)],
    )


@dataclass(eq=False)
class _SheetWriter:
    """Adds sheets to an assembly; `titles` are first lines of the first sheet, `hidden` names of hidden ones."""

    assembly: Assembly = field(default_factory=Assembly)
    titles: list[Heading] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    grids: list[SheetGrid] = field(default_factory=list)
    _diary_rows: int = 0
    _rows: int = 0

    @property
    def is_diary(self) -> bool:
        """Whether most rows of all tables are dated and hold sentences."""
        return 2 * self._diary_rows > self._rows

    def add_sheet(self, sheet: ReadSheet) -> None:
        """Adds a sheet below a heading with its name; one that is hidden, or without anything on it, is not shown."""
        grid, boxes, notes = sheet.grid, list(filter(None, sheet.boxes)), sheet.notes
        if sheet.is_hidden:
            self.hidden.append(grid.name)
            return
        self.grids.append(grid)
        islands = find_islands(grid)
        if not islands and not boxes and not notes:
            return
        is_first = not self.assembly.end
        self.assembly.add_heading(grid.name, 1)
        last_lines: tuple[Island, list[str]] | None = None
        left: tuple[Island, Sequence[str], SheetTable] | None = None
        for island in islands:
            lines = [] if island.table else read_text_lines(island)
            if lines:
                self._add_lines(lines)
                if is_first and island is islands[0]:
                    self._add_title(lines)
                last_lines = island, lines
                continue
            table = make_table(island, grid)
            if is_first and island is islands[0]:
                self._add_title(table.above)
            titles: Sequence[str] = last_lines[1] if last_lines and _is_title_of(last_lines[0], island) else ()
            if left and not titles and _is_beside(left[0], island) and _are_alike(left[2], table):
                titles = [*left[1], *left[2].above[: island.top - left[0].top]]
            self._add_table(table, titles)
            last_lines, left = None, (island, titles, table)
        for box in boxes:
            self.assembly.add(BlockKind.PARAGRAPH, box)
        self.assembly.add(BlockKind.LIST, "\n".join(notes))

    def _add_title(self, lines: Sequence[str]) -> None:
        """Keeps the first of some lines as a title, if it is of several words."""
        if lines and count_letters(lines[0]) >= _MIN_LETTERS:
            self.titles.append(Heading(lines[0], 0, 0))

    def _add_lines(self, lines: Sequence[str]) -> None:
        if len(lines) > 3 and max(map(len, lines)) <= _MAX_LINE_LENGTH:
            self.assembly.add(BlockKind.LIST, "\n".join(" ".join(line.split()) for line in lines))
            return
        for line in lines:
            self.assembly.add(BlockKind.PARAGRAPH, line)

    def _add_table(self, table: SheetTable, titles: Sequence[str]) -> None:
        for line in table.above:
            self.assembly.add(BlockKind.PARAGRAPH, line)
        caption = " ".join([*titles, *table.above])
        caption = caption if len(caption) <= _MAX_CAPTION_LENGTH else ""
        dated_rows = find_dated_rows(table)
        self._rows += len(table.rows)
        self._diary_rows += len(table.rows) if dated_rows and dated_rows.is_prose else 0
        head = table.rows[: table.header_rows]
        parts = split_records(table, dated_rows)
        if not parts:
            self.assembly.add_table(
                table.rows, header_rows=table.header_rows, caption=caption, notes=table.below, merges=table.merges
            )
        for part in parts:
            self.assembly.add_heading(part.heading, 2)
            merges = [merge for merge in table.merges if merge.row + merge.rows <= table.header_rows]
            rows = [*head, *table.rows[part.start : part.stop]]
            self.assembly.add_table(rows, header_rows=len(head), caption=caption, notes=table.below, merges=merges)
        if parts:
            self.assembly.end_sections(2)
        for line in table.below:
            self.assembly.add(BlockKind.PARAGRAPH, line)


def _is_title_of(text: Island, below: Island) -> bool:
    """Whether the lines of an island stand straight above another, over its columns."""
    is_over = text.left <= below.right and below.left <= text.right
    return is_over and 0 < below.top - text.bottom <= _MAX_TITLE_ROWS


def _is_beside(left: Island, island: Island) -> bool:
    """Whether an island begins on the right of another, at its first rows, which may hold a title of both."""
    return left.right < island.left and left.top <= island.top <= left.top + _MAX_TITLE_ROWS


def _are_alike(table: SheetTable, other: SheetTable) -> bool:
    """Whether two tables have most header cells in common, so that a title above the first may be that of both."""
    heads = [
        {cell for row in sheet_table.rows[: sheet_table.header_rows] for cell in row if cell}
        for sheet_table in (table, other)
    ]
    return bool(heads[1]) and 2 * len(heads[0] & heads[1]) > len(heads[1])


def _report_left_out(hidden_names: Sequence[str], grids: Sequence[SheetGrid]) -> Iterator[Finding]:
    """Findings on hidden content, and on cells beyond the bound."""
    if hidden_names:
        names = format_first([f"“{name}”" for name in hidden_names], _MAX_NAMED_CELLS)
        yield faults.HIDDEN_CONTENT.make_finding(f"hidden sheets are left out: {names}")
    for grid in grids:
        parts = [
            f"{count} {noun}{'s' if count > 1 else ''}"
            for count, noun in ((grid.hidden_rows, "row"), (len(grid.hidden_columns), "column"))
            if count
        ]
        if parts:
            yield faults.HIDDEN_CONTENT.make_finding(f"sheet “{grid.name}”: {' and '.join(parts)} hidden and left out")
        if grid.is_cut:
            last = max(grid.rows, default=0)
            message = f"only the first {MAX_CELLS:,} cells are read, to row {last:,} of sheet “{grid.name}”"
            yield faults.TOO_LARGE_FILE.make_finding(f"{message}: split the file")


def _report_faults(grids: Sequence[SheetGrid]) -> Iterator[Finding]:
    """Errors that cells show, and formulas without a value."""
    for grid in grids:
        sheet = f"of sheet “{grid.name}”"
        for error, count in sorted(Counter(text for text, _ in grid.errors).items()):
            places = format_first([place for text, place in grid.errors if text == error], _MAX_NAMED_CELLS)
            cells = f"{count} cells {sheet} show" if count > 1 else f"a cell {sheet} shows"
            yield faults.CELL_ERRORS.make_finding(f"{cells} {error}: {places}")
        if count := len(grid.uncalculated):
            cells = f"{count} formulas {sheet} have" if count > 1 else f"a formula {sheet} has"
            yield faults.UNCALCULATED_CELLS.make_finding(
                f"{cells} no saved value: {format_first(grid.uncalculated, _MAX_NAMED_CELLS)}"
            )
