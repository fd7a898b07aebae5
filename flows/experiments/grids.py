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
    dataset: Dataset, experiments: Sequence[Experiment], options: GridOptions, settings: Settings, say: Say
) -> GridOutcome:
    """Try what is not known yet, and tell of all. `say` hears a line for each thing done.

    The warehouse of the settings holds the documents and the trials; nothing is started where all trials are there.
    Raises what an ingest of the corpus raises, and `Busy` while another process tries experiments there.
    """
    home = Layout(settings.warehouse)
    with temporary_server(home):
        warehouse = corpus_warehouse(dataset, options.work, settings, say)
        day = options.day or first_day(Lake(home.lake), dataset.name, options.today)
        cuts = tuple(sorted({each.k for each in experiments if each.k > DEEPEST}))
        conditions = GridConditions(dataset, options.judge, day, cuts, options.work)
        workspaces = trial_workspaces(experiments, settings)
        found = {
            workspace.experiment.name: outcome
            for workspace in workspaces
            if (outcome := kept_outcome(workspace, conditions))
        }
        missing = [workspace for workspace in workspaces if workspace.experiment.name not in found]
        made, failed = _try_all(home, conditions, missing, len(found), say) if missing else ({}, {})
    held = {**found, **made}
    trials = tuple(held[each.name] for each in experiments if each.name in held)
    notes = (*dataset.notes, *unreadable_documents_note(warehouse, dataset), *_day_note(day, options))
    return GridOutcome(dataset.name, len(dataset.documents), trials, failed, len(made), notes)


def _try_all(
    home: Layout, conditions: GridConditions, workspaces: Sequence[TrialWorkspace], known: int, say: Say
) -> tuple[dict[str, TrialOutcome], dict[str, str]]:
    """Run the flow; what was tried, and the reasons of what failed, by the configuration's name."""
    say(f"{len(workspaces)} of {known + len(workspaces)} configurations are to be tried")
    bench = Layout(home.experiments)
    with orchestration(home, say, bench):
        from flows.experiments.experiment_flow import GridProgress, experiment

        progress = GridProgress(len(workspaces), say)
        experiment(bench, conditions, workspaces, progress)
    return progress.done, progress.failed


def _day_note(day: date, options: GridOptions) -> tuple[str, ...]:
    if day == options.today or options.day:
        return ()
    return (f"relative times are read from {day}, the day of the first trials; --today names another",)
