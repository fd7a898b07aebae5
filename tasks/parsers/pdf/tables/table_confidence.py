"""Confidence that lines in columns are a table, and no chart, formulas, contents or prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tasks.parsers.pdf.characters.ruled_lines import RuledLine, RuledLines
from tasks.parsers.pdf.lines.column_finder import extents_of
from tasks.parsers.pdf.lines.page_rows import PageRow
from tasks.parsers.pdf.lines.word_builder import around_words
from tasks.parsers.pdf.tables.row_grouping import TableLine
from tasks.parsers.pdf.tables.table_layout import TableLayout
from tasks.parsers.pdf.tables.table_settings import TABLES
from warehouse.records import Box

_LETTERS = re.compile(r"[^\W\d_]{2}")
_PLAIN = re.compile(r"-?[\d,]*\.?\d+%?")
_MARKED = re.compile(r"\d+\.$")
_PAGE = re.compile(r"\d{1,3}")
_NAMED = re.compile(r"(?!pages?\b|no\.?\b|number\b)[^\W\d_]{2}", re.IGNORECASE)
_FORMULA = re.compile(r"\(\d{1,3}[a-z]?\)")


def is_drawing(layout: TableLayout, rules: RuledLines) -> bool:
    """Whether the lines are the labels of a chart.

    They are where there are no words and gaps between the figures, where the first column is an axis of even steps,
    where curves are drawn among them, where bars of many lengths stand on one line, and where upright edges run through
    the columns instead of between them.
    """
    texts = [[span.text for line in lines for span in line.spans] for lines in layout.rows]
    firsts = [line.spans[0].text for lines in layout.rows for line in lines if line.label]
    spans = [span for lines in layout.rows for line in lines for span in line.spans]
    area = around_words(word for span in spans for word in span.words)
    drawn = _has_curves(area, rules) or _stand_in_bars(area, rules) or _has_bars(layout, area, rules)
    loose = no_words(texts) and not _is_full(layout)
    return drawn or loose or is_axis(firsts)


def _is_full(layout: TableLayout) -> bool:
    """Whether several rows and columns have no gap, as the labels of a chart have."""
    columns = len(layout.separators) + 1
    rows = [{span.first for line in lines for span in line.spans} for lines in layout.rows]
    return (
        columns > TABLES.chart_few
        and len(rows) > TABLES.chart_few
        and sum(map(len, rows)) >= TABLES.full_share * columns * len(rows)
    )


def _has_curves(area: Box, rules: RuledLines) -> bool:
    """Whether several curves touch the area; a frame with round corners goes around it."""
    return (
        sum(
            curve.x0 < area.x1
            and area.x0 < curve.x1
            and curve.top < area.bottom
            and area.top < curve.bottom
            and not (
                curve.x0 <= area.x0 and curve.x1 >= area.x1 and curve.top <= area.top and curve.bottom >= area.bottom
            )
            for curve in rules.curves
        )
        > TABLES.chart_few
    )


def _stand_in_bars(area: Box, rules: RuledLines) -> bool:
    """Whether shades rise from one line to many heights, or reach from one line across to many lengths."""
    upright = [r for r in rules.upright if area.x0 < r.at < area.x1 and r.start < area.bottom and area.top < r.end]
    level = [r for r in rules.level if area.top < r.at < area.bottom and r.start < area.x1 and area.x0 < r.end]
    rising = ((rule.end, rule.start) for rule in upright if not rule.drawn)
    lying = ((rule.start, rule.end) for rule in level if not rule.drawn)
    return _are_bars(rising) or _are_bars(lying)


def _are_bars(edges: Iterable[tuple[float, float]]) -> bool:
    """Whether many edges have one foot and each two of them a head of their own."""
    heads: dict[int, list[float]] = {}
    for foot, head in edges:
        heads.setdefault(round(foot), []).append(head)
    return any(len(found) >= TABLES.chart_edges and _apart(found) >= TABLES.chart_heights for found in heads.values())


def _apart(places: Sequence[float]) -> int:
    """How many places there are, those taken together that are nearly the same."""
    return 1 + sum(after - before > TABLES.chart_same_length for before, after in pairwise(sorted(places)))


def _has_bars(layout: TableLayout, area: Box, rules: RuledLines) -> bool:
    """Whether upright edges inside the area run where words of a column stand."""
    extents = extents_of((line.spans for lines in layout.rows for line in lines), len(layout.separators) + 1)
    through: dict[int, list[RuledLine]] = {}
    inside = (rule for rule in rules.upright if area.top - 4 < rule.start and rule.end < area.bottom + 4)
    for rule in inside:
        if any(e and e[0] + 2 < rule.at < e[1] - 2 for e in extents):
            through.setdefault(round(rule.at / 2), []).append(rule)
    lone = [rule for group in through.values() if len(group) <= TABLES.chart_few for rule in group]
    return len(lone) > TABLES.chart_strays and len({round(rule.start) for rule in lone}) > TABLES.chart_few + 1


def no_words(texts: Sequence[Sequence[str]]) -> bool:
    """Whether there is no word of letters in any cell."""
    return not any(_LETTERS.search(text) for row in texts for text in row)


def is_axis(firsts: Sequence[str]) -> bool:
    """Whether the numbers of the first column go down or up in even steps, as those of an axis do."""
    values = [float(text.rstrip("%").replace(",", "")) for text in firsts if _PLAIN.fullmatch(text)]
    if all(TABLES.first_year <= value <= TABLES.last_year and value.is_integer() for value in values):
        return False
    steps = {round(after - before, 6) for before, after in pairwise(values)}
    return len(values) > 3 and len(steps) == 1 and abs(next(iter(steps))) not in (0, 1)


def is_contents(layout: TableLayout) -> bool:
    """Whether it is a table of contents or numbered formulas: figures only at the end, whole and rising."""
    last = len(layout.separators)
    spans = [[span for line in lines for span in line.spans] for lines in layout.rows]
    ends = [row[-1].text for row in spans if row and row[-1].first == last]
    heads = [row[-1] for row in spans[: layout.header_rows] if len(row) > 1]
    if any(head.first == last and _NAMED.match(head.text) for head in heads):
        return False
    if len(ends) < 2 or any(
        span.is_figure for row in spans for span in row if 0 < span.first < last and not _MARKED.match(span.text)
    ):
        return False
    if all(_FORMULA.fullmatch(text) for text in ends):
        return last == 1
    pages = [int(text) for text in ends if _PAGE.fullmatch(text)]
    return (
        len(pages) > 3 and len(pages) >= len(ends) - 1 and pages == sorted(pages) and len(set(pages)) > 2 and last <= 2
    )


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
    flush = sum(abs(x - min(starts)) < TABLES.worded_flush for starts in columns.values() for x in starts)
    if full < TABLES.worded_rows or flush < TABLES.worded_share * len(spans):
        return 0.0
    more = 0.15 * (len(columns) > 2) + 0.05 * (full > 4)
    if sum(len(span.words) for span in spans) > TABLES.wordy * len(spans):
        return more + _wordy(layout, full)
    marks = sum(len(line.label.text) < 3 for lines in layout.rows for line in lines if line.label)
    return 0.0 if marks > 0.5 * len(layout.rows) else 0.4 + more + 0.15 * _is_bold(region)


def _wordy(layout: TableLayout, full: int) -> float:
    """The confidence that long texts beside labels are a table."""
    labels = [line.label for lines in layout.rows for line in lines if line.label]
    lines = sum(map(len, layout.rows))
    short = sum(len(label.words) for label in labels) <= TABLES.glossary_label_words * len(labels)
    if not short or full < TABLES.worded_share * len(layout.rows) or lines > TABLES.wordy_lines * len(layout.rows):
        return 0.0
    if _is_titled(layout.rows[0], len(layout.separators) + 1):
        return 0.55
    return 0.5 if full >= TABLES.glossary_rows and all(len(label.text) > 2 for label in labels) else 0.0


def _is_titled(row: Sequence[TableLine], columns: int) -> bool:
    """Whether a row is a header by its looks: a short title over each column, and no sentence."""
    spans = [span for line in row for span in line.spans]
    texts = [" ".join(span.text for span in spans if span.first == column) for column in range(columns)]
    return all(
        text and not text[0].islower() and not _NO_TITLE.search(text) and len(text.split()) <= TABLES.worded_title_words
        for text in texts
    ) and not any(span.is_figure for span in spans)


def _is_bold(region: Sequence[PageRow]) -> bool:
    """Whether the first line is bold and not all others are."""
    return all(word.bold for word in region[0].words) and not all(word.bold for row in region for word in row.words)
