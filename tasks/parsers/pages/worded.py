"""Tables of words: how surely lines in columns without any figures are one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.parsers.pages.rows import PageRow
from tasks.parsers.pages.structure import TableLayout
from tasks.parsers.pages.table_lines import TableLine

_FLUSH = 1.5
_SHARE = 0.9
_WORDY = 4.5
_FEWEST = 3
_MANY = 6
_LABEL_WORDS = 4.0
_TITLE_WORDS = 6
_MOST_LINES = 3.0
_NO_TITLE = re.compile(r"[,;:。；：]$|[^\W\d_]{4}\.$")


def text_confidence(layout: TableLayout, region: Sequence[PageRow]) -> float:
    """How surely lines without figures are a table: every column flush on the left, and more that prose has not.

    That is three columns of short texts or a bold header; where the texts are long, short labels under a header, or
    as many labels as only a glossary has.
    """
    spans = [span for lines in layout.rows for line in lines for span in line.spans]
    columns: dict[int, list[float]] = {}
    for span in spans:
        columns.setdefault(span.first, []).append(span.x0)
    full = sum(len({span.first for line in lines for span in line.spans}) > 1 for lines in layout.rows)
    flush = sum(abs(x - min(starts)) < _FLUSH for starts in columns.values() for x in starts)
    if full < _FEWEST or flush < _SHARE * len(spans):
        return 0.0
    more = 0.15 * (len(columns) > 2) + 0.05 * (full > 4)
    if sum(len(span.words) for span in spans) > _WORDY * len(spans):
        return more + _wordy(layout, full)
    marks = sum(len(line.label.text) < 3 for lines in layout.rows for line in lines if line.label)
    return 0.0 if marks > 0.5 * len(layout.rows) else 0.4 + more + 0.15 * _is_bold(region)


def _wordy(layout: TableLayout, full: int) -> float:
    """The confidence that long texts beside labels are a table."""
    labels = [line.label for lines in layout.rows for line in lines if line.label]
    lines = sum(map(len, layout.rows))
    short = sum(len(label.words) for label in labels) <= _LABEL_WORDS * len(labels)
    if not short or full < _SHARE * len(layout.rows) or lines > _MOST_LINES * len(layout.rows):
        return 0.0
    if _is_titled(layout.rows[0], len(layout.separators) + 1):
        return 0.55
    return 0.5 if full >= _MANY and all(len(label.text) > 2 for label in labels) else 0.0


def _is_titled(row: Sequence[TableLine], columns: int) -> bool:
    """Whether a row is a header by its looks: a short title over each column, and no sentence."""
    spans = [span for line in row for span in line.spans]
    texts = [" ".join(span.text for span in spans if span.first == column) for column in range(columns)]
    return all(
        text and not text[0].islower() and not _NO_TITLE.search(text) and len(text.split()) <= _TITLE_WORDS
        for text in texts
    ) and not any(span.is_figure for span in spans)


def _is_bold(region: Sequence[PageRow]) -> bool:
    """Whether the first line is bold and not all others are."""
    return all(word.bold for word in region[0].words) and not all(word.bold for row in region for word in row.words)
