"""Which lines of a table are one row: wrapped labels, wrapped cells, stacked headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from tasks.parsers.pages.bands import bands_between
from tasks.parsers.pages.columns import ColumnSpan
from tasks.parsers.pages.heads import aligned, body_start, head_rows
from tasks.parsers.pages.rules import RuledLine
from tasks.parsers.pages.table_lines import TableLine

_GOES_ON = re.compile(
    r"(?:[,(&/–—-]|\b(?:of|and|or|the|to|for|in|on|at|by|from|with|a|an|per|net|less|than|as|under|over))$",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\([^()]*$")
_SMALL = re.compile(r"[a-z(&]")
_WIDE = re.compile(r"[\u3400-\u9fff]")
_ITEM = re.compile(r"[(（]?[一二三四五六七八九十\d]+[、.．)）]|其中|加|减")


def group(lines: Sequence[TableLine], level: Sequence[RuledLine]) -> tuple[list[list[TableLine]], int]:
    """The lines row by row, and how many of the rows are the header."""
    bands = bands_between(lines, level)
    start = body_start(lines, level)
    head = head_rows(lines[:start], level)
    body: list[list[TableLine]] = []
    for band in _split(lines[start:], bands):
        body += [band] if _is_row(band, len(bands)) else _body(band)
    return [*[aligned(row) for row in head], *body], len(head)


def _split(lines: Sequence[TableLine], edges: Sequence[float]) -> list[list[TableLine]]:
    """Lines by the bands between level rules across the table."""
    found: dict[int, list[TableLine]] = {}
    for line in lines:
        middle = (line.top + line.bottom) / 2
        found.setdefault(sum(edge <= middle for edge in edges), []).append(line)
    return list(found.values())


def _is_row(band: Sequence[TableLine], bands: int) -> bool:
    """Whether the lines between two rules are one row: no more than one of them has figures."""
    if len(band) == 1:
        return True
    return bands > 3 and sum(line.has_data for line in band) <= 1 and not _several_labels(band)


def _several_labels(band: Sequence[TableLine]) -> bool:
    """Whether the lines between two rules are rows of their own: far apart, or each full."""
    gaps = [after.top - before.bottom for before, after in pairwise(band)]
    return max(gaps) > 0.9 * band[0].size and len(band) > 2


def _body(lines: Sequence[TableLine]) -> list[list[TableLine]]:
    """Rows of the body: a line with figures each, wrapped labels and cells joined to theirs."""
    labels = [line.label for line in lines if line.label and line.label.last == 0]
    limit = max((label.x1 for label in labels if not label.text.endswith(":")), default=0.0)
    gaps = [
        after.top - before.bottom
        for before, after in pairwise(lines)
        if before.has_data and after.has_data and after.label
    ]
    usual = median(gaps) if gaps else 0.0
    rows: list[list[TableLine]] = []
    waiting: list[TableLine] = []
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else None
        if waiting and not (after is not None and line.is_label and _leads(line, after, limit, usual)):
            rows.append([*waiting, line])
            waiting = []
        elif rows and _continues(rows[-1], line, after, limit, usual):
            rows[-1].append(line)
        elif after is not None and _leads(line, after, limit, usual):
            waiting.append(line)
        else:
            rows.append([line])
    if waiting:
        rows.append(waiting)
    return rows


def _continues(row: Sequence[TableLine], line: TableLine, after: TableLine | None, limit: float, usual: float) -> bool:
    """Whether a line goes on with the row above it."""
    gap = line.top - row[-1].bottom
    if gap > max(0.9 * line.size, usual + 0.3 * line.size):
        return False
    if line.is_label:
        label = next((part.label for part in reversed(row) if part.label), None)
        if label is None:
            return gap < 0.1 * line.size and any(part.has_data for part in row)
        if not any(part.has_data for part in row):
            return False
        nearer = after is None or gap < after.top - line.bottom - 0.15 * line.size
        small = _SMALL.match(line.spans[0].text) is not None or (nearer and _runs_on(label, line.spans[0], limit))
        cut_off = _is_cut_off(label)
        full = label.x1 + _first_width(line.spans[0]) > limit + 1
        return (
            (small and (cut_off or full or nearer))
            or (cut_off and full)
            or (nearer and full and gap < usual - 0.1 * line.size)
        )
    if line.label is None and not line.has_data:
        above = [span for part in row for span in part.spans]
        used = {column for span in above if not span.is_figure for column in range(span.first, span.last + 1)}
        return all(span.first in used for span in line.spans)
    if line.label is None and line.has_data and not any(part.has_data for part in row):
        return gap < 0.3 * line.size
    return False


def _leads(line: TableLine, after: TableLine, limit: float, usual: float) -> bool:
    """Whether a label alone is the beginning of the row below it."""
    if not line.is_label or line.spans[0].text.endswith(":"):
        return False
    gap = after.top - line.bottom
    if gap > max(0.9 * line.size, usual + 0.3 * line.size):
        return False
    if after.label is None:
        return after.has_data and gap < 0.3 * line.size
    small = _SMALL.match(after.label.text) is not None or _runs_on(line.spans[0], after.label, limit)
    cut_off = _is_cut_off(line.spans[0])
    full = line.spans[0].x1 + _first_width(after.label) > limit - 0.5 * line.size
    return full and (small or cut_off)


def _is_cut_off(label: ColumnSpan) -> bool:
    """Whether a label cannot end where it does: after a small word, or in brackets."""
    return _GOES_ON.search(label.text) is not None or _OPEN.search(label.text) is not None


def _runs_on(label: ColumnSpan, below: ColumnSpan, limit: float) -> bool:
    """Whether a label in Chinese fills its column, so that the one below it, at the same margin, may go on with it."""
    wide = _WIDE.match(label.text[-1]) and _WIDE.match(below.text) and not _ITEM.match(below.text)
    return bool(wide) and abs(label.x0 - below.x0) < 1 and label.x1 + _first_width(below) > limit


def _first_width(span: ColumnSpan) -> float:
    """The width of the first word and a space, or of the first Chinese character, after which a line may end."""
    if _WIDE.match(span.text):
        return span.words[0].size
    return span.words[0].x1 - span.words[0].x0 + 0.25 * span.words[0].size
