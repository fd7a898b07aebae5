"""Coverage of time by reports: companies with their reports, and the fiscal periods that these cover, mention or miss.

Each company is one row however its documents write it. A period is covered by a report of its own, covered as part of
other reports, only mentioned, or missing.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

import numpy as np

from warehouse.reader import Warehouse
from warehouse.records.calendars import FiscalCalendar
from warehouse.search.catalogue import make_company_key
from warehouse.search.periods import MIN_COVERING_FIT, format_days
from warehouse.search.signals.temporal import overlap
from warehouse.store.arrow_files import to_records
from warehouse.store.columns.passage_columns import to_day_number

_COMPANIES_SQL = """
    SELECT company AS name, list(document_id ORDER BY source) AS documents,
        list_sort(list_distinct(flatten(list(coalesce(attributes.symbols, []))))) AS symbols
    FROM documents WHERE company <> '' GROUP BY company ORDER BY company
"""
_MIN_CAPITALS = 5
"""The least letters of a name whose capitals are due to a form; a shorter one may be the name itself: IBM."""
_REPORTS_SQL = """
    SELECT document_id, source, coalesce(nullif(title, ''), path) AS title, company, reported_name, reported_start,
        reported_end, fiscal_year_start, fiscal_calendar
    FROM documents WHERE reported_start IS NOT NULL AND reported_end IS NOT NULL
        AND document_id IN (SELECT unnest($ids))
    ORDER BY reported_start, source
"""
_DOCUMENTS_SQL = """
    SELECT d.document_id, coalesce(nullif(d.title, ''), d.path), d.source FROM documents d
    WHERE EXISTS (SELECT 1 FROM timeline t WHERE t.document_id = d.document_id)
    ORDER BY d.source LIMIT $size OFFSET $first
"""
_MENTIONS_SQL = """
    SELECT document_id, start_date, end_date, mentions FROM timeline
    WHERE document_id IN (SELECT unnest($ids)) AND end_date - start_date BETWEEN 20 AND 400
"""


_YEAR = re.compile(r"\d{4}")
_MIDDLE_DAY = 15  # The day of a month after which a fiscal period of weeks counts as beginning with the next month.
_MAX_END_GAP = 10  # The most days between the end of a fiscal period and that of a month.
_MIN_COVERED_SHARE = 0.7  # The least share that reports of parts of a period must cover: three quarters of a year do.
_Days = tuple[np.ndarray, np.ndarray]  # First days and ends of half-open periods, as day numbers.


@dataclass(frozen=True, slots=True)
class Company:
    """A company by the plainest name in its documents, with all names in them and the ids of the documents."""

    name: str
    spellings: tuple[str, ...]
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeriodReport:
    """A document that reports on the half-open days from `start` to `end`, under the period's `name`."""

    document_id: str
    source: str
    name: str
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """A company or a document with its reports and its mentions: half-open periods, each with a count.

    Fiscal years begin with `first_month` (1 to 12) or, if it is known, by the company's `calendar`. `follows` says
    that its reports should follow each other without gaps.
    """

    name: str
    first_month: int
    reports: tuple[PeriodReport, ...]
    mentions: tuple[tuple[date, date, int], ...]
    follows: bool = True
    calendar: FiscalCalendar | None = None


class Interval(StrEnum):
    """Length of a period of a calendar or of a chart's bar."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


_PERIOD_MONTHS = {Interval.MONTH: 1, Interval.QUARTER: 3, Interval.YEAR: 12}
_BAR_MONTHS = {**_PERIOD_MONTHS, Interval.DECADE: 120, Interval.CENTURY: 1200}  # Months of the longer intervals.


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """A half-open period of a fiscal calendar with its name: "fiscal Q2 2025"."""

    name: str
    start: date
    end: date
    quarter: int = 0  # Number of the quarter in its year; 0 for months and years.


class CoverageKind(StrEnum):
    """Coverage of a period, in the words of the chart."""

    REPORT = "own report"
    PART = "within other reports"
    MENTIONED = "only mentioned"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class PeriodCoverage:
    """A period of a row with its coverage, the number of its mentions and the reports that cover it."""

    period: NamedPeriod
    cover: CoverageKind
    mentions: int
    reports: tuple[PeriodReport, ...]


def list_companies(warehouse: Warehouse) -> list[Company]:
    """The companies, by name.

    "INTEL CORP", "Intel Corporation" and "Intel" are one company, and so are names with the same stock symbol.
    """
    rows = warehouse.snapshot.query_records(_COMPANIES_SQL)
    groups = _unite_keys([make_company_key(row["name"]), *(f"({symbol})" for symbol in row["symbols"])] for row in rows)
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for group, row in zip(groups, rows, strict=True):
        spellings[group][row["name"]] = len(row["documents"])
        documents[group] += row["documents"]
    companies = (
        Company(_choose_plainest_name(names), tuple(sorted(names)), tuple(documents[group]))
        for group, names in spellings.items()
    )
    return sorted(companies, key=lambda company: company.name.casefold())


def _choose_plainest_name(names: Iterable[str]) -> str:
    """The shortest of a company's names, with those in capitals last: "Intel" of "INTEL CORP", "Intel Corporation"."""

    def order(name: str) -> tuple[bool, int, str]:
        return name.isupper() and sum(map(str.isalpha, name)) >= _MIN_CAPITALS, len(name), name

    return min(names, key=order)


