"""`kalends status`: contents and services of a warehouse, its settings with their origins, and files left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import OutputFormat, WarehouseOption, load_settings, print_json, print_result, with_format
from dashboards.cli.text_output import iter_labelled_lines
from warehouse.errors import BadInput
from warehouse.printable_text import ESCAPES
from warehouse.records import CatalogEntry, Status
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from warehouse.settings.loader import Settings


@with_format()
def status(
    settings: Annotated[bool, typer.Option("--settings", help="Print each setting and where it was set.")] = False,
    unreadable: Annotated[
        bool, typer.Option("--unreadable", help="Print the files that cannot be read, why, and what to do.")
    ] = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Show what the warehouse holds and which services run."""
    if settings and unreadable:
        raise BadInput("--settings and --unreadable cannot be combined", "leave one of them out")
    loaded_settings = load_settings(warehouse)
    if settings:
        from warehouse.settings.loader import find_origins

        _print_settings(loaded_settings, find_origins({"warehouse": warehouse}), form)
    elif unreadable:
        _print_unreadable(Layout(loaded_settings.warehouse), form)
    else:
        state = read_warehouse_status(Layout(loaded_settings.warehouse))
        print_result(form, state, _iter_status_lines(state))


def _print_settings(settings: Settings, places: dict[str, str], form: OutputFormat) -> None:
    """Print each setting, and of the secrets that are set only where they come from."""
    from warehouse.printable_text import HIDDEN
    from warehouse.settings.loader import find_secret_origins, flatten_settings

    setting_values, secrets = flatten_settings(settings), find_secret_origins()
    if form is OutputFormat.JSON:
        set_here = {name: {"value": HIDDEN, "origin": place} for name, place in secrets.items()}
        print_json(
            {name: {"value": value, "origin": places[name]} for name, value in setting_values.items()} | set_here
        )
        return
    for name, value in setting_values.items():
        typer.echo(f"{name} = {value!r}  ({places[name]})")
    for name, place in secrets.items():
        typer.echo(f"{name} is set  ({place})")


def _print_unreadable(layout: Layout, form: OutputFormat) -> None:
    """Print each file of which there is no version, or only an older one."""
    from warehouse.store.generations import find_current

    generation = find_current(layout)
    folders = {root.name: root.folder for root in generation.manifest.roots} if generation else {}
    entries = generation.read_entries() if generation else ()
    unread = [_serialize_unreadable_file(entry, folders[entry.file.root]) for entry in entries if entry.reason]
    if form is OutputFormat.JSON:
        print_json(unread)
        return
    for file_facts in unread:
        kept_note = " (its last good version is kept)" if file_facts["kept"] else ""
        typer.echo(f"{file_facts['path'].translate(ESCAPES)}{kept_note}")
        for name in ("problem", "cure"):
            for line in iter_labelled_lines(f"  {name}", file_facts[name], 10):
                typer.echo(line)
    if not unread:
        typer.echo("Every file was read." if generation else "Nothing has been ingested yet: kalends ingest FOLDER")


def _serialize_unreadable_file(entry: CatalogEntry, folder: Path) -> dict[str, Any]:
    from tasks.faults import split_problem_and_cure

    problem, cure = split_problem_and_cure(entry.reason)
    path, is_kept = str(folder / entry.file.path), entry.status is Status.STALE
    return {"source": entry.file.source, "path": path, "problem": problem, "cure": cure, "kept": is_kept}


def read_warehouse_status(layout: Layout) -> dict[str, Any]:
    """The contents of a warehouse, and which of its services run."""
    from dashboards.http_server import make_api_process
    from dashboards.streamlit_server import make_dashboard_process
    from flows.discovery import list_attachments
    from flows.service import processes
    from warehouse.store.generations import find_current
    from warehouse.store.works import compute_counts

    server = processes.find_server(layout)
    worker, board = processes.make_worker_process(layout).find_running(), make_dashboard_process(layout).find_running()
    api = make_api_process(layout).find_running()
    state: dict[str, Any] = {
        "warehouse": str(layout.folder),
        "prefect_server": server.ui if server else None,
        "worker": f"process {worker.pid}" if worker else None,
        "dashboard": board.ui if board else None,
        **({"http_api": api.ui} if api else {}),
    }
    generation = find_current(layout)
    if generation is None:
        return {**state, "generation": None}
    entries = generation.read_entries()
    readable = [entry for entry in entries if entry.status is not Status.UNREADABLE]
    counts = compute_counts(entries)
    run = generation.read_runs()[-1]
    return {
        **state,
        "generation": generation.manifest.number,
        **({"published": run.published} if run.published else {}),
        "run_started": run.started,
        "files": counts.files,
        "documents": counts.documents,
        "copies": counts.copies,
        "outdated_documents": counts.outdated,
        "unreadable_files": counts.unreadable,
        "attachments": sum(1 for _ in list_attachments(generation.manifest.roots)),
        "chunks": counts.passages,
        "tables": counts.tables,
        "model": generation.manifest.model,
        "vectors": generation.manifest.base_count + generation.manifest.delta_count,
        "roots": {root.name: str(root.folder) for root in generation.manifest.roots},
        "kinds": dict(sorted(Counter(str(entry.kind) for entry in readable).items())),
        "unreadable": {h.file.source: h.reason for h in entries if h.reason},
        "last_run": {cost.stage: round(cost.seconds, 3) for cost in run.stages},
    }


_LABEL = 20  # Width of the names of facts, in characters.


def _iter_status_lines(state: Mapping[str, Any]) -> Iterator[str]:
    """The facts, one a line; files that cannot be read are only counted here."""
    for name, value in state.items():
        if name != "unreadable":
            yield from iter_labelled_lines(name.replace("_", " "), _format_value(name, value), _LABEL)


def _format_value(name: str, value: Any) -> str:
    match value:
        case None:
            return "none"
        case datetime():
            return f"{value.astimezone():%Y-%m-%d %H:%M}"
        case dict():
            seconds = " s" if name == "last_run" else ""
            return "; ".join(f"{key}: {item}{seconds}" for key, item in value.items()) or "none"
        case _ if name == "unreadable_files" and value:
            return f"{value} (kalends status --unreadable)"
        case _:
            return str(value)
