"""`kalends ingest` and `kalends plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, load_settings, print_json
from tasks.quality.wording import counted

if TYPE_CHECKING:
    from flows.report import IngestFailure, IngestReport

PathsArgument = Annotated[list[Path] | None, typer.Argument(help="Folders or files [default: all declared roots].")]

DropOption = Annotated[list[str] | None, typer.Option("--drop", help="Forget this root and its documents.")]

RemovalOption = Annotated[
    bool, typer.Option("--allow-removal", help="Let documents go even where most of a root's have vanished.")
]


def ingest(
    paths: PathsArgument = None,
    drop: DropOption = None,
    allow_removal: RemovalOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Read what is new or changed and publish it.

    A document that cannot be read or on which a stage fails costs itself alone: it is named, and kept in its last good
    version or left out. Exit code 1: a document failed that had not failed in the same way before, or most of a root's
    documents have vanished at once and are kept.
    """
    from dashboards.cli.progress import observer_for_output, print_progress
    from flows.guarding import Removal
    from flows.launching import run_ingest
    from flows.observing import observed_by
    from flows.progress import started_by

    settings = load_settings(warehouse)
    with observed_by(observer_for_output(silent=json)), started_by("kalends ingest"):
        report = run_ingest(
            settings, paths or [], print_progress, drop or (), Removal.ALL if allow_removal else Removal.NAMED
        )
    if json:
        print_json(report)
    else:
        for line in report_lines(report):
            typer.echo(line)
    if not report.is_complete:
        raise typer.Exit(1)


def report_lines(report: IngestReport) -> list[str]:
    """A report for people."""
    found = [_failure_line(failure, report) for failure in report.failures]
    if report.known_failures:
        files = "1 file is" if report.known_failures == 1 else f"{report.known_failures} files are"
        found.append(f"{files} still unreadable (kalends status lists them).")
    if report.attachments or report.files > report.documents:
        found.append(_files_line(report))
    if report.generation is None:
        found.append(f"Nothing changed: {report.documents} documents, {report.chunks} chunks ({report.seconds:.1f} s).")
        return found
    counts = ", ".join(f"{count} {action}" for action, count in report.counts.items())
    rate = report.chunks / report.seconds if report.seconds else 0.0
    documents, chunks = counted(report.documents, "document"), counted(report.chunks, "chunk")
    found.append(f"Published generation {report.generation}: {documents}, {chunks}.")
    slowest = report.slowest
    tail = f"; slowest stage {slowest.stage} ({slowest.seconds:.1f} s)" if slowest else ""
    found.append(f"{counts}; {report.seconds:.1f} s, {rate:.0f} chunks/s{tail}")
    return found


def _files_line(report: IngestReport) -> str:
    """What of the files are documents, and what was left aside."""
    unread = report.files - report.documents
    parts = [counted(report.documents, "document")]
    if unread:
        parts.append(f"{unread} that cannot be read")
    aside = f"; {counted(report.attachments, 'attachment')} beside them" if report.attachments else ""
    return f"{counted(report.files, 'file')}: {', '.join(parts)}{aside}."


def _failure_line(failure: IngestFailure, report: IngestReport) -> str:
    what = "kept in its last good version" if failure.kept else "left out"
    if not failure.stage:
        return f"unreadable, {what}: {failure.source}: {failure.reason}"
    others = report.documents - failure.kept
    published = "is published" if others == 1 else "are published"
    return (
        f"Internal error in stage {failure.stage}, document {failure.source} ({what}): {failure.reason}."
        f" Please report it (KALENDS_DEBUG=1 shows where); the other {others} documents {published}."
    )


def plan(
    paths: PathsArgument = None,
    drop: DropOption = None,
    allow_removal: RemovalOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Print what an ingest would do and why, without doing it."""
    from dashboards.cli.progress import plan_summary
    from flows.guarding import Removal
    from flows.planning import Action, make_plan
    from warehouse.store.generations import latest
    from warehouse.store.layout import Layout

    settings = load_settings(warehouse)
    removal = Removal.ALL if allow_removal else Removal.NAMED
    found = make_plan(settings, latest(Layout(settings.warehouse)), paths or [], drop or (), removal)
    work = [step for step in found.steps if step.action is not Action.KEPT]
    if json:
        steps = [{"action": s.action, "source": s.source, "reason": s.reason, "stages": s.stages} for s in work]
        print_json({"counts": found.counts, "steps": steps, "warnings": found.warnings})
        return
    for warning in found.warnings:
        typer.echo(f"warning: {warning}")
    for step in work:
        stages = f" [{' '.join(step.stages)}]" if step.stages else ""
        typer.echo(f"{step.action.value:16} {step.source}: {step.reason}{stages}")
    typer.echo(plan_summary(found))
