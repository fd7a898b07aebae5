"""What is wrong with a collection, worst first, each with the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from tasks.coverage.calendar import CoverageKind, Interval, period_coverage
from tasks.coverage.companies import company_rows, list_companies
from tasks.quality.wording import counted
from warehouse.reader import Warehouse

MOST_ISSUES = 5
"""Lines."""
MOST_COMPANIES = 200
"""Companies whose reports are looked through for missing quarters, in order of name."""
UNDATED_RULE = "DOC019"
"""The rule that finds documents without a date."""

_UNREADABLE = "SELECT count(*) FROM documents WHERE status <> 'published'"
_WORST = """
    SELECT f.code, f.name, f.severity, count(*) AS findings FROM findings f JOIN documents d USING (document_id)
    WHERE d.status = 'published' AND f.severity IN ('error', 'warning')
    GROUP BY ALL ORDER BY f.severity, findings DESC, f.code LIMIT 1
"""
_UNDATED_COUNT = "SELECT count(*) FROM findings WHERE code = $code"
_DOUBTFUL = """
    SELECT count(*), any_value(document_id), any_value("table")
    FROM (SELECT DISTINCT document_id, "table" FROM cells WHERE contains(doubt, 'scale'))
"""


@dataclass(frozen=True, slots=True)
class CollectionIssue:
    """What is wrong, in a line, and the page with the fields of its address that shows it."""

    text: str
    page: str
    fields: Mapping[str, str | list[str]] = field(default_factory=dict)


def list_issues(warehouse: Warehouse) -> tuple[CollectionIssue, ...]:
    """At most `MOST_ISSUES`, files that no search finds first."""
    held = warehouse.at()
    sorts = (_unreadable_files, _worst_rule, _missing_quarters, _undated_documents, _doubtful_tables)
    return tuple(islice((each for sort in sorts for each in sort(held)), MOST_ISSUES))


def _unreadable_files(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    ((count,),) = warehouse.snapshot.rows(_UNREADABLE)
    if count:
        fields = {"status": ["unreadable", "stale"]}
        yield CollectionIssue(f"{counted(count, 'file')} could not be read", "library", fields)


def _worst_rule(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    for code, name, severity, count in warehouse.snapshot.rows(_WORST):
        yield CollectionIssue(f"{counted(count, severity)}: {name.replace('-', ' ')}", "quality", {"rule": code})


def _missing_quarters(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    """The quarters that no report of a company is of."""
    owners = list_companies(warehouse)[:MOST_COMPANIES]
    count, missing = 0, dict[str, str]()
    for line in company_rows(warehouse, owners) if owners else ():
        if line.reports and line.follows:
            since, until = min(each.start for each in line.reports), max(each.end for each in line.reports)
            gaps = [
                each
                for each in period_coverage(line, Interval.QUARTER, since, until)
                if each.cover is CoverageKind.MISSING
            ]
            count += len(gaps)
            if gaps:
                missing[line.name] = gaps[0].period.name
    if missing:
        name, period = next(iter(missing.items()))
        others = f" and {counted(len(missing) - 1, 'other company', 'other companies')}" if len(missing) > 1 else ""
        told = f"{name}, {period}" if count == 1 else f"{name}{others}"
        yield CollectionIssue(f"{counted(count, 'missing quarter')}: {told}", "timeline", {"show": "Coverage"})


def _undated_documents(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    ((count,),) = warehouse.snapshot.rows(_UNDATED_COUNT, {"code": UNDATED_RULE})
    if count:
        yield CollectionIssue(f"{counted(count, 'document')} without a date", "quality", {"rule": UNDATED_RULE})


def _doubtful_tables(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    ((count, document, number),) = warehouse.snapshot.rows(_DOUBTFUL)
    if count:
        fields = {"document": document, "table": str(number)} if count == 1 else {"sort": "doubtful"}
        yield CollectionIssue(
            f"{counted(count, 'table')} whose scale (thousands, millions) is in doubt", "tables", fields
        )
