"""`kalends doctor`: whether the installation and the warehouse are well, each trouble with its cure."""

from __future__ import annotations

from typing import Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of

DeepOption = Annotated[bool, typer.Option("--deep", help="Read every file of the warehouse from end to end.")]
ModelsOption = Annotated[bool, typer.Option("--models", help="Load the model, too.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(doctor)


def doctor(
    deep: DeepOption = False, models: ModelsOption = False, warehouse: WarehouseOption = None, json: JsonOption = False
) -> None:
    """Look whether all is well; exit code 1 where it is not. Changes nothing."""
    from flows.doctor.diagnosis import Level
    from flows.doctor.examining import examine

    found = list(examine(settings_of(warehouse), deep=deep, models=models))
    if json:
        print_json(found)
    else:
        for each in found:
            cure = f" -> {each.cure}" if each.cure else ""
            typer.echo(f"{each.level:8} {each.check:13} {each.line}{cure}")
    if any(each.level is Level.ERROR for each in found):
        raise typer.Exit(1)
