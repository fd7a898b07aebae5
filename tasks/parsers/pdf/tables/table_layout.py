"""Layout of a table that white space makes, with whatever rules help: rows, columns and headers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from statistics import median

from tasks.parsers.pdf.characters.ruled_lines import RuledLine, RuledLines
from tasks.parsers.pdf.lines.column_finder import ColumnSpan, Extent, find_separators, measure_extents, place_pieces
from tasks.parsers.pdf.lines.page_rows import PageRow, ends_on_dates, is_date, is_figure, is_mark, is_year, read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord, enclose_words
from tasks.parsers.pdf.tables.flush_regions import FlushRegion
from tasks.parsers.pdf.tables.found_tables import FilledCell, FoundTable, build_table
from tasks.parsers.pdf.tables.table_rows import TableLine, group_rows
from tasks.parsers.pdf.tables.table_settings import TABLES
from tasks.parsers.table_form import find_repeats


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Lines in columns, put together to rows; the first `header_rows` rows are the header."""

    rows: tuple[tuple[TableLine, ...], ...]
    separators: tuple[float, ...]
    header_rows: int

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.separators) + 1

    @property
    def row_spans(self) -> list[list[ColumnSpan]]:
        """What stands in the columns, row by row."""
        return [[span for line in lines for span in line.spans] for lines in self.rows]

    @property
    def labels(self) -> list[ColumnSpan]:
        """What stands in the first column, line by line."""
        return [line.label for lines in self.rows for line in lines if line.label]


def lay_out(rows: Sequence[PageRow], rules: RuledLines) -> TableLayout | None:
    """The layout of lines that may be a table; None where white space and rules leave them one column."""
    top, bottom = rows[0].top, rows[-1].bottom
    rule_positions = _find_dividing_rules(rules, top, bottom, rows)
    separators = find_separators(rows, rule_positions)
    if not separators:
        return None
    line_spans = [place_pieces(row, separators, rule_positions) for row in rows]
    separators, line_spans = _without_sparse_columns(separators, line_spans)
    if not separators:
        return None
    horizontal_rules = [rule for rule in rules.horizontal if top - 4 <= rule.position <= bottom + 4]
    row_groups, header = group_rows(arrange_lines(rows, separators, rule_positions, horizontal_rules), horizontal_rules)
    return TableLayout(tuple(map(tuple, row_groups)), tuple(separators), header)


def arrange_lines(
    rows: Sequence[PageRow],
    separators: Sequence[float],
    rule_positions: Sequence[float],
    horizontal_rules: Sequence[RuledLine],
) -> list[TableLine]:
    """Each line's pieces in their columns; above the first line with figures they may be headers over several."""
    lines = [
        TableLine(tuple(place_pieces(row, separators, rule_positions)), row.top, row.bottom, row.size) for row in rows
    ]
    first = next((number for number, line in enumerate(lines) if line.has_data), 0)
    extents = measure_extents((line.spans for line in lines[first:]), len(separators) + 1)
    for number, row in enumerate(rows[:first]):
        spans = [_fit_to_column(span, extents) for span in place_pieces(row, separators, rule_positions, extents)]
        below: list[ColumnSpan] = []
        if number + 1 < first and (next_row := rows[number + 1]).top - row.bottom < TABLES.header_line_gap * row.size:
            is_ruled = any(row.bottom - 2 <= rule.position <= next_row.top + 2 for rule in horizontal_rules)
            below = [] if is_ruled else place_pieces(next_row, separators, rule_positions, extents)
        lines[number] = replace(
            lines[number], spans=tuple(_spread_centred(spans, extents, horizontal_rules, row.bottom, below))
        )
    for number in range(first - 2, -1, -1):
        dated_line = _spread_over_dates(lines[number], lines[number + 1])
        lines[number] = _spread_over_repeats(dated_line, lines[number + 1], extents)
    return lines


