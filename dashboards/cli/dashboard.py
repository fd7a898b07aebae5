"""`kalends dashboard`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from dashboards.cli.options import WarehouseOption, settings_of

APP = Path(__file__).parents[1] / "app.py"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(dashboard)


def dashboard(
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1.")] = 8501, warehouse: WarehouseOption = None
) -> None:
    """Open the dashboard on this machine."""
    folder = settings_of(warehouse).warehouse
    options = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(APP)]
    command += [part for name, value in options.items() for part in (f"--{name}", value)]
    raise typer.Exit(subprocess.call(command, env={**os.environ, "KALENDS_WAREHOUSE": str(folder)}))
