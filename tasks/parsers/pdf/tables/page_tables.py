"""The tables of a page: ruled grids first, then what white space and level rules lay out."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.parsers.pdf.characters.ruled_lines import RuledLines
from tasks.parsers.pdf.lines.column_zones import find_zones, in_margin
from tasks.parsers.pdf.lines.page_rows import PageRow, read_rows
from tasks.parsers.pdf.lines.word_builder import PageWord
from tasks.parsers.pdf.tables.found_tables import FoundTable, with_rows_above, with_rows_below
from tasks.parsers.pdf.tables.ruled_tables import ruled_tables
from tasks.parsers.pdf.tables.table_confidence import table_confidence
from tasks.parsers.pdf.tables.table_layout import found_table, lay_out
from tasks.parsers.pdf.tables.table_regions import find_regions, find_stacks
from tasks.parsers.pdf.tables.table_settings import TABLES


def read_items(page: int, words: Sequence[PageWord], rules: RuledLines, height: float) -> list[PageRow | FoundTable]:
    """The lines and tables of a page in reading order; each word stands in exactly one of them.

    Lines in the margins of a page `height` points high are part of a table only where it reaches into them.
    """
    body = [word for word in words if not in_margin(word.top, word.bottom, height)]
    margins = read_rows(word for word in words if in_margin(word.top, word.bottom, height))
    above = [row for row in margins if row.middle < height / 2]
    below = margins[len(above) :]
    items = _body_items(page, body, rules)
    if items and isinstance(items[0], FoundTable):
        items[0], taken = with_rows_above(items[0], above, fewest=TABLES.margin_pieces)
        above = above[: len(above) - taken]
    if items and isinstance(items[-1], FoundTable):
        items[-1], taken = with_rows_below(items[-1], below, fewest=TABLES.margin_pieces)
        below = below[taken:]
    return [*above, *items, *below]


def _body_items(page: int, words: Sequence[PageWord], rules: RuledLines) -> list[PageRow | FoundTable]:
    ruled, outside = ruled_tables(page, words, rules)
    items: list[PageRow | FoundTable] = []
    kept = [*outside, *(_anchor(table, number) for number, table in enumerate(ruled))]
    for zone in find_zones(kept):
        run: list[PageWord] = []
        for word in sorted(zone, key=lambda word: word.top):
            if word.anchor is None:
                run.append(word)
            else:
                items += _run_items(page, run, rules, items)
                items.append(ruled[word.anchor])
                run = []
        items += _run_items(page, run, rules, items)
    return items


def _run_items(
    page: int, words: Sequence[PageWord], rules: RuledLines, above: list[PageRow | FoundTable]
) -> list[PageRow | FoundTable]:
    """The lines and tables that follow those `above`, whose last may be a ruled table that takes the first lines."""
    if words and above and isinstance(table := above[-1], FoundTable):
        rows = read_rows(words)
        above[-1], taken = with_rows_below(table, rows)
        words = [word for row in rows[taken:] for word in row.words] if taken else words
    return read_spaced_items(page, words, rules)


def _anchor(table: FoundTable, number: int) -> PageWord:
    """A word without text at the head of a ruled table, so that the table takes its place in the reading order."""
    box = table.box
    return PageWord("", box.x0, box.x1, box.top, box.top + 1, size=0.0, bold=False, anchor=number)


def read_spaced_items(page: int, words: Sequence[PageWord], rules: RuledLines) -> list[PageRow | FoundTable]:
    """Lines, and the tables that white space lays out with whatever rules they have."""
    rows = read_rows(words)
    items: list[PageRow | FoundTable] = []
    done = 0
    stacks = list(find_stacks(rules.level, rows)) if rows else []
    for first, last in find_regions(rows, stacks):
        region = rows[first : last + 1]
        layout = lay_out(region, rules) if len(region) > 1 else None
        if layout is None:
            continue
        confidence = table_confidence(layout, region, rules, stacks, rows[first - 1].text if first else "")
        table = (
            found_table(page, layout, max(row.box.x1 for row in region), confidence)
            if confidence >= TABLES.sure_confidence
            else None
        )
        if table is not None:
            items += [*rows[done:first], table]
            done = last + 1
    return [*items, *rows[done:]]
