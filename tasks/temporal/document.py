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
from itertools import chain
from pathlib import PurePosixPath

from tasks.faults import one_document
from tasks.parsers.log_lines import LOG_WITHOUT_YEAR
from tasks.parsers.titles import find_cover, find_running_titles
from tasks.parsers.written_dates import find_settled_day_order
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.tables.reader import PATH_SEPARATOR, CellGrid
from tasks.temporal.course_terms import date_course_weeks, find_term, is_counted_week
from tasks.temporal.english.year_ends import find_announced_quarter, is_outlook
from tasks.temporal.entries import Entry, find_entries, find_entry
from tasks.temporal.fiscal_inference import (
    choose_calendar,
    collect_evidence,
    infer_document_calendar,
    select_most_trusted,
)
from tasks.temporal.readings import format_period, make_quarter_interval
from tasks.temporal.row_dates import find_row_dates, iter_days_of_columns
from tasks.temporal.tagger import normalize_dates, tag
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
from warehouse.records.fiscal import FiscalCalendar, YearEnd, get_year_end_rule
from warehouse.search.catalogue import make_company_key

HEAD = 3000  # How far into a text its own date is looked for, in characters.

_DAY_FOLLOWS = "on "  # After it the rules of every language take 8/28 for a day.
_LINES = 600
_BETWEEN = re.compile(r"\n\n+")
_LONGEST_DATE = 60


def find_mentions(
    document: Document, anchor: date | None, year_end: str = "", corrected_year_end: str = "", *, ages: bool = False
) -> tuple[Mention, ...]:
    """Every mention in the order of the text; those in a table name its row and column header.

    A table's markers and separator lines hold no mentions, nor does a match that runs across rows or cells, nor what a
    message quotes of another, which has its own day. Relative times count from the day of their entry or row, else from
    `anchor`, the document's date; "week 24" of a trial is no week of the calendar, nor is that of a course, which is
    counted from the first of its term. `year_end` (MM-DD) is
    the end of fiscal years that is declared for it and `corrected_year_end` the one that a person gave, as in
    `infer_document_calendar`; `ages` as in `tag`.
    """
    calendar, order = infer_document_calendar(document, year_end, corrected_year_end), document.attributes.day_order
    # The lines of a log without years are of days that only its date tells.
    is_log = document.media_type == LOG_WITHOUT_YEAR
    claim = DateClaim(anchor, DateOrigin.FILE_TIME) if anchor and is_log else None
    entries = find_entries(document, claim) or (Entry(0, None),)
    # Behind entries of exports stand other moments than theirs.
    has_quotations = document.media_type in MAIL or document.kind is Kind.NOTE
    whole = _without_quotations(document) if has_quotations else document.text

    term = find_term(document)

    def tag_stretch(start: int, stop: int, day: date | None, lead: str = "") -> Iterator[Mention]:
        """Read as if the lead stood before the stretch."""
        named = tag(
            lead + whole[start:stop], day, document.language, day_order=order, fiscal=calendar, term=term, ages=ages
        )
        for each in named:
            if document.kind is Kind.NOTE and (gap := _BETWEEN.search(each.text)):
                # The day of a heading and the hour of the entry below it, and no moment.
                yield from tag_stretch(start + each.start, start + each.start + gap.start(), day)
                yield from tag_stretch(start + each.start + gap.end(), start + each.end, day)
            elif document.kind is not Kind.PAPER or not is_counted_week(each.text):
                yield replace(each, start=each.start + start - len(lead), end=each.end + start - len(lead))

    found: list[Mention] = []
    for entry, stop in zip(entries, [*(each.start for each in entries[1:]), len(document.text)], strict=True):
        found += tag_stretch(entry.start, stop, entry.days[0] if entry.days else anchor)
    for row in find_row_dates(document).rows if document.tables else ():
        first, last = (bisect_left(found, place, key=lambda each: each.start) for place in (row.start, row.end))
        if any(each.relative for each in found[first:last]):
            found[first:last] = tag_stretch(row.start, row.end, row.days[0])
    grids = [CellGrid(table, document.text) for table in document.tables]
    of_columns: list[Mention] = []
    for start, stop in chain.from_iterable(map(iter_days_of_columns, grids)):
        place = bisect_right(found, start, key=lambda each: each.end)
        if place == len(found) or found[place].start >= stop:
            own = find_entry(entries, start)
            of_columns += tag_stretch(start, stop, own.days[0] if own and own.days else anchor, _DAY_FOLLOWS)
    found = sorted([*found, *of_columns], key=lambda each: each.start)
    found = date_course_weeks(found, document.text, is_course=term is not None or document.kind is Kind.COURSE)
    return tuple(_place_in_tables(found, grids))


