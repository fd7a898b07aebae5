"""`kalends ingest`, `kalends plan` and `kalends watch`: files become documents of the warehouse."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic_core import to_json

from dashboards.cli.options import OutputFormat, WarehouseOption, load_settings, print_json, print_result, with_format
from tasks.quality.phrases import format_count
from warehouse.printable_text import format_first

if TYPE_CHECKING:
    from flows.progress import IngestFailure, IngestReport
    from flows.watch.watcher import WatchBatch
    from warehouse.settings.loader import Settings


PathsArgument = Annotated[
    list[Path] | None, typer.Argument(help="Folders or files [default: all declared source folders].")
]

DropOption = Annotated[
    list[str] | None, typer.Option("--drop", help="Remove this source folder and its documents from the warehouse.")
]

RemovalOption = Annotated[
    bool,
    typer.Option(
        "--allow-removal",
        help="Remove documents whose files are missing, even if most files of a source folder are missing.",
    ),
]
AgainOption = Annotated[
    bool,
    typer.Option("--again", help="Read every file again, changed or not; only vectors of unchanged text are reused."),
]
PublishEveryOption = Annotated[
    float | None,
    typer.Option(
        "--publish-every",
        metavar="MINUTES",
        min=0,
        help="Publish what is done so far every so many minutes, so that it can be searched [default: at the end].",
    ),
]
GRACE = 0.7  # Seconds that a running ingest has to reach its next stage once the watch is stopped.

NAMES = 3  # Number of documents of each kind of change that a line names.


@with_format()
def ingest(
    paths: PathsArgument = None,
    drop: DropOption = None,
    allow_removal: RemovalOption = False,
    again: AgainOption = False,
    publish_every: PublishEveryOption = None,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Read new and changed files and publish them.

    A document that cannot be read, or that causes an error, does not stop the others: it is reported, and its last good
    version stays published, if there is one. Exit code 1: a document failed for the first time or for a new reason, or
    most documents of a source folder have disappeared at once, in which case they are kept.
    """
    from dashboards.cli.progress_display import make_observer, print_progress
    from flows.orchestration import run_ingest
    from flows.progress import observe_runs, record_origin
    from flows.roots import Removal
    from warehouse.settings.models import IngestSettings

    settings = load_settings(warehouse)
    if publish_every is not None:
        settings = settings.model_copy(update={"ingest": IngestSettings(publish_every=publish_every)})
    with observe_runs(make_observer(silent=form is OutputFormat.JSON)), record_origin("kalends ingest"):
        removal = Removal.ALL if allow_removal else Removal.NAMED
        report = run_ingest(settings, paths or [], print_progress, drop or (), removal, again=again)
    print_result(form, report, list_report_lines(report))
    if not report.is_complete:
        raise typer.Exit(1)


def list_report_lines(report: IngestReport) -> list[str]:
    """The lines of an ingest's report, for people."""
    result = [_format_failure(failure, report) for failure in report.failures]
    if report.known_failures:
        files = format_count(report.known_failures, "file")
        result.append(f"{files} left out as before (kalends status --unreadable).")
    if report.attachments or report.files > report.documents:
        kinds = [format_count(report.documents, "document")]
        if unread := report.files - report.documents:
            kinds.append(f"{unread} that cannot be read")
        attachments_text = f"; also {format_count(report.attachments, 'attachment')}" if report.attachments else ""
        result.append(f"{format_count(report.files, 'file')}: {', '.join(kinds)}{attachments_text}.")
    if report.generation is None:
        result.append(
            f"Nothing changed: {report.documents} documents, {report.chunks} chunks ({report.seconds:.1f} s)."
        )
        return result
    counts = ", ".join(f"{count} {action}" for action, count in report.counts.items())
    rate = report.chunks / report.seconds if report.seconds else 0.0
    documents, chunks = format_count(report.documents, "document"), format_count(report.chunks, "chunk")
    result.append(f"Published generation {report.generation}: {documents}, {chunks}.")
    if report.without_vectors:
        result.append(f"{report.without_vectors}.")
    slowest = report.slowest
    tail = f"; slowest stage {slowest.stage} ({slowest.seconds:.1f} s)" if slowest else ""
    result.append(f"{counts}; {report.seconds:.1f} s, {rate:.0f} chunks/s{tail}")
    return result


def _format_failure(failure: IngestFailure, report: IngestReport) -> str:
    what = "kept in its last good version" if failure.kept else "left out"
    if not failure.stage:
        return f"unreadable, {what}: {failure.source}: {failure.reason}"
    published_count = report.documents - failure.kept
    published = "is published" if published_count == 1 else "are published"
    return (
        f"Internal error in stage {failure.stage}, document {failure.source} ({what}): {failure.reason}."
        f" Please report it (KALENDS_DEBUG=1 shows where); the other {published_count} documents {published}."
    )


