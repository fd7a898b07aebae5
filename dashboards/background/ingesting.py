"""The process of one background ingest: its order comes as JSON on standard input."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from dashboards.background.telling import Teller, note, say
from dashboards.shapes.problems import problem_of
from flows.launching import run_ingest
from flows.observing import observed_by
from warehouse.errors import KalendsError
from warehouse.settings import Settings


def main() -> None:
    """Run what standard input asks for; every failure that has a cure is told as a problem."""
    order = json.load(sys.stdin)
    settings = Settings(**order["settings"])
    try:
        with observed_by(Teller()):
            report = run_ingest(settings, [Path(file) for file in order["files"]], note, order["drop"])
    except KalendsError as error:
        say(problem=problem_of(error).model_dump())
        return
    say(report=asdict(report))


if __name__ == "__main__":
    main()