def _without_quotations(document: Document) -> str:
    """The text of a mail with each quotation replaced by as many line breaks, so that offsets stay."""
    pieces, position = [], 0
    for block in document.blocks:
        if block.kind is BlockKind.FURNITURE:
            pieces += [document.text[position : block.start], "\n" * (block.end - block.start)]
            position = block.end
    return "".join([*pieces, document.text[position:]])


def find_first_date(text: str, day_order: str = "") -> date | None:
    """The first day that is written out in full in the first 3,000 characters; most have one in the first lines.

    `day_order` is that of the file's numeric dates (`Attributes.day_order`).
    """
    for reach in (_LINES, HEAD):
        for mention in tag(text[: reach + _LONGEST_DATE], None, "und", day_order=day_order):
            is_day = mention.grain is Grain.DAY or mention.type is TimexType.TIME
            if mention.start < reach and is_day and mention.end_date and not mention.relative and mention.start_date:
                return mention.start_date
    return None


def _place_in_tables(found: Sequence[Mention], tables: Sequence[CellGrid]) -> Iterator[Mention]:
    """The mentions, those in a cell with its headers; one that lies outside the rows or runs over two is left out."""
    starts = [grid.table.start for grid in tables]
    for mention in found:
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

    Where one of its numeric dates can be read in one order alone, all are read in it. A log has the days of its rows
    instead of its first date, which is that of any row: it can only be dated by what stands above its first table.
    """
    if not document.attributes.day_order and (order := find_settled_day_order(document.text)):
        document = replace(document, attributes=replace(document.attributes, day_order=order))
    rows = find_row_dates(document) if document.tables else None
    found = find_first_date(document.text[: rows.first_table if rows else None], document.attributes.day_order)
    claims = [DateClaim(day, DateOrigin.ROWS) for day in rows.last_days] if rows else []
    claims += [DateClaim(found, DateOrigin.TEXT)] if found else []
    return _with_periods(replace(document, dates=(*document.dates, *claims)))


def with_date(document: Document, day: date) -> Document:
    """A parsed document whose date a person corrected: the times in its text are read as written on that day."""
    return _with_periods(replace(document, dates=(DateClaim(day, DateOrigin.CORRECTED), *document.dates)))


def _with_periods(document: Document) -> Document:
    """A document with the month of its fiscal years and the period that it reports on, both found by its dates."""
    evidence = collect_evidence(document)
    calendar = choose_calendar(evidence)
    found = find_reported_period(document, calendar)
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
_PRELIMINARY = timedelta(days=14)  # Preliminary results come up to two weeks before the end of what they are of.
_REPORTING_KINDS = (Kind.REPORT, Kind.TEXT, Kind.NOTE)
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
class ReportedPeriod:
    """A period reported on: how it is called ("FY2022", "Q2 2023"), its days, half-open, and the words that say so."""

    name: str
    start: date
    end: date
    text: str


def find_reported_period(document: Document, calendar: FiscalCalendar | None) -> ReportedPeriod | None:
    """The period by the content; None for papers and courses, and where it names no quarter, half or year of its own.

    The tags of a filing's cover come before its words.
    """
    if document.kind not in _REPORTING_KINDS:
        return None
    tags = read_cover_tags(document.facts) if document.facts else None
    if tags and tags.period and tags.name:
        return ReportedPeriod(tags.name, *tags.period, "")
    # A cover behind the pages of a glossy report begins before its first words.
    start, end = find_cover(document.text)
    text = _COLON.sub(" ", document.text[start : min(end, start + 2 * HEAD)] if start else document.text[:HEAD])
    written = select_most_trusted(document.dates)
    found = (
        *_iter_stated_periods(normalize_dates(text, document.attributes.day_order), calendar),
        *_iter_announced_quarters(text, calendar, written.date if written else None),
        *_iter_headline_periods(text, calendar),
        *_iter_label_periods(document.title, calendar),
    )
    if not found:
        found = tuple(
            each for line in find_running_titles(document.text) for each in _iter_label_periods(line, calendar)
        )
    # What was not over when the text was given out is only expected: what it reports on is named further on.
    return next((each for each in found if written is None or not _is_early(each, written)), next(iter(found), None))


def _iter_announced_quarters(
    text: str, calendar: FiscalCalendar | None, written: date | None
) -> Iterator[ReportedPeriod]:
    """The quarter that a headline announces, of the year named beside it, else of the latest one that was over.

    None for a fourth quarter where a headline names a period of its own, such as the whole year.
    """
    quarter, year = find_announced_quarter(text) or (0, None)
    if not quarter or (quarter == 4 and any(_iter_headline_periods(text, calendar))):
        return
    try:
        if year is None:
            if calendar is None or written is None:
                return
            year = calendar.find_year(written)
            year -= calendar.find_months(year, quarter * 3, 1)[1] > written
        start, end = (
            calendar.find_months(year, quarter * 3 - 2, 3) if calendar else make_quarter_interval(year, quarter)
        )
    except (ValueError, OverflowError):
        return
    name = f"Q{quarter} {year}"
    yield ReportedPeriod(name, start, end, name)


def find_period_in_name(name: str, calendar: FiscalCalendar | None) -> ReportedPeriod | None:
    """The period by a file's name: "2023Q2", or a year beside "10K", "annual" or "FY"."""
    return next(_iter_label_periods(_JOINTS.sub(" ", PurePosixPath(name).stem), calendar), None)


