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
from tasks.parsers.pdf.tables.found_tables import FilledCell, FoundTable, build_table
from tasks.parsers.pdf.tables.table_regions import FlushRegion
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
    walls = _find_walls(rules, top, bottom, rows)
    separators = find_separators(rows, walls)
    if not separators:
        return None
    line_spans = [place_pieces(row, separators, walls) for row in rows]
    separators, line_spans = _without_stray_columns(separators, line_spans)
    if not separators:
        return None
    level = [rule for rule in rules.level if top - 4 <= rule.at <= bottom + 4]
    row_groups, header = group_rows(arrange_lines(rows, separators, walls, level), level)
    return TableLayout(tuple(map(tuple, row_groups)), tuple(separators), header)


def arrange_lines(
    rows: Sequence[PageRow], separators: Sequence[float], walls: Sequence[float], level: Sequence[RuledLine]
) -> list[TableLine]:
    """Each line's pieces in their columns; above the first line with figures they may be headers over several."""
    lines = [TableLine(tuple(place_pieces(row, separators, walls)), row.top, row.bottom, row.size) for row in rows]
    first = next((number for number, line in enumerate(lines) if line.has_data), 0)
    extents = measure_extents((line.spans for line in lines[first:]), len(separators) + 1)
    for number, row in enumerate(rows[:first]):
        spans = [_fit_to_column(span, extents) for span in place_pieces(row, separators, walls, extents)]
        below: list[ColumnSpan] = []
        if number + 1 < first and (next_row := rows[number + 1]).top - row.bottom < TABLES.header_line_gap * row.size:
            is_ruled = any(row.bottom - 2 <= rule.at <= next_row.top + 2 for rule in level)
            below = [] if is_ruled else place_pieces(next_row, separators, walls, extents)
        lines[number] = replace(lines[number], spans=tuple(_spread_centred(spans, extents, level, row.bottom, below)))
    for number in range(first - 2, -1, -1):
        dated_line = _spread_over_dates(lines[number], lines[number + 1])
        lines[number] = _spread_over_repeats(dated_line, lines[number + 1], extents)
    return lines


def _spread_over_repeats(line: TableLine, below: TableLine, extents: Sequence[Extent | None]) -> TableLine:
    """A line of header words, each over those labels in the line below that begin anew under it."""
    heads, leaves = ([span for span in each.spans if span.first] for each in (line, below))
    column_middles = [(extent[0] + extent[1], column) for column, extent in enumerate(extents) if extent]
    homes = [min((abs(middle - head.x0 - head.x1), column) for middle, column in column_middles)[1] for head in heads]
    upper, lower = ([(span.text, span.first, span.last) for span in spans] for spans in (heads, leaves))
    repeats = find_repeats(upper, lower, homes)
    if repeats is None:
        return line
    wide = [replace(head, first=first, last=last) for head, (first, last) in zip(heads, repeats, strict=True)]
    return replace(line, spans=(*(span for span in line.spans if not span.first), *wide))


def _spread_over_dates(line: TableLine, below: TableLine) -> TableLine:
    """A line of lengths of time ("Three Months Ended"), each over those dates in the line below that are nearest."""
    heads, leaves = ([span for span in each.spans if span.first] for each in (line, below))
    has_dates = len(leaves) > len(heads) > 0 and all(is_date(span.text) for span in leaves)
    if not has_dates or not all(ends_on_dates(span.text) for span in heads):
        return line
    under: dict[int, list[ColumnSpan]] = {}
    for leaf in leaves:
        offs = [abs(leaf.x0 + leaf.x1 - head.x0 - head.x1) for head in heads]
        under.setdefault(offs.index(min(offs)), []).append(leaf)
    if len(under) < len(heads):
        return line
    wide = [
        replace(head, first=under[number][0].first, last=under[number][-1].last) for number, head in enumerate(heads)
    ]
    return replace(line, spans=(*(span for span in line.spans if not span.first), *wide))


def _find_walls(rules: RuledLines, top: float, bottom: float, rows: Sequence[PageRow]) -> list[float]:
    """Upright rules that run down most of the region, inside it."""
    left, right = min(row.box.x0 for row in rows), max(row.box.x1 for row in rows)
    lengths: dict[int, float] = {}
    for rule in rules.upright:
        if rule.drawn and left + 2 < rule.at < right - 2:
            inside = min(rule.end, bottom) - max(rule.start, top)
            lengths[round(rule.at)] = lengths.get(round(rule.at), 0.0) + max(0.0, inside)
    walls: list[float] = []
    for x, length in sorted(lengths.items()):
        if length >= TABLES.wall_height * (bottom - top) and (not walls or x - walls[-1] > 4):
            walls.append(float(x))
    return walls


