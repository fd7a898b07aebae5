"""Execution of flows against the warehouse's own Prefect server.

Prefect is kept quiet and sends no telemetry; its results lie in the warehouse folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from flows.progress import IngestReport
from flows.roots import Removal, select_scopes
from flows.service.processes import QUIET, find_server, start_server, stop_server
from warehouse.errors import ServerFailed
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

ProgressReporter = Callable[[str], None]  # Prints, or stores, a line that says how far a run is.


def run_ingest(
    settings: Settings,
    paths: Sequence[Path],
    report_progress: ProgressReporter,
    drop: Sequence[str] = (),
    removal: Removal = Removal.NAMED,
    patience: float = 0.0,
    *,
    again: bool = False,
) -> IngestReport:
    """Run the flow `ingest` on the local server, which is started if need be.

    Waits `patience` seconds for another process that writes. With `again` every file is read again. Raises what the
    flow raises, and `ServerFailed` when the server does not start. Bad input is refused before anything is started.
    """
    layout = Layout(settings.warehouse)
    select_scopes(settings, find_latest(layout), paths, drop)
    with connect_prefect(layout, report_progress):
        from flows.ingest import ingest

        return ingest([str(path) for path in paths], drop, settings, removal, patience, again=again)


@contextmanager
def connect_prefect(layout: Layout, report_progress: ProgressReporter, target: Layout | None = None) -> Iterator[str]:
    """Prefect's settings for runs in this process; gives the address of the server's API.

    A server named by PREFECT_API_URL is used as it is. The runs are tagged with the warehouse they write to: `target`,
    by default that of the server. Raises `ServerFailed` when the named server does not answer, or the local one does
    not start.
    """
    layout.make_folder()
    silence_prefect()
    url = named_url = os.environ.get("PREFECT_API_URL")
    if not url:
        server = find_server(layout)
        if server is None:
            report_progress("Starting the local Prefect server in the background (once; 'kalends down' stops it) …")
            server, _ = start_server(layout)
            report_progress(f"Prefect server: {server.ui}")
        url = server.url
    from prefect import tags
    from prefect.client.orchestration import get_client
    from prefect.settings import (
        PREFECT_API_URL,
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
        PREFECT_HOME,
        PREFECT_LOCAL_STORAGE_PATH,
        temporary_settings,
    )

    prefect_settings = {
        PREFECT_API_URL: url,
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
        PREFECT_HOME: layout.prefect.resolve(),
        PREFECT_LOCAL_STORAGE_PATH: layout.prefect.resolve() / "results",
    }
    from flows.locks import make_warehouse_tag

    with temporary_settings(prefect_settings), tags(make_warehouse_tag(target or layout)):
        if named_url:
            # Prefect's own client knows the user's keys, certificates, proxies.
            with get_client(sync_client=True) as client:
                problem = client.api_healthcheck()
            if problem is not None:
                cure = "unset PREFECT_API_URL or start that server"
                raise ServerFailed(f"no Prefect server answers at {named_url}", cure)
        yield url


def silence_prefect() -> None:
    """Set the variables, read when Prefect is imported, that stop its telemetry and its output."""
    os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")


@contextmanager
def temporary_server(layout: Layout) -> Iterator[None]:
    """Stop the local server at the end if it did not run at the beginning."""
    running = find_server(layout)
    try:
        yield
    finally:
        if not running and find_server(layout):
            flush_events()
            stop_server(layout)


def flush_events() -> None:
    """Send Prefect's pending events and logs; without the server it would retry for a minute."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    EventsWorker.drain_all(at_exit=False)
    APILogWorker.drain_all(at_exit=False)
