"""The process of one background grid: its order comes as JSON on standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from dashboards.background.output import write_fields, write_note, write_progress
from dashboards.facts.experiments.exams import load_dataset
from dashboards.facts.experiments.grids import parse_grid
from dashboards.serializers.problems import problem_of
from flows.corpora import workplace
from flows.experiments.grids import GridOptions, run_grid
from flows.observing import observed_by
from flows.tracking import PUBLISH, ProgressTracker
from tasks.evaluate.experiments.outcome import GridOutcome
from tasks.evaluate.judging import DEFAULT
from warehouse.errors import KalendsError
from warehouse.records import StageCost
from warehouse.settings.loader import Settings

ASKING = "Asking the questions"


class GridTracker(ProgressTracker):
    """Prints how far an ingest is, and that what follows it is no ingest any more."""

    def stage_finished(self, cost: StageCost) -> None:
        """What it cost; publishing is the last of them."""
        super().stage_finished(cost)
        if cost.stage == PUBLISH:
            write_fields(note=ASKING, plan={}, stages=[], stage="")


class LineSorter:
    """Tells apart the lines about a configuration ("[1/4] NAME: …") from those about the grid."""

    def __init__(self, names: Collection[str]) -> None:
        """`names` are those of the configurations."""
        self._names = names

    def __call__(self, line: str) -> None:
        """Print it as what it is."""
        name, _, status = line.partition("] ")[2].partition(": ")
        if name in self._names:
            write_fields(configurations={name: status}, note=ASKING)
        else:
            write_note(line)


def main() -> None:
    """Try what standard input asks for; every failure that has a cure is told as a problem."""
    order = json.load(sys.stdin)
    try:
        with observed_by(GridTracker(write_progress)):
            found = _tried(order)
    except KalendsError as error:
        write_fields(problem=problem_of(error).model_dump())
        return
    trials = [each.record.trial_id for each in found.trials]
    write_fields(
        report={
            "exam": found.exam,
            "trials": trials,
            "asked": found.asked,
            "failed": dict(found.failed),
            "notes": found.notes,
        }
    )


def _tried(order: Mapping[str, Any]) -> GridOutcome:
    settings = Settings(**order["settings"])
    experiments = parse_grid(order["grid"], settings)
    exam = load_dataset(settings, order["questions"], order["count"], write_note)
    terms = GridOptions(DEFAULT, None, datetime.now(UTC).date(), workplace(exam, settings))
    return run_grid(exam, experiments, terms, settings, LineSorter({each.name for each in experiments}))


if __name__ == "__main__":
    main()
