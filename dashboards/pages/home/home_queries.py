"""Queries of the home page: issues of the collection, changes of the latest run, samples, and example questions."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path

import dashboards
from dashboards.assistant.suggestions.suggested_questions import SuggestedQuestions
from dashboards.assistant.tools.contract import ToolContext
from tasks.coverage import CoverageKind, Interval, build_company_rows, compute_period_coverage, list_companies
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput, KalendsError
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings
from warehouse.store.catalog import read_queries

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

MAX_ISSUES = 5  # Issues that are shown.
MAX_COMPANIES = 200  # Companies whose reports are checked for missing quarters, in order of name.
MAX_CHANGES = 5  # Changed documents that are named.
MAX_RUNS = 5
"""Runs that are compared with those before them: a run that only processed documents again changed none of them."""
UNDATED_RULE = "DOC019"  # The rule that finds documents without a date.


@dataclass(frozen=True, slots=True)
class CollectionIssue:
    """A problem of the collection in a line of text, and the page that shows it with the fields of its address."""

    text: str
    page: str
    fields: Mapping[str, str | list[str]] = field(default_factory=dict)


def list_issues(warehouse: Warehouse) -> tuple[CollectionIssue, ...]:
    """The problems of the collection, at most `MAX_ISSUES`; unreadable files come first, as no search finds them."""
    snapshot = warehouse.pin_generation()
    checks = (
        _find_unreadable_files,
        _find_worst_rule,
        _find_missing_quarters,
        _find_undated_documents,
        _find_doubtful_tables,
    )
    return tuple(islice((issue for check in checks for issue in check(snapshot)), MAX_ISSUES))


def _find_unreadable_files(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    ((count,),) = warehouse.snapshot.query_rows(_SQL["unreadable"])
    if count:
        fields = {"status": ["unreadable", "stale"]}
        yield CollectionIssue(f"{format_count(count, 'file')} could not be read", "library", fields)


def _find_worst_rule(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    for code, name, severity, count in warehouse.snapshot.query_rows(_SQL["worst"]):
        yield CollectionIssue(f"{format_count(count, severity)}: {name.replace('-', ' ')}", "quality", {"rule": code})


def _find_missing_quarters(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    """Quarters between the first and the last report of a company that none of its reports covers."""
    companies = list_companies(warehouse)[:MAX_COMPANIES]
    count, missing = 0, dict[str, str]()
    for row in build_company_rows(warehouse, companies) if companies else ():
        if row.reports and row.follows:
            since, until = min(report.start for report in row.reports), max(report.end for report in row.reports)
            periods = compute_period_coverage(row, Interval.QUARTER, since, until)
            gaps = [period for period in periods if period.cover is CoverageKind.MISSING]
            count += len(gaps)
            if gaps:
                missing[row.name] = gaps[0].period.name
    if missing:
        name, period = next(iter(missing.items()))
        others = (
            f" and {format_count(len(missing) - 1, 'other company', 'other companies')}" if len(missing) > 1 else ""
        )
        example = f"{name}, {period}" if count == 1 else f"{name}{others}"
        yield CollectionIssue(f"{format_count(count, 'missing quarter')}: {example}", "timeline", {"show": "Coverage"})


def _find_undated_documents(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    ((count,),) = warehouse.snapshot.query_rows(_SQL["undated_count"], {"code": UNDATED_RULE})
    if count:
        yield CollectionIssue(
            f"{format_count(count, 'document')} that should have a date", "quality", {"rule": UNDATED_RULE}
        )


def _find_doubtful_tables(warehouse: Warehouse) -> Iterator[CollectionIssue]:
    ((count, document, number),) = warehouse.snapshot.query_rows(_SQL["doubtful"])
    if count:
        fields = {"document": document, "table": str(number)} if count == 1 else {"sort": "doubtful"}
        text = f"{format_count(count, 'table')} whose scale (thousands, millions) is in doubt"
        yield CollectionIssue(text, "tables", fields)


class ChangeKind(StrEnum):
    """Kinds of changes of documents."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "removed"


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document that a run added, changed or removed."""

    change: ChangeKind
    document_id: str
    title: str


@dataclass(frozen=True, slots=True)
class LatestChanges:
    """The run of a generation: how many documents it added, changed and removed, and up to `MAX_CHANGES` of them."""

    generation: int
    published_at: datetime
    new_count: int
    changed_count: int
    removed_count: int
    documents: tuple[ChangedDocument, ...]


def find_latest_changes(warehouse: Warehouse) -> LatestChanges | None:
    """The latest run that changed the content of a document, among the last `MAX_RUNS` that processed any; else None.

    Its documents are named where the generation before it still exists, or where it is the first.
    """
    snapshot = warehouse.pin_generation()
    runs = snapshot.list_runs()
    changing = [index for index, run in enumerate(runs) if run.new + run.changed + run.gone]
    for index in changing[: -MAX_RUNS - 1 : -1]:
        run = runs[index]
        documents: list[ChangedDocument] | None
        try:
            after = snapshot if run is runs[-1] else warehouse.pin_generation(run.generation)
            if index:
                documents = _list_differences(warehouse.pin_generation(runs[index - 1].generation), after)
            else:
                rows = after.snapshot.query_rows(_SQL["newest"], {"most": MAX_CHANGES})
                documents = [ChangedDocument(ChangeKind.NEW, *row) for row in rows]
        except KalendsError:
            # A generation that was deleted cannot be compared: only the counts are known.
            documents = None
        if documents is None or documents:
            counts = (run.new, run.changed, run.gone)
            return LatestChanges(run.generation, run.visible_from, *counts, tuple(documents or ())[:MAX_CHANGES])
    return None


def _list_differences(before: Warehouse, after: Warehouse) -> list[ChangedDocument]:
    """The documents that are new, changed in content, or gone, each in order of source."""
    old, new = (
        {row[0]: row[1:] for row in generation.snapshot.query_rows(_SQL["versions"])} for generation in (before, after)
    )
    changed_sources = [source for source in sorted(new.keys() & old.keys()) if new[source][2:] != old[source][2:]]
    changes = (
        (ChangeKind.NEW, new, sorted(new.keys() - old.keys())),
        (ChangeKind.CHANGED, new, changed_sources),
        (ChangeKind.GONE, old, sorted(old.keys() - new.keys())),
    )
    return [ChangedDocument(change, *rows[source][:2]) for change, rows, sources in changes for source in sources]


_SAMPLE_FOLDERS = (
    Path(dashboards.__file__).parents[1] / "samples",
    Path(sysconfig.get_path("data")) / "share" / "kalends" / "samples",
)
"""The samples in a checkout, next to the packages, and in an installation (data files of pyproject.toml)."""


def find_samples_folder() -> Path:
    """The folder of the sample documents. Raises `BadInput` where they are not installed."""
    folder = next((folder for folder in _SAMPLE_FOLDERS if (folder / "reports").is_dir()), None)
    if folder is None:
        raise BadInput("the sample documents are not installed", "add files or a folder of your own")
    return folder


COUNT = 3  # Questions that are shown.


def find_example_questions(settings: Settings, warehouse: Warehouse) -> tuple[str, ...]:
    """Up to `COUNT` questions that the documents answer. Raises what a search raises."""
    context = ToolContext(settings, warehouse, datetime.now(UTC).date())
    return tuple(question.text for question in SuggestedQuestions(context).get_first(COUNT))
