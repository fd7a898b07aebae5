"""The temporal expressions of a whole document, each with its place in a table, and what its text says of its dates."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from tasks.tables.reader import BETWEEN, CellGrid
from tasks.temporal.fiscal_inference import calendar_by, calendar_of, evidence_in
from tasks.temporal.reported import reported_period
from tasks.temporal.tagger import tag
from warehouse.records import DateClaim, DateOrigin, Document, Grain, Mention, TimexType

HEAD = 3000  # How far into a text its own date is looked for, in characters.

_LINES = 600
_LONGEST_DATE = 60


def mentions(
    document: Document, anchor: date | None, year_end: str = "", corrected_year_end: str = "", *, ages: bool = False
) -> tuple[Mention, ...]:
    """Every mention in the order of the text; those in a table name its row and column header.

    A table's markers and separator lines hold no mentions, nor does a match that runs across rows or cells. `anchor` is
    the document's date, `year_end` (MM-DD) the end of fiscal years that is declared for it and `corrected_year_end` the
    one that a person gave, as in `calendar_of`; `ages` as in `tag`.
    """
    calendar, order = calendar_of(document, year_end, corrected_year_end), document.attributes.day_order
    found = tag(document.text, anchor, document.language, day_order=order, fiscal=calendar, ages=ages)
    return tuple(_placed(found, [CellGrid(table, document.text) for table in document.tables]))


def first_date(text: str) -> date | None:
    """The first day that is written out in full in the first 3,000 characters; most have one in the first lines."""
    for reach in (_LINES, HEAD):
        for mention in tag(text[: reach + _LONGEST_DATE], None, "und"):
            is_day = mention.grain is Grain.DAY or mention.type is TimexType.TIME
            if mention.start < reach and is_day and mention.end_date and not mention.relative and mention.start_date:
                return mention.start_date
    return None


def _placed(found: Sequence[Mention], tables: Sequence[CellGrid]) -> Iterator[Mention]:
    starts = [grid.table.start for grid in tables]
    for mention in found:
        index = bisect_right(starts, mention.end - 1) - 1
        if index < 0 or mention.start >= tables[index].table.end:
            yield mention
            continue
        inside = _in_table(mention, tables[index])
        if inside is not None:
            yield inside


def _in_table(mention: Mention, grid: CellGrid) -> Mention | None:
    row = grid.row_at(mention.start)
    if row is None or grid.row_at(mention.end - 1) != row:
        return None
    column = grid.column_at(row, mention.start)
    if grid.column_at(row, mention.end) != column:
        return None
    return replace(
        mention,
        table=grid.table.number,
        row_header=BETWEEN.join(grid.row_path(row)) if column else "",
        column_header=BETWEEN.join(grid.column_path(column)),
    )


def with_own_times(document: Document) -> Document:
    """A document as its parser made it, with its first date, the month of its fiscal years, and what it reports on."""
    found = first_date(document.text)
    dates = (*document.dates, DateClaim(found, DateOrigin.TEXT)) if found else document.dates
    return _with_periods(replace(document, dates=dates))


def with_date(document: Document, day: date) -> Document:
    """A document as parsed whose date a person corrected: what its text says of time is read as written on that day."""
    return _with_periods(replace(document, dates=(DateClaim(day, DateOrigin.CORRECTED), *document.dates)))


def _with_periods(document: Document) -> Document:
    """A document with the month of its fiscal years and what it reports on, by its dates."""
    evidence = evidence_in(document)
    calendar = calendar_by(evidence)
    found = reported_period(document, calendar)
    attributes = replace(
        document.attributes,
        fiscal_year_start=calendar.first_month if calendar else None,
        year_ends=evidence,
        reported_text=found.text if found else "",
        reported_name=found.name if found else "",
        reported_start=found.start if found else None,
        reported_end=found.end if found else None,
    )
    return replace(document, attributes=attributes)
