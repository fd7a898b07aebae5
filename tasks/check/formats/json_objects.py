"""Formats of one JSON object: `json` with Kalends' own fields, `sarif` for programs that show static analyses."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from pydantic_core import to_json

from tasks.check.report import Report, ReportedFinding
from tasks.quality.rule import Rule, list_rules, parse_page


def format_json(report: Report) -> Iterator[str]:
    """One object: the findings in order, each file's score, and the sums."""
    files = [
        {
            "path": file.path,
            "score": file.score,
            "chunks": file.chunks,
            "findings": len(file.entries),
            "suppressed": len(file.suppressed_entries),
            "in_baseline": file.baseline_count,
            "below_min_score": file.is_below,
        }
        for file in report.files
    ]
    content = {
        "findings": [as_data(entry) for entry in report.entries],
        "files": files,
        "summary": {
            "files": len(report.files),
            "findings": report.by_severity.total(),
            "by_severity": report.by_severity,
            "score": report.score,
            "passed": not report.fails,
        },
    }
    yield to_json(content, indent=2, inf_nan_mode="null").decode()


def as_data(entry: ReportedFinding) -> dict[str, Any]:
    """A finding. `start` and `end` are in the document's text, `line` and `column` (from 1) in its source."""
    source_finding, finding = entry.source_finding, entry.source_finding.finding
    return {
        "path": entry.path,
        "line": source_finding.line,
        "column": source_finding.column,
        "end_line": source_finding.last_line,
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


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def format_sarif(report: Report) -> Iterator[str]:
    """SARIF 2.1.0, the OASIS format of static analysers.

    https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
    """
    suppressed_entries = [entry for file in report.files for entry in file.suppressed_entries]
    codes = sorted({entry.source_finding.finding.code for entry in (*report.entries, *suppressed_entries)})
    index = {code: number for number, code in enumerate(codes)}
    results = [
        *(_make_result(entry, index) for entry in report.entries),
        *({**_make_result(entry, index), "suppressions": [{"kind": "inSource"}]} for entry in suppressed_entries),
    ]
    driver = {
        "name": "kalends",
        "semanticVersion": version("kalends"),
        "rules": [_describe_rule(list_rules()[code]) for code in codes],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    yield to_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, inf_nan_mode="null").decode()


def _describe_rule(rule: Rule) -> dict[str, Any]:
    page = parse_page(rule)
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": _capitalize(page.title)},
        "fullDescription": {"text": f"{_capitalize(page.what)} {_capitalize(page.why)}"},
        "help": {"text": f"{_capitalize(page.cure)} Example: {page.example}"},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"penalty": rule.penalty, "scope": rule.scope},
    }


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _make_result(entry: ReportedFinding, index: dict[str, int]) -> dict[str, Any]:
    source_finding, finding = entry.source_finding, entry.source_finding.finding
    path = PurePath(entry.path)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if source_finding.line is not None:
        physical["region"] = {"startLine": source_finding.line, "startColumn": source_finding.column or 1}
        if source_finding.last_line and source_finding.last_line > source_finding.line:
            physical["region"]["endLine"] = source_finding.last_line
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.page is not None:
        location["logicalLocations"] = [{"name": f"page {finding.page}", "kind": "page"}]
    return {
        "ruleId": finding.code,
        "ruleIndex": index[finding.code],
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"kalends/v1": entry.fingerprint},
    }


members = {"json": format_json, "sarif": format_sarif}
