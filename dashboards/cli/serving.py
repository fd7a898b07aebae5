"""`kalends up`, `kalends down` and `kalends status`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dashboards import standing
from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of
from flows import server
from flows.attachments import attachments
from flows.serving import worker
from warehouse.records import Status
from warehouse.settings.loader import origins, values
from warehouse.store.counts import counts_of
from warehouse.store.generations import current
from warehouse.store.layout import Layout


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command()(up)
    app.command()(down)
    app.command()(status)


def up(
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Start no worker: what is due waits.")] = False,
    no_dashboard: Annotated[bool, typer.Option("--no-dashboard", help="Start no dashboard.")] = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Put the warehouse into service: its Prefect server, a worker, the dashboard, and what runs by the clock.

    All run in the background, on this machine's own address, each once; [schedules] says the times.
    """
    from dashboards.cli.progress import tell
    from flows.serving import service

    settings = settings_of(warehouse)
    serving = service.up(settings, tell, with_worker=not no_worker)
    lines = {"Prefect server": serving.ui}
    if serving.worker:
        lines["Worker"] = f"process {serving.worker.pid}"
    if not no_dashboard:
        lines["Dashboard"] = standing.address(standing.up(settings)[0])
    for name, said in lines.items():
        typer.echo(f"{name + ':':16} {said}")
    typer.echo("Schedules:")
    for each in serving.deployments:
        typer.echo(f"  {each.name:16} {each.when}")


def down(warehouse: WarehouseOption = None) -> None:
    """Stop what 'kalends up' or an ingest started in the background."""
    from flows.serving import service

    layout = Layout(settings_of(warehouse).warehouse)
    stopped = (*(("Dashboard",) if standing.down(layout) else ()), *service.down(layout))
    for name in stopped or ("Nothing of this warehouse runs: nothing",):
        typer.echo(f"{name} stopped.")


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
    found: dict[str, Any] = {"warehouse": str(layout.folder), **_running(layout)}
    generation = current(layout)
    if generation is None:
        return {**found, "generation": None}
    entries = generation.entries()
    readable = [entry for entry in entries if entry.status is not Status.UNREADABLE]
    counts = counts_of(entries)
    run = generation.runs()[-1]
    return {
        **found,
        "generation": generation.manifest.number,
        **({"published": run.published} if run.published else {}),
        "run_started": run.started,
        "files": counts.files,
        "documents": counts.documents,
        "copies": counts.copies,
        "outdated_documents": counts.outdated,
        "unreadable_files": counts.unreadable,
        "attachments": sum(1 for _ in attachments(generation.manifest.roots)),
        "chunks": counts.passages,
        "tables": counts.tables,
        "model": generation.manifest.model,
        "vectors": generation.manifest.base_count + generation.manifest.delta_count,
        "roots": {root.name: str(root.folder) for root in generation.manifest.roots},
        "kinds": _counts([str(entry.kind) for entry in readable]),
        "unreadable": {h.file.source: h.reason for h in entries if h.reason},
        "last_run": {cost.stage: round(cost.seconds, 3) for cost in run.stages},
    }


def _running(layout: Layout) -> dict[str, Any]:
    served, working, shown = server.find(layout), worker.find(layout), standing.find(layout)
    return {
        "prefect_server": served.ui if served else None,
        "worker": f"process {working.pid}" if working else None,
        "dashboard": standing.address(shown) if shown else None,
    }


def _counts(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {item}" for key, item in value.items()) or "none"
    return "none" if value is None else str(value)
