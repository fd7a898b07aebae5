"""SARIF 2.1.0, the OASIS format of static analysers.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from pydantic_core import to_json

from tasks.check.report import Report, ReportedFinding
from tasks.quality.contract import Rule
from tasks.quality.rule_pages import every_rule, page_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def _lines(report: Report) -> Iterator[str]:
    suppressed = [entry for file in report.files for entry in file.suppressed]
    codes = sorted({entry.located.finding.code for entry in (*report.entries, *suppressed)})
    index = {code: number for number, code in enumerate(codes)}
    results = [
        *(_result(entry, index) for entry in report.entries),
        *({**_result(entry, index), "suppressions": [{"kind": "inSource"}]} for entry in suppressed),
    ]
    driver = {
        "name": "kalends",
        "semanticVersion": version("kalends"),
        "rules": [_rule(every_rule()[code]) for code in codes],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    yield to_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, inf_nan_mode="null").decode()


def _rule(rule: Rule) -> dict[str, Any]:
    page = page_of(rule)
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": _sentence(page.title)},
        "fullDescription": {"text": f"{_sentence(page.what)} {_sentence(page.why)}"},
        "help": {"text": f"{_sentence(page.cure)} Example: {page.example}"},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"penalty": rule.penalty, "scope": rule.scope},
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _result(entry: ReportedFinding, index: dict[str, int]) -> dict[str, Any]:
    finding = entry.located.finding
    return {
        "ruleId": finding.code,
        "ruleIndex": index[finding.code],
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [_location(entry)],
        "partialFingerprints": {"kalends/v1": entry.fingerprint},
    }


def _location(entry: ReportedFinding) -> dict[str, Any]:
    located, finding = entry.located, entry.located.finding
    path = PurePath(entry.path)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if located.line is not None:
        physical["region"] = {"startLine": located.line, "startColumn": located.column or 1}
        if located.last_line and located.last_line > located.line:
            physical["region"]["endLine"] = located.last_line
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.page is not None:
        location["logicalLocations"] = [{"name": f"page {finding.page}", "kind": "page"}]
    return location


member = _lines
