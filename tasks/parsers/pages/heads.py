"""Header lines of a table: where they end, and which of them are one row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tasks.parsers.pages.bands import bands_between
from tasks.parsers.pages.columns import ColumnSpan
from tasks.parsers.pages.rules import RuledLine
from tasks.parsers.pages.table_lines import TableLine

_MOST_LINES = 4
_UNIT = re.compile(
    r"\(?(?:%|(?:(?:US|HK|[ACS])?[$€£¥]|RMB|CNY|USD|EUR|GBP|JPY|CHF|AUD|CAD|HKD)"
    r"(?: ?[’'‘]?(?:000s?|mn?|bn|k|[Mm]illions?|[Bb]illions?|[Tt]housands?))?|[’'‘]000s?)\)?"
)
_DATED = re.compile(r"(?:^|\s|/|-)(?:FY|CY)?(?:(?:19|20)\d\d|(?:FY|F|CY|Q|H|E)['’ ]?\d{2})[*)]*$")


def body_start(lines: Sequence[TableLine], level: Sequence[RuledLine]) -> int:
    """The first line of the body: the first with figures, with the labels above it that belong to the body."""
    first = next((number for number, line in enumerate(lines) if line.has_data), None)
    if first is None:
        edges = sorted(bands_between(lines, level))
        below = [
            n
            for n, line in enumerate(lines)
            if any(edge <= line.top + 2 for edge in edges if edge > lines[0].bottom - 2)
        ]
        return below[0] if below and below[0] < len(lines) else _first_full(lines) + 1
    start = first
    while start > 0 and lines[start - 1].is_label and not _within(lines[start - 1], lines[: start - 1]):
        start -= 1
    return start or (0 if first == 0 else first)


def _first_full(lines: Sequence[TableLine]) -> int:
    """The first line with a word in every column, which ends a header of words; 0 where it comes late."""
    columns = 1 + max(span.last for line in lines for span in line.spans)
    full = (number for number, line in enumerate(lines[:_MOST_LINES]) if len(line.spans) == columns)
    return next(full, 0)


def _within(line: TableLine, above: Sequence[TableLine]) -> bool:
    """Whether a label beside the header belongs to it: there is no header above."""
    return not any(len(other.spans) > 1 or other.spanning or not other.label for other in above)


def head_rows(lines: Sequence[TableLine], level: Sequence[RuledLine]) -> list[list[TableLine]]:
    """Header lines put together unless a rule lies between them or the upper one spans what the lower one parts."""
    rows: list[list[TableLine]] = []
    for line in lines:
        if rows and not _parted(rows[-1], line, level):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _parted(row: Sequence[TableLine], below: TableLine, level: Sequence[RuledLine]) -> bool:
    above = row[-1]
    for rule in level:
        if above.bottom - 3 <= rule.at <= below.top + 3:
            under = [
                span
                for span in above.spans
                if min(rule.end, span.x1) - max(rule.start, span.x0) > 0.5 * (span.x1 - span.x0)
            ]
            if under and any(min(rule.end, span.x1) - max(rule.start, span.x0) > 0 for span in below.spans):
                return True
    if _is_units(below):
        return True
    if _is_whole(above) and not any(span.text[0].islower() for span in below.spans):
        return True
    for span in (span for line in row for span in line.spanning):
        inside = [other for other in below.spans if span.first <= other.first and other.last <= span.last]
        if inside and sum(span.first <= other.last and other.first <= span.last for other in below.spans) > 1:
            return True
        if any(abs(other.x0 + other.x1 - span.x0 - span.x1) > span.x1 - span.x0 for other in inside):
            return True
    return below.top - above.bottom > 1.5 * max(above.size, below.size)


def _is_units(line: TableLine) -> bool:
    """Whether a line tells units and nothing else, as one below the years does."""
    beyond = [span for span in line.spans if span.first > 0]
    return bool(beyond) and all(_UNIT.fullmatch(span.text) for span in beyond)


def _is_whole(line: TableLine) -> bool:
    """Whether each header of a line is a date or figure by itself, which nothing below completes."""
    beyond = [span for span in line.spans if span.first > 0]
    return bool(beyond) and all(_DATED.search(span.text) or span.is_figure for span in beyond)


def aligned(row: list[TableLine]) -> list[TableLine]:
    """A header row whose lower lines stand under a spanning one reach as far as that does."""
    wide = [span for line in row for span in line.spanning]
    return [replace(line, spans=tuple(_widened(span, wide) for span in line.spans)) for line in row]


def _widened(span: ColumnSpan, wide: Sequence[ColumnSpan]) -> ColumnSpan:
    over = next((other for other in wide if other.first <= span.first and span.last <= other.last), span)
    return replace(span, first=over.first, last=over.last)
