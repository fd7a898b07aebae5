"""Progress display for terminals: a bar for each stage, or a line where the output is no terminal."""

from __future__ import annotations

import sys
from contextlib import suppress

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from flows.planning import IngestPlan
from flows.progress import Action, RunObserver
from warehouse.records import StageCost


def observer_for_output(*, silent: bool) -> RunObserver:
    """The observer for the kind of standard error: bars on a terminal, lines elsewhere, nothing if `silent`."""
    if silent:
        return RunObserver()
    return StageBars() if sys.stderr.isatty() else StageLines()


def print_progress(line: str) -> None:
    """Print a line to standard error; a line that cannot be written (closed pipe, full disk) does not end the run."""
    with suppress(OSError):
        typer.echo(line, err=True)


def plan_summary(plan: IngestPlan) -> str:
    """The plan in one line."""
    counts = [f"{plan.counts[action]} {action.value}" for action in Action if plan.counts.get(action)]
    if plan.withheld:
        counts.append(f"{sum(len(each.documents) for each in plan.withheld)} kept although missing")
    return ", ".join(counts) or "no documents"


class StageLines(RunObserver):
    """Observer that prints the plan, and a line for each finished stage."""

    def waiting(self, holder: str) -> None:
        """Print which process the run waits for."""
        print_progress(f"waiting until {holder} has finished writing")

    def planned(self, plan: IngestPlan) -> None:
        """Print the warnings of the plan and its summary."""
        for warning in plan.warnings:
            print_progress(f"warning: {warning}")
        print_progress(f"plan: {plan_summary(plan)}")

    def stage_finished(self, cost: StageCost) -> None:
        """Print the documents and seconds of the stage."""
        if cost.documents:
            print_progress(f"{cost.stage}: {cost.documents} documents in {cost.seconds:.1f} s")


class StageBars(StageLines):
    """Observer that draws a bar for each stage; a closed terminal does not end the run."""

    def __init__(self) -> None:
        """Nothing is drawn before the first stage."""
        columns = (SpinnerColumn(), TextColumn("{task.description:10}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=False)
        self._bar: TaskID | None = None

    def stage_started(self, stage: str, documents: int) -> None:
        """Start the bar of the stage."""
        if not documents:
            return
        with suppress(OSError):
            self._progress.start()
            self._bar = self._progress.add_task(stage, total=documents)

    def stage_advanced(self, stage: str, documents: int) -> None:
        """Advance the bar of the stage."""
        if self._bar is not None:
            with suppress(OSError):
                self._progress.advance(self._bar, documents)

    def stage_finished(self, cost: StageCost) -> None:
        """Stop the bar and leave it on the screen."""
        if self._bar is not None:
            with suppress(OSError):
                self._progress.stop_task(self._bar)
                self._progress.stop()
            self._bar = None
