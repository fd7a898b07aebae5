"""What an ingest did and which documents gave it most to do, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flows.report import IngestReport
from flows.serving.markdown import MOST, plain, table
from warehouse.records import CatalogEntry


def summary_markdown(report: IngestReport) -> str:
    """What an ingest did and what it cost."""
    published = f"generation {report.generation}" if report.generation else "nothing, as nothing changed"
    parts = [
        f"Published {published}: {report.documents} documents, {report.chunks} chunks, {report.seconds:.1f} s.",
        *(f"**Warning**: {plain(warning)}" for warning in report.warnings),
        table(("what", "documents"), report.counts.items()),
    ]
    if report.stages:
        costs = ((cost.stage, cost.documents, round(cost.seconds, 1)) for cost in report.stages)
        parts.append(table(("stage", "documents", "seconds"), costs))
    if report.unreadable:
        parts.append(table(("cannot be read", "why"), sorted(report.unreadable.items())))
    return "\n\n".join(parts)


def slowest_markdown(worked: Iterable[CatalogEntry], seconds: Mapping[str, float]) -> str:
    """The files of a run that took longest to read, by the clock; `seconds` are by source."""
    ordered = sorted(worked, key=lambda each: (-seconds[each.file.source], each.file.source))
    rows = (
        (
            each.file.source,
            round(seconds[each.file.source], 2),
            each.total_pages or 0,
            each.table_count,
            each.chunk_count,
            round(each.file.size / 1024),
        )
        for each in ordered[:MOST]
    )
    head = "Seconds of reading, by file; the stages after it work on many documents at once."
    return f"{head}\n\n{table(('source', 'seconds', 'pages', 'tables', 'chunks', 'KB'), rows)}"
