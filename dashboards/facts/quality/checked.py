"""What is found in a warehouse: as the ingest kept it, or by the check that also compares documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from dashboards.facts.quality.findings import FindingTable, findings_of_report, read_findings
from dashboards.facts.quality.overview import rank_documents
from dashboards.facts.quality.pairs import DuplicatePair, list_duplicates
from dashboards.facts.quality.priorities import Priorities, rank_priorities
from flows.check_requests import CheckRequest
from tasks.check.report import Report
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings


@dataclass(frozen=True, slots=True, eq=False)
class Examination:
    """Findings, documents with their scores, the worst first, and what to mend first.

    `report` and `pairs` (near duplicates, the most alike first) are the check's; of the ingest there are none.
    """

    findings: FindingTable
    documents: pa.Table
    priorities: Priorities
    report: Report | None = None
    pairs: tuple[DuplicatePair, ...] = ()

    @property
    def suppressed(self) -> int:
        """How many findings the documents themselves silence."""
        return sum(len(file.suppressed) for file in self.report.files) if self.report else 0


def load_examination(warehouse: Warehouse) -> Examination:
    """What is kept with the generation: each document by itself."""
    found = read_findings(warehouse)
    return Examination(found, rank_documents(warehouse), rank_priorities(warehouse, found))


def run_examination(warehouse: Warehouse, settings: Settings) -> Examination:
    """What `kalends check --warehouse` finds now, with the settings in force: all rules, and documents compared."""
    asked = CheckRequest([Path()], [], warehouse.layout.folder, settings, CheckSettings(), None, no_cache=False)
    checked = asked.checked()
    report = checked.report
    found = findings_of_report(warehouse, report.entries)
    rescored = _rescored(rank_documents(warehouse), report)
    return Examination(
        found, rescored, rank_priorities(warehouse, found), report, list_duplicates(checked.corpus, report)
    )


def _rescored(known: pa.Table, report: Report) -> pa.Table:
    """The documents with the scores and the numbers of findings of a report."""
    files = {file.path: file for file in report.files}
    rows = known.to_pylist()
    for row in rows:
        if file := files.get(row["source"]):
            row |= {"score": file.score, "findings": len(file.entries)}
    rows.sort(key=lambda row: (-1.0 if row["score"] is None else row["score"], -row["findings"], row["source"]))
    return pa.Table.from_pylist(rows, schema=known.schema)
