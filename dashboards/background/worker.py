"""The process of one background run: `python -m dashboards.background.worker ingest`, or `grid` for an experiment.

Standard input is the order, one JSON object with the settings. Standard output is JSON Lines: each line has new values
of some fields of the run (`dashboards.background.runs.BackgroundRun`), the last one its `report` or its `problem`.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dashboards.serializers.problems import make_internal_problem, to_problem
from flows.progress import PUBLISH, ProgressTracker, RunProgress, observe_runs, record_origin
from warehouse.errors import BadInput, KalendsError
from warehouse.journal import record_internal_error
from warehouse.records import StageCost
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

LOCK_SECONDS = 7 * 86_400.0
"""How long an ingest waits for another process that took the lock after this one was started: a week."""
QUESTIONS_NOTE = "Asking the questions"
_SERVER_FIELDS = ("process", "origin", "started")  # Fields of the progress that the server knows better.
_LOG = logging.getLogger("kalends.ingest")


class IngestTracker(ProgressTracker):
    """Writes the progress of an ingest, and the process that it waits for."""

    def on_waiting(self, holder: str) -> None:
        """Another process holds the lock."""
        write_note(f"Another import is running ({holder}); this one begins when it has finished.")


class GridTracker(ProgressTracker):
    """Writes the progress of an experiment's ingests, and clears it when one has published."""

    def on_stage_finished(self, cost: StageCost) -> None:
        """The cost of a stage; publishing is the last one."""
        super().on_stage_finished(cost)
        if cost.stage == PUBLISH:
            write_fields(note=QUESTIONS_NOTE, plan={}, stages=[], stage="")


def run_ingest_order(order: Mapping[str, Any]) -> None:
    """Run the ingest of `files` (all source folders without any) and `drop`; every failure becomes a problem."""
    from flows.orchestration import run_ingest

    settings = Settings(**order["settings"])
    try:
        files = _select_remaining_files(settings, order["files"])
        with record_origin(order["origin"]):
            tracker = IngestTracker(write_progress)
            with observe_runs(tracker):
                report = run_ingest(
                    settings, files, write_note, order["drop"], patience=LOCK_SECONDS, again=order["again"]
                )
    except KalendsError as error:
        write_fields(problem=to_problem(error).model_dump())
        return
    except Exception as error:
        reference = record_internal_error(error)
        _LOG.exception("the ingest failed, reference %s", reference)
        write_fields(problem=make_internal_problem(reference).model_dump())
        return
    tracker.finish(report)
    write_fields(report=asdict(report))


def _select_remaining_files(settings: Settings, names: Sequence[str]) -> list[Path]:
    """The files without those that were deleted while the run waited and of which the warehouse has no documents.

    Raises `BadInput` if none is left.
    """
    from flows.roots import collect_known_paths

    files = [Path(name) for name in names]
    if all(file.exists() for file in files):
        return files
    known_places = collect_known_paths(find_latest(Layout(settings.warehouse)))
    remaining = [file for file in files if file.exists() or str(file.resolve()) in known_places]
    if not remaining:
        raise BadInput("the files of this run were deleted before it began", "upload them again")
    return remaining


def run_grid_order(order: Mapping[str, Any]) -> None:
    """Try the configurations of `grid` (YAML) on `questions`; every failure that has a cure becomes a problem."""
    from dashboards.background.grids import load_dataset, parse_grid
    from flows.datasets import get_dataset_folder
    from flows.experiments.grids import GridOptions, run_grid
    from tasks.evaluate.answers import SPAN_JUDGE

    try:
        with observe_runs(GridTracker(write_progress)):
            settings = Settings(**order["settings"])
            grid = parse_grid(order["grid"], settings)
            dataset = load_dataset(settings, order["questions"], order["count"], write_note)
            options = GridOptions(SPAN_JUDGE, None, datetime.now(UTC).date(), get_dataset_folder(dataset, settings))
            names = {experiment.name for experiment in grid.experiments}

            def write_line(line: str) -> None:
                """Write "[1/4] NAME: …" as the status of a configuration, and all other lines as notes."""
                name, _, status = line.partition("] ")[2].partition(": ")
                if name in names:
                    write_fields(configurations={name: status}, note=QUESTIONS_NOTE)
                else:
                    write_note(line)

            outcome = run_grid(dataset, grid, options, settings, write_line)
    except KalendsError as error:
        write_fields(problem=to_problem(error).model_dump())
        return
    report = {
        "exam": outcome.exam,
        "trials": [trial.record.trial_id for trial in outcome.trials],
        "asked": outcome.new_trials,
        "failed": dict(outcome.failures),
        "notes": outcome.notes,
    }
    write_fields(report=report)


def write_fields(**fields: Any) -> None:
    """Write one line; a server that has gone away does not end the run."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()


def write_note(line: str) -> None:
    """Write what the run does or waits for, in one sentence."""
    write_fields(note=line)


def write_progress(progress: RunProgress) -> None:
    """Write how far an ingest is."""
    fields = asdict(progress)
    write_fields(**{name: value for name, value in fields.items() if name not in _SERVER_FIELDS})


ORDERS = {"ingest": run_ingest_order, "grid": run_grid_order}

if __name__ == "__main__":
    ORDERS[sys.argv[1]](json.load(sys.stdin))
