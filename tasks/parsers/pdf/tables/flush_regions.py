"""Regions of a page whose lines stand in columns that are flush on the left, as columns of words are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from tasks.parsers.pdf.lines.page_rows import PageRow
from tasks.parsers.pdf.lines.word_builder import PageWord
from tasks.parsers.pdf.tables.table_settings import TABLES


@dataclass(frozen=True, slots=True)
class FlushRegion:
    """Lines whose words stand in columns that are flush on the left, at `edges`; every line leaves the gaps free.

    It is cut if the line before or after it is as near as its own lines are, and so is part of the same table.
    """

    edges: tuple[float, ...]
    rows: tuple[PageRow, ...]
    is_cut: bool = False

    @property
    def size(self) -> float:
        """The usual font size in points."""
        return self.rows[0].size

    @property
    def words(self) -> list[PageWord]:
        """All words, line by line."""
        return [word for row in self.rows for word in row.words]

    def find_column(self, word: PageWord) -> int:
        """The column of a word."""
        return _find_edge(self.edges, word.x0)


def find_flush_region(rows: Sequence[PageRow], start: int) -> tuple[int, FlushRegion]:
    """The lines around line `start`, of several pieces, that keep to its columns; and the number of the first."""
    edges: tuple[float, ...] = tuple(piece.x0 for piece in rows[start].pieces)
    region_rows = [rows[start]]
    for row in rows[start + 1 : start + TABLES.flush_max_lines]:
        wider = _widen_edges(edges, region_rows, row)
        is_far = row.top - max(above.bottom for above in region_rows[-2:]) > TABLES.row_gap * row.size
        if is_far or not wider or _is_heading_among(row, region_rows, edges):
            break
        edges = wider
        region_rows.append(row)
    last = start + len(region_rows) - 1
    first = start
    while (
        first
        and len(region_rows) < TABLES.flush_max_lines
        and region_rows[0].top - rows[first - 1].bottom < TABLES.row_gap * rows[first - 1].size
    ):
        row = rows[first - 1]
        wider = _widen_edges(edges, region_rows, row)
        if not wider or _is_heading_among(row, region_rows, edges):
            break
        edges = wider
        region_rows.insert(0, row)
        first -= 1
    while first and _is_centred_header(rows[first - 1], region_rows[0], edges):
        first -= 1
        region_rows.insert(0, rows[first])
    region = FlushRegion(edges, tuple(region_rows))
    neighbours = [(region_rows[0].top - rows[first - 1].bottom, rows[first - 1])] if first else []
    neighbours += [(rows[last + 1].top - region_rows[-1].bottom, rows[last + 1])] if last + 1 < len(rows) else []
    return first, replace(region, is_cut=any(_continues_region(gap, row, region) for gap, row in neighbours))


def _is_centred_header(row: PageRow, below: PageRow, edges: Sequence[float]) -> bool:
    """Whether a line right above has titles that stand in columns, though not at their edges."""
    is_near = below.top - row.bottom < TABLES.header_gap * row.size
    return is_near and len(row.pieces) > 1 and _keeps_to_edges(row, edges, inset=inf)


def _continues_region(gap: float, row: PageRow, region: FlushRegion) -> bool:
    """Whether a line next to a region, `gap` points away, is a line of the same table that keeps to other columns."""
    if row.size > TABLES.flush_heading_ratio * region.size or (
        all(word.bold for word in row.words) and len(row.pieces) == 1
    ):
        return False
    gaps = sorted(below.top - above.bottom for above, below in pairwise(region.rows)) or [0.0]
    slack = TABLES.nearer_gap * row.size
    return gap <= gaps[len(gaps) // 2] + slack or (len(row.pieces) > 1 and gap <= gaps[-1] + slack)


def _widen_edges(edges: tuple[float, ...], region_rows: Sequence[PageRow], row: PageRow) -> tuple[float, ...]:
    """The edges of the columns of the region's lines and one more, which may show further ones; () if none fit."""
    new_edges = [piece.x0 for piece in row.pieces if not _is_edge(edges, piece.x0)]
    if not new_edges:
        return edges if _keeps_to_edges(row, edges) else ()
    all_edges = tuple(sorted([*edges, *new_edges]))
    if all(_keeps_to_edges(line, all_edges) for line in [row, *region_rows]):
        return all_edges
    is_inset = all(0 <= x - edges[_find_edge(edges, x)] <= TABLES.flush_max_indent * row.size for x in new_edges)
    return edges if is_inset and _keeps_to_edges(row, edges) else ()


def _is_heading_among(row: PageRow, region_rows: Sequence[PageRow], edges: Sequence[float]) -> bool:
    """Whether a line is a heading at the labels' edge: larger than the lines of the table, or alone bold."""
    if len(row.pieces) > 1 or row.words[0].x0 > edges[0] + TABLES.flush_edge_tolerance:
        return False
    labels = [line.words[0] for line in region_rows if line.words[0].x0 <= edges[0] + TABLES.flush_edge_tolerance]
    is_bold = all(word.bold for word in row.words) and not any(label.bold for label in labels[1:])
    return is_bold or row.size > TABLES.flush_heading_ratio * region_rows[0].size


def _find_edge(edges: Sequence[float], x: float) -> int:
    """The last column that begins left of `x`, or just right of it; -1 where none does."""
    return bisect_right(edges, x + TABLES.flush_edge_tolerance) - 1


def _is_edge(edges: Sequence[float], x: float) -> bool:
    return any(abs(edge - x) <= TABLES.flush_edge_tolerance for edge in edges)


def _keeps_to_edges(row: PageRow, edges: Sequence[float], inset: float = TABLES.flush_max_indent) -> bool:
    """Whether each cell of a line begins at its edge, or `inset` em right of it, and nothing stands left of one."""
    last_column = -1
    for word in row.words:
        column = _find_edge(edges, word.x0)
        if column < 0 or (column > last_column and word.x0 - edges[column] > inset * row.size):
            return False
        if column + 1 < len(edges) and word.x1 > edges[column + 1] - TABLES.flush_column_gap * row.size:
            return False
        last_column = max(last_column, column)
    return True