def _unite_keys(marks: Iterable[list[str]]) -> list[str]:
    """A mark for each list of marks, the same for lists that share a mark directly or through others (union-find)."""
    parents: dict[str, str] = {}

    def find_root(mark: str) -> str:
        while parents.setdefault(mark, mark) != mark:
            parents[mark] = parents[parents[mark]]
            mark = parents[mark]
        return mark

    keys = []
    for first, *other_marks in marks:
        keys.append(first)
        for other in other_marks:
            parents[find_root(other)] = find_root(first)
    return [find_root(key) for key in keys]


def build_document_rows(warehouse: Warehouse, first: int, size: int) -> list[CoverageRow]:
    """A row for each document that mentions periods: `size` of them after the `first` ones."""
    rows = warehouse.snapshot.query_rows(_DOCUMENTS_SQL, {"first": first, "size": size})
    titles = Counter(title for _, title, _ in rows)
    # Documents with one title, such as notes of one name in several folders, get their sources added.
    owners = [(str(title) if titles[title] == 1 else f"{title} ({source})", (str(key),)) for key, title, source in rows]
    return _build_rows(warehouse, owners, follows=False)


def count_documents(warehouse: Warehouse) -> int:
    """The number of documents that mention periods."""
    return int(warehouse.snapshot.query_rows("SELECT count(DISTINCT document_id) FROM timeline")[0][0])


def build_company_rows(warehouse: Warehouse, companies: Sequence[Company]) -> list[CoverageRow]:
    """A row for each company."""
    return _build_rows(warehouse, [(company.name, company.documents) for company in companies], follows=True)


def _build_rows(
    warehouse: Warehouse, owners: Sequence[tuple[str, tuple[str, ...]]], *, follows: bool
) -> list[CoverageRow]:
    """A row for each of the owners, a name with the ids of its documents."""
    ids = [document for _, documents in owners for document in documents]
    reports = {row["document_id"]: row for row in warehouse.snapshot.query_records(_REPORTS_SQL, {"ids": ids})}
    mentions: defaultdict[str, Counter[tuple[date, date]]] = defaultdict(Counter)
    for document_id, start, end, mentioned in warehouse.snapshot.query_rows(_MENTIONS_SQL, {"ids": ids}):
        mentions[document_id][start, end] += int(mentioned)
    rows = []
    for name, documents in owners:
        company_reports = [reports[document] for document in documents if document in reports]
        periods = tuple(
            PeriodReport(r["document_id"], r["source"], r["reported_name"], r["reported_start"], r["reported_end"])
            for r in company_reports
        )
        sums: Counter[tuple[date, date]] = Counter()
        for document in documents:
            sums.update(mentions.get(document, {}))
        mentioned_periods = tuple((start, end, total) for (start, end), total in sorted(sums.items()))
        first_months = Counter(row["fiscal_year_start"] for row in company_reports if row["fiscal_year_start"])
        # The calendar that most reports have.
        calendars = Counter(
            to_records(FiscalCalendar, [r["fiscal_calendar"] for r in company_reports if r["fiscal_calendar"]])
        )
        first_month = first_months.most_common(1)[0][0] if first_months else 1
        calendar = calendars.most_common(1)[0][0] if calendars else None
        rows.append(CoverageRow(name, first_month, periods, mentioned_periods, follows, calendar))
    return rows


def iter_periods(row: CoverageRow, interval: Interval, since: date, until: date) -> Iterator[NamedPeriod]:
    """The periods that overlap the days from `since` to before `until`, by the fiscal year of the row.

    Quarters and years are exact to the day if the company's calendar is known, else they are whole months.
    """
    if row.calendar and interval is not Interval.MONTH:
        yield from _iter_calendar_periods(row.calendar, interval, since, until)
        return
    months, first = _PERIOD_MONTHS[interval], row.first_month - 1
    month = _count_months(since) - (_count_months(since) - first) % months
    year_offset = _find_year_offset(row)
    while (start := _get_first_of_month(month)) is not None and start < until:
        end = _get_first_of_month(month + months)
        if end is None:
            return
        offset = (month - first) % 12
        year, quarter = (month - offset) // 12 + year_offset, offset // 3 + 1
        if interval is Interval.MONTH:
            name = f"{month // 12:04}-{month % 12 + 1:02}"
        else:
            name = _format_period_name(interval, year, quarter, fiscal=row.first_month > 1)
        yield NamedPeriod(name, start, end, quarter if interval is Interval.QUARTER else 0)
        month += months


