"""Locks of running processes: one writer at a time for a warehouse, and a mark for each running Prefect run.

Both are locks of the operating system on a file, which releases them when their process ends, however it ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from time import monotonic, sleep

from warehouse.errors import WarehouseBusy
from warehouse.store.layout import Layout

RETRY_SECONDS = 0.5  # Seconds between two tries while another process holds the lock.
BRIEF_WAIT_SECONDS, BRIEF_RETRY_SECONDS = 0.2, 0.02
"""Seconds of retries of every caller, and between two tries: `find_lock_holder` holds the lock for microseconds."""
_UNKNOWN = "another process"


@contextmanager
def write_lock(
    layout: Layout, patience: float = 0.0, on_waiting: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Hold the warehouse's lock for writing; the system releases it when the process ends, however it ends.

    `on_waiting` is called once with the name of the holding process, if it is waited for. Raises `WarehouseBusy`,
    naming that process, if it still holds the lock after `patience` seconds.
    """
    layout.make_folder()
    with layout.lock.open("a+", encoding="utf-8") as stream:
        is_locked = _try_lock(stream, BRIEF_WAIT_SECONDS, BRIEF_RETRY_SECONDS)
        if not is_locked and patience > 0:
            if on_waiting:
                on_waiting(_read_holder_name(stream))
            is_locked = _try_lock(stream, patience, RETRY_SECONDS)
        if not is_locked:
            cure = "wait until it has finished, then run again"
            raise WarehouseBusy(f"{_read_holder_name(stream)} is writing to {layout.folder}", cure)
        # Remove the progress that a killed process left.
        layout.progress.unlink(missing_ok=True)
        stream.truncate(0)
        stream.write(f"process {os.getpid()}")
        stream.flush()
        yield


def find_lock_holder(layout: Layout) -> str | None:
    """The process that holds the lock, as `WarehouseBusy` names it; None without one or where it cannot be opened."""
    try:
        stream = layout.lock.open("r", encoding="utf-8")
    except OSError:
        return None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _read_holder_name(stream)
    return None


def _try_lock(stream: TextIOWrapper, seconds: float, interval: float) -> bool:
    """Whether the lock could be taken within so many seconds."""
    deadline = monotonic() + seconds
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() >= deadline:
                return False
            sleep(interval)
        else:
            return True


def _read_holder_name(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read().strip() or _UNKNOWN


def make_warehouse_tag(layout: Layout) -> str:
    """The Prefect tag of the runs that write to a warehouse."""
    return f"warehouse:{layout.folder.resolve()}"


@contextmanager
def mark_running(layout: Layout, run: str) -> Iterator[None]:
    """Mark a run as running while the process is inside; the system removes the lock however the process ends."""
    mark = _get_mark_file(layout, run)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with mark.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        try:
            yield
        finally:
            mark.unlink(missing_ok=True)


def mark_crashed(layout: Layout) -> int:
    """Mark this warehouse's unfinished runs whose process has ended as crashed. Returns their number."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas import filters
    from prefect.client.schemas.objects import StateType
    from prefect.states import Crashed

    run_filter = filters.FlowRunFilter(
        tags=filters.FlowRunFilterTags(all_=[make_warehouse_tag(layout)]),
        state=filters.FlowRunFilterState(type=filters.FlowRunFilterStateType(any_=[StateType.RUNNING])),
    )
    with get_client(sync_client=True) as client:
        runs = client.read_flow_runs(flow_run_filter=run_filter)
        crashed_runs = [run for run in runs if not _is_running(layout, str(run.id))]
        for run in crashed_runs:
            client.set_flow_run_state(run.id, Crashed(message="its process ended before the run did"), force=True)
    return len(crashed_runs)


def _is_running(layout: Layout, run: str) -> bool:
    mark = _get_mark_file(layout, run)
    try:
        with mark.open("r+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    mark.unlink(missing_ok=True)
    return False


def _get_mark_file(layout: Layout, run: str) -> Path:
    return layout.prefect / "running" / run
