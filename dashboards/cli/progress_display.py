"""Progress display for terminals: a bar for each stage, or a line where the output is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Collection
from contextlib import suppress
from time import monotonic

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column

from flows.planning import IngestPlan
from flows.progress import Action, RunObserver
from tasks.quality.phrases import format_count
from tasks.stage_meter import StageProgress
from warehouse.records import StageCost


def make_observer(*, silent: bool) -> RunObserver:
    """The observer for the kind of standard error: bars on a terminal, lines elsewhere, nothing if `silent`."""
    if silent:
        return RunObserver()
    return StageBars() if sys.stderr.isatty() else StageLines()


def print_progress(line: str) -> None:
    """Print a line to standard error; a line that cannot be written (closed pipe, full disk) does not end the run."""
    with suppress(OSError):
        typer.echo(line, err=True)


def describe_plan(plan: IngestPlan) -> str:
    """The plan in one line."""
    counts = [f"{plan.counts[action]} {action.value}" for action in Action if plan.counts.get(action)]
    if plan.withheld:
        counts.append(f"{sum(len(folder.documents) for folder in plan.withheld)} kept although missing")
    return ", ".join(counts) or "no documents"


LINE_SECONDS = 60.0  # Between two lines about a long stage, where the output is no terminal.


class StageLines(RunObserver):
    """Observer that prints the plan, a line for each finished stage, and one a minute within a long stage."""

    def __init__(self) -> None:
        """The first minute begins with the stage."""
        self._last_print = monotonic()

    def on_waiting(self, holder: str) -> None:
        """Print which process the run waits for."""
        print_progress(f"waiting until {holder} has finished writing")

    def on_planned(self, plan: IngestPlan) -> None:
        """Print the warnings of the plan and its summary."""
        for warning in plan.warnings:
            print_progress(f"warning: {warning}")
        print_progress(f"plan: {describe_plan(plan)}")

    def on_stage_started(self, stage: str, documents: int) -> None:
        """Begin to count the minutes of the stage."""
        self._last_print = monotonic()

    def on_stage_progressed(self, progress: StageProgress) -> None:
        """Print how far the stage is, once a minute."""
        if monotonic() >= self._last_print + LINE_SECONDS:
            self._last_print = monotonic()
            print_progress(f"{progress.stage}: {', '.join(filter(None, (_format_counts(progress), progress.words)))}")

    def on_published(self, generation: int, sources: Collection[str], of: int) -> None:
        """Print how many documents can be searched already."""
        print_progress(f"published generation {generation}: {len(sources)} of {of} documents can be searched")

    def on_stage_finished(self, cost: StageCost) -> None:
        """Print the documents and seconds of the stage."""
        if cost.documents:
            print_progress(f"{cost.stage}: {cost.documents} documents in {cost.seconds:.1f} s")


def _format_counts(progress: StageProgress) -> str:
    return f"{progress.done} of {format_count(progress.of, 'document')}"


class StageBars(StageLines):
    """Observer that draws a bar for each stage; a closed terminal does not end the run."""

    def __init__(self) -> None:
        """Nothing is drawn before the first stage."""
        super().__init__()
        columns = (SpinnerColumn(), TextColumn("{task.description:10}"), BarColumn(), MofNCompleteColumn())
        details_column = TextColumn(
            "{task.fields[details]}", style="dim", markup=False, table_column=Column(no_wrap=True)
        )
        self._progress = Progress(
            *columns, TimeElapsedColumn(), details_column, console=Console(stderr=True), transient=False
        )
        self._bar: TaskID | None = None

    def on_stage_started(self, stage: str, documents: int) -> None:
        """Start the bar of the stage."""
        if not documents:
            return
        with suppress(OSError):
            self._progress.start()
            self._bar = self._progress.add_task(stage, total=documents, details="")

    def on_stage_progressed(self, progress: StageProgress) -> None:
        """Advance the progress bar of the stage, which shows the time left and the current document."""
        if self._bar is not None:
            with suppress(OSError):
                self._progress.update(self._bar, completed=progress.done, details=progress.words)

    def on_stage_finished(self, cost: StageCost) -> None:
        """Stop the bar and leave it on the screen."""
        if self._bar is not None:
            with suppress(OSError):
                self._progress.update(self._bar, details="")
                self._progress.stop_task(self._bar)
                self._progress.stop()
            self._bar = None
