"""`kalends sql`: a table on a terminal, tab-separated lines elsewhere, JSON on demand."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from dashboards.cli.options import (
    ROWS,
    OutputFormat,
    WarehouseOption,
    load_settings,
    print_json,
    print_rows,
    with_format,
)
from warehouse.printable_text import ESCAPES


@with_format(*ROWS)
def sql(
    query: Annotated[str, typer.Argument(help="One read-only statement.")],
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of rows.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0.1, help="The time limit in seconds.")] = 30.0,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Run a read-only SQL query on the warehouse.

    It can read nothing else. 'SHOW TABLES' lists the tables, 'DESCRIBE documents' the columns of one.
    """
    from dashboards.serializers.sheets import number_repeated_names, serialize_query_result, to_json_row
    from warehouse.reader import Warehouse

    result = Warehouse(load_settings(warehouse).warehouse).run_sql(query, limit, seconds)
    if form is OutputFormat.JSON:
        print_json(serialize_query_result(result))
        return
    if form in ROWS:
        print_rows(form, number_repeated_names(result.columns), map(to_json_row, result.rows))
    elif sys.stdout.isatty():
        _print_table(result.columns, result.rows)
    else:
        for cells in (result.columns, *result.rows):
            typer.echo("\t".join(_format_cell(cell).translate(ESCAPES) for cell in cells))
    if result.truncated:
        typer.echo(f"only the first {limit} rows; raise --limit for more", err=True)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Draw a table; cells are text, never markup, and long ones are wrapped, not cut."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    escapes = {code: escape for code, escape in ESCAPES.items() if chr(code) != "\n"}
    table = Table(*(Column(Text(name.translate(escapes)), overflow="fold") for name in columns))
    for row in rows:
        table.add_row(*(Text(_format_cell(cell).translate(escapes)) for cell in row))
    Console().print(table)


def _format_cell(cell: Any) -> str:
    return "" if cell is None else str(cell)
