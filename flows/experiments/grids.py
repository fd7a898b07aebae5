"""Grids of configurations: trials that are kept are read, the others are run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from flows.datasets import corpus_warehouse, unreadable_documents_note
from flows.experiments.trials import GridConditions, TrialWorkspace, first_day, kept_outcome, trial_workspaces
from flows.orchestration import orchestration, temporary_server
from tasks.evaluate.contract import Dataset
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.outcome import GridOutcome, TrialOutcome
from tasks.evaluate.measures import DEEPEST
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GridOptions:
    """How a grid is asked: by which judge, and from which day relative times are read; None is that of earlier trials.

    `work` is a folder for what is kept from one time to the next.
    """

    judge: str
    day: date | None
    today: date
    work: Path


def run_grid(
    exam: Dataset, experiments: Sequence[Experiment], terms: GridOptions, settings: Settings, say: Say
) -> GridOutcome:
    """Try what is not known yet, and tell of all. `say` hears a line for each thing done.

    The warehouse of the settings holds the documents and the trials; nothing is started where all trials are there.
    Raises what an ingest of the corpus raises, and `Busy` while another process tries experiments there.
    """
    home = Layout(settings.warehouse)
    with temporary_server(home):
        warehouse = corpus_warehouse(exam, terms.work, settings, say)
        day = terms.day or first_day(Lake(home.lake), exam.name, terms.today)
        cuts = tuple(sorted({each.k for each in experiments if each.k > DEEPEST}))
        asking = GridConditions(exam, terms.judge, day, cuts, terms.work)
        seats = trial_workspaces(experiments, settings)
        found = {seat.experiment.name: outcome for seat in seats if (outcome := kept_outcome(seat, asking))}
        missing = [seat for seat in seats if seat.experiment.name not in found]
        made, failed = _try_all(home, asking, missing, len(found), say) if missing else ({}, {})
    held = {**found, **made}
    trials = tuple(held[each.name] for each in experiments if each.name in held)
    notes = (*exam.notes, *unreadable_documents_note(warehouse, exam), *_day_note(day, terms))
    return GridOutcome(exam.name, len(exam.documents), trials, failed, len(made), notes)


def _try_all(
    home: Layout, asking: GridConditions, seats: Sequence[TrialWorkspace], known: int, say: Say
) -> tuple[dict[str, TrialOutcome], dict[str, str]]:
    """Run the flow; what was tried, and the reasons of what failed, by the configuration's name."""
    say(f"{len(seats)} of {known + len(seats)} configurations are to be tried")
    bench = Layout(home.experiments)
    with orchestration(home, say, bench):
        from flows.experiments.experiment_flow import GridProgress, experiment

        progress = GridProgress(len(seats), say)
        experiment(bench, asking, seats, progress)
    return progress.done, progress.failed


def _day_note(day: date, terms: GridOptions) -> tuple[str, ...]:
    if day == terms.today or terms.day:
        return ()
    return (f"relative times are read from {day}, the day of the first trials; --today names another",)
