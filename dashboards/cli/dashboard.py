"""`kalends dashboard`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from dashboards.cli.options import WarehouseOption, settings_of
from dashboards.launching import command


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(dashboard)


def dashboard(
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1.")] = 8501, warehouse: WarehouseOption = None
) -> None:
    """Open the dashboard on this machine."""
    folder = settings_of(warehouse).warehouse
    typer.echo(f"Dashboard: http://127.0.0.1:{port} (Ctrl-C stops it)")
    sys.stdout.flush()
    # In place of this process, so that whatever stops this command stops the server too.
    os.execve(sys.executable, command(port), {**os.environ, "KALENDS_WAREHOUSE": str(folder)})  # noqa: S606
