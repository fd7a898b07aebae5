"""Tables as found on one page, and their rows beyond the last rule of the grid or in the page's margin."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from tasks.parsers.assembly import AssembledLine, enclose_boxes
from tasks.parsers.pdf.lines.page_rows import PageRow, read_rows
from tasks.parsers.pdf.lines.text_direction import join_words
from tasks.parsers.pdf.lines.word_builder import PageWord, enclose_words
from tasks.parsers.pdf.tables.table_settings import TABLES
from warehouse.records import Box, Merge

_LEADER_DOTS = re.compile(r"(?<!\.)\.{4,}$|(?<![.…])(?<![.…] )(?:…|\. ?){2,}$|^[.…·_]+$")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class FoundTable:
    """Cells row by row with the box of each row; `edges` are the left edges of its columns and its right edge.

    `leaders` are the dots that lead from labels to figures; no cell shows them.
    """

    page: int
    box: Box
    rows: tuple[tuple[str, ...], ...]
    boxes: tuple[Box, ...]
    merges: tuple[Merge, ...]
    header_rows: int | None
    confidence: float
    edges: tuple[float, ...]
    leaders: tuple[AssembledLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FilledCell:
    """A cell with its words: it begins at `row` and `column` and covers `rows` and `columns`."""

    row: int
    column: int
    words: tuple[PageWord, ...]
    rows: int = 1
    columns: int = 1


def has_words(texts: Iterable[str]) -> bool:
    """Whether there is a word of letters in any cell."""
    return any(map(_LETTERS.search, texts))


def build_table(
    page: int,
    cells: Sequence[FilledCell],
    edges: Sequence[float],
    *,
    header_rows: int | None,
    confidence: float,
) -> FoundTable | None:
    """A table of these cells, rows and columns without words left out; None where less than two by two remain."""
    filled_cells = [cell for cell in cells if cell.words]
    rows, columns = sorted({cell.row for cell in filled_cells}), sorted({cell.column for cell in filled_cells})
    if len(rows) < 2 or len(columns) < 2:
        return None
    texts = [[""] * len(columns) for _ in rows]
    words: list[list[PageWord]] = [[] for _ in rows]
    dots: list[AssembledLine] = []
    extents: dict[tuple[int, int], tuple[int, int]] = {}
    for cell in filled_cells:
        row, column = bisect_left(rows, cell.row), bisect_left(columns, cell.column)
        texts[row][column] = " ".join(filter(None, (texts[row][column], build_cell_text(cell.words))))
        words[row] += cell.words
        dots += find_leaders(page, cell.words)
        extent = extents.get((row, column), (1, 1))
        height = bisect_left(rows, cell.row + cell.rows) - row
        width = bisect_left(columns, cell.column + cell.columns) - column
        extents[row, column] = max(height, extent[0]), max(width, extent[1])
    boxes = tuple(map(enclose_words, words))
    header = None if header_rows is None else bisect_left(rows, header_rows)
    column_edges = (*(edges[column] for column in columns), edges[-1])
    grid = tuple(map(tuple, texts))
    return FoundTable(
        page,
        enclose_boxes(boxes),
        grid,
        boxes,
        tuple(_iter_merges(extents)),
        header,
        confidence,
        column_edges,
        tuple(dots),
    )


def _iter_merges(extents: Mapping[tuple[int, int], tuple[int, int]]) -> Iterator[Merge]:
    """The merges of cells that reach over several rows and columns, each only as far as no other cell stands."""
    used_places = set(extents)
    for (row, column), (height, width) in sorted(extents.items()):
        across = next((n for n in range(1, width) if (row, column + n) in used_places), width)
        down = next(
            (n for n in range(1, height) if any((row + n, column + m) in used_places for m in range(across))), height
        )
        if across > 1 or down > 1:
            used_places.update((row + n, column + m) for n in range(down) for m in range(across))
            yield Merge(row, column, down, across)


def find_leaders(page: int, cell: Sequence[PageWord]) -> list[AssembledLine]:
    """The dots of a cell as a line of their own."""
    dots = [(word, text) for word in cell if (text := _find_dots(word, cell))]
    if not dots:
        return []
    return [AssembledLine(" ".join(text for _, text in dots), page, enclose_words(word for word, _ in dots))]


def _find_dots(word: PageWord, cell: Sequence[PageWord]) -> str:
    """The leading dots that a word is or ends in; a lone dot is the sign for a missing figure."""
    is_sign = len(cell) == 1 and len(word.text) < TABLES.min_leader_dots
    match = None if is_sign else _LEADER_DOTS.search(word.text)
    return match[0] if match else ""


def build_cell_text(words: Sequence[PageWord]) -> str:
    """The words of a cell line by line, without leading dots.

    No space stands in a word that a line's end parts, or in Chinese.
    """
    text = ""
    for row in read_rows(words):
        line = join_words(
            [
                text_without_dots
                for word in row.words
                if (text_without_dots := word.text.removesuffix(_find_dots(word, words)))
            ]
        )
        line = line.replace("\u00ad", "-")
        if line:
            ends_in_hyphen = text.endswith("-") and text[-2:-1].isalpha() and line[0].islower()
            joint = "" if ends_in_hyphen or (_CHINESE.match(text[-1:]) and _CHINESE.match(line)) else " "
            text = f"{text}{joint}{line}" if text else line
    return text


def find_columns(reaches: Sequence[tuple[float, float]], edges: Sequence[float]) -> list[int] | None:
    """The column between `edges` in which each stretch of a line stands; None where one has no column of its own."""
    columns: list[int] = []
    for x0, x1 in reaches:
        column = bisect_right(edges, (x0 + x1) / 2) - 1
        if not 0 <= column < len(edges) - 1 or column in columns:
            return None
        overhang = max(0.0, edges[column] - x0) + max(0.0, x1 - edges[column + 1])
        if overhang > TABLES.column_overhang_share * (x1 - x0):
            return None
        columns.append(column)
    return columns


def with_rows_below(table: FoundTable, rows: Sequence[PageRow], *, min_pieces: int = 2) -> tuple[FoundTable, int]:
    """The table with the first of the `rows` that follow it, as long as they are rows of it, and their number.

    They have `min_pieces` pieces at least.
    """
    for count, row in enumerate(rows):
        is_close = row.top - table.box.bottom <= _measure_reach(table, row) and len(row.pieces) >= min_pieces
        cells = _read_cells(table, row) if is_close else None
        if cells is None:
            return table, count
        table = _insert_row(table, row, cells, len(table.rows))
    return table, len(rows)


def with_rows_above(table: FoundTable, rows: Sequence[PageRow], *, min_pieces: int) -> tuple[FoundTable, int]:
    """The table with the last of the `rows` that come before it, the nearest first, and their number.

    They have `min_pieces` pieces at least; the uppermost may be the header of a table that has none.
    """
    count = 0
    for row in reversed(rows):
        is_close = table.box.top - row.bottom <= _measure_reach(table, row) and len(row.pieces) >= min_pieces
        cells = _read_cells(table, row) if is_close else None
        if cells is None:
            is_wide = len(row.pieces) >= len(table.edges) - 2  # a word for every column but the first at least
            header = _place_texts(table, row) if is_close and table.header_rows == 0 and is_wide else None
            return (replace(_insert_row(table, row, header, 0), header_rows=1), count + 1) if header else (table, count)
        table, count = _insert_row(table, row, cells, 0), count + 1
    return table, count


def _measure_reach(table: FoundTable, row: PageRow) -> float:
    """How far from a table its next row may stand: no further than its rows from each other."""
    gaps = [below.top - above.bottom for above, below in pairwise(table.boxes)]
    return max(TABLES.next_row_min_gap * row.size, TABLES.next_row_gap_ratio * median(gaps))


def _read_cells(table: FoundTable, row: PageRow) -> tuple[str, ...] | None:
    """The cells of a line that has a label and, in columns of the table, nothing but figures beside it."""
    cells = _place_texts(table, row)
    is_labelled = cells is not None and bool(cells[0]) and not row.pieces[0].is_figure
    only_figures = len(row.pieces) > 1 and all(piece.is_figure for piece in row.pieces[1:])
    return cells if is_labelled and only_figures else None


def _place_texts(table: FoundTable, row: PageRow) -> tuple[str, ...] | None:
    columns = find_columns([(piece.x0, piece.x1) for piece in row.pieces], table.edges)
    if columns is None:
        return None
    texts = {column: build_cell_text(piece.words) for column, piece in zip(columns, row.pieces, strict=True)}
    return tuple(texts.get(column, "") for column in range(len(table.edges) - 1))


def _insert_row(table: FoundTable, row: PageRow, cells: tuple[str, ...], index: int) -> FoundTable:
    """The table with a row put in at its head or foot."""
    row_shift = 0 if index else 1
    boxes = (*table.boxes[:index], row.box, *table.boxes[index:])
    return replace(
        table,
        box=enclose_boxes(boxes),
        rows=(*table.rows[:index], cells, *table.rows[index:]),
        boxes=boxes,
        merges=tuple(replace(merge, row=merge.row + row_shift) for merge in table.merges),
        leaders=(*table.leaders, *(line for piece in row.pieces for line in find_leaders(table.page, piece.words))),
    )