def _spread_over_repeats(line: TableLine, below: TableLine, extents: Sequence[Extent | None]) -> TableLine:
    """A line of header words, each over those labels in the line below that begin anew under it."""
    heads, lower_heads = ([span for span in table_line.spans if span.first] for table_line in (line, below))
    column_middles = [(extent[0] + extent[1], column) for column, extent in enumerate(extents) if extent]
    nearest_columns = [
        min((abs(middle - head.x0 - head.x1), column) for middle, column in column_middles)[1] for head in heads
    ]
    upper, lower = ([(span.text, span.first, span.last) for span in spans] for spans in (heads, lower_heads))
    repeats = find_repeats(upper, lower, nearest_columns)
    if repeats is None:
        return line
    spread_heads = [replace(head, first=first, last=last) for head, (first, last) in zip(heads, repeats, strict=True)]
    return replace(line, spans=(*(span for span in line.spans if not span.first), *spread_heads))


def _spread_over_dates(line: TableLine, below: TableLine) -> TableLine:
    """A line of lengths of time ("Three Months Ended"), each over those dates in the line below that are nearest."""
    heads, dates = ([span for span in table_line.spans if span.first] for table_line in (line, below))
    has_dates = len(dates) > len(heads) > 0 and all(is_date(span.text) for span in dates)
    if not has_dates or not all(ends_on_dates(span.text) for span in heads):
        return line
    dates_by_head: dict[int, list[ColumnSpan]] = {}
    for date in dates:
        distances = [abs(date.x0 + date.x1 - head.x0 - head.x1) for head in heads]
        dates_by_head.setdefault(distances.index(min(distances)), []).append(date)
    if len(dates_by_head) < len(heads):
        return line
    spread_heads = [
        replace(head, first=dates_by_head[number][0].first, last=dates_by_head[number][-1].last)
        for number, head in enumerate(heads)
    ]
    return replace(line, spans=(*(span for span in line.spans if not span.first), *spread_heads))


def _find_dividing_rules(rules: RuledLines, top: float, bottom: float, rows: Sequence[PageRow]) -> list[float]:
    """Upright rules that run down most of the region, inside it."""
    left, right = min(row.box.x0 for row in rows), max(row.box.x1 for row in rows)
    lengths: dict[int, float] = {}
    for rule in rules.vertical:
        if rule.is_drawn and left + 2 < rule.position < right - 2:
            inside = min(rule.end, bottom) - max(rule.start, top)
            lengths[round(rule.position)] = lengths.get(round(rule.position), 0.0) + max(0.0, inside)
    rule_positions: list[float] = []
    for x, length in sorted(lengths.items()):
        if length >= TABLES.rule_height_share * (bottom - top) and (not rule_positions or x - rule_positions[-1] > 4):
            rule_positions.append(float(x))
    return rule_positions


def _without_sparse_columns(
    separators: Sequence[float], line_spans: list[list[ColumnSpan]]
) -> tuple[list[float], list[list[ColumnSpan]]]:
    """A column that is never filled beside its neighbour, and hardly ever at all, belongs to the neighbour."""
    new_separators = list(separators)
    column = 0
    while column + 1 <= len(new_separators):
        left_lines, right_lines = (
            {
                number
                for number, spans in enumerate(line_spans)
                for span in spans
                if span.first == span.last == number_of_column
            }
            for number_of_column in (column, column + 1)
        )
        is_nearly_empty = min(len(left_lines), len(right_lines)) <= max(1, 0.1 * max(len(left_lines), len(right_lines)))
        if column and not left_lines & right_lines and is_nearly_empty:
            del new_separators[column]
            line_spans = [
                [replace(s, first=s.first - (s.first > column), last=s.last - (s.last > column)) for s in spans]
                for spans in line_spans
            ]
        else:
            column += 1
    return new_separators, line_spans


