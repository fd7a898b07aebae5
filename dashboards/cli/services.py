"""Commands for services: `kalends up`, `down`, `serve` (HTTP API), `mcp` and `dashboard`."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import WarehouseOption, load_settings
from warehouse.errors import BadInput
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from warehouse.settings.loader import Settings


def up(
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Do not start a worker; scheduled runs wait.")] = False,
    no_dashboard: Annotated[bool, typer.Option("--no-dashboard", help="Do not start the dashboard.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Ingest files as soon as they are saved.")] = False,
    api: Annotated[bool, typer.Option("--api", help="Serve the HTTP API too.")] = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Start the server, worker, dashboard and scheduled runs.

    They run in the background and accept connections from this machine only. A service that already runs is not
    started again. The times of scheduled runs are set in [schedules]. With --watch or --api the command stays, and
    Ctrl-C ends all of them.
    """
    settings = load_settings(warehouse)
    if not (watch or api):
        _start_services(settings, with_worker=not no_worker, with_dashboard=not no_dashboard)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if api:
            from dashboards.http_server import start_api

            typer.echo(f"HTTP API:        {start_api(settings).ui}")
        _start_services(settings, with_worker=not no_worker, with_dashboard=not no_dashboard)
        _print("Ctrl-C stops all of them.")
        if watch:
            from dashboards.cli.ingest import watch_until_stopped

            watch_until_stopped(settings, [])
        else:
            signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        _stop_services(Layout(settings.warehouse))
    sys.stdout.flush()
    # At once, without waiting for a running stage of the watch: the next run repeats it.
    os._exit(0)


def _start_services(settings: Settings, *, with_worker: bool, with_dashboard: bool) -> None:
    from dashboards.cli.progress_display import print_progress
    from dashboards.streamlit_server import start_dashboard
    from flows.service import deployments

    server_processes = deployments.start_service(settings, print_progress, with_worker=with_worker)
    lines = {"Prefect server": server_processes.ui}
    if server_processes.worker:
        lines["Worker"] = f"process {server_processes.worker.pid}"
    if with_dashboard:
        lines["Dashboard"] = start_dashboard(settings).ui
    for name, value in lines.items():
        typer.echo(f"{name + ':':16} {value}")
    typer.echo("Schedules:")
    for deployment in server_processes.deployments:
        typer.echo(f"  {deployment.name:16} {deployment.when}")


def down(warehouse: WarehouseOption = None) -> None:
    """Stop the services that run in the background."""
    _stop_services(Layout(load_settings(warehouse).warehouse))


def _stop_services(layout: Layout) -> None:
    from dashboards.http_server import make_api_process
    from dashboards.streamlit_server import make_dashboard_process
    from flows.service import processes

    services = {
        "HTTP API": make_api_process,
        "Dashboard": make_dashboard_process,
        "Prefect worker": processes.make_worker_process,
        "Prefect server": processes.make_server_process,
    }
    names = [name for name, process in services.items() if process(layout).stop()]
    for name in names:
        typer.echo(f"{name} stopped.")
    if not names:
        typer.echo("No service of this warehouse is running.")


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 0 chooses a free one [default: 8000].")
    ] = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Serve the HTTP API.

    By default to this machine only; other addresses need a token (KALENDS_TOKEN).
    """
    from dashboards.api.app import serve_api as run

    settings = load_settings(warehouse)
    options = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    serve_settings = settings.model_copy(update={"serve": settings.serve.model_copy(update=options)})
    run(serve_settings, _print, partial(_print, err=True))


def _print(line: str, *, err: bool = False) -> None:
    typer.echo(line, err=err)
    # Whoever started this process may be waiting for the line.
    (typer.get_text_stream("stderr") if err else typer.get_text_stream("stdout")).flush()


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP instead of standard input and output.")] = False,
    host: Annotated[
        str, typer.Option(help="The address to listen on; any but this machine's own needs KALENDS_TOKEN.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 chooses a free one.")] = 8765,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="Another host name that clients use for this machine.")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Leave out the tools that write.")] = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Serve tools to agents over MCP (Model Context Protocol).

    Over HTTP, agents must send the bearer token in KALENDS_TOKEN; if it is not set, a token is generated and printed.
    """
    from dashboards.mcp.server import McpService, serve_http, serve_stdio
    from warehouse.reader import Warehouse

    settings = load_settings(warehouse)
    service = McpService(settings, Warehouse(settings.warehouse), read_only)
    if not http:
        if sys.stdin.isatty():
            cure = "use --http to start it by hand"
            raise BadInput("this command reads the messages of an agent from standard input", cure)
        serve_stdio(service)
        return
    serve_http(service, (host, port), allow_host or ())


def dashboard(
    host: Annotated[str | None, typer.Option(help="The address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port [default: 8501].")] = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Serve the dashboard.

    By default to this machine only; on any other address it needs a password or a login. The password is in
    KALENDS_PASSWORD. Logins use OpenID Connect, configured by [auth] in .streamlit/secrets.toml; the setting
    dashboard.users lists who may log in.
    """
    from dashboards.http_server import format_url_host, open_listening_socket
    from dashboards.streamlit_server import build_server_command, check_exposure

    settings = load_settings(warehouse)
    place, number = host or settings.dashboard.host, port or settings.dashboard.port
    check_exposure(place)
    open_listening_socket(place, number).close()
    typer.echo(f"Dashboard: http://{format_url_host(place)}:{number} (Ctrl-C stops it)")
    sys.stdout.flush()
    # Replaces this process, so that stopping this command stops the server.
    environment = {**os.environ, "KALENDS_WAREHOUSE": str(settings.warehouse)}
    os.execve(sys.executable, build_server_command(number, place), environment)  # noqa: S606
