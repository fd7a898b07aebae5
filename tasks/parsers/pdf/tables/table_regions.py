"""Regions of a page whose lines stand in columns: gaps above each other, and rules in stacks, show them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.parsers.pdf.characters.ruled_lines import RuledLine
from tasks.parsers.pdf.lines.column_finder import find_separators
from tasks.parsers.pdf.lines.page_rows import (
    CAPTION,
    NOTE,
    UNITS,
    PageRow,
    has_figures,
    has_item_number,
    has_several_pieces,
)
from tasks.parsers.pdf.tables.table_settings import TABLES

_SENTENCE_ENDS = (".", ":", "：", "。")
_COLONS = (":", "：")
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")
_ANNOUNCEMENT = re.compile(r"\b(?:follow(?:s|ing)|below)\b[^.]{0,20}:$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuleStack:
    """Level rules of one width above each other, from the first to the last."""

    top: float
    bottom: float
    left: float
    right: float
    rules: int


def find_stacks(horizontal_rules: Sequence[RuledLine], rows: Sequence[PageRow]) -> Iterator[RuleStack]:
    """Rules of one width that follow each other with no running text between."""
    left, right = min(row.box.x0 for row in rows), max(row.box.x1 for row in rows)
    prose = sorted(row.middle for row in rows if is_prose(row, right - left))
    open_stacks: list[list[RuledLine]] = []
    for rule in sorted(
        (rule for rule in horizontal_rules if rule.length > TABLES.min_stack_rule_length),
        key=lambda rule: rule.position,
    ):
        for stack in open_stacks:
            has_prose_between = bisect_right(prose, rule.position) > bisect_right(prose, stack[-1].position)
            end_distance = max(abs(stack[0].start - rule.start), abs(stack[0].end - rule.end))
            if not has_prose_between and end_distance < TABLES.rule_end_tolerance:
                stack.append(rule)
                break
        else:
            open_stacks.append([rule])
    for stack in open_stacks:
        if len(stack) > 1 and stack[-1].position - stack[0].position > TABLES.min_stack_height:
            yield RuleStack(stack[0].position, stack[-1].position, stack[0].start, stack[0].end, len(stack))


def is_in_stack(stacks: Sequence[RuleStack], above: PageRow, below: PageRow) -> bool:
    """Whether two lines stand between the rules of one stack."""
    return any(
        stack.top - 2 <= above.middle
        and below.middle <= stack.bottom + 2
        and stack.rules > 2
        and stack.left - 3 <= below.words[0].x0
        and below.words[-1].x1 <= stack.right + 3
        for stack in stacks
    )


def is_prose(row: PageRow, width: float) -> bool:
    """Whether a line is running text: many words over most of the width."""
    return len(row.pieces) == 1 and len(row.words) >= TABLES.prose_min_words and row.box.x1 - row.box.x0 > 0.6 * width


@dataclass(slots=True)
class _River:
    """A gap that lines share."""

    start: float
    end: float
    hits: int = 1


class GrowingTable:
    """A table as it grows downwards line by line, and the rivers its lines share."""

    def __init__(self, rows: Sequence[PageRow], start: int, stacks: Sequence[RuleStack]) -> None:
        self._rows = rows
        self._stacks = stacks
        self._width = max(row.box.x1 for row in rows) - min(row.box.x0 for row in rows)
        self._rivers = [_River(left.x1, right.x0) for left, right in pairwise(rows[start].pieces)]
        self._first = self._last = start
        self._last_figure_line = start if has_figures(rows[start]) else None

    def find_last(self) -> int:
        """The last line: with figures in the table, at most one line without follows them."""
        for number in range(self._last + 1, len(self._rows)):
            if not self._accepts_line(number):
                break
        last = self._last if self._last_figure_line is None else min(self._last, self._last_figure_line + 1)
        return _find_tail(self._rows, self._first, last)

    def _accepts_line(self, number: int) -> bool:
        """Whether the table may go on with this line."""
        row, above = self._rows[number], self._rows[number - 1]
        gap = row.top - above.bottom
        is_ruled = is_in_stack(self._stacks, above, row)
        is_far = gap > TABLES.row_gap * max(row.size, above.size) or number - self._last > TABLES.max_lines_between
        if (is_far and not is_ruled) or self._begins_another(number):
            return False
        if has_several_pieces(row) or (self._last_figure_line is None and has_item_number(row)):
            if self._crosses_rivers(row):
                return False
            hits = sum(self._add_gap(left.x1, right.x0) for left, right in pairwise(row.pieces))
            if hits or is_ruled:
                self._last = number
                self._last_figure_line = number if has_figures(row) else self._last_figure_line
            return hits > 0 or is_ruled
        if CAPTION.match(row.text):
            return False
        if NOTE.match(row.text):
            return self._begins_section(number)
        ends_sentence = len(row.words) >= TABLES.sentence_words and row.text.endswith(_SENTENCE_ENDS)
        is_sentence = ends_sentence and gap > TABLES.sentence_gap * row.size
        shared = [river for river in self._rivers if river.hits > 1] or self._rivers
        crosses_river = any(row.box.x0 < river.start and row.box.x1 > river.end for river in shared)
        if (is_ruled and not is_sentence) or not ((is_sentence or is_prose(row, self._width)) and crosses_river):
            return True
        return self._begins_section(number)

    def _begins_another(self, number: int) -> bool:
        """Whether a line begins the header of another table: heads of columns, then figures.

        It is set off from rows of figures, or of names with a colon and their values.
        """
        row, above = self._rows[number], self._rows[number - 1]
        if not (has_figures(above) or _is_form(above)) or has_figures(row):
            return False
        if row.top - above.bottom < max(row.size, self._measure_pitch() + TABLES.next_table_gap * row.size):
            return False
        next_rows = self._rows[number : number + TABLES.next_table_header_lines]
        end = next((place for place, line in enumerate(next_rows) if has_figures(line)), 0)
        return any(len(line.pieces) > TABLES.next_table_columns for line in next_rows[:end])

    def _begins_section(self, number: int) -> bool:
        """Whether a line across the columns is a label over rows that keep to them, set no further off than they are.

        Only rows of figures count, which need no header of their own: rows that begin with one are another table.
        """
        row, strong_rivers = self._rows[number], self._list_strong_rivers()
        left = min(self._rows[place].words[0].x0 for place in range(self._first, self._last + 1))
        is_off_margin = (
            not left - TABLES.section_overhang <= row.words[0].x0 <= left + TABLES.section_max_indent * row.size
        )
        max_words = TABLES.section_note_max_words if NOTE.match(row.text) else TABLES.section_max_words
        if (
            row.text.endswith(".")
            or _ANNOUNCEMENT.search(row.text)
            or len(row.words) > max_words
            or is_off_margin
            or not strong_rivers
        ):
            return False
        for place in range(number + 1, min(number + 1 + TABLES.section_max_labels, len(self._rows))):
            below, above = self._rows[place], self._rows[place - 1]
            max_gap = max(
                TABLES.section_max_gap * below.size, self._measure_pitch() + TABLES.section_gap_slack * below.size
            )
            if below.top - above.bottom > max_gap:
                return False
            if has_figures(below):
                return self._keeps_to_rivers(below, strong_rivers)
            if has_several_pieces(below) or is_prose(below, self._width):
                return False
        return False

    def _list_strong_rivers(self) -> list[_River]:
        """The rivers that many lines share."""
        return [river for river in self._rivers if river.hits >= TABLES.strong_river_hits]

    def _measure_pitch(self) -> float:
        """The widest gap between neighbouring lines of the table."""
        return max(
            (below.top - above.bottom for above, below in pairwise(self._rows[self._first : self._last + 1])),
            default=0.0,
        )

    def _keeps_to_rivers(self, row: PageRow, strong_rivers: Sequence[_River]) -> bool:
        """Whether most of the strong rivers pass through gaps of the line."""
        gaps = [(start.x1, end.x0) for start, end in pairwise(row.pieces)]
        crossed_count = sum(
            any(min(end, river.end) - max(start, river.start) >= TABLES.min_river_overlap for start, end in gaps)
            for river in strong_rivers
        )
        has_years = sum(_YEAR.fullmatch(piece.text) is not None for piece in row.pieces)
        return (
            crossed_count > TABLES.kept_river_share * len(strong_rivers)
            and not has_years
            and not self._crosses_rivers(row)
        )

    def _crosses_rivers(self, row: PageRow) -> bool:
        """Whether figures of the line stand in rivers that many lines share: it has columns of its own."""
        strong_rivers = self._list_strong_rivers()
        figures = (piece for piece in row.pieces if piece.is_figure)
        return (
            sum(any(figure.x0 < river.start and figure.x1 > river.end for river in strong_rivers) for figure in figures)
            > 1
        )

    def _add_gap(self, start: float, end: float) -> bool:
        """Whether a gap lies in a river, which it narrows; else it is the source of one."""
        for river in self._rivers:
            if min(end, river.end) - max(start, river.start) >= TABLES.min_river_overlap:
                river.start, river.end, river.hits = max(start, river.start), min(end, river.end), river.hits + 1
                return True
        if len(self._rivers) < TABLES.max_rivers:
            self._rivers.append(_River(start, end))
        return False


def _find_tail(rows: Sequence[PageRow], first: int, last: int) -> int:
    """Lines below the last that only end its wrapped label, or its cells."""
    if last + 1 < len(rows) and not NOTE.match(rows[last + 1].text):
        row, above = rows[last + 1], rows[last]
        is_end = (row.text[:1].islower() or row.text[:1] in "(&") and row.top - above.bottom < 0.5 * row.size
        if len(row.pieces) == 1 and is_end and row.box.x1 < above.pieces[-1].x0 and row.box.x0 >= above.words[0].x0 - 2:
            return last + 1
    figure_rows = (pair for pair in pairwise(rows[first : last + 1]) if all(map(has_figures, pair)))
    min_gap = min((below.top - above.bottom for above, below in figure_rows), default=0.0)
    full_row = rows[last]
    for number in range(last + 1, min(len(rows), last + 1 + TABLES.tail_max_lines)):
        row = rows[number]
        is_far = row.top - rows[number - 1].bottom > min_gap - TABLES.tail_gap_margin * row.size
        if is_far or not _ends_cells(full_row, row):
            break
        last = number
    return last


def _ends_cells(full_row: PageRow, row: PageRow) -> bool:
    """Whether a line may end cells of a whole row: fewer than it has, each flush with its own, and no figures."""
    if len(row.pieces) >= len(full_row.pieces) or any(piece.is_figure for piece in row.pieces):
        return False
    return all(
        any(
            min(abs(piece.x0 - cell.x0), abs(piece.x1 - cell.x1)) < TABLES.tail_edge_tolerance
            for cell in full_row.pieces
        )
        for piece in row.pieces
    )


def _is_form(row: PageRow) -> bool:
    """Whether a line has names with a colon and their values; one name with a figure may be a header."""
    names = sum(piece.text.endswith(_COLONS) for piece in row.pieces)
    return names > 1 or (names == 1 and len(row.pieces) == 2 and not row.pieces[1].is_figure)


def find_regions(rows: Sequence[PageRow], stacks: Sequence[RuleStack]) -> list[tuple[int, int]]:
    """First and last (included) row of each run of lines that may be a table: around figures, then around the rest."""
    is_assigned = [False] * len(rows)
    regions: list[tuple[int, int]] = []
    for is_seed in (has_figures, has_several_pieces):
        number = 0
        while number < len(rows):
            if is_assigned[number] or not is_seed(rows[number]):
                number += 1
                continue
            end = next((index for index in range(number, len(rows)) if is_assigned[index]), len(rows))
            last = GrowingTable(rows[:end], number, stacks).find_last()
            first_free = next((index + 1 for index in range(number - 1, -1, -1) if is_assigned[index]), 0)
            first = _find_header(rows, number, last, first_free, stacks)
            if last > first:
                regions.append((first, last))
                is_assigned[first : last + 1] = [True] * (last + 1 - first)
            number = last + 1
    return sorted(regions)


def _find_header(rows: Sequence[PageRow], start: int, last: int, first_free: int, stacks: Sequence[RuleStack]) -> int:
    """The first line of the table whose body begins at `start`: header lines above it, with labels between."""
    body = rows[start : last + 1]
    separators = find_separators(body)
    if not separators:
        return start
    left, right = min(row.words[0].x0 for row in body), max(row.words[-1].x1 for row in body)
    ends = (row.pieces[0].x1 for row in body if has_several_pieces(row) and row.pieces[0].x1 <= separators[0])
    edge = max(ends, default=separators[0])
    extents = _measure_figure_extents(body, separators)
    first = start
    for number in range(start - 1, max(first_free, start - TABLES.header_max_lines) - 1, -1):
        row, below = rows[number], rows[number + 1]
        is_far = below.top - row.bottom > TABLES.header_gap * max(row.size, below.size)
        is_outside = row.words[0].x0 < left - 3 or row.words[-1].x1 > right + 4 * row.size
        if (is_far and not is_in_stack(stacks, row, below)) or is_outside or _is_title(row, left, right):
            break
        if _is_form(row) and below.top - row.bottom > row.size:
            break
        is_flush = abs(row.words[-1].x1 - right) < TABLES.header_overhang  # Over several columns, wider than they are.
        is_over = _stands_over(row, separators[0]) or (
            (has_several_pieces(row) or is_flush) and _stands_over(row, edge)
        )
        if is_over or _is_over_columns(row, extents):
            first = number
        elif len(row.pieces) > 1 or row.words[-1].x1 > separators[0] or first - number > TABLES.header_max_labels:
            break
    return first


def _is_title(row: PageRow, left: float, right: float) -> bool:
    """Whether a line is a caption, states units or is centred over labels and all, as titles and no headers are."""
    if CAPTION.match(row.text) or UNITS.match(row.text):
        return True
    centre_distance = abs((row.words[0].x0 + row.words[-1].x1) - (left + right))
    return len(row.pieces) == 1 and centre_distance < 2 * TABLES.title_centre_tolerance


def _measure_figure_extents(rows: Sequence[PageRow], separators: Sequence[float]) -> list[tuple[float, float]]:
    """From where to where the figures of each column reach, the labels' left out."""
    extents: dict[int, tuple[float, float]] = {}
    for piece in (piece for row in rows for piece in row.pieces if piece.is_figure):
        column = bisect_right(separators, (piece.x0 + piece.x1) / 2)
        low, high = extents.get(column, (piece.x0, piece.x1))
        extents[column] = (min(low, piece.x0), max(high, piece.x1))
    return [extents[column] for column in sorted(extents) if column]


def _is_over_columns(row: PageRow, extents: Sequence[tuple[float, float]]) -> bool:
    """Whether each piece of a parted line stands over the figures of one column, though wider than they are."""
    columns_by_piece = [
        [number for number, (low, high) in enumerate(extents) if piece.x0 < high and low < piece.x1]
        for piece in row.pieces
    ]
    columns = [numbers[0] for numbers in columns_by_piece if len(numbers) == 1]
    return len(row.pieces) > 1 and len(columns) == len(row.pieces) == len(set(columns))


def _stands_over(row: PageRow, edge: float) -> bool:
    """Whether a line stands over the columns: right of the labels, which end at `edge`, or parted from one."""
    words_beyond = [word for word in row.words if word.center > edge]
    label_words = row.words[: len(row.words) - len(words_beyond)]
    if not words_beyond:
        return False
    if label_words and words_beyond[0].x0 - label_words[-1].x1 < 0.8 * row.size:
        return False
    return words_beyond[0].x0 > edge - 0.5 * row.size
