"""What is found in a warehouse: as the ingest kept it, or by the check that also compares documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from dashboards.cli.checking import Asked
from dashboards.facts.quality.findings import Findings, entered, stored
from dashboards.facts.quality.overview import documents
from dashboards.facts.quality.pairs import Pair, pairs_of
from dashboards.facts.quality.priorities import Priorities, priorities
from tasks.check.report import Report
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """Findings, documents with their scores, the worst first, and what to mend first.

    `report` and `pairs` (near duplicates, the most alike first) are the check's; of the ingest there are none.
    """

    findings: Findings
    documents: pa.Table
    priorities: Priorities
    report: Report | None = None
    pairs: tuple[Pair, ...] = ()

    @property
    def suppressed(self) -> int:
        """How many findings the documents themselves silence."""
        return sum(len(file.suppressed) for file in self.report.files) if self.report else 0


def as_ingested(warehouse: Warehouse) -> Examined:
    """What is kept with the generation: each document by itself."""
    found = stored(warehouse)
    return Examined(found, documents(warehouse), priorities(warehouse, found))


def as_checked(warehouse: Warehouse, settings: Settings) -> Examined:
    """What `kalends check --warehouse` finds now, with the settings in force: all rules, and documents compared."""
    asked = Asked([Path()], [], warehouse.layout.folder, settings, CheckSettings(), None, no_cache=False)
    checked = asked.checked()
    report = checked.report
    found = entered(warehouse, report.entries)
    rescored = _rescored(documents(warehouse), report)
    return Examined(found, rescored, priorities(warehouse, found), report, pairs_of(checked.corpus, report))


def _rescored(known: pa.Table, report: Report) -> pa.Table:
    """The documents with the scores and the numbers of findings of a report."""
    files = {file.path: file for file in report.files}
    rows = known.to_pylist()
    for row in rows:
        if file := files.get(row["source"]):
            row |= {"score": file.score, "findings": len(file.entries)}
    rows.sort(key=lambda row: (-1.0 if row["score"] is None else row["score"], -row["findings"], row["source"]))
    return pa.Table.from_pylist(rows, schema=known.schema)
