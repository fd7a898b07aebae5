"""Deployments of `prefect.yaml`, and the service that runs them: server, worker and schedules of a warehouse.

The file declares each deployment with its default schedule; the table `[schedules]` of the settings overrides it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from flows.orchestration import ProgressReporter, connect_prefect, silence_prefect
from flows.service import processes
from flows.service.processes import POOL, RunningProcess
from warehouse.errors import BadSettings, ServerFailed
from warehouse.settings.loader import Settings, find_settings_file
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from prefect import Flow
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.schedules import CronSchedule


DEPLOYMENT_FILE = Path(__file__).parent / "prefect.yaml"  # A link to the file at the top of the project.
NEVER = "never"
TAG = "warehouse:"
_VARIABLE = re.compile(r"{{ \$(\w+) }}")


@dataclass(frozen=True, slots=True)
class DeclaredDeployment:
    """A deployment as the file and the settings declare it; without a schedule it runs when it is started by hand."""

    name: str
    description: str
    entrypoint: str
    schedule: CronSchedule | None
    parameters: Mapping[str, Any]
    pull: Sequence[Mapping[str, Any]]
    job_variables: Mapping[str, Any]
    tags: tuple[str, ...]

    @property
    def when(self) -> str:
        """Its times, in words."""
        return f"{self.schedule.cron} ({self.schedule.timezone})" if self.schedule else "when it is started by hand"


def read_deployments(settings: Settings) -> tuple[DeclaredDeployment, ...]:
    """The deployments of a warehouse. Raises `BadSettings` for an invalid schedule."""
    settings_path = find_settings_file(settings.warehouse).resolve()
    variables = {
        "KALENDS_HOME": str(settings_path.parent if settings_path.exists() else Path.cwd()),
        "KALENDS_CONFIG": str(settings_path) if settings_path.exists() else "",
        "KALENDS_WAREHOUSE": str(settings.warehouse.resolve()),
    }
    text = DEPLOYMENT_FILE.read_text("utf-8")
    file = yaml.safe_load(_VARIABLE.sub(lambda match: json.dumps(variables[match[1]])[1:-1], text))
    return tuple(
        DeclaredDeployment(
            name=deployment["name"],
            description=deployment["description"],
            entrypoint=deployment["entrypoint"],
            schedule=_build_schedule(deployment, settings),
            parameters=deployment.get("parameters", {}),
            pull=file["pull"],
            job_variables=deployment["work_pool"]["job_variables"],
            tags=tuple(deployment["tags"]),
        )
        for deployment in file["deployments"]
    )


def create_deployments(deployments: Sequence[DeclaredDeployment], *, is_shared: bool) -> None:
    """Put the deployments on the server of Prefect's settings, with their work pool; overdue runs are dropped.

    Otherwise the runs that the machine slept through would all follow when it wakes. Raises `ServerFailed` where a
    `is_shared` server has deployments of another warehouse.
    """
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import WorkPoolCreate
    from prefect.exceptions import ObjectAlreadyExists
    from prefect.workers.process import ProcessWorker

    names = {deployment.name for deployment in deployments}
    tags = {tag for deployment in deployments for tag in deployment.tags}
    with get_client(sync_client=True) as client:
        for deployment in client.read_deployments() if is_shared else ():
            foreign_tags = [tag for tag in deployment.tags if tag.startswith(TAG) and tag not in tags]
            if deployment.name in names and foreign_tags:
                problem = f"this Prefect server serves another warehouse ({foreign_tags[0].removeprefix(TAG)})"
                raise ServerFailed(problem, "unset PREFECT_API_URL: each warehouse has a server of its own")
        template = ProcessWorker.get_default_base_job_template()
        with suppress(ObjectAlreadyExists):
            client.create_work_pool(WorkPoolCreate(name=POOL, type=ProcessWorker.type, base_job_template=template))
        for declared in deployments:
            _drop_overdue_runs(client, _create_deployment(client, declared))


def _build_schedule(deployment: Mapping[str, Any], settings: Settings) -> CronSchedule | None:
    from prefect.client.schemas.schedules import CronSchedule

    default = deployment["schedules"][0]
    name = deployment["name"].replace("-", "_")
    cron = getattr(settings.schedules, name) or default["cron"]
    if cron == NEVER:
        return None
    try:
        return CronSchedule(cron=cron, timezone=settings.schedules.timezone or default["timezone"])
    except ValueError:
        usage = f'a cron expression ("{default["cron"]}") or "{NEVER}", and a time zone like Europe/Berlin'
        raise BadSettings(f"setting 'schedules.{name}': {cron!r} is not a schedule", f"use {usage}") from None


def _create_deployment(client: SyncPrefectClient, deployment: DeclaredDeployment) -> Any:
    """Create the deployment; returns its id."""
    from prefect.client.schemas.actions import DeploymentScheduleCreate
    from prefect.flows import load_flow_from_entrypoint
    from prefect.utilities.callables import parameter_schema

    flow: Flow[..., Any] = load_flow_from_entrypoint(deployment.entrypoint, use_placeholder_flow=False)
    return client.create_deployment(
        flow_id=client.create_flow_from_name(flow.name),
        name=deployment.name,
        description=deployment.description,
        entrypoint=deployment.entrypoint,
        schedules=[DeploymentScheduleCreate(schedule=deployment.schedule)] if deployment.schedule else [],
        parameters=dict(deployment.parameters),
        tags=list(deployment.tags),
        work_pool_name=POOL,
        pull_steps=[dict(step) for step in deployment.pull],
        job_variables=dict(deployment.job_variables),
        parameter_openapi_schema=parameter_schema(flow).model_dump_for_openapi(),
    )


def _drop_overdue_runs(client: SyncPrefectClient, deployment: Any) -> None:
    from prefect.client.schemas import filters, objects
    from prefect.types import DateTime

    state_filter = filters.FlowRunFilterStateType(any_=[objects.StateType.SCHEDULED])
    overdue = client.read_flow_runs(
        deployment_filter=filters.DeploymentFilter(id=filters.DeploymentFilterId(any_=[deployment])),
        flow_run_filter=filters.FlowRunFilter(
            state=filters.FlowRunFilterState(type=state_filter),
            expected_start_time=filters.FlowRunFilterExpectedStartTime(before_=DateTime.now(UTC)),
        ),
    )
    for run in overdue:
        if run.auto_scheduled:
            client.delete_flow_run(run.id)


@dataclass(frozen=True, slots=True)
class WarehouseService:
    """A running service: the server's address for people, the worker if there is one, and the deployments."""

    ui: str
    worker: RunningProcess | None
    deployments: tuple[DeclaredDeployment, ...]


def start_service(
    settings: Settings, report_progress: ProgressReporter, *, with_worker: bool = True
) -> WarehouseService:
    """Start what does not run yet and deploy what the settings declare.

    A server that PREFECT_API_URL names is used as it is. Raises `BadSettings`, and `ServerFailed` when something does
    not come up.
    """
    layout = Layout(settings.warehouse)
    silence_prefect()
    deployments = read_deployments(settings)
    with connect_prefect(layout, report_progress) as url:
        local_server = None if os.environ.get("PREFECT_API_URL") else processes.find_server(layout)
        create_deployments(deployments, is_shared=local_server is None)
        running = processes.start_worker(layout, url, local_server) if with_worker else None
    return WarehouseService(url.removesuffix("/api"), running, deployments)