def _iter_calendar_periods(
    calendar: FiscalCalendar, interval: Interval, since: date, until: date
) -> Iterator[NamedPeriod]:
    """Quarters or years, exact to the day."""
    try:
        for year in itertools.count(calendar.find_year(since)):
            for first in range(1, 13, _PERIOD_MONTHS[interval]):
                start, end = calendar.find_months(year, first, _PERIOD_MONTHS[interval])
                if start >= until:
                    return
                if end > since:
                    quarter = first // 3 + 1
                    name = _format_period_name(interval, year, quarter, fiscal=calendar.first_month > 1)
                    yield NamedPeriod(name, start, end, quarter if interval is Interval.QUARTER else 0)
    except (ValueError, OverflowError):
        return


def _format_period_name(interval: Interval, year: int, quarter: int, *, fiscal: bool) -> str:
    """Q1 2025, fiscal Q1 2025 or FY2025: fiscal periods have the year that the company gives them."""
    if interval is Interval.YEAR:
        return f"FY{year}" if fiscal else f"{year}"
    return f"{'fiscal ' if fiscal else ''}Q{quarter} {year}"


def _find_year_offset(row: CoverageRow) -> int:
    """The years from the start of a fiscal year to the year in its name: as in most reports, else 1."""
    if row.first_month == 1:
        return 0
    offsets: Counter[int] = Counter()
    for report in row.reports:
        start_month = _count_months(report.start) + (report.start.day > _MIDDLE_DAY)
        if year := _YEAR.search(report.name):
            offsets[int(year[0]) - (start_month - (start_month - (row.first_month - 1)) % 12) // 12] += 1
    return offsets.most_common(1)[0][0] if offsets else 1


def _count_months(day: date) -> int:
    return day.year * 12 + day.month - 1


def _get_first_of_month(months: int) -> date | None:
    """The first day of a month that is counted from the year 0; None outside the years 1 to 9999."""
    return date(months // 12, months % 12 + 1, 1) if 1 <= months // 12 <= 9999 else None


def find_next_bar(first: date, interval: Interval) -> date:
    """The day after the calendar's interval that begins on a day."""
    if interval is Interval.DAY:
        return first + timedelta(days=1) if first < date.max else first
    months = _count_months(first)
    return _get_first_of_month(months - months % _BAR_MONTHS[interval] + _BAR_MONTHS[interval]) or date.max


def find_bar_start(moment: date, interval: Interval) -> date:
    """The first day of the calendar's interval that contains a day."""
    if interval is Interval.DAY:
        return moment
    months = _count_months(moment)
    return _get_first_of_month(months - months % _BAR_MONTHS[interval]) or date.min


def compute_period_coverage(row: CoverageRow, interval: Interval, since: date, until: date) -> list[PeriodCoverage]:
    """The periods of a row from `since` to before `until` that are covered, mentioned or missing.

    A missing period is between the beginning of the first period with a report and the end of the last one.
    """
    periods = list(iter_periods(row, interval, since, until))
    if not periods:
        return []
    days = _to_days([(report.start, report.end) for report in periods])
    mentions = _count_mentions(row, days)
    covers = _find_report_coverage(row.reports, days)
    # The days between the first and the last report; an empty range for a row that need not have reports.
    first, last = 0, -2 * _MAX_END_GAP
    if row.reports and row.follows:
        first, last = (
            to_day_number(min(report.start for report in row.reports)),
            to_day_number(max(report.end for report in row.reports)),
        )
    coverage = []
    for index, (period, start, end) in enumerate(zip(periods, *(side.tolist() for side in days), strict=True)):
        cover, covering_reports = covers.get(index, (None, ()))
        expected = start >= first - _MAX_END_GAP and end <= last + _MAX_END_GAP
        if cover is None:
            cover = CoverageKind.MISSING if expected else CoverageKind.MENTIONED if mentions[index] else None
        elif (
            cover is CoverageKind.PART
            and expected
            and _measure_covered_share(covering_reports, start, end) < _MIN_COVERED_SHARE
        ):
            cover = CoverageKind.MISSING
        if cover:
            coverage.append(PeriodCoverage(period, cover, mentions[index], covering_reports))
    return coverage


def describe_missing_periods(name: str, row: Sequence[PeriodCoverage]) -> list[str]:
    """A sentence for each period without a report, or for several that follow each other."""
    missing = _join_periods(row, lambda coverage: coverage.cover is CoverageKind.MISSING)
    return [_format_sentence(f"No report of {name} covers", run) for run in missing]


def describe_unreported_quarters(name: str, row: Sequence[PeriodCoverage]) -> list[str]:
    """A sentence for each quarter that only a longer report covers, if other quarters have reports of their own.

    The last quarter of a year is left out: its report is the annual one.
    """
    if not any(coverage.cover is CoverageKind.REPORT and coverage.period.quarter for coverage in row):
        return []
    return [
        _format_sentence(f"Only a longer report of {name} covers", run) for run in _join_periods(row, _is_unreported)
    ]


def _measure_covered_share(reports: Sequence[PeriodReport], start: int, end: int) -> float:
    """The share of a period that the reports cover together, 0 to 1."""
    covered_days, until = 0, start
    for first, last in sorted((to_day_number(report.start), min(to_day_number(report.end), end)) for report in reports):
        covered_days += max(0, last - max(first, until))
        until = max(until, last)
    return covered_days / (end - start)


def _count_mentions(row: CoverageRow, days: _Days) -> list[int]:
    """The mentions of each of the consecutive periods; a mention counts if it fits by `MIN_COVERING_FIT`."""
    starts, ends = _to_days([(start, end) for start, end, _ in row.mentions])
    counts = np.array([count for _, _, count in row.mentions], np.int64)
    first = np.searchsorted(days[1], starts, side="right")
    sizes = np.maximum(np.searchsorted(days[0], ends, side="left") - first, 0)
    rows = np.repeat(np.arange(len(counts)), sizes)
    columns = np.arange(len(rows)) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)
    fits = overlap(starts[rows], ends[rows], days[0][columns], days[1][columns]) >= MIN_COVERING_FIT
    sums = np.bincount(columns[fits], counts[rows[fits]], len(days[0])).astype(np.int64)
    return [int(count) for count in sums]


def _find_report_coverage(
    reports: Sequence[PeriodReport], days: _Days
) -> dict[int, tuple[CoverageKind, tuple[PeriodReport, ...]]]:
    """The coverage by reports and those reports, by the index of the period; only of periods with some report."""
    spans = [side[None, :] for side in _to_days([(report.start, report.end) for report in reports])]
    rows = [side[:, None] for side in days]
    start, end, low, high = np.broadcast_arrays(*spans, *rows)
    is_whole = overlap(start, end, low, high) >= MIN_COVERING_FIT
    is_around = (start <= low + _MAX_END_GAP) & (end >= high - _MAX_END_GAP)
    is_inside = (start >= low - _MAX_END_GAP) & (end <= high + _MAX_END_GAP)
    coverage = {}
    for index in np.flatnonzero((is_whole | is_around | is_inside).any(axis=1)).tolist():
        cover = CoverageKind.REPORT if is_whole[index].any() else CoverageKind.PART
        covering = is_whole[index] if cover is CoverageKind.REPORT else (is_around | is_inside)[index]
        coverage[index] = cover, tuple(reports[number] for number in np.flatnonzero(covering).tolist())
    return coverage


def _is_unreported(coverage: PeriodCoverage) -> bool:
    """Whether it is one of the first three quarters of a year, covered only by a report of a longer period."""
    if coverage.cover is not CoverageKind.PART or coverage.period.quarter not in (1, 2, 3):
        return False
    length = (coverage.period.end - coverage.period.start).days
    return any((report.end - report.start).days > length + 2 * _MAX_END_GAP for report in coverage.reports)


def _join_periods(
    row: Sequence[PeriodCoverage], fulfils: Callable[[PeriodCoverage], bool]
) -> Iterator[list[NamedPeriod]]:
    """The periods that fulfil a condition, in lists of those that follow each other."""
    run: list[NamedPeriod] = []
    for period in (coverage.period for coverage in row if fulfils(coverage)):
        if run and run[-1].end != period.start:
            yield run
            run = []
        run.append(period)
    if run:
        yield run


def _format_sentence(words: str, run: Sequence[NamedPeriod]) -> str:
    first, last = run[0], run[-1]
    names = first.name if len(run) == 1 else f"{first.name} to {last.name}"
    return f"{words} {names} ({format_days(first.start, last.end)})"


def _to_days(pairs: Sequence[tuple[date, date]]) -> _Days:
    return np.array([to_day_number(start) for start, _ in pairs], np.int64), np.array(
        [to_day_number(end) for _, end in pairs], np.int64
    )
