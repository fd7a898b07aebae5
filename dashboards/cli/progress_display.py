"""Progress display for terminals: a bar for each stage, or a line where the output is no terminal."""

from __future__ import annotations

import sys
from contextlib import suppress

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from flows.observers import RunObserver, SilentObserver
from flows.planning import Action, IngestPlan
from warehouse.records import StageCost


def observer_for_output(*, silent: bool) -> RunObserver:
    """The observer that fits where the output goes; progress goes to standard error."""
    if silent:
        return SilentObserver()
    return StageBars() if sys.stderr.isatty() else StageLines()


def print_progress(line: str) -> None:
    """Print a line of progress; one that cannot be written (a closed pipe, a full disk) is no reason to end a run."""
    with suppress(OSError):
        typer.echo(line, err=True)


def plan_summary(plan: IngestPlan) -> str:
    """The plan in one line."""
    counts = [f"{plan.counts[action]} {action.value}" for action in Action if plan.counts.get(action)]
    if plan.withheld:
        counts.append(f"{sum(len(each.documents) for each in plan.withheld)} kept although missing")
    return ", ".join(counts) or "no documents"


class StageLines(SilentObserver):
    """A line when the plan is made and one a finished stage."""

    def waiting(self, holder: str) -> None:
        """Say who is in the way."""
        print_progress(f"waiting until {holder} has finished writing")

    def planned(self, plan: IngestPlan) -> None:
        """Say what will be done."""
        for warning in plan.warnings:
            print_progress(f"warning: {warning}")
        print_progress(f"plan: {plan_summary(plan)}")

    def stage_finished(self, cost: StageCost) -> None:
        """Say what it cost."""
        if cost.documents:
            print_progress(f"{cost.stage}: {cost.documents} documents in {cost.seconds:.1f} s")


class StageBars(StageLines):
    """A bar a stage; a terminal that has gone ends no run."""

    def __init__(self) -> None:
        """Nothing is drawn before the first stage."""
        columns = (SpinnerColumn(), TextColumn("{task.description:10}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=False)
        self._bar: TaskID | None = None

    def stage_started(self, stage: str, documents: int) -> None:
        """Draw its bar."""
        if not documents:
            return
        with suppress(OSError):
            self._progress.start()
            self._bar = self._progress.add_task(stage, total=documents)

    def stage_advanced(self, stage: str, documents: int) -> None:
        """Move its bar."""
        if self._bar is not None:
            with suppress(OSError):
                self._progress.advance(self._bar, documents)

    def stage_finished(self, cost: StageCost) -> None:
        """Leave its bar as it is."""
        if self._bar is not None:
            with suppress(OSError):
                self._progress.stop_task(self._bar)
                self._progress.stop()
            self._bar = None
