"""Formats with one line per finding: `text` for people, `github` for GitHub's annotations of a change."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.check.report import Report
from tasks.quality.phrases import format_count
from warehouse.printable_text import ESCAPES
from warehouse.records import Severity


def format_text(report: Report) -> Iterator[str]:
    """Lines as compilers print them: `path:line:column: CODE message`, and one line of summary."""
    for entry in report.entries:
        finding = entry.source_finding.finding
        yield f"{entry.place}: {finding.code} {finding.message}".translate(ESCAPES)
    for file in report.files:
        if file.is_below:
            yield f"{file.path}: scores {file.score:.2f}, less than {file.min_score:.2f}".translate(ESCAPES)
    counts = report.by_severity
    if counts:
        parts = ", ".join(format_count(count, severity) for severity, count in sorted(counts.items()))
        summary = (
            f"Found {format_count(counts.total(), 'problem')} ({parts}) in {format_count(len(report.files), 'file')}"
        )
    else:
        summary = f"All checks passed in {format_count(len(report.files), 'file')}"
    score = f", score {report.score:.2f}" if report.score is not None else ""
    suppressed_count = sum(len(file.suppressed_entries) for file in report.files)
    skipped = (suppressed_count, "suppressed"), (sum(file.baseline_count for file in report.files), "in the baseline")
    notes = [f"{count} {words}" for count, words in skipped if count]
    yield f"{summary}{score}{'; ' if notes else ''}{', '.join(notes)}."


_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_DATA = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = {**_DATA, ord(":"): "%3A", ord(","): "%2C"}


def format_github(report: Report) -> Iterator[str]:
    """GitHub's workflow commands, which annotate the lines of a change.

    https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    for entry in report.entries:
        source_finding, finding = entry.source_finding, entry.source_finding.finding
        properties = {"file": entry.path}
        if source_finding.line is not None:
            properties |= {"line": str(source_finding.line), "col": str(source_finding.column or 1)}
            properties |= {"endLine": str(source_finding.last_line)} if source_finding.last_line else {}
        properties["title"] = f"{finding.code} {finding.name}"
        options = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in properties.items())
        page = f"page {finding.page}: " if source_finding.line is None and finding.page else ""
        yield f"::{_LEVELS[finding.severity]} {options}::{(page + finding.message).translate(_DATA)}"
    for file in report.files:
        if file.is_below:
            message = f"scores {file.score:.2f}, less than {file.min_score:.2f}".translate(_DATA)
            yield f"::error file={file.path.translate(_PROPERTY)},title=score::{message}"


members = {"text": format_text, "github": format_github}
