"""Queries of the home page: issues of the collection, changes of the latest run, and the folder of samples."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path

import dashboards
from tasks.coverage.calendar import CoverageKind, Interval, period_coverage
from tasks.coverage.companies import company_rows, list_companies
from tasks.quality.phrases import counted
from warehouse.errors import BadInput, KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Run

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


MOST_CHANGES = 5
"""Documents that are named."""
MOST_RUNS = 5
"""Runs that are looked through: one that only worked on documents anew changed none."""
_VERSIONS = """
    SELECT source, document_id, coalesce(nullif(title, ''), path) AS title, sha256, status FROM documents
"""
_NEWEST = """
    SELECT document_id, coalesce(nullif(title, ''), path) FROM documents WHERE status <> 'unreadable'
    ORDER BY document_date DESC NULLS LAST, source LIMIT $most
"""


class ChangeKind(StrEnum):
    """What became of a document."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "removed"


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document of which a run changed something."""

    change: ChangeKind
    document_id: str
    title: str


@dataclass(frozen=True, slots=True)
class LatestChanges:
    """The run of a generation, `new`, `changed` and `gone` being how many documents it changed, and some of these."""

    generation: int
    published: datetime
    new: int
    changed: int
    gone: int
    documents: tuple[ChangedDocument, ...]


def latest_changes(warehouse: Warehouse) -> LatestChanges | None:
    """The last run that changed the content of any document; None where none of the last `MOST_RUNS` changing runs did.

    Its documents are named where the generation before it is kept, or there is none before it.
    """
    held = warehouse.at()
    runs = held.runs()
    changing = [place for place, run in enumerate(runs) if run.new + run.changed + run.gone]
    for place in changing[: -MOST_RUNS - 1 : -1]:
        run, found = runs[place], list[ChangedDocument]()
        try:
            after = held if run is runs[-1] else warehouse.at(run.generation)
            found = _differences(warehouse.at(runs[place - 1].generation), after) if place else _newest_documents(after)
        except KalendsError:
            # A generation that is no longer kept cannot be compared: the counts alone are told.
            return _changes_of(run, found)
        if found:
            return _changes_of(run, found)
    return None


def _changes_of(run: Run, found: Sequence[ChangedDocument]) -> LatestChanges:
    return LatestChanges(run.generation, run.visible_from, run.new, run.changed, run.gone, tuple(found[:MOST_CHANGES]))


def _newest_documents(warehouse: Warehouse) -> list[ChangedDocument]:
    return [ChangedDocument(ChangeKind.NEW, *row) for row in warehouse.snapshot.rows(_NEWEST, {"most": MOST_CHANGES})]


def _differences(before: Warehouse, after: Warehouse) -> list[ChangedDocument]:
    """The documents of another content, or of one only, in order of source: new ones, changed ones, those gone."""
    old, new = ({row[0]: row[1:] for row in each.snapshot.rows(_VERSIONS)} for each in (before, after))
    changes = {
        ChangeKind.NEW: [new[source] for source in sorted(new.keys() - old.keys())],
        ChangeKind.CHANGED: [
            new[source] for source in sorted(new.keys() & old.keys()) if new[source][2:] != old[source][2:]
        ],
        ChangeKind.GONE: [old[source] for source in sorted(old.keys() - new.keys())],
    }
    return [ChangedDocument(change, row[0], row[1]) for change, rows in changes.items() for row in rows]


_SAMPLE_FOLDERS = (
    Path(dashboards.__file__).parents[1] / "samples",
    Path(sysconfig.get_path("data")) / "share" / "kalends" / "samples",
)


def samples_folder() -> Path:
    """The folder that holds them. Raises `BadInput` where they were not installed."""
    found = next((place for place in _SAMPLE_FOLDERS if (place / "reports").is_dir()), None)
    if found is None:
        raise BadInput("the sample documents are not installed", "add files or a folder of your own")
    return found
