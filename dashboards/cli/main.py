"""The command `kalends`: its commands and their help, and errors as one line and an exit code."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from dashboards.cli.options import with_config
from warehouse.errors import KalendsError
from warehouse.journal import is_logging, record_internal_error
from warehouse.printable_text import hide_secrets

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
FULL = {errno.ENOSPC, errno.EDQUOT}
INTERRUPTED = 130

TOPICS: Mapping[str, Mapping[str, str]] = {
    "Start": {"init": "init", "ingest": "ingest", "plan": "ingest", "watch": "ingest"},
    "Search and ask": {"search": "search", "ask": "ask", "chat": "ask", "verify": "search", "sql": "sql"},
    "Look into a file": {"parse": "parse", "chunks": "parse", "tables": "parse", "dates": "dates"},
    "Check and correct": {"check": "check", "rules": "check", "correct": "corrections", "corrections": "corrections"},
    "Measure the search": {"evaluate": "evaluate", "explain-loss": "evaluate"},
    "Services": {"up": "services", "down": "services", "serve": "services", "mcp": "services", "dashboard": "services"},
    "Upkeep": {"status": "status", "doctor": "maintain", "maintain": "maintain"},
}
"""The commands in the order of `kalends --help`, each with the module of `dashboards.cli` that has its function."""
MODULES = {name: module for commands in TOPICS.values() for name, module in commands.items()}
WITHOUT_SETTINGS = {"init", "rules"}
_LIST = re.compile(r"<list\[(.*?)\]>")
_TYPES = {"<str>": "<text>", "<int>": "<number>", "<int range>": "<number>", "<float range>": "<number>"}
_AGAIN = "(may be repeated)"


def simplify_types(option: str, description: str, *, is_repeated: bool = True) -> tuple[str, str]:
    """An option or argument and its description, with its type in words that need no knowledge of Python."""
    plain_option = _LIST.sub(r"<\1>", option)
    many = is_repeated and plain_option != option
    for technical, plain in _TYPES.items():
        plain_option = plain_option.replace(technical, plain)
    return plain_option, f"{description} {_AGAIN}" if many else description


class CommandPage(TyperCommand):
    """The help of one command: its arguments, then its options in groups, the unnamed group first."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the groups."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record:
                is_argument = param.param_type_name == "argument"
                name = "Arguments" if is_argument else getattr(param, "rich_help_panel", None) or "Options"
                groups.setdefault(name, []).append(simplify_types(*record, is_repeated=not is_argument))
        for name, rows in groups.items():
            if rows:
                with formatter.section(name):
                    formatter.write_dl(rows)


class LazyCommands(TyperGroup):
    """All commands by topic. The module of one is imported when it is called or shown, and of none before."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands in the order of the topics."""
        return [*MODULES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None for an unknown one: then all are loaded, to suggest the nearest."""
        for name in (cmd_name,) if cmd_name in MODULES else MODULES:
            if name not in self.commands:
                function = getattr(import_module(f"dashboards.cli.{MODULES[name]}"), name.replace("-", "_"))
                alone = typer.Typer(add_completion=False, rich_markup_mode=None)
                alone.command(name, cls=CommandPage)(function if name in WITHOUT_SETTINGS else with_config(function))
                self.commands[name] = get_command(alone)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each topic."""
        widest = max(map(len, self.list_commands(ctx)))
        for topic, names in TOPICS.items():
            with formatter.section(topic):
                commands = ((name, self.get_command(ctx, name)) for name in names)
                limit = formatter.width - 6 - widest
                rows = [
                    (f"{name:<{widest}}", command.get_short_help_str(limit)) for name, command in commands if command
                ]
                formatter.write_dl(rows)


app = typer.Typer(
    cls=LazyCommands,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    # Square brackets in help are text.
    rich_markup_mode=None,
)


def _show_version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"kalends {version('kalends')}")
        raise typer.Exit


@app.callback()
def apply_common_options(
    log: Annotated[
        Literal["debug", "info", "warning", "error"] | None,
        typer.Option("--log", help="Log events of at least this level, one line each [default: no log]."),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """A temporal document warehouse: the passage, the figure and the period, with proof.

    Begin with 'kalends init FOLDER' and 'kalends ingest', then 'kalends ask "…"'. 'kalends COMMAND --help' explains a
    command. Exit codes: 0 for success, 1 for something to look at, 2 for what could not be done.
    """
    if log:
        # Most commands need no pydantic-settings so early.
        from warehouse.settings.loader import format_variable

        # Servers and workers that a command starts log the same.
        os.environ[format_variable("log.level")] = log


def main() -> None:
    """Run the command line and end the process; only for the console script."""
    _open_streams()
    os.environ.update({name: value for name, value in OFFLINE.items() if name not in os.environ})
    # Imports and batches make many objects and little garbage: collected rarely, a start is a sixth faster.
    gc.set_threshold(100_000, 50, 50)
    code = 0

    def leave() -> None:
        # Freeing a loaded model object by object costs a second of every run and gives nothing that the system
        # does not take back anyway. Output that a closed pipe or a full disk does not accept is dropped.
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(code)

    # Registered before all others, it runs after all others.
    atexit.register(leave)
    code = run(sys.argv[1:])
    sys.exit(code)


def run(words: Sequence[str]) -> int:
    """Run a command; every error is one line on standard error. Returns the exit code."""
    try:
        outcome = app(list(words) or ["--help"], prog_name="kalends", standalone_mode=False)
        if outcome == INTERRUPTED:
            raise KeyboardInterrupt
        return outcome if isinstance(outcome, int) else 0
    except SystemExit as outcome:
        return outcome.code if isinstance(outcome.code, int) else 0
    except TyperException as error:
        return _print_error(_describe_usage_error(error), 2)
    except KalendsError as error:
        return _print_error(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _print_error("interrupted; run the same command again to continue from here", INTERRUPTED)
    except Exception as error:
        if os.environ.get("KALENDS_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in FULL:
            return _print_error(
                "the disk, or the device that the output goes to, is full: free some space and run the command again", 2
            )
        return _print_error(_describe_internal_error(error), 1)


def _describe_internal_error(error: Exception) -> str:
    reference = record_internal_error(error)
    message = " ".join(str(error).split())[:300]
    line = f", reference {reference} in the log" if is_logging() else ""
    return (
        f"Internal error: {type(error).__name__}{f': {message}' if message else ''}. Published data is unchanged."
        f" Please report it (KALENDS_DEBUG=1 shows where{line})."
    )


def _describe_usage_error(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    verb = context.command_path if context else "kalends"
    message = " ".join(error.format_message().replace("Value error, ", "").split()).rstrip(".")
    return f"{message}: see '{verb} --help'"


def _print_error(line: str, code: int) -> int:
    with suppress(OSError):
        print(f"kalends: {hide_secrets(line)}", file=sys.stderr, flush=True)
    return code


def _open_streams() -> None:
    """Open closed standard streams to the null device, before a file is opened under their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    main()
