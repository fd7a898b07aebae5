"""One JSON object: the findings in order, each file's score, and the sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json

from tasks.check.report import FileReport, Report, ReportedFinding


def _lines(report: Report) -> Iterator[str]:
    whole = {
        "findings": [as_data(entry) for entry in report.entries],
        "files": [_file(file) for file in report.files],
        "summary": {
            "files": len(report.files),
            "findings": report.by_severity.total(),
            "by_severity": report.by_severity,
            "score": report.score,
            "passed": not report.fails,
        },
    }
    yield to_json(whole, indent=2, inf_nan_mode="null").decode()


def as_data(entry: ReportedFinding) -> dict[str, Any]:
    """A finding. `start` and `end` are in the document's text, `line` and `column` (from 1) in its source."""
    located, finding = entry.located, entry.located.finding
    return {
        "path": entry.path,
        "line": located.line,
        "column": located.column,
        "end_line": located.last_line,
        "page": finding.page,
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "penalty": finding.penalty,
        "start": finding.start,
        "end": finding.end,
        "chunk_id": finding.chunk_id,
        "fingerprint": entry.fingerprint,
    }


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "path": file.path,
        "score": file.score,
        "chunks": file.chunks,
        "findings": len(file.entries),
        "suppressed": len(file.suppressed),
        "in_baseline": file.known,
        "below_min_score": file.is_below,
    }


member = _lines
