"""Runs whose process is gone: Prefect goes on showing them as running until somebody tells it."""

from __future__ import annotations

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    FlowRunFilterTags,
)
from prefect.client.schemas.objects import StateType
from prefect.states import Crashed

from warehouse.store.layout import Layout


def warehouse_tag(layout: Layout) -> str:
    """The tag of the runs that write to a warehouse."""
    return f"warehouse:{layout.folder.resolve()}"


def bury(layout: Layout, present: str) -> int:
    """Mark this warehouse's other unfinished runs as crashed; only the holder of its lock knows that they are.

    `present` is the id of the run that asks. Returns how many there were.
    """
    unfinished = FlowRunFilter(
        tags=FlowRunFilterTags(all_=[warehouse_tag(layout)]),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.RUNNING])),
    )
    with get_client(sync_client=True) as client:
        dead = [run for run in client.read_flow_runs(flow_run_filter=unfinished) if str(run.id) != present]
        for run in dead:
            client.set_flow_run_state(run.id, Crashed(message="its process ended before the run did"), force=True)
    return len(dead)
