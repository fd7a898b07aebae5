"""The process of one background ingest: its order comes as JSON on standard input."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import asdict
from pathlib import Path

from dashboards.background.output import write_fields, write_note, write_progress
from dashboards.serializers.problems import internal_error, problem_of
from flows.launching import run_ingest
from flows.observing import observed_by
from flows.progress import started_by
from flows.tracking import ProgressTracker
from warehouse.errors import KalendsError
from warehouse.journal import record_internal_error
from warehouse.settings.loader import Settings

PATIENCE = 7 * 86_400.0
"""Seconds for which it waits for another process that has taken the lock since this one was started."""
_LOG = logging.getLogger("kalends.ingest")


class IngestTracker(ProgressTracker):
    """Prints how far the ingest is, and whom it waits for."""

    def waiting(self, holder: str) -> None:
        """The lock was taken by another process."""
        write_note(f"Another import is running ({holder}); this one begins when it has finished.")


def main() -> None:
    """Run what standard input asks for; every failure is told as a problem."""
    order = json.load(sys.stdin)
    settings, files = Settings(**order["settings"]), [Path(file) for file in order["files"]]
    try:
        with started_by(order["origin"]):
            tracker = IngestTracker(write_progress)
            with observed_by(tracker):
                report = run_ingest(settings, files, write_note, order["drop"], patience=PATIENCE)
    except KalendsError as error:
        write_fields(problem=problem_of(error).model_dump())
        return
    except Exception as error:
        reference = record_internal_error(error)
        _LOG.exception("the ingest failed, reference %s", reference)
        write_fields(problem=internal_error(reference).model_dump())
        return
    tracker.ended(report)
    write_fields(report=asdict(report))


if __name__ == "__main__":
    main()
