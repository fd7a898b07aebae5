"""Lines of a table grouped to rows: stacked headers, wrapped labels, wrapped cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from tasks.parsers.pdf.characters.ruled_lines import RuledLine
from tasks.parsers.pdf.lines.column_finder import ColumnSpan
from tasks.parsers.pdf.lines.page_rows import are_column_numbers, is_amount
from tasks.parsers.pdf.tables.table_settings import TABLES
from tasks.parsers.table_form import HOUR

_UNIT = re.compile(
    r"\(?(?:%|(?:(?:US|HK|[ACS])?[$€£¥]|RMB|CNY|USD|EUR|GBP|JPY|CHF|AUD|CAD|HKD)"
    r"(?: ?[’'‘]?(?:000s?|mn?|bn|k|[Mm]illions?|[Bb]illions?|[Tt]housands?))?|[’'‘]000s?)\)?"
)
_DATE_END = re.compile(r"(?:^|\s|/|-)(?:FY|CY)?(?:(?:19|20)\d\d|(?:FY|F|CY|Q|H|E)['’ ]?\d{2})[*)]*$")
_UNFINISHED_END = re.compile(
    r"(?:[,(&/–—-]|\b(?:of|and|or|the|to|for|in|on|at|by|from|with|a|an|per|net|less|than|as|under|over))$",
    re.IGNORECASE,
)
_OPEN_BRACKET = re.compile(r"\([^()]*$")
_SMALL_LETTER = re.compile(r"[a-z(&]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ITEM = re.compile(r"[(（]?[一二三四五六七八九十\d]+[、.．)）]|其中|加|减")


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table: its spans by column, and its position."""

    spans: tuple[ColumnSpan, ...]
    top: float
    bottom: float
    size: float

    @property
    def label(self) -> ColumnSpan | None:
        """The span in the first column."""
        return self.spans[0] if self.spans and self.spans[0].first == 0 else None

    @property
    def has_data(self) -> bool:
        """Whether there is a figure beyond the first column, other than a year or the number of a column."""
        texts = [span.text for span in self.spans if span.first > 0]
        is_labelled = self.label is not None and not self.label.is_figure
        return any(map(is_amount, texts)) and (is_labelled or not are_column_numbers(texts))

    @property
    def is_label(self) -> bool:
        """Whether there is only a label."""
        return len(self.spans) == 1 and self.spans[0].first == 0

    @property
    def spanning(self) -> list[ColumnSpan]:
        """The spans over several columns, without labels."""
        return [span for span in self.spans if span.last > span.first > 0]


def _find_bands(lines: Sequence[TableLine], horizontal_rules: Sequence[RuledLine]) -> list[float]:
    """The heights of the rules that run across the table between its lines."""
    left = min(span.x0 for line in lines for span in line.spans)
    right = max(span.x1 for line in lines for span in line.spans)
    lengths: defaultdict[int, float] = defaultdict(float)
    for rule in horizontal_rules:
        lengths[round(rule.position)] += min(rule.end, right) - max(rule.start, left)
    return [position for position, length in lengths.items() if length >= TABLES.full_rule_share * (right - left)]


def _find_body_start(lines: Sequence[TableLine], edges: Sequence[float]) -> int:
    """The first line of the body: the first with figures, or the labels above it that belong to the body.

    `edges` are the heights of the rules across the table. Without figures the header of words ends at one, or with the
    first line that has a word in every column, if that is among the first lines.
    """
    first_data = next(
        (index for index, line in enumerate(lines) if line.has_data and not _are_hours_below_days(lines, index)),
        None,
    )
    if first_data is None:
        inner_edges = [edge for edge in edges if edge > lines[0].bottom - 2]
        starts = (number for number, line in enumerate(lines) if any(edge <= line.top + 2 for edge in inner_edges))
        column_count = 1 + max(span.last for line in lines for span in line.spans)
        first_lines = enumerate(lines[: TABLES.word_header_max_lines])
        return next(starts, next((number for number, line in first_lines if len(line.spans) == column_count), 0) + 1)
    start = first_data
    # Without a header above it, a label belongs to the header.
    while start > 0 and lines[start - 1].is_label and not all(line.is_label for line in lines[: start - 1]):
        start -= 1
    start = start or first_data
    return next((number for number in range(1, start) if _is_form_row(lines, number)), start)


def _are_hours_below_days(lines: Sequence[TableLine], number: int) -> bool:
    """Whether a line of only hours beside its label is below fewer words, each of which spans several hours."""
    hours, heads = ([span for span in line.spans if span.first > 0] for line in (lines[number], lines[number - 1]))
    is_below = number > 0 and 0 < len(heads) < len(hours) and not lines[number - 1].has_data
    return is_below and all(HOUR.fullmatch(span.text) for span in hours)


