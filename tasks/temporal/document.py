"""The times of a whole document: its temporal expressions, its first date, and the period that it reports on.

An expression in a table has its place there. The period is found by the cover, the headline, the title or the file's
name: "For the fiscal year ended December 2, 2022", "Reports First-Quarter 2023 Results", "2025年第三季度报告",
"ACME_2023Q2_10Q.pdf". Which days that are and what they are called follows the company's own calendar, which all its
documents together tell: one release says when a quarter ended, another only which quarter it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import PurePosixPath

from tasks.faults import one_document
from tasks.parsers.covers import cover_of, running_titles
from tasks.parsers.log_lines import LOG_WITHOUT_YEAR
from tasks.parsers.written_dates import settled_day_order
from tasks.parsers.xbrl.cover_facts import cover_tags
from tasks.tables.cells import normalize_dates
from tasks.tables.reader import BETWEEN, CellGrid
from tasks.temporal.english.year_ends import announced_quarter, is_outlook
from tasks.temporal.entries import Entry, entries_of
from tasks.temporal.fiscal_inference import calendar_by, calendar_of, evidence_in, most_trusted
from tasks.temporal.readings import period_name, quarter_interval
from tasks.temporal.row_dates import row_dates
from tasks.temporal.tagger import tag
from warehouse.message_notation import MAIL
from warehouse.records import (
    Attributes,
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
from warehouse.records.fiscal import FiscalCalendar, YearEnd, rule_of
from warehouse.search.catalogue import company_key

HEAD = 3000  # How far into a text its own date is looked for, in characters.

_COUNTING_WEEKS = (Kind.PAPER, Kind.COURSE)
_COUNTED_WEEK = re.compile(r"(?:the\s+)?(?:week|wk)\s+\d+", re.IGNORECASE)
_LINES = 600
_LONGEST_DATE = 60


def mentions(
    document: Document, anchor: date | None, year_end: str = "", corrected_year_end: str = "", *, ages: bool = False
) -> tuple[Mention, ...]:
    """Every mention in the order of the text; those in a table name its row and column header.

    A table's markers and separator lines hold no mentions, nor does a match that runs across rows or cells, nor what a
    message quotes of another, which has its own day. Relative times count from the day of their entry or row, else from
    `anchor`, the document's date; "week 24" of a trial or a course is no week of the calendar. `year_end` (MM-DD) is
    the end of fiscal years that is declared for it and `corrected_year_end` the one that a person gave, as in
    `calendar_of`; `ages` as in `tag`.
    """
    calendar, order = calendar_of(document, year_end, corrected_year_end), document.attributes.day_order
    # The lines of a log without years are of days that only its date tells.
    is_log = document.media_type == LOG_WITHOUT_YEAR
    claim = DateClaim(anchor, DateOrigin.FILE_TIME) if anchor and is_log else None
    entries = entries_of(document, claim) or (Entry(0, None),)
    whole = _without_quotations(document) if document.media_type in MAIL else document.text

    def tagged(start: int, stop: int, day: date | None) -> Iterator[Mention]:
        named = tag(whole[start:stop], day, document.language, day_order=order, fiscal=calendar, ages=ages)
        for each in named:
            if document.kind not in _COUNTING_WEEKS or not _COUNTED_WEEK.fullmatch(each.text):
                yield replace(each, start=each.start + start, end=each.end + start)

    found: list[Mention] = []
    for entry, stop in zip(entries, [*(each.start for each in entries[1:]), len(document.text)], strict=True):
        found += tagged(entry.start, stop, entry.days[0] if entry.days else anchor)
    for row in row_dates(document).rows:
        first, last = (bisect_left(found, place, key=lambda each: each.start) for place in (row.start, row.end))
        if any(each.relative for each in found[first:last]):
            found[first:last] = tagged(row.start, row.end, row.days[0])
    return tuple(_placed(found, [CellGrid(table, document.text) for table in document.tables]))


def _without_quotations(document: Document) -> str:
    """The text of a mail with blank lines in the place of what is set aside."""
    pieces, place = [], 0
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE:
            pieces += [document.text[place : block.start], "\n" * (block.end - block.start)]
            place = block.end
    return "".join([*pieces, document.text[place:]])


def first_date(text: str, day_order: str = "") -> date | None:
    """The first day that is written out in full in the first 3,000 characters; most have one in the first lines.

    `day_order` is that of the file's numeric dates (`Attributes.day_order`).
    """
    for reach in (_LINES, HEAD):
        for mention in tag(text[: reach + _LONGEST_DATE], None, "und", day_order=day_order):
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
        grid = tables[index]
        row = grid.row_at(mention.start)
        if row is None or grid.row_at(mention.end - 1) != row:
            continue
        column = grid.column_at(row, mention.start)
        if grid.column_at(row, mention.end) == column:
            header = BETWEEN.join(grid.row_path(row)) if column else ""
            path = BETWEEN.join(grid.column_path(column))
            yield replace(mention, table=grid.table.number, row_header=header, column_header=path)


def with_own_times(document: Document) -> Document:
    """A document as its parser made it, with its first date, the month of its fiscal years, and what it reports on.

    Where one of its numeric dates can be read in one order alone, all are read in it. A log has the days of its rows
    instead of its first date, which is that of any row: it can only be dated by what stands above its first table.
    """
    if not document.attributes.day_order and (order := settled_day_order(document.text)):
        document = replace(document, attributes=replace(document.attributes, day_order=order))
    rows = row_dates(document)
    found = first_date(document.text[: rows.first_table], document.attributes.day_order)
    claims = [DateClaim(day, DateOrigin.ROWS) for day in rows.last_days]
    claims += [DateClaim(found, DateOrigin.TEXT)] if found else []
    return _with_periods(replace(document, dates=(*document.dates, *claims)))


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


HEADLINE = 600  # How far into a text its headlines reach, in characters.
_LONGEST_LINE = 160
_PERIODS = (Grain.QUARTER, Grain.HALF, Grain.YEAR)
_SHORTEST, _LONGEST = 77, 380
"""Days of what is reported on, from a quarter of twelve weeks that may begin a week later to a year of 53."""
_PUBLISHED = (DateOrigin.CORRECTED, DateOrigin.FRONT_MATTER, DateOrigin.PUBLICATION, DateOrigin.DATELINE)
"""The dates that say when a text was given out; others may lie anywhere in the period."""
_EARLIEST = timedelta(days=14)  # Preliminary results come up to two weeks before the end of what they are of.
_REPORTERS = (Kind.REPORT, Kind.TEXT, Kind.NOTE)
_ENDED = re.compile(r"\bend(?:ed|ing)\b", re.IGNORECASE)
_ENDED_ON = re.compile(r"\bended\b", re.IGNORECASE)
_COLON = re.compile(r"(?<=\bended)\s?:", re.IGNORECASE)
_FOR = re.compile(r"\bfor\s*$", re.IGNORECASE)
_REPORTS = re.compile(
    r"\b(?:results?|earnings|reports?|reported|statements?|review|update|form 10-?[KQ]|10-?[KQ]|[24]0-?F)\b"
    r"|业绩|業績|报告|報告|财报|財報|[年季]报",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"(?<![0-9A-Z])(?:10-?KT?|[24]0-?F|FY|annual|(?:full|fiscal)[ -]year|year)(?![0-9A-Z])|年度|年报|年報|全年",
    re.IGNORECASE,
)
"""What makes a bare year the year that is reported on."""
_JOINTS = re.compile(r"[_\W]+")


@dataclass(frozen=True, slots=True)
class Reported:
    """A period reported on: how it is called ("FY2022", "Q2 2023"), its days, half-open, and the words that say so."""

    name: str
    start: date
    end: date
    text: str


def reported_period(document: Document, calendar: FiscalCalendar | None) -> Reported | None:
    """What the content says; None for papers and courses, and where it names no quarter, half or year of its own.

    The tags of a filing's cover come before its words.
    """
    if document.kind not in _REPORTERS:
        return None
    tags = cover_tags(document.facts)
    if tags.period and tags.name:
        return Reported(tags.name, *tags.period, "")
    # A cover behind the pages of a glossy report begins before its first words.
    start, end = cover_of(document.text)
    text = _COLON.sub(" ", document.text[start : min(end, start + 2 * HEAD)] if start else document.text[:HEAD])
    written = most_trusted(document.dates)
    found = (
        *_stated(normalize_dates(text, document.attributes.day_order), calendar),
        *_announced(text, calendar, written.date if written else None),
        *_headline(text, calendar),
        *_labelled(document.title, calendar),
    )
    if not found:
        found = tuple(each for line in running_titles(document.text) for each in _labelled(line, calendar))
    # What was not over when the text was given out is only expected: what it reports on is named further on.
    return next((each for each in found if written is None or not _is_early(each, written)), next(iter(found), None))


def _announced(text: str, calendar: FiscalCalendar | None, written: date | None) -> Iterator[Reported]:
    """The quarter that a headline announces, its year said beside it or that of the last one that was over.

    A release of a last quarter is of its year too, where its headline says so.
    """
    quarter, year = announced_quarter(text) or (0, None)
    if not quarter or (quarter == 4 and any(_headline(text, calendar))):
        return
    try:
        if year is None:
            if calendar is None or written is None:
                return
            year = calendar.year_of(written)
            year -= calendar.months(year, quarter * 3, 1)[1] > written
        start, end = calendar.months(year, quarter * 3 - 2, 3) if calendar else quarter_interval(year, quarter)
    except (ValueError, OverflowError):
        return
    name = f"Q{quarter} {year}"
    yield Reported(name, start, end, name)


def period_in_name(name: str, calendar: FiscalCalendar | None) -> Reported | None:
    """What a file's name says: "2023Q2", or a year beside "10K", "annual" or "FY"."""
    return next(_labelled(_JOINTS.sub(" ", PurePosixPath(name).stem), calendar), None)


