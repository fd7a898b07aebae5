"""What a run leaves on the Prefect server for people: a few Markdown artifacts under keys that stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from prefect.artifacts import create_markdown_artifact
from prefect.logging import get_run_logger

from flows.report import IngestReport
from flows.serving.findings import found_markdown
from flows.serving.summaries import slowest_markdown, summary_markdown
from warehouse.records import CatalogEntry
from warehouse.store.lake import Lake


def keep(key: str, markdown: Callable[[], str], description: str) -> None:
    """Keep an artifact of the present run. One that cannot be made, or that no server takes, is logged; no run ends."""
    try:
        create_markdown_artifact(markdown(), key, description)
    except Exception as error:
        get_run_logger().warning("the artifact %s could not be kept: %s", key, error)


def keep_ingest(report: IngestReport, worked: Sequence[CatalogEntry], seconds: Mapping[str, float], lake: Lake) -> None:
    """Those of an ingest that worked on some documents; one that changed nothing has only its summary.

    `seconds` are those that reading took, by source.
    """
    keep("ingest-summary", lambda: summary_markdown(report), "What the ingest did, and what it cost")
    if worked:
        keep("ingest-quality", lambda: found_markdown(worked, lake), "What is wrong with the documents of this ingest")
        keep("ingest-slowest", lambda: slowest_markdown(worked, seconds), "The files that took longest to read")
