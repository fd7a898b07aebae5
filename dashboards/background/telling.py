"""How a background process tells what it does: lines on standard output, each a JSON object with fields of its run."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from flows.planning import Plan
from warehouse.records import StageCost


class Teller:
    """Says how far an ingest is."""

    def __init__(self) -> None:
        """No stage has begun."""
        self._done = 0
        self._costs: list[StageCost] = []

    def planned(self, plan: Plan) -> None:
        """What will be done."""
        self._costs = []
        say(plan={action.value: count for action, count in plan.counts.items() if count}, stages=[], stage="")

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


def note(line: str) -> None:
    """Say what is waited for, or done, in a line."""
    say(note=line)