def period_of_file(
    attributes: Attributes, name: str, calendar: FiscalCalendar | None, claim: DateClaim | None
) -> Reported | None:
    """What a document reports on, by its content, else by its file's name; None where neither says, or of the future.

    `calendar` is that of its company, in which the words of the content are read anew, `claim` its own date, None if it
    is undated. A cover that gives the last day without the company's calendar leaves the name to the file. What was
    published before a period was over does not report it: its quarter is of a calendar that nobody knows.
    """
    own, named = _own(attributes, calendar), period_in_name(name, calendar)
    if own and named and calendar is None:
        own = replace(own, name=named.name)
    found = own or named
    if found is None or claim is None:
        return found
    # The first day that a text names need not be its own: a cover that says when its period ended is believed.
    is_over = claim.origin is DateOrigin.TEXT and bool(_ENDED_ON.search(found.text))
    return found if is_over or (found.start <= claim.date and not _is_early(found, claim)) else None


def _is_early(found: Reported, claim: DateClaim) -> bool:
    return claim.origin in _PUBLISHED and found.end > claim.date + _EARLIEST


def _own(attributes: Attributes, calendar: FiscalCalendar | None) -> Reported | None:
    """What the content says, its words read in a calendar that the content itself may not give."""
    if not attributes.reported_name or attributes.reported_start is None or attributes.reported_end is None:
        return None
    anew = (found for found, _ in _dated(attributes.reported_text, calendar)) if calendar else iter(())
    name, text = attributes.reported_name, attributes.reported_text
    return next(anew, Reported(name, attributes.reported_start, attributes.reported_end, text))


