"""Columns of running text on a page, read one after the other (an XY cut, Nagy & Seth 1984), and its margins."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import groupby, pairwise

from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.page_rows import PageRow, read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord, is_prose


class _Side(Enum):
    """How a line stands to a gutter: text over it, pieces off the margin, in both columns, or on one side only."""

    OVER = 0
    APART = 1
    BESIDE = 2
    ONE = 3


def find_zones(words: Sequence[PageWord], depth: int = 0) -> list[list[PageWord]]:
    """The words of a page zone by zone in reading order; each word stands in exactly one."""
    rows = read_rows(words)
    gutter = _find_gutter(rows) if depth < LINES.zone_depth else None
    if gutter is None:
        return [list(words)] if words else []
    x, margin = gutter
    zones: list[list[PageWord]] = []
    for columned, run in _find_bands(rows, x, margin):
        run_words = [word for row in run for word in row.words]
        if columned:
            left, right = (
                [word for word in run_words if word.center <= x],
                [word for word in run_words if word.center > x],
            )
            zones += find_zones(left, depth + 1) + find_zones(right, depth + 1)
        elif len(run) < len(rows):
            zones += find_zones(run_words, depth + 1)
        else:
            zones.append(run_words)
    return zones


def _find_gutter(rows: Sequence[PageRow]) -> tuple[float, float] | None:
    """The middle of the gap that most lines of prose share, and where the column right of it begins."""
    if not rows:
        return None
    pairs: list[tuple[float, float]] = []
    filled: list[float] = []  # of the less filled column on either side, the share that words fill
    left_edge, right_edge = min(row.box.x0 for row in rows), max(row.box.x1 for row in rows)
    for row in rows:
        if len(row.pieces) > LINES.gutter_pieces:
            continue
        for number, (before, after) in enumerate(pairwise(row.pieces), start=1):
            left = [word for piece in row.pieces[:number] for word in piece.words]
            right = [word for piece in row.pieces[number:] for word in piece.words]
            if is_prose(left) and is_prose(right) and after.x0 - before.x1 > LINES.gutter_width * row.size:
                pairs.append((before.x1, after.x0))
                sides = ((left, before.x1 - left_edge), (right, right_edge - after.x0))
                filled.append(min(sum(word.x1 - word.x0 for word in words) / max(1.0, wide) for words, wide in sides))
    changes = sorted(change for start, end in pairs for change in ((start, 1), (end, -1)))
    count, best, place = 0, 0, 0.0
    for (x, change), (until, _) in pairwise([*changes, (0.0, 0)]):
        count += change
        if count > best and until > x:
            best, place = count, (x + until) / 2
    shared = [number for number, (start, end) in enumerate(pairs) if start <= place <= end]
    if best < LINES.gutter_lines or sum(filled[number] > LINES.zone_filled for number in shared) < LINES.gutter_lines:
        return None
    starts = sorted(pairs[number][1] for number in shared)
    return None if _is_wrapped(rows, place) else (place, starts[len(starts) // 4])


def _is_wrapped(rows: Sequence[PageRow], x: float) -> bool:
    """Whether a gutter parts cells of a table: time and again the left goes on alone, set in under its own text.

    Columns of prose are set line beside line, and their lines begin at one margin.
    """
    beside = [row for row in rows if not any(piece.x0 < x < piece.x1 for piece in row.pieces)]
    both = [number for number, row in enumerate(beside) if row.words[0].x0 < x < row.words[-1].x1]
    if not both:
        return False
    run = beside[both[0] : both[-1] + 1]
    margin = min(row.words[0].x0 for row in run)
    alone = [row for row in run if row.words[-1].x1 < x]
    set_in = [row for row in alone if row.words[0].x0 - margin > LINES.cell_indent * row.size]
    return len(alone) > LINES.cell_alone * len(run) and len(set_in) > LINES.cell_indented * len(alone)


def _find_bands(rows: Sequence[PageRow], x: float, margin: float) -> list[tuple[bool, list[PageRow]]]:
    """Runs of lines that stand in columns, and the runs between them."""
    sides = _smooth_sides([_find_side(row, x, margin) for row in rows])
    runs: list[tuple[bool, list[PageRow]]] = []
    pairs = zip(sides, rows, strict=True)
    for whole, run in groupby(pairs, key=lambda pair: pair[0] in (_Side.OVER, _Side.APART)):
        run_rows = list(run)
        columned = not whole and sum(side is _Side.BESIDE for side, _ in run_rows) > 1
        if runs and not columned and not runs[-1][0]:
            runs[-1][1].extend(row for _, row in run_rows)
        else:
            runs.append((columned, [row for _, row in run_rows]))
    return runs


def _smooth_sides(sides: Sequence[_Side]) -> list[_Side]:
    """Few lines off the margin amid lines in columns stand in columns too."""
    smooth = list(sides)
    start = 0
    for side, run in groupby(sides):
        end = start + len(list(run))
        if side is _Side.APART and end - start <= LINES.zone_few_lines:
            above = next((one for one in reversed(sides[:start]) if one is not _Side.ONE), _Side.BESIDE)
            below = next((one for one in sides[end:] if one is not _Side.ONE), _Side.BESIDE)
            if above is below is _Side.BESIDE:
                smooth[start:end] = [_Side.BESIDE] * (end - start)
        start = end
    return smooth


def _find_side(row: PageRow, x: float, margin: float) -> _Side:
    if any(piece.x0 < x < piece.x1 for piece in row.pieces):
        return _Side.OVER
    right = next((piece for piece in row.pieces if piece.x0 >= x), None)
    if right is None or row.words[0].x0 >= x:
        return _Side.ONE
    if not -LINES.gutter_hang <= right.x0 - margin <= LINES.gutter_indent * row.size or right.is_figure:
        return _Side.APART
    return _Side.BESIDE


def is_in_margin(top: float, bottom: float, height: float) -> bool:
    """Whether something from `top` to `bottom` on a page of `height` points stands in its head or foot margin."""
    return bottom < LINES.margin_top * height or top > LINES.margin_bottom * height
