"""Who writes to the warehouse."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator

from flows.doctor.diagnosis import Diagnosis, Patient, ok
from warehouse.store.layout import Layout


def member(patient: Patient) -> Iterator[Diagnosis]:
    """The processes that hold it or its experiments. A lock ends with its process, so none is ever stale."""
    home = patient.layout
    held = [
        f"{who} is writing to {layout.folder}" for layout in (home, Layout(home.experiments)) if (who := _who(layout))
    ]
    yield from map(ok, held or ["nobody is writing"])


def _who(layout: Layout) -> str:
    if not layout.lock.is_file():
        return ""
    with layout.lock.open(encoding="utf-8") as stream:
        try:
            # Shared, for a moment: a writer that comes just then waits or says who holds it, and loses nothing.
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return stream.read().strip() or "another process"
    return ""