def _is_form_row(lines: Sequence[TableLine], number: int) -> bool:
    """Whether a line above the first figures is a name and its value, in a table of only such lines, as in forms.

    The lines of one header are nearer to each other than to the line below it, and continue with small letters.
    """
    if any(len(line.spans) != 2 or line.spans[1].last > 1 for line in lines):
        return False
    above, line, below = lines[number - 1 : number + 2]
    is_near = line.top - above.bottom < below.top - line.bottom - TABLES.nearer_gap * line.size
    return not is_near and not any(_SMALL_LETTER.match(span.text) for span in line.spans)


def group_header_rows(lines: Sequence[TableLine], horizontal_rules: Sequence[RuledLine]) -> list[list[TableLine]]:
    """Header lines grouped unless a rule is between them or the upper one spans several parts of the lower one."""
    rows: list[list[TableLine]] = []
    for line in lines:
        if rows and not _is_parted(rows[-1], line, horizontal_rules):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _is_parted(row: Sequence[TableLine], below: TableLine, horizontal_rules: Sequence[RuledLine]) -> bool:
    """Whether header words no longer belong to the row above them."""
    above = row[-1]
    for rule in horizontal_rules:
        if above.bottom - 3 <= rule.position <= below.top + 3:
            is_ruled = any(
                _measure_overlap(rule, span) > TABLES.header_rule_share * (span.x1 - span.x0) for span in above.spans
            )
            if is_ruled and any(_measure_overlap(rule, span) > 0 for span in below.spans):
                return True
    # A line of only units, as below years, is a row; so is one below dates or figures, which need no completion.
    unit_matches = [_UNIT.fullmatch(span.text) for span in below.spans if span.first > 0]
    complete_words = [_DATE_END.search(span.text) or span.is_figure for span in above.spans if span.first > 0]
    if unit_matches and all(unit_matches):
        return True
    if complete_words and all(complete_words) and not any(span.text[0].islower() for span in below.spans):
        return True
    for span in (span for line in row for span in line.spanning):
        inner_spans = [lower for lower in below.spans if span.first <= lower.first and lower.last <= span.last]
        if inner_spans and sum(span.first <= lower.last and lower.first <= span.last for lower in below.spans) > 1:
            return True
        if any(abs(lower.x0 + lower.x1 - span.x0 - span.x1) > span.x1 - span.x0 for lower in inner_spans):
            return True
    return below.top - above.bottom > TABLES.header_max_row_gap * max(above.size, below.size)


def _measure_overlap(rule: RuledLine, span: ColumnSpan) -> float:
    """The width, in points, that a rule and words have in common."""
    return min(rule.end, span.x1) - max(rule.start, span.x0)


def align_header(row: list[TableLine]) -> list[TableLine]:
    """A header row in which spans under a wider span are as wide as that."""
    wide_spans = [span for line in row for span in line.spanning]

    def widen(span: ColumnSpan) -> ColumnSpan:
        covering_span = next(
            (wide_span for wide_span in wide_spans if wide_span.first <= span.first and span.last <= wide_span.last),
            span,
        )
        return replace(span, first=covering_span.first, last=covering_span.last)

    return [replace(line, spans=tuple(map(widen, line.spans))) for line in row]


def group_rows(lines: Sequence[TableLine], horizontal_rules: Sequence[RuledLine]) -> tuple[list[list[TableLine]], int]:
    """The lines row by row, and the number of header rows."""
    edges = _find_bands(lines, horizontal_rules)
    start = _find_body_start(lines, edges)
    header_rows = group_header_rows(lines[:start], horizontal_rules)
    bands: defaultdict[int, list[TableLine]] = defaultdict(list)
    for line in lines[start:]:
        bands[sum(edge <= (line.top + line.bottom) / 2 for edge in edges)].append(line)
    body_rows = [
        row for band in bands.values() for row in ([band] if _is_row(band, len(edges)) else _group_body_rows(band))
    ]
    return [*map(align_header, header_rows), *body_rows], len(header_rows)


def _is_row(band: Sequence[TableLine], edges: int) -> bool:
    """Whether the lines between two rules are one row: at most one has figures, and no three are far apart."""
    if len(band) == 1:
        return True
    widest_gap = max(below.top - above.bottom for above, below in pairwise(band))
    is_far = len(band) > 2 and widest_gap > TABLES.wrapped_gap * band[0].size
    return edges > 3 and sum(line.has_data for line in band) <= 1 and not is_far