@with_format()
def plan(
    paths: PathsArgument = None,
    drop: DropOption = None,
    allow_removal: RemovalOption = False,
    again: AgainOption = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Print what an ingest would do and why, without doing it."""
    from dashboards.cli.progress_display import describe_plan
    from flows.planning import make_plan
    from flows.progress import Action
    from flows.roots import Removal
    from warehouse.store.generations import find_latest
    from warehouse.store.layout import Layout

    settings = load_settings(warehouse)
    removal = Removal.ALL if allow_removal else Removal.NAMED
    generation, mark = find_latest(Layout(settings.warehouse)), "plan" if again else ""
    ingest_plan = make_plan(settings, generation, paths or [], drop or (), removal, mark)
    work = [step for step in ingest_plan.files if step.action is not Action.KEPT]
    if form is OutputFormat.JSON:
        steps = [{"action": s.action, "source": s.source, "reason": s.reason, "stages": s.stages} for s in work]
        print_json({"counts": ingest_plan.counts, "steps": steps, "warnings": ingest_plan.warnings})
        return
    for warning in ingest_plan.warnings:
        typer.echo(f"warning: {warning}")
    for step in work:
        stages = f" [{' '.join(step.stages)}]" if step.stages else ""
        typer.echo(f"{step.action.value:16} {step.source}: {step.reason}{stages}")
    typer.echo(describe_plan(ingest_plan))


@with_format()
def watch(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Folders or files [default: all known source folders].")
    ] = None,
    poll: Annotated[
        bool,
        typer.Option(
            "--poll", help="Check for changes at intervals, where the system does not report them (network shares)."
        ),
    ] = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Ingest files as soon as they are saved, until Ctrl-C."""
    watch_until_stopped(load_settings(warehouse), paths or [], poll=poll, json=form is OutputFormat.JSON)
    # The process ends at once, without waiting for a running stage: the next run repeats it.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(0)


def watch_until_stopped(settings: Settings, paths: Sequence[Path], *, poll: bool = False, json: bool = False) -> None:
    """Watch until SIGINT or SIGTERM, and raise what ends the watch; a stage may still run when this returns."""
    from flows.watch.watcher import Watcher

    ends: SimpleQueue[BaseException | None] = SimpleQueue()
    listener = (JsonWatchLines if json else WatchLines)(lambda: ends.put(None))
    watcher = Watcher(settings, paths, listener, poll=poll)
    listener.on_notice(f"Watching {', '.join(map(str, watcher.folders))}")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ends.put(None))

    def run() -> None:
        try:
            watcher.run()
        except BaseException as error:
            ends.put(error)
        else:
            ends.put(None)

    thread = Thread(target=run, name="watch", daemon=True)
    thread.start()
    error = ends.get()
    watcher.stop()
    thread.join(GRACE)
    if error:
        raise error


class WatchLines:
    """Output of a watch for people: lines with the time."""

    def __init__(self, end: Callable[[], None]) -> None:
        """`end` is called when the output is closed."""
        self._end = end

    def on_notice(self, line: str) -> None:
        """Print a message."""
        self._print_line(line)

    def on_batch(self, batch: WatchBatch) -> None:
        """Print the warnings, the changes and the unreadable files of a batch."""
        for warning in batch.warnings:
            self._print_line(f"warning: {warning}")
        if summary := describe_batch(batch):
            self._print_line(f"{summary} ({batch.seconds:.1f} s)")
        for source, reason in batch.unreadable.items():
            self._print_line(f"unreadable: {source}: {reason}")

    def on_failure(self, problem: str, pause: float) -> None:
        """Print a problem, and when the watch tries again."""
        self._print_line(f"{problem}; trying again in {pause:.0f} s")

    def _print_line(self, line: str) -> None:
        self._print(f"{datetime.now().astimezone():%H:%M:%S} {line}")

    def _print(self, line: str) -> None:
        try:
            typer.echo(line)
        except OSError:
            self._end()


class JsonWatchLines(WatchLines):
    """Output of a watch for programs: JSON lines with the time and the type of the event."""

    def on_notice(self, line: str) -> None:
        """Print an event `note`."""
        self._record("note", text=line)

    def on_batch(self, batch: WatchBatch) -> None:
        """Print an event `batch`."""
        names = ("generation", "changes", "moved_from", "unreadable", "warnings")
        self._record("batch", **{name: getattr(batch, name) for name in names}, seconds=round(batch.seconds, 3))

    def on_failure(self, problem: str, pause: float) -> None:
        """Print an event `failure`."""
        self._record("failure", problem=problem, retry_seconds=pause)

    def _record(self, event: str, **fields: Any) -> None:
        self._print(to_json({"time": datetime.now().astimezone(), "event": event, **fields}).decode())


def describe_batch(batch: WatchBatch) -> str:
    """The changes of a batch in one line, the first few documents of each kind by name; without unreadable files."""
    from flows.progress import Action

    parts = []
    for action in Action:
        sources = sorted(s for s, change in batch.changes.items() if change is action and s not in batch.unreadable)
        if sources:
            source_names = [f"{batch.moved_from[s]} to {s}" if s in batch.moved_from else s for s in sources]
            parts.append(f"{action.value}: {format_first(source_names, NAMES)}")
    return "; ".join(parts)
