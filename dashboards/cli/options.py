"""Options that several verbs share, and the way records are printed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic_core import to_json

from warehouse.errors import BadSettings
from warehouse.journal import keep
from warehouse.settings.loader import Settings, load

WarehouseOption = Annotated[
    Path | None, typer.Option("--warehouse", "-w", help="The warehouse's folder [default: .kalends].")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def settings_of(warehouse: Path | None) -> Settings:
    """The settings with what the command line says; what they log is logged from now on. Raises `BadSettings`."""
    settings = load({"warehouse": warehouse})
    try:
        keep(settings.log, settings.warehouse)
    except OSError as error:
        raise BadSettings(f"the log cannot be written ({error.strerror})", "correct the setting 'log.file'") from None
    return settings


def print_json(value: Any) -> None:
    """Print a record, or a structure of records, as JSON; what JSON has no number for (NaN, infinity) is null."""
    typer.echo(to_json(value, indent=2, inf_nan_mode="null").decode())
