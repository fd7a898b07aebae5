"""The flow `scan`: a look at the files; only where it shows that something changed, an ingest."""

from __future__ import annotations

from prefect import State, flow
from prefect.runtime import flow_run
from prefect.states import Completed

from flows.crashed import alive
from flows.guarding import Removal
from flows.planning import make_plan
from flows.report import IngestReport
from warehouse.settings.loader import Settings, load
from warehouse.store.generations import latest
from warehouse.store.layout import Layout


@flow(name="scan", validate_parameters=False)
def scan(settings: Settings | None = None, patience: float = 0.0) -> IngestReport | State[None]:
    """Ingest the declared roots if anything in them changed. The look loads no model and waits for nobody.

    Raises `BadInput` where no root is declared and `Busy` when another process writes for longer than `patience`
    seconds.
    """
    chosen = settings or load()
    layout = Layout(chosen.warehouse)
    with alive(layout, str(flow_run.id)):
        generation = latest(layout)
        if generation and make_plan(chosen, generation, (), (), Removal.NONE).idle:
            return Completed(message="Nothing changed.")
        from flows.ingest import ingest

        return ingest(settings=settings, removal=Removal.NONE, patience=patience)
