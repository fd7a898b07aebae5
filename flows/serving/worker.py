"""The process worker: takes the runs of the deployments one at a time, each in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from flows.server import QUIET, PrefectServer, answers
from flows.serving.deploying import POOL
from flows.serving.standing import HOST, BackgroundProcess, RunningProcess, clean_environment, free_port
from warehouse.store.layout import Layout


def find(layout: Layout) -> RunningProcess | None:
    """The warehouse's worker, if it runs."""
    return _standing(layout).running()


def up(layout: Layout, url: str, server: PrefectServer | None) -> tuple[RunningProcess, bool]:
    """The worker for the server at an address, the warehouse's own if it is named, started if need be.

    The flag says whether it was. Raises `ServerFailed` when it does not come up.
    """
    standing = _standing(layout)
    known = standing.running()
    if known and server and known.created < server.created:
        # It asks a server that is no more.
        standing.down()
    port = free_port()
    environment = {
        **clean_environment(),
        **QUIET,
        "PREFECT_API_URL": url,
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO",
        "PREFECT_HOME": str(layout.prefect.resolve()),
        "PREFECT_WORKER_WEBSERVER_HOST": HOST,
        "PREFECT_WORKER_WEBSERVER_PORT": str(port),
    }
    return standing.up(_command, environment, _healthy, port)


def down(layout: Layout) -> bool:
    """Stop the worker with the run that it has begun. Returns whether one ran."""
    return _standing(layout).down()


def log(layout: Layout) -> Path:
    """What it prints."""
    return _standing(layout).log


def _standing(layout: Layout) -> BackgroundProcess:
    return BackgroundProcess("Prefect worker", "worker", layout.prefect, frozenset({"prefect", "worker"}))


def _command(port: int) -> list[str]:
    options = ["--pool", POOL, "--type", "process", "--name", POOL, "--limit", "1", "--with-healthcheck"]
    return [sys.executable, "-m", "prefect", "worker", "start", *options]


def _healthy(found: RunningProcess) -> bool:
    return answers(found.port, "/health")
