"""The times of a whole document: its temporal expressions, its first date, and the period that it reports on.

An expression in a table names its table, row and column.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import chain
from pathlib import PurePosixPath

from tasks.faults import isolate_document
from tasks.parsers.dated_lines import LOG_WITHOUT_YEAR, is_chat
from tasks.parsers.written_dates import ASSUMED_DAY_FIRST, BY_COMMAS, find_day_order
from tasks.tables.decimal_signs import has_decimal_comma
from tasks.tables.reader import PATH_SEPARATOR, CellGrid
from tasks.temporal.course_terms import date_course_weeks, find_term, is_counted_week, is_of_trial
from tasks.temporal.entries import Entry, begins_with_dated_line, find_entries, find_entry
from tasks.temporal.fiscal_inference import (
    choose_calendar,
    collect_evidence,
    infer_document_calendar,
)
from tasks.temporal.head_times import correct_head_times
from tasks.temporal.readings import LONGEST_QUARTER
from tasks.temporal.reported_periods import HEAD, find_file_period, find_own_period, find_reported_period
from tasks.temporal.row_dates import DAY_FOLLOWS, DatedRow, RowDates, find_row_dates, iter_days_of_columns
from tasks.temporal.table_times import correct_table_times
from tasks.temporal.tagger import tag
from warehouse.message_notation import MAIL
from warehouse.records import (
    BlockKind,
    CatalogEntry,
    CorrectedField,
    DateClaim,
    DateOrigin,
    Document,
    Grain,
    Kind,
    Mention,
    TimexType,
)
from warehouse.records.calendars import FiscalCalendar, YearEnd, get_year_end_rule
from warehouse.search.catalogue import make_company_key

_TEXT_ORIGINS = frozenset({DateOrigin.TEXT})  # The first day in a text need not be the day on which it was written.
_FILE_ORIGINS = frozenset({DateOrigin.PROPERTIES})  # A file may be made long after its text was written.
_FIRST_LINES = 600  # Characters in which most documents have their date.
_PARAGRAPH_BREAK = re.compile(r"\n\n+")
_LONGEST_DATE = 60  # Characters of a written date with the words before it.
_BIRTH_WORDS = re.compile(
    r"(?:\b(?:born|dob|d\.o\.b|birth(?:day|date)?|date\sof\sbirth|geb|geboren|geburtsdatum|née?s?|naissance|nacid[oa]"
    r"|nacimiento|(?-i:[Nn]at[oa])|nascita|nascid[oa]|nascimento|geboortedatum)(?![a-z])[^\d\n;]{0,25}"
    r"|(?:\A|\(\s?|[,;]\s)b\.\s|[(,;]\s?\*\s?|出生(?:日期|年月)?\W{0,3})\Z",
    re.IGNORECASE,
)
"""Words before a day of birth: "DOB:", "geb. am", "(* "; any other star belongs to Markdown."""
_BIRTH_SUFFIX = re.compile(r"\s?(?:出)?生")


def find_mentions(
    document: Document, anchor: date | None, year_end: str = "", corrected_year_end: str = "", *, ages: bool = False
) -> tuple[Mention, ...]:
    """Every mention in the order of the text; those in a table name its row and column header.

    A table's markers and separator lines hold no mentions, nor does a match that runs across rows or cells, nor the
    quotations in a message, which have days of their own. Relative times count from the day of their entry or row, else
    from `anchor`, the document's date; days without a year are in the period that an undated text is about. "Week 24"
    of a trial is not a calendar week; nor is that of a course, which counts from the first week of its term. `year_end`
    (MM-DD) is the end of fiscal years that is declared for it, `corrected_year_end` the one that a person gave, as in
    `infer_document_calendar`; `ages` as in `tag`.
    """
    calendar, order = infer_document_calendar(document, year_end, corrected_year_end), document.attributes.day_order
    # The days of a log without years follow only from its date.
    is_log = document.media_type == LOG_WITHOUT_YEAR
    claim = DateClaim(anchor, DateOrigin.FILE_TIME) if anchor and is_log else None
    entries = find_entries(document, claim) or (Entry(0, None),)
    # Times after the entries of an export are not those of its entries.
    has_quotations = document.media_type in MAIL or document.kind is Kind.NOTE
    readable_text = _without_quotations(document) if has_quotations else document.text

    term = find_term(document)
    reported_start, reported_end = document.attributes.reported_start, document.attributes.reported_end
    reported_period = (reported_start, reported_end) if reported_start and reported_end else None

    period = find_own_period(document)
    counts_weeks, in_chat = is_of_trial(document), is_chat(document.text)
    origins = {claim.origin for claim in document.dates if claim.date == anchor}
    is_undated = anchor is None or origins == _FILE_ORIGINS
    is_short = period is not None and period[1] - period[0] <= LONGEST_QUARTER

    def tag_span(start: int, end: int, day: date | None, lead: str = "") -> Iterator[Mention]:
        """Tag the span as if it followed the lead."""
        span_mentions = tag(
            lead + readable_text[start:end],
            day,
            document.language,
            day_order=order,
            fiscal=calendar,
            term=term or (period if is_short and not is_undated and day == anchor else None),
            reported=reported_period,
            period=period if is_undated and day == anchor else None,
            in_chat=in_chat,
            in_narrative=day == anchor and origins == _TEXT_ORIGINS,
            ages=ages,
        )
        for mention in span_mentions:
            if document.kind is Kind.NOTE and (gap := _PARAGRAPH_BREAK.search(mention.text)):
                # The day of a heading and the hour of the entry below it are two times, not one.
                yield from tag_span(start + mention.start, start + mention.start + gap.start(), day)
                yield from tag_span(start + mention.start + gap.end(), start + mention.end, day)
            elif not counts_weeks or not is_counted_week(mention.text):
                yield replace(mention, start=mention.start + start - len(lead), end=mention.end + start - len(lead))

    mentions: list[Mention] = []
    for entry, end in zip(entries, [*(entry.start for entry in entries[1:]), len(document.text)], strict=True):
        mentions += tag_span(entry.start, end, entry.days[0] if entry.days else anchor)
    for row in find_row_dates(document).rows if document.tables else ():
        first, last = (
            bisect_left(mentions, offset, key=lambda mention: mention.start) for offset in (row.start, row.end)
        )
        if any(mention.relative for mention in mentions[first:last]):
            mentions[first:last] = tag_span(row.start, row.end, row.days[0])
    grids = [CellGrid(table, document.text) for table in document.tables]
    column_mentions: list[Mention] = []
    for start, end in chain.from_iterable(map(iter_days_of_columns, grids)):
        index = bisect_right(mentions, start, key=lambda mention: mention.end)
        if index == len(mentions) or mentions[index].start >= end:
            cell_entry = find_entry(entries, start)
            lead = DAY_FOLLOWS[document.text[end - 1] == "."]
            column_mentions += tag_span(
                start, end, cell_entry.days[0] if cell_entry and cell_entry.days else anchor, lead
            )
    mentions = sorted([*mentions, *column_mentions], key=lambda mention: mention.start)
    mentions = correct_table_times(mentions, grids, entries, document.language, calendar) if grids else mentions
    mentions = date_course_weeks(mentions, document.text, is_course=term is not None or document.kind is Kind.COURSE)
    placed_mentions = tuple(_place_in_tables(mentions, grids))
    return correct_head_times(placed_mentions, document, calendar) if document.tables else placed_mentions


def _without_quotations(document: Document) -> str:
    """The text of a mail with each quotation replaced by as many line breaks, so that offsets stay."""
    pieces, position = [], 0
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE:
            pieces += [document.text[position : block.start], "\n" * (block.end - block.start)]
            position = block.end
    return "".join([*pieces, document.text[position:]])


def find_first_date(text: str, language: str, day_order: str = "") -> date | None:
    """The first day that is written out in full in the first 3,000 characters; most have one in the first lines.

    Not the day on which somebody was born: "DOB: 04/12/1956". `language` is as in `tag`; `day_order` is that of the
    file's numeric dates (`Attributes.day_order`).
    """
    for length in (_FIRST_LINES, HEAD):
        for mention in tag(text[: length + _LONGEST_DATE], None, language, day_order=day_order):
            is_day = mention.grain is Grain.DAY or mention.type is TimexType.TIME
            is_dated = is_day and mention.end_date and not mention.relative and mention.start < length
            if is_dated and mention.start_date and not _is_birth(text, mention):
                return mention.start_date
    return None


def _is_birth(text: str, mention: Mention) -> bool:
    search_start = max(0, mention.start - _LONGEST_DATE)
    return bool(_BIRTH_WORDS.search(text, search_start, mention.start) or _BIRTH_SUFFIX.match(text, mention.end))


def _place_in_tables(mentions: Sequence[Mention], tables: Sequence[CellGrid]) -> Iterator[Mention]:
    """The mentions, those in a cell with its headers; one outside the rows or over two of them is left out."""
    starts = [grid.table.start for grid in tables]
    for mention in mentions:
        index = bisect_right(starts, mention.end - 1) - 1
        if index < 0 or mention.start >= tables[index].table.end:
            yield mention
            continue
        grid = tables[index]
        row = grid.find_row(mention.start)
        if row is None or grid.find_row(mention.end - 1) != row:
            continue
        column = grid.find_column(row, mention.start)
        if grid.find_column(row, mention.end) == column:
            header = PATH_SEPARATOR.join(grid.get_row_path(row)) if column else ""
            path = PATH_SEPARATOR.join(grid.get_column_path(column))
            yield replace(mention, table=grid.table.number, row_header=header, column_header=path)


def with_times(document: Document) -> Document:
    """A parsed document with its first date, the month of its fiscal years, and the period that it reports on.

    If one of its numeric dates can be read in one order alone, all are read in it. Otherwise the day comes first if its
    tables write decimals with commas: no country that does so writes the month first. A log has the days of its rows
    instead of its first date, which may be that of any row: only text above its first table can date it. So has a chat
    or log in plain text the days of its lines.
    """
    if (order := infer_day_order(document)) != document.attributes.day_order:
        document = replace(document, attributes=replace(document.attributes, day_order=order))
    rows = find_row_dates(document) if document.tables else None
    text_above_rows = document.text[: rows.first_table if rows else None]
    first_date = find_first_date(text_above_rows, document.language, document.attributes.day_order)
    last_days = (rows and rows.last_days) or _find_last_line_days(document)
    claims = [DateClaim(day, DateOrigin.ROWS) for day in last_days]
    claims += [DateClaim(first_date, DateOrigin.TEXT)] if first_date else []
    return _with_periods(replace(document, dates=(*document.dates, *claims)))


def _find_last_line_days(document: Document) -> tuple[date, ...]:
    """The `last_days` of the lines of a log or chat, which begins with a dated one; its entries follow one another."""
    if document.kind is not Kind.TEXT or not begins_with_dated_line(document):
        return ()
    entries = [entry for entry in find_entries(document) if entry.days]
    lines = tuple(DatedRow(entry.start, entry.start, entry.days) for entry in entries if entry.days)
    starts = [line.days[0] for line in lines]
    is_log = bool(lines) and not lines[0].start and {entry.origin for entry in entries} == {DateOrigin.LINE}
    return RowDates(lines).last_days if is_log and starts in (sorted(starts), sorted(starts)[::-1]) else ()


def infer_day_order(document: Document) -> str:
    """The order of a document's numeric dates by its parser, by the dates, or by the commas of its tables' decimals.

    The lines of a chat are read day first where nothing shows their order, and so are the dates in it.
    """
    order = document.attributes.day_order or find_day_order((), document.text)
    if document.attributes.day_order or order != ASSUMED_DAY_FIRST or is_chat(document.text):
        return order
    cells = [cell for table in document.tables for row in table.rows for cell in row]
    return BY_COMMAS if has_decimal_comma(cells) else ""


def with_date(document: Document, day: date) -> Document:
    """A parsed document whose date a person corrected: the times in its text are read as written on that day."""
    return _with_periods(replace(document, dates=(DateClaim(day, DateOrigin.CORRECTED), *document.dates)))


def _with_periods(document: Document) -> Document:
    """A document with the month of its fiscal years and the period that it reports on, both found by its dates."""
    evidence = collect_evidence(document)
    calendar = choose_calendar(evidence)
    period = find_reported_period(document, calendar)
    attributes = replace(
        document.attributes,
        fiscal_year_start=calendar.first_month if calendar else None,
        year_ends=evidence,
        reported_text=period.text if period else "",
        reported_name=period.name if period else "",
        reported_start=period.start if period else None,
        reported_end=period.end if period else None,
    )
    return replace(document, attributes=attributes)


def with_calendar(entry: CatalogEntry, calendar: FiscalCalendar | None) -> CatalogEntry:
    """A document with its company's calendar and the period that it reports on by that calendar."""
    period = find_file_period(entry.attributes, PurePosixPath(entry.file.path).name, calendar, entry.date_claim)
    return replace(
        entry,
        fiscal_year_start=calendar.first_month if calendar else None,
        fiscal_calendar=calendar,
        reported_name=period.name if period else "",
        reported_start=period.start if period else None,
        reported_end=period.end if period else None,
    )