def _fit_to_column(span: ColumnSpan, extents: Sequence[Extent | None]) -> ColumnSpan:
    """A header that is wider than its figures, in their column: it is flush with their right edge, or about them.

    One over several columns that reaches over the labels is flush with the right edge of the last.
    """
    labels = extents[0]
    if span.is_figure or (labels and span.x0 < labels[0] + TABLES.label_indent):
        return span
    columns_below = [
        (column, extent)
        for column, extent in enumerate(extents)
        if column and extent and span.x0 < extent[1] and extent[0] < span.x1
    ]
    if span.first == 0 < span.last and len(columns_below) > 1:
        is_flush = abs(span.x1 - columns_below[-1][1][1]) < TABLES.header_overhang
        return replace(span, first=columns_below[0][0], last=columns_below[-1][0]) if is_flush else span
    if len(columns_below) != 1 or span.first == span.last == columns_below[0][0]:
        return span
    ((column, (low, high)),) = columns_below
    is_flush = min(abs(span.x1 - high), abs(span.x0 + span.x1 - low - high)) < TABLES.header_overhang
    return replace(span, first=column, last=column) if is_flush else span


def _spread_centred(
    spans: Sequence[ColumnSpan],
    extents: Sequence[Extent | None],
    horizontal_rules: Sequence[RuledLine],
    bottom: float,
    below: Sequence[ColumnSpan],
) -> list[ColumnSpan]:
    """Header words centred over several columns, or over a rule above them, reach over all of them.

    Words that go on in the line `below`, flush with it in one column, do not.
    """
    spread_spans = []
    for number, span in enumerate(spans):
        low = spans[number - 1].last + 1 if number else min(1, span.first)
        high = spans[number + 1].first - 1 if number + 1 < len(spans) else len(extents) - 1
        is_header = span.first and (not span.is_figure or is_year(span.text)) and not _is_continued(span, below)
        spread_spans.append(_spread_header(span, low, high, extents, horizontal_rules, bottom) if is_header else span)
    return spread_spans


def _is_continued(span: ColumnSpan, below: Sequence[ColumnSpan]) -> bool:
    """Whether header words go on in a line below: what stands under them is in their column, flush or centred alike."""
    spans_below = [other for other in below if other.x0 < span.x1 and span.x0 < other.x1]
    if (
        len(spans_below) != 1
        or (span.first, span.last) != (spans_below[0].first, spans_below[0].last)
        or spans_below[0].is_figure
    ):
        return False
    sides = (span.x0 - spans_below[0].x0, span.x1 - spans_below[0].x1)
    return min(map(abs, sides)) < TABLES.header_line_tolerance or (
        abs(sum(sides)) < TABLES.header_line_tolerance and not is_year(spans_below[0].text)
    )


def _spread_header(
    span: ColumnSpan,
    low: int,
    high: int,
    extents: Sequence[Extent | None],
    horizontal_rules: Sequence[RuledLine],
    bottom: float,
) -> ColumnSpan:
    """The columns from `low` to `high` that a header span stands over."""
    center = (span.x0 + span.x1) / 2
    for rule in horizontal_rules:
        if (
            -2 < rule.position - bottom < TABLES.header_rule_distance
            and rule.start - 3 <= span.x0
            and span.x1 <= rule.end + 3
        ):
            columns_below = [
                column
                for column in range(low, high + 1)
                if (extent := extents[column]) and rule.start - 3 <= (extent[0] + extent[1]) / 2 <= rule.end + 3
            ]
            if columns_below and abs((rule.start + rule.end) / 2 - center) < TABLES.header_rule_centre_share * (
                rule.end - rule.start
            ):
                return replace(span, first=min(columns_below), last=max(columns_below))
    # The usual distance from the middle of one column of figures to the next.
    middles = [sum(extent) / 2 for extent in extents[1:] if extent]
    pitch = median(after - before for before, after in pairwise(middles)) if len(middles) > 1 else inf
    is_wide = span.x1 - span.x0 > TABLES.span_wide_pitch * pitch
    least_offset = _measure_offset(span.first, span.last, center, extents) + (
        TABLES.span_loose_tolerance if is_wide else -TABLES.span_margin
    )
    best_span, max_offset = span, TABLES.span_loose_tolerance if is_wide else TABLES.span_tolerance
    for first in range(low, span.first + 1):
        for last in range(max(span.last, first + 1), high + 1):
            offset = _measure_offset(first, last, center, extents)
            if offset < min(least_offset, max_offset):
                best_span, least_offset = replace(span, first=first, last=last), offset
    return best_span


