"""The process of one background grid: its order comes as JSON on standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from dashboards.background.telling import Teller, note, say
from dashboards.facts.experiments.exams import exam_over
from dashboards.facts.experiments.grids import experiments_of
from dashboards.shapes.problems import problem_of
from flows.corpora import workplace
from flows.experiments.grids import Terms, run_grid
from flows.observing import observed_by
from tasks.evaluate.experiments.outcome import GridOutcome
from tasks.evaluate.judging import DEFAULT
from warehouse.errors import KalendsError
from warehouse.records import StageCost
from warehouse.settings import Settings

ASKING = "Asking the questions"


class Watcher(Teller):
    """Says how far an ingest is, and that what follows it is no ingest any more."""

    def stage_finished(self, cost: StageCost) -> None:
        """What it cost; publishing is the last of them."""
        super().stage_finished(cost)
        if cost.stage == "publish":
            say(note=ASKING, plan={}, stages=[], stage="")


class Hearer:
    """Tells apart what is said of a configuration ("[1/4] NAME: …") from what is said of all."""

    def __init__(self, names: Collection[str]) -> None:
        """`names` are those of the configurations."""
        self._names = names

    def __call__(self, line: str) -> None:
        """Pass it on."""
        name, _, told = line.partition("] ")[2].partition(": ")
        if name in self._names:
            say(configurations={name: told}, note=ASKING)
        else:
            note(line)


def main() -> None:
    """Try what standard input asks for; every failure that has a cure is told as a problem."""
    order = json.load(sys.stdin)
    try:
        with observed_by(Watcher()):
            found = _tried(order)
    except KalendsError as error:
        say(problem=problem_of(error).model_dump())
        return
    trials = [each.record.trial_id for each in found.trials]
    say(
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
    experiments = experiments_of(order["grid"], settings)
    exam = exam_over(settings, order["questions"], order["count"], note)
    terms = Terms(DEFAULT, None, datetime.now(UTC).date(), workplace(exam, settings))
    return run_grid(exam, experiments, terms, settings, Hearer({each.name for each in experiments}))


if __name__ == "__main__":
    main()
