"""The tables of a page: ruled grids, then lines in columns that are no chart, formulas, contents or prose."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from tasks.parsers.pdf.characters.ruled_lines import RuledLine, RuledLines
from tasks.parsers.pdf.lines.column_finder import measure_extents
from tasks.parsers.pdf.lines.column_zones import find_zones, is_in_margin
from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.page_rows import CAPTION, PageRow, is_amount, is_year, read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord, enclose_words
from tasks.parsers.pdf.tables.flush_regions import find_flush_region
from tasks.parsers.pdf.tables.found_tables import FoundTable, has_words, with_rows_above, with_rows_below
from tasks.parsers.pdf.tables.ruled_tables import find_ruled_tables
from tasks.parsers.pdf.tables.table_layout import TableLayout, build_found_table, build_wrapped_table, lay_out
from tasks.parsers.pdf.tables.table_regions import RuleStack, find_regions, find_stacks
from tasks.parsers.pdf.tables.table_settings import TABLES
from tasks.parsers.plain_text.adjacent_tables import find_second_table, is_gutter
from warehouse.records import Box

_NUMBER = re.compile(r"-?[\d,]*\.?\d+%?")
_ITEM_NUMBER = re.compile(r"\d+\.$")
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_COLUMN_NAME = re.compile(r"(?!pages?\b|no\.?\b|number\b)[^\W\d_]{2}", re.IGNORECASE)
_FORMULA = re.compile(r"\(\d{1,3}[a-z]?\)")
_SENTENCE_END = re.compile(r"[,;:。；：]$|[^\W\d_]{4}\.$")


def _measure_confidence(
    layout: TableLayout, region: Sequence[PageRow], rules: RuledLines, stacks: Sequence[RuleStack], above: str
) -> float:
    """The confidence that lines in columns are a table: by figures, filled cells, rules and a caption `above`."""
    rows = layout.row_spans
    body = rows[layout.header_rows :] or rows
    cells = [span for row in body for span in row]
    value_spans = [span for span in cells if span.first > 0]
    if not value_spans or len(rows) < 2 or _is_drawing(layout, rules) or _is_contents(layout):
        return 0.0
    top, bottom = region[0].top + TABLES.stack_reach, region[-1].bottom - TABLES.stack_reach
    is_ruled = any(stack.top <= top and stack.bottom >= bottom for stack in stacks)
    has_caption = CAPTION.match(above) is not None
    amounts = (span for span in value_spans if is_amount(span.text))
    only_years = all(is_year(word.text) for span in amounts for word in span.words)  # a header alone
    if only_years or not any(line.has_data for lines in layout.rows for line in lines):
        return _measure_words_confidence(layout, region) + TABLES.framed_bonus * (is_ruled or has_caption)
    filled_counts = [len({span.first for span in row}) for row in body]
    full_row_count = sum(count > 1 for count in filled_counts)
    fill_share = sum(filled_counts) / (layout.columns * len(body))
    figure_share = sum(span.is_figure for span in value_spans) / len(value_spans)
    long_share = sum(len(span.text) > TABLES.long_cell_length for span in cells) / len(cells)
    is_unsupported_pair = len(rows) < 3 and not is_ruled and not has_caption and not _is_full_pair(layout)
    score = (
        TABLES.figures_weight * figure_share
        + TABLES.rows_weight * min(full_row_count, TABLES.max_rows_counted) / TABLES.max_rows_counted
        + TABLES.fill_weight * fill_share
        + TABLES.column_weight * min(layout.columns - 2, TABLES.max_columns_counted)
        - TABLES.long_weight * long_share
    )
    score -= TABLES.address_weight * any("@" in span.text for span in cells)
    score -= TABLES.doubt_weight * (fill_share < TABLES.sparse_share) + TABLES.doubt_weight * is_unsupported_pair
    row_bonus = TABLES.several_rows_bonus if full_row_count > 2 else -TABLES.few_rows_penalty
    score = score + TABLES.ruled_weight * is_ruled + TABLES.caption_weight * has_caption + row_bonus
    return max(0.0, min(TABLES.max_confidence, score))


def _is_full_pair(layout: TableLayout) -> bool:
    """Whether two rows without a gap are a header of words over figures, or a label and figures each."""
    rows = layout.row_spans
    is_full = all(len({span.first for span in row}) == layout.columns for row in rows)
    has_word_header = not any(span.is_figure for span in rows[0])
    return (
        is_full and layout.columns > 2 and (has_word_header or all(span.is_figure for row in rows for span in row[1:]))
    )


def _is_drawing(layout: TableLayout, rules: RuledLines) -> bool:
    """Whether the lines are the labels of a chart.

    They are where there are no words and gaps between the figures, where the first column is an axis of even steps,
    where curves are drawn among them, where bars of many lengths stand on one line, and where upright edges run through
    the columns instead of between them.
    """
    rows = layout.row_spans
    area = enclose_words(word for row in rows for span in row for word in span.words)
    if _has_curves(area, rules) or _has_bar_shades(area, rules) or _has_edges_through_columns(layout, area, rules):
        return True
    # Several rows and columns without a gap are no labels of a chart.
    filled_count = sum(len({span.first for span in row}) for row in rows)
    is_large = min(layout.columns, len(rows)) > TABLES.chart_limit
    is_full = is_large and filled_count >= TABLES.full_share * layout.columns * len(rows)
    has_letters = has_words(span.text for row in rows for span in row)
    return not (has_letters or is_full) or _is_axis([label.text for label in layout.labels])


def _has_curves(area: Box, rules: RuledLines) -> bool:
    """Whether several curves touch the area; a frame with round corners goes around it."""
    curve_count = sum(
        (curve.x0 > area.x0 or curve.x1 < area.x1 or curve.top > area.top or curve.bottom < area.bottom)
        and (curve.x0 < area.x1 and area.x0 < curve.x1 and curve.top < area.bottom and area.top < curve.bottom)
        for curve in rules.curves
    )
    return curve_count > TABLES.chart_limit


def _has_bar_shades(area: Box, rules: RuledLines) -> bool:
    """Whether shades rise from one line to many heights, or reach from one line across to many lengths.

    Then many edges share one foot, and several of them (nearly equal ones counted once) have different heads.
    """
    heads: defaultdict[tuple[bool, int], list[float]] = defaultdict(list)
    for rule in rules.vertical:
        if not rule.is_drawn and area.x0 < rule.position < area.x1 and rule.start < area.bottom and area.top < rule.end:
            heads[True, round(rule.end)].append(rule.start)
    for rule in rules.horizontal:
        if not rule.is_drawn and area.top < rule.position < area.bottom and rule.start < area.x1 and area.x0 < rule.end:
            heads[False, round(rule.start)].append(rule.end)
    return any(
        len(edges) >= TABLES.chart_min_edges
        and sum(after - before > TABLES.chart_length_tolerance for before, after in pairwise(sorted(edges)))
        >= TABLES.chart_min_heights - 1
        for edges in heads.values()
    )


def _has_edges_through_columns(layout: TableLayout, area: Box, rules: RuledLines) -> bool:
    """Whether upright edges inside the area run where words of a column stand."""
    extents = measure_extents(layout.row_spans, layout.columns)
    edges_by_position: dict[int, list[RuledLine]] = {}
    for rule in rules.vertical:
        is_inside = area.top - 4 < rule.start and rule.end < area.bottom + 4
        if is_inside and any(e and e[0] + 2 < rule.position < e[1] - 2 for e in extents):
            edges_by_position.setdefault(round(rule.position / 2), []).append(rule)
    single_edges = [rule for group in edges_by_position.values() if len(group) <= TABLES.chart_limit for rule in group]
    return (
        len(single_edges) > TABLES.chart_max_stray_edges
        and len({round(rule.start) for rule in single_edges}) > TABLES.chart_limit + 1
    )


def _is_axis(firsts: Sequence[str]) -> bool:
    """Whether the numbers of the first column go down or up in even steps, as those of an axis do."""
    values = [float(text.rstrip("%").replace(",", "")) for text in firsts if _NUMBER.fullmatch(text)]
    if all(TABLES.first_year <= value <= TABLES.last_year and value.is_integer() for value in values):
        return False
    steps = {round(after - before, 6) for before, after in pairwise(values)}
    return len(values) > 3 and len(steps) == 1 and abs(steps.pop()) not in (0, 1)


def _is_contents(layout: TableLayout) -> bool:
    """Whether it is a table of contents or numbered formulas: figures only at the end, whole and rising."""
    last, rows = layout.columns - 1, layout.row_spans
    end_texts = [row[-1].text for row in rows if row and row[-1].first == last]
    end_headers = [row[-1] for row in rows[: layout.header_rows] if len(row) > 1]
    inner_spans = (span for row in rows for span in row if 0 < span.first < last)
    if any(head.first == last and _COLUMN_NAME.match(head.text) for head in end_headers):
        return False
    if len(end_texts) < 2 or any(span.is_figure and not _ITEM_NUMBER.match(span.text) for span in inner_spans):
        return False
    if all(_FORMULA.fullmatch(text) for text in end_texts):
        return last == 1
    pages = [int(text) for text in end_texts if _PAGE_NUMBER.fullmatch(text)]
    is_rising = pages == sorted(pages) and len(set(pages)) > 2
    return len(pages) > 3 and len(pages) >= len(end_texts) - 1 and is_rising and last <= 2


def _measure_words_confidence(layout: TableLayout, region: Sequence[PageRow]) -> float:
    """How surely lines without figures are a table: every column flush on the left, and more that prose has not.

    That is three columns of short texts or a bold header; where the texts are long, short labels under a header, or
    as many labels as only a glossary has.
    """
    rows = layout.row_spans
    spans = [span for row in rows for span in row]
    columns: defaultdict[int, list[float]] = defaultdict(list)
    for span in spans:
        columns[span.first].append(span.x0)
    full_row_count = sum(len({span.first for span in row}) > 1 for row in rows)
    flush_count = sum(
        abs(x - min(starts)) < TABLES.word_table_edge_tolerance for starts in columns.values() for x in starts
    )
    if full_row_count < TABLES.word_table_min_rows or flush_count < TABLES.word_table_share * len(spans):
        return 0.0
    bonus = TABLES.word_table_columns_bonus * (len(columns) > 2) + TABLES.word_table_rows_bonus * (full_row_count > 4)
    if sum(len(span.words) for span in spans) > TABLES.long_text_words * len(spans):
        return bonus + _measure_long_text_confidence(layout, full_row_count)
    if sum(len(label.text) < 3 for label in layout.labels) > TABLES.list_mark_share * len(rows):
        return 0.0
    is_first_bold = all(word.bold for word in region[0].words)
    has_bold_header = is_first_bold and not all(word.bold for row in region for word in row.words)
    return TABLES.word_table_confidence + bonus + TABLES.bold_header_bonus * has_bold_header


def _measure_long_text_confidence(layout: TableLayout, full_row_count: int) -> float:
    """The confidence that long texts beside labels are a table: under a header, or of a glossary."""
    labels, rows = layout.labels, len(layout.rows)
    has_short_labels = sum(len(label.words) for label in labels) <= TABLES.glossary_max_label_words * len(labels)
    if (
        not has_short_labels
        or full_row_count < TABLES.word_table_share * rows
        or sum(map(len, layout.rows)) > TABLES.long_text_max_lines * rows
    ):
        return 0.0
    header = layout.row_spans[0]
    titles = [" ".join(span.text for span in header if span.first == column) for column in range(layout.columns)]
    if not any(span.is_figure for span in header) and all(map(_is_title, titles)):
        return TABLES.titled_confidence
    is_glossary = full_row_count >= TABLES.glossary_min_rows and all(len(label.text) > 2 for label in labels)
    return TABLES.sure_confidence if is_glossary else 0.0


def _is_title(text: str) -> bool:
    """Whether words over a column are a short title, and no sentence."""
    is_short = len(text.split()) <= TABLES.column_title_max_words
    return bool(text) and is_short and not text[0].islower() and not _SENTENCE_END.search(text)


def read_items(page: int, words: Sequence[PageWord], rules: RuledLines, height: float) -> list[PageRow | FoundTable]:
    """The lines and tables of a page in reading order; each word stands in exactly one of them.

    Lines in the margins of a page `height` points high are part of its text where they stand as close to it as lines
    do (browsers print with narrow margins), and part of a table where it reaches into them.
    """
    body = [word for word in words if not is_in_margin(word.top, word.bottom, height)]
    margins = read_rows(word for word in words if is_in_margin(word.top, word.bottom, height))
    above = [row for row in margins if row.middle < height / 2]
    below = margins[len(above) :]
    while above and body and min(word.top for word in body) - above[-1].bottom < LINES.margin_gap * above[-1].size:
        body += above.pop().words
    while below and body and below[0].top - max(word.bottom for word in body) < LINES.margin_gap * below[0].size:
        body += below.pop(0).words
    items = _read_body(page, body, rules)
    if items and isinstance(items[0], FoundTable):
        items[0], row_count = with_rows_above(items[0], above, min_pieces=TABLES.margin_row_min_pieces)
        above = above[: len(above) - row_count]
    if items and isinstance(items[-1], FoundTable):
        items[-1], row_count = with_rows_below(items[-1], below, min_pieces=TABLES.margin_row_min_pieces)
        below = below[row_count:]
    return [*above, *items, *below]


def _read_body(page: int, words: Sequence[PageWord], rules: RuledLines) -> list[PageRow | FoundTable]:
    ruled, outside = find_ruled_tables(page, words, rules)
    wrapped, outside = _find_wrapped_tables(page, outside, [table.box for table in ruled])
    ruled = [*ruled, *wrapped]
    # A word without text at the head of each such table, so that the table takes its place in the reading order.
    anchors = [
        PageWord("", table.box.x0, table.box.x1, table.box.top, table.box.top + 1, size=0.0, bold=False, anchor=number)
        for number, table in enumerate(ruled)
    ]
    items: list[PageRow | FoundTable] = []
    for zone in find_zones([*outside, *anchors]):
        run: list[PageWord] = []
        for word in sorted(zone, key=lambda word: word.top):
            if word.anchor is None:
                run.append(word)
            else:
                items += _read_run(page, run, rules, items)
                items.append(ruled[word.anchor])
                run = []
        items += _read_run(page, run, rules, items)
    return items


def _find_wrapped_tables(
    page: int, words: Sequence[PageWord], ruled: Sequence[Box]
) -> tuple[list[FoundTable], list[PageWord]]:
    """The tables of words whose cells run over several lines, beside or between the `ruled` ones; all other words."""
    rows = read_rows(words)
    tables: list[FoundTable] = []
    used_ids: set[int] = set()
    tried_regions: set[tuple[int, int, tuple[float, ...]]] = set()
    number = region_end = failure_count = 0
    while number < len(rows) and failure_count < TABLES.max_failures:
        if len(rows[number].pieces) < 2:
            number += 1
            continue
        first, region = find_flush_region(rows, number)
        box = enclose_words(region.words)
        is_known = (first, len(region.rows), region.edges) in tried_regions
        tried_regions.add((first, len(region.rows), region.edges))
        overlaps = is_known or any(ruled_box.top < box.bottom and box.top < ruled_box.bottom for ruled_box in ruled)
        table, table_words = (None, []) if overlaps or first < region_end else build_wrapped_table(page, region)
        if table is None:
            number, failure_count = number + 1, failure_count + 1
            continue
        tables.append(table)
        used_ids.update(map(id, table_words))
        number = region_end = first + len(region.rows)
    return tables, [word for word in words if id(word) not in used_ids]


def _read_run(
    page: int, words: Sequence[PageWord], rules: RuledLines, above: list[PageRow | FoundTable]
) -> list[PageRow | FoundTable]:
    """The lines and tables that follow those `above`, whose last may be a ruled table that takes the first lines.

    White space lays these tables out, with whatever rules they have.
    """
    rows = read_rows(words)
    if rows and above and isinstance(ruled := above[-1], FoundTable):
        above[-1], row_count = with_rows_below(ruled, rows)
        rows = rows[row_count:]
    items: list[PageRow | FoundTable] = []
    region_end = 0
    stacks = list(find_stacks(rules.horizontal, rows)) if rows else []
    for first, last in find_regions(rows, stacks):
        region = rows[first : last + 1]
        layout = lay_out(region, rules) if len(region) > 1 else None
        if layout is None:
            continue
        above_first = rows[first - 1].text if first else ""
        table = _build_sure_table(page, layout, region, rules, stacks, above_first)
        if table is not None:
            items += [*rows[region_end:first], *(_split_sides(page, table, region, rules) or [table])]
            region_end = last + 1
    return [*items, *rows[region_end:]]


def _build_sure_table(
    page: int,
    layout: TableLayout,
    region: Sequence[PageRow],
    rules: RuledLines,
    stacks: Sequence[RuleStack],
    above: str,
) -> FoundTable | None:
    """The table of lines in columns where they surely are one."""
    confidence = _measure_confidence(layout, region, rules, stacks, above)
    if confidence < TABLES.sure_confidence:
        return None
    return build_found_table(page, layout, max(row.box.x1 for row in region), confidence)


def _split_sides(
    page: int, table: FoundTable, region: Sequence[PageRow], rules: RuledLines
) -> list[PageRow | FoundTable]:
    """The tables that stand side by side in lines that were read as one, with the lines above each, if they do."""
    second = find_second_table(table.rows, table.header_rows or 0)
    if second is None:
        return []
    words = [word for row in region for word in row.words]
    extents = [
        [(word.x0, word.x1) for word in words if low <= word.center < high] for low, high in pairwise(table.edges)
    ]
    gaps = [min(x0 for x0, _ in after) - max(x1 for _, x1 in before) for before, after in pairwise(extents)]
    if not is_gutter(second, gaps, TABLES.min_gutter * region[0].size):
        return []
    sides = [
        _read_run(page, [word for word in words if (word.x0 < table.edges[second[0]]) is is_left], rules, [])
        for is_left in (True, False)
    ]
    are_tables = all(any(isinstance(item, FoundTable) for item in side) for side in sides)
    return [item for side in sides for item in side] if are_tables else []
