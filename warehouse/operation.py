"""What can be set of running a warehouse: where it is kept, who computes, when, what waits, stays and is logged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

SECRETS = frozenset(
    {"key", "secret", "token", "password", "account_key", "sas_token", "connection_string", "credential"}
)
"""Options of filesystems that are credentials."""


class LakeSettings(BaseModel):
    """Where stage outputs are kept beside the warehouse's own folder, for other machines: any fsspec URL.

    `options` go to its filesystem (`endpoint_url`, `profile`); credentials are what that reads in the environment.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = ""
    options: dict[str, Any] = Field(default_factory=dict)

    @field_validator("url")
    @classmethod
    def _without_password(cls, url: str) -> str:
        if url and "://" not in url:
            raise ValueError(f"{url!r} is no URL; write it as s3://bucket/prefix or file:///folder")
        if "@" in url.partition("://")[2].partition("/")[0] and ":" in url.partition("://")[2].partition("@")[0]:
            raise ValueError("a password does not belong here; give it by the environment")
        return url

    @field_validator("options")
    @classmethod
    def _without_secrets(cls, options: dict[str, Any]) -> dict[str, Any]:
        # Runs keep the settings they had.
        if secret := SECRETS & options.keys():
            raise ValueError(f"{min(secret)!r} does not belong here; give credentials by the environment")
        return options


class ScaleSettings(BaseModel):
    """Who does the work: `dask` is the address of a Dask scheduler (`tcp://host:8786`), empty for this process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dask: str = ""


class RemovalSettings(BaseModel):
    """When documents that vanish from a root are kept: `least` of them or more, and over a `share` of the root's.

    A share of 1 lets all of them go.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    share: float = Field(default=0.5, ge=0, le=1)
    least: int = Field(default=20, ge=1)


class WatchSettings(BaseModel):
    """How a watch waits, in seconds: until nothing has changed for `quiet`; beside a file that never rests, `patience`.

    A file that is written without end is looked at after `longest`. Where the system does not tell of changes, all
    folders are looked through every `poll` seconds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    quiet: float = Field(default=0.3, gt=0)
    patience: float = Field(default=3.0, gt=0)
    longest: float = Field(default=60.0, gt=0)
    poll: float = Field(default=5.0, gt=0)

    @model_validator(mode="after")
    def _in_order(self) -> WatchSettings:
        if not self.quiet <= self.patience <= self.longest:
            raise ValueError("quiet, patience and longest must not fall")
        return self


class ScheduleSettings(BaseModel):
    """When what is deployed runs: cron expressions in a `timezone`, or "never"; left out, what prefect.yaml says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ingest: str = ""
    scan: str = ""
    quality_report: str = ""
    maintain: str = ""
    timezone: str = ""


class MaintainSettings(BaseModel):
    """What `kalends maintain` keeps: the newest `keep` generations, and the last of each of the past `days` days.

    What a reader may still hold open stays for `grace` minutes after it was replaced.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int = Field(default=10, ge=1)
    days: int = Field(default=30, ge=0)
    grace: int = Field(default=60, ge=0)


class LogSettings(BaseModel):
    """What is logged, one line an event: nothing unless a `level` is set.

    `file` lies in the warehouse's folder `logs`, if its path is not absolute; without one, lines go to standard error.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    level: Literal["off", "error", "warning", "info", "debug"] = "off"
    format: Literal["human", "logfmt", "json"] = "human"
    file: Path | None = None
