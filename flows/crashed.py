"""Runs whose process is gone: Prefect goes on showing them as running until somebody tells it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def alive(layout: Layout, run: str) -> Iterator[None]:
    """Show for the time inside that the process of a run is there; the system takes that back however it ends."""
    mark = _mark(layout, run)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with mark.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            yield
        finally:
            mark.unlink(missing_ok=True)


def mark_crashed(layout: Layout) -> int:
    """Mark this warehouse's unfinished runs whose process is gone as crashed. Returns how many there were."""
    unfinished = FlowRunFilter(
        tags=FlowRunFilterTags(all_=[warehouse_tag(layout)]),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.RUNNING])),
    )
    with get_client(sync_client=True) as client:
        dead = [run for run in client.read_flow_runs(flow_run_filter=unfinished) if not _lives(layout, str(run.id))]
        for run in dead:
            client.set_flow_run_state(run.id, Crashed(message="its process ended before the run did"), force=True)
    return len(dead)


def _lives(layout: Layout, run: str) -> bool:
    mark = _mark(layout, run)
    try:
        with mark.open("r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    mark.unlink(missing_ok=True)
    return False


def _mark(layout: Layout, run: str) -> Path:
    return layout.prefect / "running" / run