def find_file_period(
    attributes: Attributes, name: str, calendar: FiscalCalendar | None, claim: DateClaim | None
) -> ReportedPeriod | None:
    """The period of a document by its content, else by its file's name; None where neither says, or for the future.

    `calendar` is that of its company, by which the words of the content are read again, `claim` the document's own
    date, None if it is undated. Where a cover gives the last day and the company's calendar is not known, the name
    comes from the file. What was published before a period was over does not report it: its quarter is of an unknown
    calendar.
    """
    content, named = _read_content_period(attributes, calendar), find_period_in_name(name, calendar)
    if content and named and calendar is None:
        content = replace(content, name=named.name)
    found = content or named
    if found is None or claim is None:
        return found
    # The first day that a text names need not be its own: a cover that says when its period ended is believed.
    is_over = claim.origin is DateOrigin.TEXT and bool(_ENDED_ON.search(found.text))
    return found if is_over or (found.start <= claim.date and not _is_early(found, claim)) else None


def _is_early(found: ReportedPeriod, claim: DateClaim) -> bool:
    return claim.origin in _PUBLISHED and found.end > claim.date + _PRELIMINARY


def _read_content_period(attributes: Attributes, calendar: FiscalCalendar | None) -> ReportedPeriod | None:
    """The period that the content names, its words read by the company's calendar where there is one."""
    if not attributes.reported_name or attributes.reported_start is None or attributes.reported_end is None:
        return None
    name, text = attributes.reported_name, attributes.reported_text
    periods = (period for period, _ in _iter_periods(text, calendar)) if calendar else iter(())
    return next(periods, ReportedPeriod(name, attributes.reported_start, attributes.reported_end, text))


def _iter_stated_periods(text: str, calendar: FiscalCalendar | None) -> Iterator[ReportedPeriod]:
    """The periods named with their last day: after "for" on a cover, or below words that announce a report."""
    if not _ENDED.search(text):
        return
    announced = _REPORTS.search(text)
    for found, mention in _iter_periods(text, calendar):
        is_cover = bool(_FOR.search(text[max(0, mention.start - 10) : mention.start]))
        is_announced = is_cover or (announced and announced.start() < mention.start)
        if _ENDED.search(mention.text) and is_announced and not is_outlook(text, mention.start, mention.end):
            yield found


def _iter_headline_periods(text: str, calendar: FiscalCalendar | None) -> Iterator[ReportedPeriod]:
    """For each headline with words that announce a report, the period nearest to them."""
    for line in text[:HEADLINE].splitlines():
        announced = _REPORTS.search(line)
        if announced and len(line) <= _LONGEST_LINE:
            periods = ((each, m) for each, m in _iter_periods(line, calendar) if not is_outlook(line, m.start, m.end))
            distances = [(abs(m.start - announced.start()), each) for each, m in periods]
            if distances:
                yield min(distances, key=lambda pair: pair[0])[1]


