"""Companies of a warehouse, each once however its documents write it, with their reports and mentioned periods."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from warehouse.reader import Warehouse
from warehouse.records.fiscal import FiscalCalendar
from warehouse.search.name_variants import company_key
from warehouse.store.schemas import records_of

_WRITTEN = """
    SELECT company AS name, list(document_id ORDER BY source) AS documents,
        list_sort(list_distinct(flatten(list(coalesce(attributes.symbols, []))))) AS symbols
    FROM documents WHERE company <> '' GROUP BY company ORDER BY company
"""
_LEAST_CAPITALS = 5
"""Letters from which on a name in capitals is a form's way of writing; a shorter one may be the name itself: IBM."""
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
_MENTIONED = """
    SELECT document_id, start_date, end_date, mentions FROM timeline
    WHERE document_id IN (SELECT unnest($ids)) AND end_date - start_date BETWEEN 20 AND 400
"""
RowOwner = tuple[str, tuple[str, ...]]
"""The name of a row and the ids of its documents."""
Reports = Mapping[str, dict[str, Any]]
Named = Mapping[str, list[tuple[date, date, int]]]


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

    Fiscal years begin with `first_month` (1 to 12) or, where it is known, by the company's `calendar`. `follows` says
    that its reports should follow each other without gaps.
    """

    name: str
    first_month: int
    reports: tuple[PeriodReport, ...]
    mentions: tuple[tuple[date, date, int], ...]
    follows: bool = True
    calendar: FiscalCalendar | None = None


def list_companies(warehouse: Warehouse) -> list[Company]:
    """The companies, by name.

    "INTEL CORP", "Intel Corporation" and "Intel" are one company, and so are names with the same stock symbol.
    """
    rows = warehouse.snapshot.records(_WRITTEN)
    groups = _union_keys([company_key(row["name"]), *(f"({each})" for each in row["symbols"])] for row in rows)
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for group, row in zip(groups, rows, strict=True):
        spellings[group][row["name"]] = len(row["documents"])
        documents[group] += row["documents"]
    companies = (
        Company(plainest_name(names), tuple(sorted(names)), tuple(documents[group]))
        for group, names in spellings.items()
    )
    return sorted(companies, key=lambda company: company.name.casefold())


def plainest_name(names: Iterable[str]) -> str:
    """The shortest of a company's names, those in capitals last: "Intel" of "INTEL CORP" and "Intel Corporation"."""
    return min(names, key=lambda name: (_is_in_capitals(name), len(name), name))


def _is_in_capitals(name: str) -> bool:
    return name.isupper() and sum(map(str.isalpha, name)) >= _LEAST_CAPITALS


def _union_keys(marks: Iterable[list[str]]) -> list[str]:
    """A mark for each list of marks, the same for lists that share a mark directly or through others (union-find)."""
    parents: dict[str, str] = {}

    def root(mark: str) -> str:
        while parents.setdefault(mark, mark) != mark:
            parents[mark] = parents[parents[mark]]
            mark = parents[mark]
        return mark

    keys = []
    for first, *others in marks:
        keys.append(first)
        for other in others:
            parents[root(other)] = root(first)
    return [root(each) for each in keys]


def document_rows(warehouse: Warehouse, first: int, size: int) -> list[CoverageRow]:
    """A row for each document that mentions periods: `size` of them after the `first` ones."""
    rows = warehouse.snapshot.rows(_SINGLE, {"first": first, "size": size})
    titles = Counter(title for _, title, _ in rows)
    # Documents with one title, such as notes of one name in several folders, get their sources added.
    owners = [
        (str(title) if titles[title] == 1 else f"{title} ({source})", (str(each),)) for each, title, source in rows
    ]
    return _coverage_rows(warehouse, owners, follows=False)


def count_documents(warehouse: Warehouse) -> int:
    """The number of documents that mention periods."""
    return int(warehouse.snapshot.rows(_COUNT)[0][0])


def company_rows(warehouse: Warehouse, companies: Sequence[Company]) -> list[CoverageRow]:
    """A row for each company."""
    return _coverage_rows(warehouse, [(company.name, company.documents) for company in companies], follows=True)


def _coverage_rows(warehouse: Warehouse, owners: Sequence[RowOwner], *, follows: bool) -> list[CoverageRow]:
    ids = [each for _, documents in owners for each in documents]
    reports = {row["document_id"]: row for row in warehouse.snapshot.records(_REPORTS, {"ids": ids})}
    named: defaultdict[str, list[tuple[date, date, int]]] = defaultdict(list)
    for document_id, start, end, count in warehouse.snapshot.rows(_MENTIONED, {"ids": ids}):
        named[document_id].append((start, end, int(count)))
    return [_coverage_row(owner, reports, named, follows=follows) for owner in owners]


def _coverage_row(owner: RowOwner, reports: Reports, named: Named, *, follows: bool) -> CoverageRow:
    name, documents = owner
    own = [reports[each] for each in documents if each in reports]
    sums: Counter[tuple[date, date]] = Counter()
    for each in documents:
        for start, end, count in named.get(each, ()):
            sums[start, end] += count
    return CoverageRow(
        name,
        _first_month(row["fiscal_year_start"] for row in own),
        tuple(
            PeriodReport(r["document_id"], r["source"], r["reported_name"], r["reported_start"], r["reported_end"])
            for r in own
        ),
        tuple((start, end, count) for (start, end), count in sorted(sums.items())),
        follows,
        _calendar(row["fiscal_calendar"] for row in own),
    )


def _calendar(rows: Iterable[dict[str, Any] | None]) -> FiscalCalendar | None:
    """The calendar that most reports have."""
    counted = Counter(records_of(FiscalCalendar, [row for row in rows if row]))
    return counted.most_common(1)[0][0] if counted else None


def _first_month(months: Iterable[int | None]) -> int:
    counted = Counter(month for month in months if month)
    return counted.most_common(1)[0][0] if counted else 1
