"""Options and arguments that several commands share: the warehouse, its settings, and a file to read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from warehouse.errors import BadInput, BadSettings, UnreadableFile
from warehouse.journal import open_log

if TYPE_CHECKING:
    from warehouse.records import Document
    from warehouse.settings.loader import Settings

WarehouseOption = Annotated[
    Path | None, typer.Option("--warehouse", "-w", help="The warehouse's folder [default: .kalends].")
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", help="The settings file [default: kalends.toml here, or beside the warehouse]."),
]
FileArgument = Annotated[Path, typer.Argument(help="The file.")]


def with_config(function: Callable[..., None]) -> Callable[..., None]:
    """The command with the option --config, which holds for the servers and workers that it starts too."""

    @wraps(function)
    def command(config: Path | None = None, **values: Any) -> None:
        if config is not None:
            from warehouse.settings.loader import use_settings_file

            use_settings_file(config)
        function(**values)

    declared = signature(function, eval_str=True)
    option = Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=ConfigOption)
    # typer reads the types from the one, defaults and what it shows of an option from the other.
    command.__annotations__ = {**function.__annotations__, "config": ConfigOption}
    command.__signature__ = declared.replace(parameters=[*declared.parameters.values(), option])  # type: ignore[attr-defined]
    return command


def load_settings(warehouse: Path | None) -> Settings:
    """The settings, with the warehouse of the command line; starts the log that they ask for. Raises `BadSettings`."""
    from warehouse.settings.loader import load_settings

    settings = load_settings({"warehouse": warehouse})
    try:
        open_log(settings.log, settings.warehouse)
    except OSError as error:
        raise BadSettings(f"the log cannot be written ({error.strerror})", "correct the setting 'log.file'") from None
    return settings


def read_document(file: Path) -> Document:
    """Parse a file, within the limits of the settings.

    Raises `BadInput` for a file that cannot be opened, `UnreadableFile` for one that cannot be parsed.
    """
    from tasks.parsers.reader import Job, read_files

    if file.is_dir():
        raise BadInput(f"{file} is a folder", "give a file")
    try:
        with file.open("rb"):
            pass
    except OSError as error:
        raise BadInput(f"{file} cannot be opened ({error.strerror})", "check the path and its permissions") from None
    ((_, document, _),) = read_files([Job(file.name, file)], load_settings(None).parse)
    if isinstance(document, UnreadableFile):
        raise document
    return document
