"""`kalends mcp`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dashboards.cli.options import WarehouseOption, settings_of
from warehouse.errors import BadInput


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(mcp)


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP, not over standard input and output.")] = False,
    host: Annotated[str, typer.Option(help="The address to serve; beyond this machine it takes KALENDS_TOKEN.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name by which clients call this machine.")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Leave out the tools that write.")] = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Offer the tools to any agent by the Model Context Protocol.

    Over HTTP an agent must send the bearer token KALENDS_TOKEN; where it is not set one is made and shown.
    """
    from dashboards.mcp.desks import Service
    from dashboards.mcp.serving import serve_http, serve_stdio
    from warehouse.reader import Warehouse

    settings = settings_of(warehouse)
    service = Service(settings, Warehouse(settings.warehouse), read_only)
    if not http:
        if sys.stdin.isatty():
            raise BadInput("an agent starts this command and talks to its input", "use --http to serve by hand")
        serve_stdio(service)
        return
    serve_http(service, (host, port), allow_host or ())