def _stated(text: str, calendar: FiscalCalendar | None) -> Iterator[Reported]:
    """The periods with their last day: after "for" on a cover, anywhere below words that announce a report."""
    if not _ENDED.search(text):
        return
    announced = _REPORTS.search(text)
    for found, mention in _dated(text, calendar):
        is_cover = bool(_FOR.search(text[max(0, mention.start - 10) : mention.start]))
        is_announced = is_cover or (announced and announced.start() < mention.start)
        if _ENDED.search(mention.text) and is_announced and not is_outlook(text, mention.start, mention.end):
            yield found


def _headline(text: str, calendar: FiscalCalendar | None) -> Iterator[Reported]:
    """The period nearest to the words that announce a report, of each headline that has some."""
    for line in text[:HEADLINE].splitlines():
        announced = _REPORTS.search(line)
        if announced and len(line) <= _LONGEST_LINE:
            dated = ((each, m) for each, m in _dated(line, calendar) if not is_outlook(line, m.start, m.end))
            places = [(abs(m.start - announced.start()), each) for each, m in dated]
            if places:
                yield min(places, key=lambda place: place[0])[1]


def _labelled(label: str, calendar: FiscalCalendar | None) -> Iterator[Reported]:
    """The quarters and halves that a title or a file's name has, then its years where they are a report's."""
    found = [(each, m) for each, m in _dated(label, calendar) if not is_outlook(label, m.start, m.end)]
    yield from (each for each, mention in found if mention.grain is not Grain.YEAR)
    if _YEARLY.search(label):
        yield from (each for each, _ in found)


