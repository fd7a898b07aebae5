"""`prefect.yaml` names flows that are there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import yaml
from prefect import Flow
from prefect.client.schemas.schedules import CronSchedule

ROOT = Path(__file__).parents[2]


def test_deployments_name_flows_that_are_there() -> None:
    declared = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))
    assert [deployment["name"] for deployment in declared["deployments"]] == ["nightly"]
    for deployment in declared["deployments"]:
        path, name = deployment["entrypoint"].split(":")
        assert isinstance(getattr(import_module(path.removesuffix(".py").replace("/", ".")), name), Flow)
        for schedule in deployment["schedules"]:
            CronSchedule(cron=schedule["cron"], timezone=schedule["timezone"])
