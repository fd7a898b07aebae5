"""The dashboard as a background process of a warehouse, for this machine alone."""

from __future__ import annotations

from dashboards.launching import APP, server_command
from flows.service.processes import HOST, BackgroundProcess, RunningProcess, answers, clean_environment, free_port
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout


def find_dashboard(layout: Layout) -> RunningProcess | None:
    """The warehouse's dashboard, if it runs."""
    return _standing(layout).running()


def start_dashboard(settings: Settings) -> tuple[RunningProcess, bool]:
    """The dashboard, started if need be on the port of the settings or, where that is taken, on another.

    The flag says whether it was. Raises `ServerFailed` when it does not come up.
    """
    port = free_port(settings.dashboard.port)
    environment = {**clean_environment(), "KALENDS_WAREHOUSE": str(settings.warehouse.resolve())}
    standing = _standing(Layout(settings.warehouse))
    return standing.up(lambda port: server_command(port, HOST), environment, _healthy, port)


def stop_dashboard(layout: Layout) -> bool:
    """Stop it. Returns whether it ran."""
    return _standing(layout).down()


def dashboard_url(found: RunningProcess) -> str:
    """Where people find it."""
    return f"http://{HOST}:{found.port}"


def _standing(layout: Layout) -> BackgroundProcess:
    return BackgroundProcess("dashboard", "dashboard", layout.prefect, frozenset({"run", str(APP)}))


def _healthy(found: RunningProcess) -> bool:
    return answers(found.port, "/_stcore/health")
