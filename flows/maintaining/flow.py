"""The flow `maintain`, for a schedule; the command does the same without a server."""

from __future__ import annotations

from prefect import flow

from flows.maintaining.maintenance import maintain_warehouse
from flows.maintaining.upkeep import MaintenanceReport
from warehouse.settings.loader import Settings, load


@flow(name="maintain", validate_parameters=False)
def maintain(settings: Settings | None = None) -> MaintenanceReport:
    """Keep the warehouse of the settings small and quick. Raises what `maintain_warehouse` raises."""
    return maintain_warehouse(settings or load())
