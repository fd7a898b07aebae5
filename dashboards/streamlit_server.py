"""Streamlit server of the dashboard: its command line and options, and its process in the background.

It is bound to this machine unless a password or a login is set up, and it sends nothing outside.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dashboards.html.theme import THEME
from dashboards.http_server import PASSWORD
from flows.service.processes import HOST, BackgroundProcess, RunningProcess, answers_request, find_free_port
from warehouse.errors import BadInput
from warehouse.settings.addresses import is_local
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from warehouse.settings.loader import Settings

APP = Path(__file__).parent / "pages" / "app.py"

SECRETS = (Path(".streamlit/secrets.toml"), Path("~/.streamlit/secrets.toml"))
"""Files in which Streamlit looks for `[auth]`."""

SERVER_OPTIONS = {
    "server.headless": "true",
    "runner.postScriptGC": "false",
    "runner.magicEnabled": "false",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
}


def check_exposure(host: str) -> None:
    """Raise `BadInput` for an address beyond this machine while neither a password nor a login is set up."""
    if is_local(host) or os.environ.get(PASSWORD) or any("auth" in _read_secrets(file) for file in SECRETS):
        return
    cure = f"set {PASSWORD}, or [auth] in {SECRETS[0]}"
    raise BadInput(f"everybody who can reach {host} would see every document", cure)


def _read_secrets(file: Path) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(file.expanduser().read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read ({error})", "correct it: it must be TOML") from None


def build_server_command(port: int, address: str = "127.0.0.1") -> list[str]:
    """The command line that serves the dashboard."""
    options = {"server.address": address, "server.port": str(port), **SERVER_OPTIONS, **THEME}
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-P", "-m", "dashboards", "run", str(APP), *flags]


def start_dashboard(settings: Settings) -> RunningProcess:
    """The dashboard, started if none runs, on the port of the settings or, if that is in use, on a free one.

    Raises `ServerFailed` when it does not answer.
    """
    port = find_free_port(settings.dashboard.port)
    environment = {**os.environ, "KALENDS_WAREHOUSE": str(settings.warehouse.resolve())}
    process, command = make_dashboard_process(Layout(settings.warehouse)), build_server_command(port, HOST)
    return process.ensure_running(
        command, environment, lambda process_state: answers_request(process_state.port, "/_stcore/health"), port
    )[0]


def make_dashboard_process(layout: Layout) -> BackgroundProcess:
    """The dashboard of a warehouse, in the background."""
    return BackgroundProcess("dashboard", "dashboard", layout.prefect, frozenset({"run", str(APP)}))