def _without_stray_columns(
    separators: Sequence[float], line_spans: list[list[ColumnSpan]]
) -> tuple[list[float], list[list[ColumnSpan]]]:
    """A column that is never filled beside its neighbour, and hardly ever at all, belongs to the neighbour."""
    new_separators = list(separators)
    column = 0
    while column + 1 <= len(new_separators):
        one, two = (
            {number for number, spans in enumerate(line_spans) for span in spans if span.first == span.last == each}
            for each in (column, column + 1)
        )
        few = min(len(one), len(two)) <= max(1, 0.1 * max(len(one), len(two)))
        if column and not one & two and few:
            del new_separators[column]
            line_spans = [
                [replace(s, first=s.first - (s.first > column), last=s.last - (s.last > column)) for s in spans]
                for spans in line_spans
            ]
        else:
            column += 1
    return new_separators, line_spans


def _fit_to_column(span: ColumnSpan, extents: Sequence[Extent | None]) -> ColumnSpan:
    """A header that is wider than its figures, in their column: it is flush with their right edge, or about them."""
    labels = extents[0]
    if span.is_figure or (labels and span.x0 < labels[0] + TABLES.label_indent):
        return span
    over = [
        (column, extent)
        for column, extent in enumerate(extents)
        if column and extent and span.x0 < extent[1] and extent[0] < span.x1
    ]
    if len(over) != 1 or span.first == span.last == over[0][0]:
        return span
    ((column, (low, high)),) = over
    flush = min(abs(span.x1 - high), abs(span.x0 + span.x1 - low - high)) < TABLES.header_hang
    return replace(span, first=column, last=column) if flush else span


