"""Times of the heads of rows and columns by the periods of their cells: fiscal years, and parts of an unnamed year.

"March" in a table of 2023 is March 2023, wherever the table has the year: in its caption, the name of its sheet, a
section, or beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from tasks.parsers.written_dates import CALENDAR_WORDS
from tasks.tables.header_periods import HeaderPeriods
from tasks.tables.headers import HeaderContext
from tasks.tables.reader import PATH_SEPARATOR, CellGrid, CellSpan, TableReader, make_readers
from tasks.temporal.english.lexicon import MONTH_NAMES, MONTHS
from tasks.temporal.tagger import tag
from warehouse.records import Calendar, Document, Grain, Mention
from warehouse.records.calendars import DAY, FiscalCalendar, Interval, add_months

_PARTS_OF_YEAR = (Grain.MONTH, Grain.QUARTER, Grain.HALF)
_MONTH_NAMES = frozenset(
    name for words in CALENDAR_WORDS.values() for names in words["months"] for name in names.split(", ")
) | frozenset(MONTHS)
_PART_NAME = re.compile(
    r"[HQTSK] ?[1-4]|[1-4] ?[HQTSK]|(?:\w+\.? ){0,2}(?:half|quarter|halb\w+|quart\w+|trim\w+|sem\w+|kwart\w+)"
    r"(?: (?:[1-4]|[IV]+))?",
    re.IGNORECASE,
)
"""A quarter or half; months are in `_MONTH_NAMES`."""


def correct_head_times(
    mentions: tuple[Mention, ...], document: Document, calendar: FiscalCalendar | None
) -> tuple[Mention, ...]:
    """The mentions, with fiscal years, and with months, quarters and halves without a year, that have their days."""
    periods, new_mentions = HeaderPeriods(document, calendar), dict[int, Mention]()
    mentions_of_tables: defaultdict[int, list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.table is not None:
            mentions_of_tables[mention.table].append(mention)
    for reader in make_readers(document):
        table_mentions = mentions_of_tables[reader.grid.table.number]
        years = [mention for mention in table_mentions if _is_year_of_two_calendars(mention)] if calendar else []
        parts = list(_iter_parts(reader.grid, table_mentions))
        if not years and not parts:
            continue
        context = periods.make_context(reader.grid, reader.titles)
        for head in years:
            row = reader.grid.find_row(head.start) or 0
            span = reader.grid.get_cell(row, reader.grid.find_column(row, head.start))
            days = _find_days(span, reader, periods, context)
            if days and calendar and days == (head.other_start, head.other_end):
                new_mentions[head.start] = _to_fiscal_year(head, days, calendar)
        for span in parts:
            text = document.text[span.start : span.end]
            part, days = periods.find_undated_part((text,)), _find_days(span, reader, periods, context)
            if part and days and add_months(days[0], part[1]) == days[1]:
                found = _find_part_mention(text, part, days, document.language, calendar)
                if found is not None:
                    new_mentions[span.start] = _place(found, span, reader.grid)
    kept_mentions = (mention for mention in mentions if mention.start not in new_mentions)
    return tuple(sorted((*kept_mentions, *new_mentions.values()), key=lambda mention: mention.start))


def _is_year_of_two_calendars(mention: Mention) -> bool:
    return mention.grain is Grain.YEAR and mention.other_start is not None and not mention.relative


def _iter_parts(grid: CellGrid, mentions: Sequence[Mention]) -> Iterator[CellSpan]:
    """The headers and labels that are a month, quarter or half without a year."""
    undated = {
        (mention.start, mention.end)
        for mention in mentions
        if mention.grain in _PARTS_OF_YEAR and (mention.relative or mention.days is None)
    }
    dated_starts = {mention.start for mention in mentions} - {start for start, _ in undated}
    for row in range(len(grid.table.row_spans)):
        for span in grid.iter_cells(row):
            if row >= grid.body and span.column >= grid.labels:
                break
            text = grid.text[span.start : span.end]
            is_name = text.lower().rstrip(".") in _MONTH_NAMES or _PART_NAME.fullmatch(text)
            if span.start not in dated_starts and (is_name or (span.start, span.end) in undated):
                yield span


def _find_days(span: CellSpan, reader: TableReader, periods: HeaderPeriods, context: HeaderContext) -> Interval | None:
    """The period of the cells that a header or label heads; None for another cell."""
    grid = reader.grid
    is_header = span.row < grid.body
    if not is_header and span.column >= grid.labels:
        return None
    row_path = () if is_header else grid.get_dated_path(span.row)
    column_path = grid.get_column_path(span.column) if is_header else ()
    return periods.find_cell_period(row_path, column_path, grid.get_column_path(0), context)


@lru_cache(maxsize=4096)
def _find_part_mention(
    text: str, part: tuple[int, int], days: Interval, language: str, calendar: FiscalCalendar | None
) -> Mention | None:
    """The mention of a part of a year that would name the year of its `days`; a month's name may be in any language.

    Cached: a month labels many rows of an export.
    """
    years = {days[0].year, (days[1] - DAY).year} | ({calendar.find_year(days[0])} if calendar else set())
    names = [(text, language), *([(MONTH_NAMES[part[0] - 1].title(), "en")] if part[1] == 1 else [])]
    for name, name_language in names:
        for year in sorted(years):
            dated_name = f"{name} {year}"
            found = next(iter(tag(dated_name, None, name_language, fiscal=calendar)), None)
            if found and found.text == dated_name and found.days == days and not found.relative:
                return replace(found, text=text)
    return None


def _place(found: Mention, span: CellSpan, grid: CellGrid) -> Mention:
    """The mention of a head in its cell."""
    header = PATH_SEPARATOR.join(grid.get_row_path(span.row)) if span.column else ""
    path = PATH_SEPARATOR.join(grid.get_column_path(span.column))
    return replace(
        found,
        start=span.start,
        end=span.end,
        table=grid.table.number,
        row_header=header,
        column_header=path,
    )


def _to_fiscal_year(year: Mention, days: Interval, calendar: FiscalCalendar) -> Mention:
    return replace(
        year,
        value=f"FY{year.value}",
        start_date=days[0],
        end_date=days[1],
        calendar=Calendar.FISCAL,
        other_start=year.start_date,
        other_end=year.end_date,
        basis=calendar.basis,
    )
