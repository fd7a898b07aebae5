"""`kalends dashboard`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from dashboards.cli.options import WarehouseOption, settings_of


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(dashboard)


def dashboard(
    host: Annotated[str | None, typer.Option(help="The address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port [default: 8501].")] = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Open the dashboard on this machine; beyond it a password (KALENDS_PASSWORD) or a login is asked for.

    A login is OpenID Connect's, set up by [auth] in .streamlit/secrets.toml; [dashboard] users says who may enter.
    """
    from dashboards.launching import command, guarded
    from dashboards.listening import bound, written

    settings = settings_of(warehouse)
    place, number = host or settings.dashboard.host, port or settings.dashboard.port
    guarded(place)
    bound(place, number).close()
    typer.echo(f"Dashboard: http://{written(place)}:{number} (Ctrl-C stops it)")
    sys.stdout.flush()
    # In place of this process, so that whatever stops this command stops the server too.
    environment = {**os.environ, "KALENDS_WAREHOUSE": str(settings.warehouse)}
    os.execve(sys.executable, command(number, place), environment)  # noqa: S606