def _dated(text: str, calendar: FiscalCalendar | None) -> Iterator[tuple[Reported, Mention]]:
    for mention in tag(text, None, "und", fiscal=calendar):
        start, end = mention.start_date, mention.end_date
        if mention.type is not TimexType.DATE or mention.relative or mention.modifier or start is None or end is None:
            continue
        if mention.grain is Grain.YEAR and calendar and mention.value.isdigit() and not _ENDED.search(mention.text):
            start, end = calendar.months(int(mention.value), 1, 12)
        if mention.grain in _PERIODS and _SHORTEST <= (end - start).days <= _LONGEST:
            name = period_name(mention)
            name = f"FY{name}" if mention.grain is Grain.YEAR and name.isdigit() else name
            yield Reported(name, start, end, mention.text), mention


def with_calendar(entry: CatalogEntry, calendar: FiscalCalendar | None) -> CatalogEntry:
    """A document with its company's calendar and the period that it reports on in it."""
    found = period_of_file(entry.attributes, PurePosixPath(entry.file.path).name, calendar, entry.date_claim)
    return replace(
        entry,
        fiscal_year_start=calendar.first_month if calendar else None,
        fiscal_calendar=calendar,
        reported_name=found.name if found else "",
        reported_start=found.start if found else None,
        reported_end=found.end if found else None,
    )


def with_company_calendars(entries: Iterable[CatalogEntry], declared: Mapping[str, str]) -> list[CatalogEntry]:
    """The documents, those of a company with the calendar that all of them speak for.

    `declared` is the end of fiscal years (MM-DD) that the settings say of a root, by its name; what a person corrected
    of a document comes before it, and is noted with what it replaces. Raises `StageError` for a document on which this
    fails.
    """
    every = list(entries)
    evidence: defaultdict[str, list[YearEnd]] = defaultdict(list)
    for entry in every:
        with one_document("publish", entry.document_id):
            evidence[_company(entry)] += entry.attributes.year_ends

    @cache
    def calendar_for(company: str, year_end: str, corrected: str) -> FiscalCalendar | None:
        return calendar_by(evidence[company], year_end, corrected)

    made = []
    for entry in every:
        with one_document("publish", entry.document_id):
            company, year_end = _company(entry), declared.get(entry.file.root, "")
            correction = entry.corrected(CorrectedField.FISCAL_YEAR_END)
            calendar = entry.fiscal_calendar
            if company:
                calendar = calendar_for(company, year_end, correction.value if correction else "")
            made.append(entry if calendar == entry.fiscal_calendar else with_calendar(entry, calendar))
            if correction:
                own = entry.attributes.year_ends
                read = calendar_for(company, year_end, "") if company else calendar_by(own, year_end)
                made[-1] = _with_former_year_end(made[-1], read)
    return made


def _company(entry: CatalogEntry) -> str:
    return company_key(entry.attributes.company)


def _with_former_year_end(entry: CatalogEntry, read: FiscalCalendar | None) -> CatalogEntry:
    """A document whose corrected fiscal year end notes the calendar that was read instead."""
    was, was_from = (str(rule_of(read)), read.basis) if read else ("", "")
    noted = (
        replace(each, was=was, was_from=was_from) if each.field is CorrectedField.FISCAL_YEAR_END else each
        for each in entry.corrections
    )
    return replace(entry, corrections=tuple(noted))
