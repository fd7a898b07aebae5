"""Markdown artifacts that a run leaves on the Prefect server, under keys that stay the same from run to run.

An ingest leaves its summary, the findings of the documents it worked on, and the files that took longest to read; the
quality report leaves its findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from prefect.artifacts import create_markdown_artifact
from prefect.logging import get_run_logger

from flows.progress import IngestReport
from tasks.check.report import Report
from tasks.quality.phrases import format_count
from warehouse.records import FAILURES, CatalogEntry, Output
from warehouse.store.lake import Lake


def store_artifact(key: str, markdown: Callable[[], str], description: str) -> None:
    """Store an artifact of the present run. A failure is logged and does not end the run."""
    try:
        create_markdown_artifact(markdown(), key, description)
    except Exception as error:
        get_run_logger().warning("the artifact %s could not be kept: %s", key, error)


def store_ingest_artifacts(
    report: IngestReport, processed_entries: Sequence[CatalogEntry], seconds: Mapping[str, float], lake: Lake
) -> None:
    """Store the artifacts of an ingest; one that changed nothing has only its summary.

    `seconds` are those spent reading, by source.
    """
    store_artifact("ingest-summary", lambda: format_summary(report), "What the ingest did, and what it cost")
    if processed_entries:
        description = "What is wrong with the documents of this ingest"
        store_artifact("ingest-quality", lambda: format_findings(processed_entries, lake), description)
        description = "The files that took longest to read"
        store_artifact("ingest-slowest", lambda: format_slowest(processed_entries, seconds), description)


def format_summary(report: IngestReport) -> str:
    """What an ingest did and what it cost."""
    publication = f"generation {report.generation}" if report.generation else "nothing, as nothing changed"
    parts = [
        f"Published {publication}: {report.documents} documents, {report.chunks} chunks, {report.seconds:.1f} s.",
        *(f"**Warning**: {format_cell(warning)}" for warning in report.warnings),
        format_table(("what", "documents"), report.counts.items()),
        *([format_cell(report.without_vectors)] if report.without_vectors else []),
    ]
    if report.stages:
        costs = ((cost.stage, cost.documents, round(cost.seconds, 1)) for cost in report.stages)
        parts.append(format_table(("stage", "documents", "seconds"), costs))
    if report.unreadable:
        parts.append(format_table(("cannot be read", "why"), sorted(report.unreadable.items())))
    return "\n\n".join(parts)


def format_slowest(processed_entries: Iterable[CatalogEntry], seconds: Mapping[str, float]) -> str:
    """The files of a run that took longest to read, by the clock; `seconds` are by source."""
    slowest_first = sorted(processed_entries, key=lambda entry: (-seconds[entry.file.source], entry.file.source))
    rows = []
    for document in slowest_first[:MAX_ROWS]:
        counts = document.total_pages or 0, document.table_count, document.chunk_count
        rows.append(
            (document.file.source, round(seconds[document.file.source], 2), *counts, round(document.file.size / 1024))
        )
    head = "Seconds of reading, by file; the stages after it work on many documents at once."
    return f"{head}\n\n{format_table(('source', 'seconds', 'pages', 'tables', 'chunks', 'KB'), rows)}"


FINDING_STAGES = ("parse", *FAILURES, "temporal", "score")
MAX_WORST = 10  # Documents listed, of those that score below 1.
RULE_COLUMNS = ("rule", "name", "severity", "findings", "documents")
COUNT_COLUMNS = ("count_all", "key_count_distinct")


def format_findings(processed_entries: Sequence[CatalogEntry], lake: Lake) -> str:
    """The findings in the documents of a run by rule, and the documents whose passages score least."""
    outputs = [(processed_entry, output) for processed_entry in processed_entries for output in processed_entry.outputs]
    findings = _read_rows(lake, "findings", ["key", "code", "name", "severity"], outputs, FINDING_STAGES)
    scores = _read_rows(lake, "scores", ["key", "quality_score"], outputs, ("score",))
    columns = ["code", "name", "severity"]
    by_rule = findings.group_by(columns).aggregate([([], "count_all"), ("key", "count_distinct")]).to_pylist()
    rules = sorted(by_rule, key=lambda row: (-row["count_all"], row["code"]))
    means = scores.group_by("key").aggregate([("quality_score", "mean")]).to_pylist()
    sources = {output.key: catalog_entry.file.source for catalog_entry, output in outputs if output.stage == "score"}
    worst = sorted((round(row["quality_score_mean"], 3), sources[row["key"]]) for row in means)
    documents = format_count(len(processed_entries), "document")
    head = f"{format_count(findings.num_rows, 'finding')} in {documents} that this run worked on."
    parts = [
        f"{head} Those between documents are the quality report's, or `kalends check --warehouse`'s.",
        format_table(RULE_COLUMNS, ([*(row[name] for name in columns), *map(row.get, COUNT_COLUMNS)] for row in rules)),
        format_table(("quality", "source"), [row for row in worst if row[0] < 1][:MAX_WORST]),
    ]
    return "\n\n".join(parts)


def format_check(report: Report, files: Iterable[Path]) -> str:
    """The number of findings by rule, the documents with the lowest scores, and the path of the complete report."""
    counts: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for entry in report.entries:
        finding = entry.source_finding.finding
        counts[finding.code, finding.name, str(finding.severity)].append(entry.path)
    rules = sorted(counts.items(), key=lambda rule: (-len(rule[1]), rule[0]))
    worst = sorted((file.score, file.path, len(file.entries)) for file in report.files if file.score is not None)
    head = f"{format_count(report.by_severity.total(), 'finding')} in {format_count(len(report.files), 'document')}"
    parts = [
        f"{head}, score {'none' if report.score is None else report.score}.",
        format_table(RULE_COLUMNS, ((*rule, len(paths), len(set(paths))) for rule, paths in rules)),
        format_table(("quality", "source", "findings"), [row for row in worst if row[0] < 1][:MAX_WORST]),
        "\n".join(f"- [{file.name}]({file.as_uri()})" for file in files),
    ]
    return "\n\n".join(parts)


def _read_rows(
    lake: Lake, name: str, columns: list[str], outputs: Iterable[tuple[CatalogEntry, Output]], stages: Sequence[str]
) -> pa.Table:
    """The rows of a lake table for the outputs of some stages; identical documents share them."""
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for _, output in outputs:
        if output.stage in stages:
            keys[output.file].add(output.key)
    tables = (pq.read_table(lake.get_path(name, file), columns=columns) for file in keys)
    tables_with_keys = zip(tables, map(list, keys.values()), strict=True)
    parts = (table.filter(pc.field("key").isin(file_keys)) for table, file_keys in tables_with_keys)
    kinds = {"quality_score": pa.float64()}
    empty = pa.table({column: pa.array([], kinds.get(column, pa.string())) for column in columns})
    return pa.concat_tables(chain(parts, [empty]))


MAX_ROWS = 20  # Rows of a table at most; the rest is counted.
_SPECIAL = {ord(character): f"\\{character}" for character in "\\`*_[]<>|"} | {ord("\n"): " "}


def format_table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, empty without rows; numbers are aligned right, texts are escaped."""
    all_rows = list(rows)
    if not all_rows:
        return ""
    is_right_aligned = [all(isinstance(row[column], int | float) for row in all_rows) for column in range(len(names))]
    lines = [
        names,
        ["--:" if is_right else "---" for is_right in is_right_aligned],
        *(map(format_cell, row) for row in all_rows[:MAX_ROWS]),
    ]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{table}\n\n… and {len(all_rows) - MAX_ROWS} more" if len(all_rows) > MAX_ROWS else table


def format_cell(value: object) -> str:
    """A number with thousands separators, or an escaped text."""
    return f"{value:,}" if isinstance(value, int | float) else str(value).translate(_SPECIAL)