def _spread_centred(
    spans: Sequence[ColumnSpan],
    extents: Sequence[Extent | None],
    level: Sequence[RuledLine],
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
        heads = span.first and (not span.is_figure or is_year(span.text)) and not _is_continued(span, below)
        spread_spans.append(_spread_header(span, low, high, extents, level, bottom) if heads else span)
    return spread_spans


def _is_continued(span: ColumnSpan, below: Sequence[ColumnSpan]) -> bool:
    """Whether header words go on in a line below: what stands under them is in their column, flush or centred alike."""
    under = [other for other in below if other.x0 < span.x1 and span.x0 < other.x1]
    if len(under) != 1 or (span.first, span.last) != (under[0].first, under[0].last) or under[0].is_figure:
        return False
    sides = (span.x0 - under[0].x0, span.x1 - under[0].x1)
    return min(map(abs, sides)) < TABLES.header_line_flush or (
        abs(sum(sides)) < TABLES.header_line_flush and not is_year(under[0].text)
    )


def _spread_header(
    span: ColumnSpan,
    low: int,
    high: int,
    extents: Sequence[Extent | None],
    level: Sequence[RuledLine],
    bottom: float,
) -> ColumnSpan:
    """The columns from `low` to `high` that a header span stands over."""
    center = (span.x0 + span.x1) / 2
    for rule in level:
        if -2 < rule.at - bottom < TABLES.rule_below and rule.start - 3 <= span.x0 and span.x1 <= rule.end + 3:
            under = [
                c
                for c in range(low, high + 1)
                if (e := extents[c]) and rule.start - 3 <= (e[0] + e[1]) / 2 <= rule.end + 3
            ]
            if under and abs((rule.start + rule.end) / 2 - center) < TABLES.rule_centred * (rule.end - rule.start):
                return replace(span, first=min(under), last=max(under))
    # The usual distance from the middle of one column of figures to the next.
    middles = [sum(extent) / 2 for extent in extents[1:] if extent]
    pitch = median(after - before for before, after in pairwise(middles)) if len(middles) > 1 else inf
    tight = span.x1 - span.x0 > TABLES.span_wide * pitch
    least = _measure_offset(span.first, span.last, center, extents) + (
        TABLES.span_nearly if tight else -TABLES.span_clearly
    )
    best, most = span, TABLES.span_nearly if tight else TABLES.span_exact
    for first in range(low, span.first + 1):
        for last in range(max(span.last, first + 1), high + 1):
            miss = _measure_offset(first, last, center, extents)
            if miss < min(least, most):
                best, least = replace(span, first=first, last=last), miss
    return best


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
            wide = max(span.last - span.first + 1, cell.columns)
            cells[number, span.first] = replace(cell, words=cell.words + span.words, columns=wide)
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
        goes_on = [
            _has_no_room(last_cells[column], words, column, region)
            for column, words in cells.items()
            if column in last_cells
        ]
        if not bands or (0 in cells and not any(goes_on)):
            bands.append([])
        bands[-1] += row.words
        last_cells = cells
    return [_make_band(words, region) for words in bands]


def _has_no_room(line: Sequence[PageWord], below: Sequence[PageWord], column: int, region: FlushRegion) -> bool:
    """Whether the first word of the line below would not have found room in the line of the same cell."""
    last = column + 1 == len(region.edges)
    right = max(word.x1 for word in region.words) if last else region.edges[column + 1] - TABLES.flush_gap * region.size
    return line[-1].x1 + below[0].x1 - below[0].x0 + TABLES.flush_gap * region.size > right


def _are_rows(bands: Sequence[Band], region: FlushRegion) -> bool:
    """Whether bands are rows of a table: labelled, cells level with each other, and full lines in those that wrap."""
    columns = range(len(region.edges))
    cells = [(column, words) for band in bands for column, words in band.items()]
    labelled = sum(0 in band for band in bands) >= TABLES.band_aligned * len(bands)
    shared = sum(len(band) > 1 for band in bands) >= TABLES.band_shared * len(bands)
    used = all(sum(column in band for band in bands) > 1 for column in columns)
    if len(bands) < TABLES.fewest_bands or not (labelled and shared and used) or not _are_level(bands, region.size):
        return False
    beyond = [" ".join(word.text for word in words) for column, words in cells if column]
    if sum(map(is_figure, beyond)) > TABLES.band_figures * len(beyond):
        return False
    wrapped = [(column, lines) for column, words in cells if len(lines := read_rows(words)) > 1]
    full = [
        _has_no_room(above.words, below.words, column, region)
        for column, lines in wrapped
        for above, below in pairwise(lines)
    ]
    if len(wrapped) < TABLES.band_wrapped or sum(full) < TABLES.band_full * len(full):
        return False
    return len(columns) > 2 or _has_labels(bands, region)


def _are_level(bands: Sequence[Band], size: float) -> bool:
    """Whether the cells of each row begin on one line, or have their middles on one."""
    top = middle = count = 0
    for band in bands:
        boxes = [enclose_words(words) for words in band.values()]
        first, last = min(box.top for box in boxes), max(box.bottom for box in boxes)
        top += sum(box.top - first <= TABLES.band_off * size for box in boxes)
        middle += sum(abs(box.top + box.bottom - first - last) / 2 <= TABLES.band_off * size for box in boxes)
        count += len(boxes)
    return max(top, middle) >= TABLES.band_aligned * count


def _has_labels(bands: Sequence[Band], region: FlushRegion) -> bool:
    """Whether the first of two columns is narrow and holds short labels, and no marks of a list."""
    labels = [band[0] for band in bands if 0 in band]
    left, right = region.edges[0], max(word.x1 for word in region.words)
    short = sum(map(len, labels)) <= TABLES.glossary_label_words * len(labels)
    marks = sum(is_mark(" ".join(word.text for word in words)) for words in labels)
    narrow = region.edges[1] - left <= TABLES.band_label * (right - left)
    return short and narrow and marks <= TABLES.worded_marks * len(labels)


def _is_header(bands: Sequence[Band], columns: int) -> bool:
    """Whether the first row is the header: the only one that is all bold, or short titles over every column."""
    heavy = [all(word.bold for words in band.values() for word in words) for band in bands]
    if heavy[0] and not heavy[1]:
        return True
    titles = [" ".join(word.text for word in words) for words in bands[0].values()]
    most = TABLES.worded_title_words if columns > 2 else TABLES.band_title_words
    short = all(len(title.split()) <= most and title[0].isupper() and title[-1] not in ".,;:" for title in titles)
    return short and len(titles) == columns and not any(map(is_figure, titles))
