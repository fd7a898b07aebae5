"""Columns of running text on a page, read one after the other (an XY cut, Nagy & Seth 1984), and its margins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from itertools import groupby, pairwise
from math import inf

from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.page_rows import PageRow, has_figures, read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord, is_prose


class _GutterSide(Enum):
    """Where a line is with respect to a gutter: across it, off the column's margin, in both columns, or in one only."""

    ACROSS = 0
    OFF_MARGIN = 1
    BOTH_COLUMNS = 2
    ONE_COLUMN = 3


def find_zones(words: Sequence[PageWord], depth: int = 0) -> list[list[PageWord]]:
    """The words of a page zone by zone in reading order; each word stands in exactly one."""
    rows = read_rows(words)
    block = find_side_by_side_blocks(rows) if depth < LINES.max_zone_depth else None
    gutter = _find_gutter(rows) if depth < LINES.max_zone_depth else None
    if block is not None:
        x, first, last = block
        if gutter is not None and abs(gutter[1] - LINES.side_block_margin - x) <= LINES.gutter_overhang:
            last = _find_last_in_columns(rows, last, *gutter)
        bands = [(False, rows[:first]), (True, rows[first : last + 1]), (False, rows[last + 1 :])]
    elif gutter is not None:
        x, bands = gutter[0], _find_bands(rows, *gutter)
    else:
        return [list(words)] if words else []
    zones: list[list[PageWord]] = []
    for has_columns, run in bands:
        run_words = [word for row in run for word in row.words]
        if has_columns:
            left, right = _split_words(run, x)
            zones += find_zones(left, depth + 1) + find_zones(right, depth + 1)
        elif len(run) < len(rows):
            zones += find_zones(run_words, depth + 1)
        else:
            zones.append(run_words)
    return zones


def _find_last_in_columns(rows: Sequence[PageRow], last: int, x: float, margin: float) -> int:
    """The last row of columns of prose of which blocks side by side, up to row `last`, are the first part.

    Below a gap the columns go on, on one side alone too.
    """
    for row in rows[last + 1 :]:
        if _find_side(row, x, margin) not in (_GutterSide.BOTH_COLUMNS, _GutterSide.ONE_COLUMN):
            break
        last += 1
    return last


def _split_words(rows: Sequence[PageRow], x: float) -> tuple[list[PageWord], list[PageWord]]:
    """The words left and right of a gutter."""
    words = [word for row in rows for word in row.words]
    return [word for word in words if word.center <= x], [word for word in words if word.center > x]


def find_side_by_side_blocks(rows: Sequence[PageRow]) -> tuple[float, int, int] | None:
    """Blocks of text side by side whose lines are not level: the gutter, the first and the last of their rows.

    An address beside the particulars of an invoice, the side bar of a résumé and text boxes stand so. The lines of a
    table's cells are level, at least the first of each.
    """
    edges = _list_edges(rows)
    for blank in LINES.side_block_row_gaps:
        blocks = [(x, first, last) for x in edges for first, last in _find_unlevel_runs(rows, x, blank)]
        if blocks:
            return max(blocks, key=lambda block: block[2] - block[1])
    return None


def _list_edges(rows: Sequence[PageRow]) -> list[float]:
    """Where a block may stand to the right of a gutter: just left of where pieces begin, most often first."""
    left = min((row.box.x0 for row in rows), default=0.0)
    starts = Counter(round(piece.x0) for row in rows for piece in row.pieces[: LINES.gutter_max_pieces])
    usual = [(start, count) for start, count in starts.most_common() if start > left + LINES.side_block_min_width]
    return [
        start - LINES.side_block_margin
        for start, count in usual[: LINES.side_block_max_edges]
        if count >= LINES.side_block_min_lines
    ]


def _find_unlevel_runs(rows: Sequence[PageRow], x: float, blank: float) -> list[tuple[int, int]]:
    """The first and last of the rows in which blocks whose lines are not level stand on both sides of a gutter.

    A gap of `blank` em between rows parts them, unless such blocks stand above and below it.
    """
    parts: list[tuple[int, int]] = []
    start = 0
    for number, row in enumerate(rows):
        after = rows[number + 1] if number + 1 < len(rows) else None
        if _crosses_gutter(row, x):
            start = number + 1
        elif after is None or _crosses_gutter(after, x) or after.top - row.bottom > blank * row.size:
            parts.append((start, number))
            start = number + 1
    unlevel = [_is_unlevel(rows[first : last + 1], x) for first, last in parts]
    runs: list[tuple[int, int]] = []
    for number, (first, last) in enumerate(parts):
        if unlevel[number]:
            joins = runs and all(not _crosses_gutter(row, x) for row in rows[runs[-1][1] + 1 : first])
            runs[-1:] = [(runs[-1][0], last)] if joins else [*runs[-1:], (first, last)]
    return [(first, last) for first, last in runs if not _is_header(rows, last)]


