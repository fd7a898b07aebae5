"""The lines of the calendar: a company, or a document, with what it reports on and which times it names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from dashboards.facts.timeline.companies import Company
from warehouse.reader import Warehouse
from warehouse.records.fiscal import FiscalCalendar
from warehouse.store.schemas import records_of

_REPORTS = """
    SELECT document_id, source, coalesce(nullif(title, ''), path) AS title, company, reported_name, reported_start,
        reported_end, fiscal_year_start, fiscal_calendar
    FROM documents WHERE reported_start IS NOT NULL AND reported_end IS NOT NULL
        AND document_id IN (SELECT unnest($ids))
    ORDER BY reported_start, source
"""
_SINGLE = """
    SELECT d.document_id, coalesce(nullif(d.title, ''), d.path), d.source FROM documents d
    WHERE EXISTS (SELECT 1 FROM timeline t WHERE t.document_id = d.document_id)
    ORDER BY d.source LIMIT $size OFFSET $first
"""
_COUNT = "SELECT count(DISTINCT document_id) FROM timeline"
_NAMED = """
    SELECT document_id, start_date, end_date, mentions FROM timeline
    WHERE document_id IN (SELECT unnest($ids)) AND end_date - start_date BETWEEN 20 AND 400
"""


@dataclass(frozen=True, slots=True)
class Report:
    """A document that reports on the days from `start` to before `end`, which it calls `name`."""

    document_id: str
    source: str
    name: str
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Line:
    """`first_month` (1 to 12) begins its fiscal years; `mentions` are half-open periods, each with how often.

    `follows` says that its reports should follow each other without gaps, `calendar` is that of its company.
    """

    name: str
    first_month: int
    reports: tuple[Report, ...]
    mentions: tuple[tuple[date, date, int], ...]
    follows: bool = True
    calendar: FiscalCalendar | None = None


Owner = tuple[str, tuple[str, ...]]
"""A name, and the documents that are its."""
Reports = Mapping[str, dict[str, Any]]
Named = Mapping[str, list[tuple[date, date, int]]]


def of_documents(warehouse: Warehouse, first: int, size: int) -> list[Line]:
    """What documents that name times cover, each by itself: `size` of them after the `first` ones."""
    rows = warehouse.snapshot.rows(_SINGLE, {"first": first, "size": size})
    titles = Counter(title for _, title, _ in rows)
    # Documents of one title, notes of one name in several folders, are told apart by their sources.
    owners = [
        (str(title) if titles[title] == 1 else f"{title} ({source})", (str(each),)) for each, title, source in rows
    ]
    return _lines(warehouse, owners, follows=False)


def count_documents(warehouse: Warehouse) -> int:
    """How many documents name times."""
    return int(warehouse.snapshot.rows(_COUNT)[0][0])


def of_companies(warehouse: Warehouse, chosen: Sequence[Company]) -> list[Line]:
    """What the reports of companies cover."""
    return _lines(warehouse, [(company.name, company.documents) for company in chosen], follows=True)


def _lines(warehouse: Warehouse, owners: Sequence[Owner], *, follows: bool) -> list[Line]:
    ids = [each for _, documents in owners for each in documents]
    reports = {row["document_id"]: row for row in warehouse.snapshot.records(_REPORTS, {"ids": ids})}
    named: defaultdict[str, list[tuple[date, date, int]]] = defaultdict(list)
    for document_id, start, end, count in warehouse.snapshot.rows(_NAMED, {"ids": ids}):
        named[document_id].append((start, end, int(count)))
    return [_line(owner, reports, named, follows=follows) for owner in owners]


def _line(owner: Owner, reports: Reports, named: Named, *, follows: bool) -> Line:
    name, documents = owner
    own = [reports[each] for each in documents if each in reports]
    sums: Counter[tuple[date, date]] = Counter()
    for each in documents:
        for start, end, count in named.get(each, ()):
            sums[start, end] += count
    return Line(
        name,
        _first_month(row["fiscal_year_start"] for row in own),
        tuple(
            Report(r["document_id"], r["source"], r["reported_name"], r["reported_start"], r["reported_end"])
            for r in own
        ),
        tuple((start, end, count) for (start, end), count in sorted(sums.items())),
        follows,
        _calendar(row["fiscal_calendar"] for row in own),
    )


def _calendar(rows: Iterable[dict[str, Any] | None]) -> FiscalCalendar | None:
    """The one that most reports have."""
    counted = Counter(records_of(FiscalCalendar, [row for row in rows if row]))
    return counted.most_common(1)[0][0] if counted else None


def _first_month(months: Iterable[int | None]) -> int:
    counted = Counter(month for month in months if month)
    return counted.most_common(1)[0][0] if counted else 1
