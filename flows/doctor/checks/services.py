"""The server and the worker that `kalends up` starts."""

from __future__ import annotations

from collections.abc import Iterator

from flows import server
from flows.doctor.diagnosis import CheckContext, Diagnosis, ok
from flows.serving import worker


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """What runs of this warehouse; what its state files tell of processes that have gone is no trouble."""
    running = server.find(patient.layout)
    yield ok(f"the Prefect server runs at {running.ui}" if running else "no Prefect server runs (kalends up)")
    if worker.find(patient.layout):
        yield ok("the worker runs")
