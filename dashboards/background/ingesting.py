"""The process of one background ingest: its order comes as JSON on standard input, what it does goes out as lines.

Each line is a JSON object with fields of `IngestRun` that have a new value.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dashboards.shapes.problems import problem_of
from flows.launching import run_ingest
from flows.observing import observed_by
from flows.planning import Plan
from warehouse.errors import KalendsError
from warehouse.records import StageCost
from warehouse.settings import Settings


class Teller:
    """Says how far the run is."""

    def __init__(self) -> None:
        """No stage has begun."""
        self._done = 0
        self._costs: list[StageCost] = []

    def planned(self, plan: Plan) -> None:
        """What will be done."""
        say(plan={action.value: count for action, count in plan.counts.items() if count})

    def stage_started(self, stage: str, documents: int) -> None:
        """Which stage it is."""
        self._done = 0
        say(stage=stage, done=0, of=documents)

    def stage_advanced(self, stage: str, documents: int) -> None:
        """How far it is."""
        self._done += documents
        say(done=self._done)

    def stage_finished(self, cost: StageCost) -> None:
        """What it cost."""
        self._costs.append(cost)
        say(stages=[asdict(each) for each in self._costs])


def say(**told: Any) -> None:
    """Write a line; a listener that has gone ends no run."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def _note(line: str) -> None:
    say(note=line)


def main() -> None:
    """Run what standard input asks for; every failure that has a cure is told as a problem."""
    order = json.load(sys.stdin)
    settings = Settings(**order["settings"])
    try:
        with observed_by(Teller()):
            report = run_ingest(settings, [Path(file) for file in order["files"]], _note, order["drop"])
    except KalendsError as error:
        say(problem=problem_of(error).model_dump())
        return
    say(report=asdict(report))


if __name__ == "__main__":
    main()