def _measure_offset(first: int, last: int, center: float, extents: Sequence[Extent | None]) -> float:
    """How far a centre lies from the middle of columns."""
    known_extents = [extent for extent in extents[first : last + 1] if extent]
    return abs((known_extents[0][0] + known_extents[-1][1]) / 2 - center) if known_extents else 0.0


def build_found_table(page: int, layout: TableLayout, right: float, confidence: float) -> FoundTable | None:
    """The table of a layout; `right` is its right edge in points."""
    cells: dict[tuple[int, int], FilledCell] = {}
    for number, spans in enumerate(layout.row_spans):
        for span in spans:
            cell = cells.get((number, span.first), FilledCell(number, span.first, ()))
            column_count = max(span.last - span.first + 1, cell.columns)
            cells[number, span.first] = replace(cell, words=cell.words + span.words, columns=column_count)
    edges = [min(span.x0 for spans in layout.row_spans for span in spans), *layout.separators, right]
    return build_table(page, list(cells.values()), edges, header_rows=layout.header_rows, confidence=confidence)


Band = dict[int, tuple[PageWord, ...]]
"""The words of one row of a table by column."""


def build_wrapped_table(page: int, region: FlushRegion) -> tuple[FoundTable | None, list[PageWord]]:
    """The table of words whose cells run over several lines, and its words; None where nothing shows its rows.

    Wider gaps part the rows. Where there are none, a row begins where the line above had room for the next word.
    """
    for all_bands in () if region.is_cut else (*_iter_parted_bands(region), _find_filled_bands(region)):
        shared = [number for number, band in enumerate(all_bands) if len(band) > 1]
        bands = all_bands[shared[0] : shared[-1] + 1] if shared else []
        if _are_rows(bands, region):
            cells = [FilledCell(row, column, words) for row, band in enumerate(bands) for column, words in band.items()]
            words = [word for cell in cells for word in cell.words]
            edges = (*region.edges, max(word.x1 for word in words))
            header = int(_is_header(bands, len(region.edges)))
            return build_table(page, cells, edges, header_rows=header, confidence=TABLES.band_confidence), words
    return None, []


def _make_band(words: Iterable[PageWord], region: FlushRegion) -> Band:
    band: defaultdict[int, tuple[PageWord, ...]] = defaultdict(tuple)
    for word in words:
        band[region.find_column(word)] += (word,)
    return band


def _iter_parted_bands(region: FlushRegion) -> Iterator[list[Band]]:
    """The rows that gaps across all columns part, first by the gaps that differ the most from narrower ones.

    Where cells are set half way down, their lines leave no gaps at all within a row, and each gap parts two rows.
    """
    covered = TABLES.band_height * region.size
    strips: list[list[PageWord]] = []
    gaps: list[float] = []
    bottom = -inf
    for word in sorted(region.words, key=lambda word: word.middle):
        if not strips or word.middle - bottom > covered:
            gaps.append(word.middle - covered - bottom)
            strips.append([])
        strips[-1].append(word)
        bottom = max(bottom, word.middle + covered)
    sorted_gaps = sorted(gaps[1:])
    least_step = TABLES.band_step * region.size
    steps = [(after - before, after) for before, after in pairwise(sorted_gaps) if after - before >= least_step]
    for _, least in [*sorted(steps, reverse=True), (0.0, 0.0)]:
        bands: list[list[PageWord]] = []
        for gap, strip in zip(gaps, strips, strict=True):
            if not bands or gap >= least:
                bands.append([])
            bands[-1] += strip
        yield [_make_band(words, region) for words in bands]


def _find_filled_bands(region: FlushRegion) -> list[Band]:
    """The rows as the lines show them: each begins with a label, and no cell of it goes on with the line above."""
    bands: list[list[PageWord]] = []
    last_cells: Band = {}
    for row in region.rows:
        cells = _make_band(row.words, region)
        continues = [
            _leaves_no_room(last_cells[column], words, column, region)
            for column, words in cells.items()
            if column in last_cells
        ]
        if not bands or (0 in cells and not any(continues)):
            bands.append([])
        bands[-1] += row.words
        last_cells = cells
    return [_make_band(words, region) for words in bands]