def _is_header(rows: Sequence[PageRow], last: int) -> bool:
    """Whether what stands above row `last` heads the columns of figures below it, or goes on in the row below."""
    if last + 1 == len(rows):
        return False
    row, below = rows[last], rows[last + 1]
    return has_figures(below) or below.top - row.bottom < LINES.side_block_row_gaps[-1] * row.size


def _crosses_gutter(row: PageRow, x: float) -> bool:
    """Whether words of a row stand across a gutter, or nearer to each other there than blocks side by side do."""
    left = max((word.x1 for word in row.words if word.center <= x), default=-inf)
    right = min((word.x0 for word in row.words if word.center > x), default=inf)
    return right - left < LINES.gutter_width * row.size or left > x


def _is_unlevel(rows: Sequence[PageRow], x: float) -> bool:
    """Whether rows hold two blocks of words, each of several lines set close, few of which are level."""
    sides = _split_words(rows, x)
    if not all(sides):
        return False
    gap = min(word.x0 for word in sides[1]) - max(word.x1 for word in sides[0])
    left, right = sorted((read_rows(side) for side in sides), key=len)
    # The lines of a table begin with words.
    begin_with_words = all(
        sum(word.text[:1].isalpha() for word in side) >= LINES.side_block_letter_share * len(side) for side in sides
    )
    if not begin_with_words and not all(_are_label_rows(block) for block in (left, right)):
        return False
    if len(left) < LINES.side_block_min_lines or gap < LINES.gutter_width * min(left[0].size, right[0].size):
        return False
    for block in (left, right):
        close_count = sum(
            below.top - above.top < LINES.side_block_max_pitch * above.size for above, below in pairwise(block)
        )
        if 2 * close_count < len(block) - 1:
            return False
    baselines = sorted(row.words[0].bottom for row in right)
    level_count = sum(_has_nearby(baselines, row.words[0].bottom, LINES.level_tolerance * row.size) for row in left)
    is_prose_set = all(2 * sum(is_prose(row.words) for row in block) > len(block) for block in (left, right))
    share = LINES.level_share_of_prose if is_prose_set else LINES.level_share
    return level_count <= share * len(left)


def _are_label_rows(rows: Sequence[PageRow]) -> bool:
    """Whether nearly all rows are a label and figures, as those of a table are."""
    labelled_count = sum(row.words[0].text[:1].isalpha() and has_figures(row) for row in rows)
    return labelled_count >= LINES.side_table_label_share * len(rows)


def _has_nearby(places: Sequence[float], place: float, reach: float) -> bool:
    """Whether one of the places, in rising order, is less than `reach` from a place."""
    return bisect_left(places, place + reach) > bisect_right(places, place - reach)


