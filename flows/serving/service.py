"""The service of a warehouse: its server, its worker and what is deployed, brought up together and stopped together."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from flows import server
from flows.launching import keep_quiet, orchestrated
from flows.serving import worker
from flows.serving.deploying import DeclaredDeployment, declared, deploy
from flows.serving.standing import RunningProcess
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class WarehouseService:
    """What serves: the address of the server for people, the worker if one is wanted, and the deployments."""

    ui: str
    worker: RunningProcess | None
    deployments: tuple[DeclaredDeployment, ...]


def up(settings: Settings, say: Callable[[str], None], *, with_worker: bool = True) -> WarehouseService:
    """Start what does not run yet and deploy what the settings declare.

    A server that PREFECT_API_URL names is used as it is. Raises `BadSettings`, and `ServerFailed` when something does
    not come up.
    """
    layout = Layout(settings.warehouse)
    keep_quiet()
    deployments = declared(settings)
    with orchestrated(layout, say) as url:
        own = None if os.environ.get("PREFECT_API_URL") else server.find(layout)
        deploy(deployments, shared=own is None)
        running = worker.up(layout, url, own)[0] if with_worker else None
    return WarehouseService(url.removesuffix("/api"), running, deployments)


def down(layout: Layout) -> tuple[str, ...]:
    """Stop the worker and then the server that it tells of its end. Returns the names of those that ran."""
    parts = (("Prefect worker", worker.down), ("Prefect server", server.down))
    return tuple(name for name, stop in parts if stop(layout))