def _leaves_no_room(line: Sequence[PageWord], below: Sequence[PageWord], column: int, region: FlushRegion) -> bool:
    """Whether the first word of the line below would not have found room in the line of the same cell."""
    is_last = column + 1 == len(region.edges)
    right = (
        max(word.x1 for word in region.words)
        if is_last
        else region.edges[column + 1] - TABLES.flush_column_gap * region.size
    )
    return line[-1].x1 + below[0].x1 - below[0].x0 + TABLES.flush_column_gap * region.size > right


def _are_rows(bands: Sequence[Band], region: FlushRegion) -> bool:
    """Whether bands are rows of a table: labelled, cells level with each other, and full lines in those that wrap."""
    columns = range(len(region.edges))
    cells = [(column, words) for band in bands for column, words in band.items()]
    are_labelled = sum(0 in band for band in bands) >= TABLES.band_aligned_share * len(bands)
    are_shared = sum(len(band) > 1 for band in bands) >= TABLES.band_shared_share * len(bands)
    are_used = all(sum(column in band for band in bands) > 1 for column in columns)
    if (
        len(bands) < TABLES.min_bands
        or not (are_labelled and are_shared and are_used)
        or not _are_level(bands, region.size)
    ):
        return False
    value_texts = [" ".join(word.text for word in words) for column, words in cells if column]
    if sum(map(is_figure, value_texts)) > TABLES.band_max_figure_share * len(value_texts):
        return False
    wrapped_cells = [(column, lines) for column, words in cells if len(lines := read_rows(words)) > 1]
    full_lines = [
        _leaves_no_room(above.words, below.words, column, region)
        for column, lines in wrapped_cells
        for above, below in pairwise(lines)
    ]
    if len(wrapped_cells) < TABLES.band_min_wrapped_cells or sum(full_lines) < TABLES.band_full_share * len(full_lines):
        return False
    return len(columns) > 2 or _has_labels(bands, region)


def _are_level(bands: Sequence[Band], size: float) -> bool:
    """Whether the cells of each row begin on one line, or have their middles on one."""
    top_count = middle_count = cell_count = 0
    for band in bands:
        boxes = [enclose_words(words) for words in band.values()]
        first, last = min(box.top for box in boxes), max(box.bottom for box in boxes)
        top_count += sum(box.top - first <= TABLES.band_tolerance * size for box in boxes)
        middle_count += sum(
            abs(box.top + box.bottom - first - last) / 2 <= TABLES.band_tolerance * size for box in boxes
        )
        cell_count += len(boxes)
    return max(top_count, middle_count) >= TABLES.band_aligned_share * cell_count


def _has_labels(bands: Sequence[Band], region: FlushRegion) -> bool:
    """Whether the first of two columns is narrow and holds short labels, and no marks of a list."""
    labels = [band[0] for band in bands if 0 in band]
    left, right = region.edges[0], max(word.x1 for word in region.words)
    are_short = sum(map(len, labels)) <= TABLES.glossary_max_label_words * len(labels)
    mark_count = sum(is_mark(" ".join(word.text for word in words)) for words in labels)
    is_narrow = region.edges[1] - left <= TABLES.band_label_width_share * (right - left)
    return are_short and is_narrow and mark_count <= TABLES.list_mark_share * len(labels)


def _is_header(bands: Sequence[Band], columns: int) -> bool:
    """Whether the first row is the header: the only one that is all bold, or short titles over every column."""
    is_bold = [all(word.bold for words in band.values() for word in words) for band in bands]
    if is_bold[0] and not is_bold[1]:
        return True
    titles = [" ".join(word.text for word in words) for words in bands[0].values()]
    max_words = TABLES.column_title_max_words if columns > 2 else TABLES.band_title_max_words
    are_short = all(
        len(title.split()) <= max_words and title[0].isupper() and title[-1] not in ".,;:" for title in titles
    )
    return are_short and len(titles) == columns and not any(map(is_figure, titles))
