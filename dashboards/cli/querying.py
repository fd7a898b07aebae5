"""`kalends sql`."""

from __future__ import annotations

from typing import Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(sql)


def sql(
    query: Annotated[str, typer.Argument(help="One read-only statement.")],
    limit: Annotated[int, typer.Option(min=1, help="At most so many rows.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0.1, help="At most so long.")] = 30.0,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Ask the warehouse in SQL; it can read nothing else and change nothing."""
    from rich.console import Console
    from rich.table import Table

    from warehouse.reader import Warehouse

    found = Warehouse(settings_of(warehouse).warehouse).sql(query, limit, seconds)
    if json:
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        print_json({"rows": rows, "truncated": found.truncated})
        return
    table = Table(*found.columns)
    for row in found.rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    Console(soft_wrap=False).print(table)
    if found.truncated:
        typer.echo(f"only the first {limit} rows; raise --limit for more", err=True)
