"""`kalends sql`: a table on a terminal, tab-separated lines elsewhere, JSON on demand."""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of
from warehouse.escaping import ESCAPES


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
    from warehouse.reader import Warehouse

    found = Warehouse(settings_of(warehouse).warehouse).sql(query, limit, seconds)
    if json:
        names = distinct(found.columns)
        rows = [dict(zip(names, map(_jsonable, row), strict=True)) for row in found.rows]
        print_json({"rows": rows, "truncated": found.truncated})
        return
    if sys.stdout.isatty():
        _draw(found.columns, found.rows)
    else:
        for cells in (found.columns, *found.rows):
            typer.echo("\t".join(_shown(cell).translate(ESCAPES) for cell in cells))
    if found.truncated:
        typer.echo(f"only the first {limit} rows; raise --limit for more", err=True)


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that were there before with a number: a, a_2."""
    found: list[str] = []
    for name in names:
        numbered = (f"{name}_{number}" for number in range(2, 2 * len(names) + 2))
        found.append(name if name not in found else next(each for each in numbered if each not in {*names, *found}))
    return found


def _draw(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Cells are text, never markup; long ones are folded, never cut."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    escapes = {code: escape for code, escape in ESCAPES.items() if chr(code) != "\n"}
    table = Table(*(Column(Text(name.translate(escapes)), overflow="fold") for name in columns))
    for row in rows:
        table.add_row(*(Text(_shown(cell).translate(escapes)) for cell in row))
    Console().print(table)


def _shown(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _jsonable(cell: Any) -> Any:
    """The cell with its bytes in base64 (RFC 4648, section 4)."""
    if isinstance(cell, bytes | bytearray | memoryview):
        return b64encode(cell).decode()
    if isinstance(cell, dict):
        return {key: _jsonable(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [_jsonable(value) for value in cell]
    return cell
