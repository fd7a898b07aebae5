"""Who writes to the warehouse."""

from __future__ import annotations

from collections.abc import Iterator

from flows.doctor.diagnosis import CheckContext, Diagnosis, ok
from flows.lock import holder
from warehouse.store.layout import Layout


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """The processes that hold it or its experiments. A lock ends with its process, so none is ever stale."""
    home = patient.layout
    held = [
        f"{who} is writing to {layout.folder}" for layout in (home, Layout(home.experiments)) if (who := holder(layout))
    ]
    yield from map(ok, held or ["nobody is writing"])
