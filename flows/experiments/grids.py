"""Grids of configurations: trials that are kept are read, the others are run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from flows.datasets import corpus_warehouse, unreadable_documents_note
from flows.experiments.trials import GridConditions, TrialWorkspace, first_day, kept_outcome, trial_workspaces
from flows.orchestration import orchestration, temporary_server
from tasks.evaluate.dataset import Dataset
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.grid_outcome import GridOutcome, TrialOutcome
from tasks.evaluate.measures import DEEPEST
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GridOptions:
    """Options of a grid: the judge, and the day for relative times (`day`, None for that of earlier trials).

    `work` is the folder of what is kept between grids.
    """

    judge: str
    day: date | None
    today: date
    work: Path


def run_grid(
    dataset: Dataset, experiments: Sequence[Experiment], options: GridOptions, settings: Settings, say: Say
) -> GridOutcome:
    """Run the trials that are not kept, and return all. `say` takes progress lines.

    The warehouse of the settings holds the documents and the trials; no server starts where all trials are kept.
    Raises what an ingest of the corpus raises, and `Busy` while another process runs experiments there.
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
    """Run the flow; returns the new outcomes, and the reasons of failures, by the configuration's name."""
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