def _group_body_rows(lines: Sequence[TableLine]) -> list[list[TableLine]]:
    """Rows of the body: one line with figures each, with its wrapped labels and cells."""
    labels = [line.label for line in lines if line.label and line.label.last == 0]
    label_limit = max((label.x1 for label in labels if not label.text.endswith(":")), default=0.0)
    gaps = [
        following.top - previous.bottom
        for previous, following in pairwise(lines)
        if previous.has_data and following.has_data and following.label
    ]
    usual_gap = median(gaps) if gaps else 0.0
    rows: list[list[TableLine]] = []
    labels_above: list[TableLine] = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else None
        if labels_above and not (
            following is not None and line.is_label and _begins_row(line, following, label_limit, usual_gap)
        ):
            rows.append([*labels_above, line])
            labels_above = []
        elif rows and _is_continuation(rows[-1], line, following, label_limit, usual_gap):
            rows[-1].append(line)
        elif following is not None and _begins_row(line, following, label_limit, usual_gap):
            labels_above.append(line)
        else:
            rows.append([line])
    return [*rows, labels_above] if labels_above else rows


def _is_continuation(
    row: Sequence[TableLine], line: TableLine, following: TableLine | None, label_limit: float, usual_gap: float
) -> bool:
    """Whether a line continues the row above it."""
    gap = line.top - row[-1].bottom
    if gap > max(TABLES.wrapped_gap * line.size, usual_gap + TABLES.wrapped_gap_slack * line.size):
        return False
    if line.is_label:
        label = next((part.label for part in reversed(row) if part.label), None)
        if label is None:
            return gap < TABLES.nearer_gap * line.size and any(part.has_data for part in row)
        if not any(part.has_data for part in row):
            return False
        is_nearer = following is None or gap < following.top - line.bottom - 0.15 * line.size
        is_small = _SMALL_LETTER.match(line.spans[0].text) is not None or (
            is_nearer and _fills_column(label, line.spans[0], label_limit)
        )
        is_cut_off = _is_cut_off(label)
        is_full = label.x1 + _measure_first_word(line.spans[0]) > label_limit + 1
        return (
            (is_small and (is_cut_off or is_full or is_nearer))
            or (is_cut_off and is_full)
            or (is_nearer and is_full and gap < usual_gap - TABLES.nearer_gap * line.size)
        )
    if line.label is None and not line.has_data:
        spans = [span for part in row for span in part.spans]
        word_columns = {column for span in spans if not span.is_figure for column in range(span.first, span.last + 1)}
        return all(span.first in word_columns for span in line.spans)
    if line.label is None and line.has_data and not any(part.has_data for part in row):
        return gap < TABLES.wrapped_gap_slack * line.size
    return False


def _begins_row(line: TableLine, following: TableLine, label_limit: float, usual_gap: float) -> bool:
    """Whether a label alone is the beginning of the row below it."""
    if not line.is_label or line.spans[0].text.endswith(":"):
        return False
    gap = following.top - line.bottom
    if gap > max(TABLES.wrapped_gap * line.size, usual_gap + TABLES.wrapped_gap_slack * line.size):
        return False
    if following.label is None:
        return following.has_data and gap < TABLES.wrapped_gap_slack * line.size
    is_small = _SMALL_LETTER.match(following.label.text) is not None or _fills_column(
        line.spans[0], following.label, label_limit
    )
    is_cut_off = _is_cut_off(line.spans[0])
    is_full = line.spans[0].x1 + _measure_first_word(following.label) > label_limit - 0.5 * line.size
    return is_full and (is_small or is_cut_off)


def _is_cut_off(label: ColumnSpan) -> bool:
    """Whether a label cannot be complete: it ends after a small word, or in brackets."""
    return _UNFINISHED_END.search(label.text) is not None or _OPEN_BRACKET.search(label.text) is not None


def _fills_column(label: ColumnSpan, below: ColumnSpan, label_limit: float) -> bool:
    """Whether a label in Chinese fills its column, so that the one below it, at the same margin, may continue it."""
    are_wide = _CHINESE.match(label.text[-1]) and _CHINESE.match(below.text) and not _ITEM.match(below.text)
    return bool(are_wide) and abs(label.x0 - below.x0) < 1 and label.x1 + _measure_first_word(below) > label_limit


def _measure_first_word(span: ColumnSpan) -> float:
    """The width of the first word and a space, or of the first Chinese character, after which a line may end."""
    if _CHINESE.match(span.text):
        return span.words[0].size
    return span.words[0].x1 - span.words[0].x0 + 0.25 * span.words[0].size
