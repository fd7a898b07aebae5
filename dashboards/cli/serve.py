"""`kalends serve`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from dashboards.cli.options import WarehouseOption, settings_of


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 0 takes a free one [default: 8000].")
    ] = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Serve the HTTP API on this machine; on any other address a token is asked for (KALENDS_TOKEN)."""
    from dashboards.api.serving import serve as run

    settings = settings_of(warehouse)
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    chosen = settings.model_copy(update={"serve": settings.serve.model_copy(update=given)})
    run(chosen, partial(_print), partial(_print, err=True))


def _print(line: str, *, err: bool = False) -> None:
    typer.echo(line, err=err)
    # Whoever started this process may be waiting for the line.
    (typer.get_text_stream("stderr") if err else typer.get_text_stream("stdout")).flush()
