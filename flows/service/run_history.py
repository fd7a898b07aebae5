"""Runs and deployments that a Prefect server has on record: the latest runs of a warehouse, and the schedules.

Read over HTTP, so that readers need not load Prefect.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from flows.locks import make_warehouse_tag
from flows.service.processes import find_server
from warehouse.errors import ServerFailed
from warehouse.store.layout import Layout

TIMEOUT_SECONDS = 3.0
MAX_RUNS = 20  # Runs read at most.


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run of a flow, in any state."""

    id: str
    flow: str
    name: str
    state: str
    message: str
    started: datetime | None
    seconds: float


@dataclass(frozen=True, slots=True)
class RecordedDeployment:
    """A deployment and when it runs: cron expressions or intervals, with their time zones. `paused` runs at no time."""

    name: str
    description: str
    schedules: tuple[str, ...]
    paused: bool


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """The runs and deployments on a server. `ui` is the address of its pages for people."""

    ui: str
    runs: tuple[RecordedRun, ...]
    deployments: tuple[RecordedDeployment, ...]

    def get_run_page(self, run: str) -> str:
        """The page of a flow run."""
        return f"{self.ui}/runs/flow-run/{run}"


def read_server_record(layout: Layout) -> ServerRecord | None:
    """The record of the server named by PREFECT_API_URL, else the warehouse's own; None if that does not run.

    Raises `ServerFailed` where the server does not answer as Prefect does.
    """
    url = os.environ.get("PREFECT_API_URL")
    if not url:
        server = find_server(layout)
        if server is None:
            return None
        url = server.url
    # A named server may have the runs of other warehouses too. A server creates the runs of a schedule days ahead;
    # without the limit in time those would be the latest.
    due = {"expected_start_time": {"before_": datetime.now(UTC).isoformat()}}
    filters = {"flow_runs": {"tags": {"all_": [make_warehouse_tag(layout)]}, **due}}
    runs = _request_rows(url, "flow_runs/filter", {"sort": "EXPECTED_START_TIME_DESC", "limit": MAX_RUNS, **filters})
    flows = {flow["id"]: str(flow["name"]) for flow in _request_rows(url, "flows/filter", {})}
    deployments = _request_rows(url, "deployments/filter", {"sort": "NAME_ASC"})
    try:
        return ServerRecord(
            ui=url.removesuffix("/api"),
            runs=tuple(_parse_run(run, flows) for run in runs),
            deployments=tuple(_parse_deployment(deployment, flows) for deployment in deployments),
        )
    except (KeyError, TypeError, ValueError):
        raise ServerFailed(f"{url} is not a Prefect server of this version", "check PREFECT_API_URL") from None


def _request_rows(url: str, path: str, question: dict[str, Any]) -> Sequence[dict[str, Any]]:
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("PREFECT_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    error = ServerFailed(f"no Prefect server answers at {url}", "start it, or correct PREFECT_API_URL")
    if not url.startswith(("http://", "https://")):
        raise error
    try:
        # Its scheme is looked at above.
        request = Request(f"{url}/{path}", json.dumps(question).encode(), headers)  # noqa: S310
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
            answer = json.load(response)
    except HTTPError as refused:
        refused.close()
        raise error from None
    except (OSError, HTTPException, ValueError):
        raise error from None
    return answer if isinstance(answer, list) else []


def _parse_run(run: dict[str, Any], flows: dict[str, str]) -> RecordedRun:
    state = run.get("state") or {}
    start_time = run.get("start_time") or run.get("expected_start_time")
    return RecordedRun(
        id=run["id"],
        flow=flows.get(run["flow_id"], ""),
        name=run["name"],
        state=run.get("state_name") or "",
        message=state.get("message") or "",
        started=datetime.fromisoformat(start_time) if start_time else None,
        seconds=float(run.get("total_run_time") or 0.0),
    )


def _parse_deployment(deployment: dict[str, Any], flows: dict[str, str]) -> RecordedDeployment:
    schedules = [entry["schedule"] for entry in deployment.get("schedules") or () if entry.get("active", True)]
    name = f"{flows.get(deployment['flow_id'], '')}/{deployment['name']}"
    return RecordedDeployment(
        name,
        deployment.get("description") or "",
        tuple(map(_format_schedule, schedules)),
        bool(deployment.get("paused")),
    )


def _format_schedule(schedule: dict[str, Any]) -> str:
    zone = schedule.get("timezone") or "UTC"
    if "cron" in schedule:
        return f"{schedule['cron']} ({zone})"
    if "interval" in schedule:
        return f"every {float(schedule['interval']):g} s ({zone})"
    return str(schedule.get("rrule", ""))
