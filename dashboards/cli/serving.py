"""`kalends up`, `kalends down` and `kalends status`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of
from flows import server
from warehouse.records import Status
from warehouse.settings import origins, values
from warehouse.store.generations import current
from warehouse.store.layout import Layout


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command()(up)
    app.command()(down)
    app.command()(status)


def up(warehouse: WarehouseOption = None) -> None:
    """Start the local Prefect server in the background."""
    found, started = server.up(Layout(settings_of(warehouse).warehouse))
    typer.echo(f"Prefect server {'started' if started else 'already runs'}: {found.ui} (process {found.pid})")


def down(warehouse: WarehouseOption = None) -> None:
    """Stop the local Prefect server."""
    stopped = server.down(Layout(settings_of(warehouse).warehouse))
    typer.echo("Prefect server stopped." if stopped else "No Prefect server of this warehouse runs.")


def status(
    settings: Annotated[bool, typer.Option("--settings", help="Print each setting with its origin.")] = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Print what the warehouse holds and what runs."""
    if settings:
        _settings({"warehouse": warehouse}, json)
        return
    found = _status(Layout(settings_of(warehouse).warehouse))
    if json:
        print_json(found)
        return
    for name, value in found.items():
        typer.echo(f"{name.replace('_', ' '):20} {_shown(value)}")


def _settings(overrides: dict[str, Any], json: bool) -> None:
    chosen, places = values(settings_of(overrides["warehouse"])), origins(overrides)
    if json:
        print_json({name: {"value": value, "origin": places[name]} for name, value in chosen.items()})
        return
    for name, value in chosen.items():
        typer.echo(f"{name} = {value!r}  ({places[name]})")


def _status(layout: Layout) -> dict[str, Any]:
    running = server.find(layout)
    found: dict[str, Any] = {"warehouse": str(layout.folder), "prefect_server": running.ui if running else None}
    generation = current(layout)
    if generation is None:
        return {**found, "generation": None}
    holdings = generation.holdings()
    readable = [holding for holding in holdings if holding.status is not Status.UNREADABLE]
    run = generation.runs()[-1]
    return {
        **found,
        "generation": generation.manifest.number,
        "published": run.started,
        "documents": len(readable),
        "unreadable_documents": len(holdings) - len(readable),
        "chunks": sum(holding.chunk_count for holding in holdings),
        "tables": sum(holding.table_count for holding in holdings),
        "model": generation.manifest.model,
        "vectors": generation.manifest.base_count + generation.manifest.delta_count,
        "roots": {root.name: str(root.folder) for root in generation.manifest.roots},
        "kinds": _counts([str(holding.kind) for holding in readable]),
        "unreadable": {h.file.source: h.reason for h in holdings if h.reason},
        "last_run": {cost.stage: round(cost.seconds, 3) for cost in run.stages},
    }


def _counts(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {item}" for key, item in value.items()) or "none"
    return "none" if value is None else str(value)