def with_company_calendars(entries: Iterable[CatalogEntry], declared: Mapping[str, str]) -> list[CatalogEntry]:
    """The documents, those of a company with the calendar that the evidence of all of them gives.

    `declared` gives the end of fiscal years (MM-DD) in the settings by the name of the root; a person's correction of
    a document comes before it, and is noted with the value that it replaces. Raises `StageError` for a document on
    which this fails.
    """
    all_entries = list(entries)
    evidence: defaultdict[str, list[YearEnd]] = defaultdict(list)
    for entry in all_entries:
        with isolate_document("publish", entry.document_id):
            evidence[_get_company_key(entry)] += entry.attributes.year_ends

    @cache
    def choose_company_calendar(company: str, year_end: str, corrected: str) -> FiscalCalendar | None:
        return choose_calendar(evidence[company], year_end, corrected)

    updated_entries = []
    for entry in all_entries:
        with isolate_document("publish", entry.document_id):
            company, year_end = _get_company_key(entry), declared.get(entry.file.root, "")
            correction = entry.find_correction(CorrectedField.FISCAL_YEAR_END)
            calendar = entry.fiscal_calendar
            if company:
                calendar = choose_company_calendar(company, year_end, correction.value if correction else "")
            updated_entries.append(entry if calendar == entry.fiscal_calendar else with_calendar(entry, calendar))
            if correction:
                former_calendar = choose_calendar(
                    evidence[company] if company else entry.attributes.year_ends, year_end
                )
                updated_entries[-1] = _with_former_year_end(updated_entries[-1], former_calendar)
    return updated_entries


def _get_company_key(entry: CatalogEntry) -> str:
    company = entry.attributes.company
    return make_company_key(company) if company else ""


def _with_former_year_end(entry: CatalogEntry, former_calendar: FiscalCalendar | None) -> CatalogEntry:
    """A document whose correction of the fiscal year end notes the calendar that it replaces."""
    was, was_from = (str(get_year_end_rule(former_calendar)), former_calendar.basis) if former_calendar else ("", "")
    corrections = (
        replace(correction, was=was, was_from=was_from)
        if correction.field is CorrectedField.FISCAL_YEAR_END
        else correction
        for correction in entry.corrections
    )
    return replace(entry, corrections=tuple(corrections))
