"""GitHub's workflow commands, which annotate the lines of a change.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.check.report import Report, ReportedFinding
from warehouse.records import Severity

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_DATA = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = {**_DATA, ord(":"): "%3A", ord(","): "%2C"}


def _lines(report: Report) -> Iterator[str]:
    yield from map(_command, report.entries)
    for file in report.files:
        if file.is_below:
            message = f"scores {file.score:.2f}, less than {file.least:.2f}".translate(_DATA)
            yield f"::error file={file.path.translate(_PROPERTY)},title=score::{message}"


def _command(entry: ReportedFinding) -> str:
    located, finding = entry.located, entry.located.finding
    properties = {"file": entry.path}
    if located.line is not None:
        properties |= {"line": str(located.line), "col": str(located.column or 1)}
        properties |= {"endLine": str(located.last_line)} if located.last_line else {}
    properties["title"] = f"{finding.code} {finding.name}"
    said = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in properties.items())
    page = f"page {finding.page}: " if located.line is None and finding.page else ""
    return f"::{_LEVELS[finding.severity]} {said}::{(page + finding.message).translate(_DATA)}"


member = _lines