def _find_gutter(rows: Sequence[PageRow]) -> tuple[float, float] | None:
    """The middle of the gap that most lines of prose share, and where the column right of it begins."""
    if not rows:
        return None
    pairs: list[tuple[float, float]] = []
    filled_shares: list[float] = []  # of the less filled column on either side, the share that words fill
    left_edge, right_edge = min(row.box.x0 for row in rows), max(row.box.x1 for row in rows)
    for row in rows:
        if len(row.pieces) > LINES.gutter_max_pieces:
            continue
        for number, (left_piece, right_piece) in enumerate(pairwise(row.pieces), start=1):
            left = [word for piece in row.pieces[:number] for word in piece.words]
            right = [word for piece in row.pieces[number:] for word in piece.words]
            if is_prose(left) and is_prose(right) and right_piece.x0 - left_piece.x1 > LINES.gutter_width * row.size:
                pairs.append((left_piece.x1, right_piece.x0))
                sides = ((left, left_piece.x1 - left_edge), (right, right_edge - right_piece.x0))
                filled_shares.append(
                    min(sum(word.x1 - word.x0 for word in words) / max(1.0, width) for words, width in sides)
                )
    changes = sorted(change for start, end in pairs for change in ((start, 1), (end, -1)))
    count, best, place = 0, 0, 0.0
    for (x, change), (until, _) in pairwise([*changes, (0.0, 0)]):
        count += change
        if count > best and until > x:
            best, place = count, (x + until) / 2
    shared = [number for number, (start, end) in enumerate(pairs) if start <= place <= end]
    if (
        best < LINES.gutter_min_lines
        or sum(filled_shares[number] > LINES.zone_filled for number in shared) < LINES.gutter_min_lines
    ):
        return None
    starts = sorted(pairs[number][1] for number in shared)
    return None if _is_between_table_cells(rows, place) else (place, starts[len(starts) // 4])


def _is_between_table_cells(rows: Sequence[PageRow], x: float) -> bool:
    """Whether a gutter parts cells of a table: time and again the left goes on alone, set in under its own text.

    Columns of prose are set line beside line, and their lines begin at one margin.
    """
    open_rows = [row for row in rows if not any(piece.x0 < x < piece.x1 for piece in row.pieces)]
    both = [number for number, row in enumerate(open_rows) if row.words[0].x0 < x < row.words[-1].x1]
    if not both:
        return False
    run = open_rows[both[0] : both[-1] + 1]
    margin = min(row.words[0].x0 for row in run)
    left_rows = [row for row in run if row.words[-1].x1 < x]
    indented_rows = [row for row in left_rows if row.words[0].x0 - margin > LINES.cell_indent * row.size]
    return len(left_rows) > LINES.lone_cell_line_share * len(run) and len(
        indented_rows
    ) > LINES.indented_cell_line_share * len(left_rows)


def _find_bands(rows: Sequence[PageRow], x: float, margin: float) -> list[tuple[bool, list[PageRow]]]:
    """Runs of lines that stand in columns, and the runs between them."""
    sides = _smooth_sides([_find_side(row, x, margin) for row in rows])
    runs: list[tuple[bool, list[PageRow]]] = []
    pairs = zip(sides, rows, strict=True)
    for is_single_column, run in groupby(
        pairs, key=lambda pair: pair[0] in (_GutterSide.ACROSS, _GutterSide.OFF_MARGIN)
    ):
        run_rows = list(run)
        has_columns = not is_single_column and sum(side is _GutterSide.BOTH_COLUMNS for side, _ in run_rows) > 1
        if runs and not has_columns and not runs[-1][0]:
            runs[-1][1].extend(row for _, row in run_rows)
        else:
            runs.append((has_columns, [row for _, row in run_rows]))
    return runs


def _smooth_sides(sides: Sequence[_GutterSide]) -> list[_GutterSide]:
    """Few lines off the margin amid lines in columns stand in columns too."""
    smoothed_sides = list(sides)
    start = 0
    for side, run in groupby(sides):
        end = start + len(list(run))
        if side is _GutterSide.OFF_MARGIN and end - start <= LINES.zone_max_off_margin_lines:
            above = next(
                (neighbour for neighbour in reversed(sides[:start]) if neighbour is not _GutterSide.ONE_COLUMN),
                _GutterSide.BOTH_COLUMNS,
            )
            below = next(
                (neighbour for neighbour in sides[end:] if neighbour is not _GutterSide.ONE_COLUMN),
                _GutterSide.BOTH_COLUMNS,
            )
            if above is below is _GutterSide.BOTH_COLUMNS:
                smoothed_sides[start:end] = [_GutterSide.BOTH_COLUMNS] * (end - start)
        start = end
    return smoothed_sides


def _find_side(row: PageRow, x: float, margin: float) -> _GutterSide:
    if any(piece.x0 < x < piece.x1 for piece in row.pieces):
        return _GutterSide.ACROSS
    right = next((piece for piece in row.pieces if piece.x0 >= x), None)
    if right is None or row.words[0].x0 >= x:
        return _GutterSide.ONE_COLUMN
    if not -LINES.gutter_overhang <= right.x0 - margin <= LINES.gutter_indent * row.size or right.is_figure:
        return _GutterSide.OFF_MARGIN
    return _GutterSide.BOTH_COLUMNS


def is_in_margin(top: float, bottom: float, height: float) -> bool:
    """Whether something from `top` to `bottom` on a page of `height` points stands in its head or foot margin."""
    return bottom < LINES.margin_top * height or top > LINES.margin_bottom * height
