"""The process of one background ingest: its order comes as JSON on standard input."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import asdict
from pathlib import Path

from dashboards.background.telling import Teller, note, say
from dashboards.shapes.problems import internal_error, problem_of
from flows.launching import run_ingest
from flows.observing import observed_by
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.settings import Settings

_LOG = logging.getLogger("kalends.ingest")


def main() -> None:
    """Run what standard input asks for; every failure is told as a problem."""
    order = json.load(sys.stdin)
    settings = Settings(**order["settings"])
    try:
        with observed_by(Teller()):
            report = run_ingest(settings, [Path(file) for file in order["files"]], note, order["drop"])
    except KalendsError as error:
        say(problem=problem_of(error).model_dump())
        return
    except Exception as error:
        reference = record_internal_error(error)
        _LOG.exception("the ingest failed, reference %s", reference)
        say(problem=internal_error(reference).model_dump())
        return
    say(report=asdict(report))


if __name__ == "__main__":
    main()
