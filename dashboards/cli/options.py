"""Options that several commands share, among them `--format` with its short forms, and writers of JSON and rows.

A command declares the formats that it offers besides text and JSON (`with_format`) and gets the chosen one as its
parameter `form`; options, help, short forms and the refusal of two formats at once are made here.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic_core import to_json

from warehouse.errors import BadInput, BadSettings, UnreadableFile
from warehouse.journal import open_log
from warehouse.regular_files import require_regular_file
from warehouse.table_notation import escape_cell

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

    option = Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=ConfigOption)
    return declare_parameters(command, [*signature(function, eval_str=True).parameters.values(), option])


def declare_parameters(command: Callable[..., None], parameters: Sequence[Parameter]) -> Callable[..., None]:
    """The command with parameters that typer is to read in the place of its own."""
    # typer reads the types from the one, defaults and what it shows of an option from the other.
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
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
        with require_regular_file(file).open("rb"):
            pass
    except OSError as error:
        raise BadInput(f"{file} cannot be opened ({error.strerror})", "check the path and its permissions") from None
    ((_, document, _),) = read_files([Job(file.name, file)], load_settings(None).parse)
    if isinstance(document, UnreadableFile):
        raise document
    return document


class OutputFormat(StrEnum):
    """A format of a command's output."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MARKDOWN = "markdown"
    TIMEML = "timeml"
    SARIF = "sarif"
    GITHUB = "github"
    HTML = "html"


ROWS = (OutputFormat.JSONL, OutputFormat.CSV, OutputFormat.MARKDOWN)
"""The formats of what consists of rows."""
SHORT_FORMS = (OutputFormat.JSON, OutputFormat.CSV, OutputFormat.MARKDOWN, OutputFormat.TIMEML)
"""The formats that are options of their own as well; help shows --json of them."""
_Function = Callable[..., None]


def with_format(*more: OutputFormat) -> Callable[[_Function], _Function]:
    """Give a command the option --format, with text, JSON and `more`, in the place of its parameter `form`."""
    formats = (OutputFormat.TEXT, OutputFormat.JSON, *more)
    flags = [output_format for output_format in SHORT_FORMS if output_format in formats]

    def decorate(function: _Function) -> _Function:
        @wraps(function)
        def command(**values: Any) -> None:
            long_form = OutputFormat(values.pop("format"))
            short_forms = [flag for flag in flags if values.pop(flag.value)]
            function(**values, form=_choose_format(long_form, short_forms))

        options = [_make_format_option(formats), *map(_make_short_option, flags)]
        parameters = [
            option
            for parameter in signature(function, eval_str=True).parameters.values()
            for option in (options if parameter.name == "form" else [parameter])
        ]
        return declare_parameters(command, parameters)

    return decorate


def _make_format_option(formats: Sequence[OutputFormat]) -> Parameter:
    choice: Any = Literal[tuple(output_format.value for output_format in formats)]
    annotation = Annotated[choice, typer.Option("--format", help="The format of the output.")]
    return Parameter("format", Parameter.POSITIONAL_OR_KEYWORD, default=OutputFormat.TEXT.value, annotation=annotation)


def _make_short_option(form: OutputFormat) -> Parameter:
    flag = typer.Option(f"--{form}", help=f"Short for --format {form}.", hidden=form is not OutputFormat.JSON)
    return Parameter(form.value, Parameter.POSITIONAL_OR_KEYWORD, default=False, annotation=Annotated[bool, flag])


def _choose_format(long_form: OutputFormat, short_forms: Sequence[OutputFormat]) -> OutputFormat:
    """The one format that the options name. Raises `BadInput` for several."""
    options = {short_form: f"--{short_form}" for short_form in short_forms}
    if long_form is not OutputFormat.TEXT and long_form not in options:
        options[long_form] = f"--format {long_form}"
    if len(options) > 1:
        raise BadInput(f"{' and '.join(options.values())} cannot be combined", "leave one of them out")
    return next(iter(options), OutputFormat.TEXT)


def print_result(form: OutputFormat, value: Any, lines: Iterable[str]) -> None:
    """Print a result as JSON, or its lines for people."""
    if form is OutputFormat.JSON:
        print_json(value)
        return
    for line in lines:
        typer.echo(line)


def print_json(value: Any) -> None:
    """Print records as JSON; NaN and infinity, which JSON does not have, are null."""
    typer.echo(to_json(value, indent=2, inf_nan_mode="null").decode())


def print_rows(form: OutputFormat, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows under the names of their columns, in one of the formats of `ROWS`.

    CSV has a header, Unix line ends and lists as JSON; a line of JSON lines is an object; a cell of Markdown has its
    line breaks as <br>.
    """
    match form:
        case OutputFormat.CSV:
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerows([names, *([_format_cell(cell) for cell in row] for row in rows)])
            typer.echo(text.getvalue(), nl=False)
        case OutputFormat.JSONL:
            print_json_lines(dict(zip(names, row, strict=True)) for row in rows)
        case OutputFormat.MARKDOWN:
            body = [[escape_cell("<br>".join(_format_cell(cell).split("\n"))) for cell in row] for row in rows]
            for cells in (list(map(escape_cell, names)), ["---"] * len(names), *body):
                typer.echo(f"| {' | '.join(cells)} |")
        case _:
            raise ValueError(f"{form} is no format of rows")


def print_json_lines(values: Iterable[Any]) -> None:
    """Print an object a line."""
    for value in values:
        typer.echo(to_json(value, inf_nan_mode="null").decode())


def _format_cell(value: Any) -> str:
    """A cell as text: nothing for null, true and false as JSON has them, and lists and objects as JSON."""
    if value is None:
        return ""
    return to_json(value).decode() if isinstance(value, bool | list | tuple | dict) else str(value)