def _iter_label_periods(label: str, calendar: FiscalCalendar | None) -> Iterator[ReportedPeriod]:
    """The quarters and halves in a title or a file's name; with words of a yearly report also the years."""
    found = [(each, m) for each, m in _iter_periods(label, calendar) if not is_outlook(label, m.start, m.end)]
    yield from (each for each, mention in found if mention.grain is not Grain.YEAR)
    if _YEARLY.search(label):
        yield from (each for each, _ in found)


def _iter_periods(text: str, calendar: FiscalCalendar | None) -> Iterator[tuple[ReportedPeriod, Mention]]:
    """The quarters, halves and years that a text names, each with its mention."""
    for mention in tag(text, None, "und", fiscal=calendar):
        start, end = mention.start_date, mention.end_date
        if mention.type is not TimexType.DATE or mention.relative or mention.modifier or start is None or end is None:
            continue
        if mention.grain is Grain.YEAR and calendar and mention.value.isdigit() and not _ENDED.search(mention.text):
            start, end = calendar.find_months(int(mention.value), 1, 12)
        if mention.grain in _PERIODS and _SHORTEST <= (end - start).days <= _LONGEST:
            name = format_period(mention)
            name = f"FY{name}" if mention.grain is Grain.YEAR and name.isdigit() else name
            yield ReportedPeriod(name, start, end, mention.text), mention


def with_calendar(entry: CatalogEntry, calendar: FiscalCalendar | None) -> CatalogEntry:
    """A document with its company's calendar and the period that it reports on by that calendar."""
    found = find_file_period(entry.attributes, PurePosixPath(entry.file.path).name, calendar, entry.date_claim)
    return replace(
        entry,
        fiscal_year_start=calendar.first_month if calendar else None,
        fiscal_calendar=calendar,
        reported_name=found.name if found else "",
        reported_start=found.start if found else None,
        reported_end=found.end if found else None,
    )


def with_company_calendars(entries: Iterable[CatalogEntry], declared: Mapping[str, str]) -> list[CatalogEntry]:
    """The documents, those of a company with the calendar that the evidence of all of them gives.

    `declared` is the end of fiscal years (MM-DD) that the settings say of a root, by its name; what a person corrected
    of a document comes before it, and is noted with what it replaces. Raises `StageError` for a document on which this
    fails.
    """
    every = list(entries)
    evidence: defaultdict[str, list[YearEnd]] = defaultdict(list)
    for entry in every:
        with one_document("publish", entry.document_id):
            evidence[_get_company_key(entry)] += entry.attributes.year_ends

    @cache
    def choose_company_calendar(company: str, year_end: str, corrected: str) -> FiscalCalendar | None:
        return choose_calendar(evidence[company], year_end, corrected)

    changed = []
    for entry in every:
        with one_document("publish", entry.document_id):
            company, year_end = _get_company_key(entry), declared.get(entry.file.root, "")
            correction = entry.find_correction(CorrectedField.FISCAL_YEAR_END)
            calendar = entry.fiscal_calendar
            if company:
                calendar = choose_company_calendar(company, year_end, correction.value if correction else "")
            changed.append(entry if calendar == entry.fiscal_calendar else with_calendar(entry, calendar))
            if correction:
                former = choose_calendar(evidence[company] if company else entry.attributes.year_ends, year_end)
                changed[-1] = _with_former_year_end(changed[-1], former)
    return changed


def _get_company_key(entry: CatalogEntry) -> str:
    company = entry.attributes.company
    return make_company_key(company) if company else ""


def _with_former_year_end(entry: CatalogEntry, former: FiscalCalendar | None) -> CatalogEntry:
    """A document whose correction of the fiscal year end notes the calendar that it replaces."""
    was, was_from = (str(get_year_end_rule(former)), former.basis) if former else ("", "")
    corrections = (
        replace(each, was=was, was_from=was_from) if each.field is CorrectedField.FISCAL_YEAR_END else each
        for each in entry.corrections
    )
    return replace(entry, corrections=tuple(corrections))
