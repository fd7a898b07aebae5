"""Lines as compilers print them: `path:line:column: CODE message`, and one line that sums up."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.check.report import Report
from tasks.quality.phrases import counted
from warehouse.control_characters import ESCAPES


def _lines(report: Report) -> Iterator[str]:
    for entry in report.entries:
        finding = entry.located.finding
        yield f"{entry.place}: {finding.code} {finding.message}".translate(ESCAPES)
    for file in report.files:
        if file.is_below:
            yield f"{file.path}: scores {file.score:.2f}, less than {file.least:.2f}".translate(ESCAPES)
    yield _sum(report)


def _sum(report: Report) -> str:
    found = report.by_severity
    if found:
        by = ", ".join(counted(count, severity) for severity, count in sorted(found.items()))
        said = f"Found {counted(found.total(), 'problem')} ({by}) in {counted(len(report.files), 'file')}"
    else:
        said = f"All checks passed in {counted(len(report.files), 'file')}"
    score = f", score {report.score:.2f}" if report.score is not None else ""
    silenced = sum(len(file.suppressed) for file in report.files)
    known = sum(file.known for file in report.files)
    notes = [f"{silenced} suppressed"] * bool(silenced) + [f"{known} in the baseline"] * bool(known)
    return f"{said}{score}{'; ' if notes else ''}{', '.join(notes)}."


member = _lines
