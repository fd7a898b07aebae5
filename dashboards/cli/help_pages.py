"""Help pages: commands by topic, options by what they decide, and their types in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from typer.core import TyperCommand, TyperGroup

_LIST = re.compile(r"<list\[(.*?)\]>")
_TYPES = {"<str>": "<text>", "<int>": "<number>", "<int range>": "<number>", "<float range>": "<number>"}
_AGAIN = "(may be repeated)"


def simplify_types(option: str, description: str, *, repeated: bool = True) -> tuple[str, str]:
    """An option or argument and its description, with its type in words that need no knowledge of Python."""
    plain_option = _LIST.sub(r"<\1>", option)
    many = repeated and plain_option != option
    for technical, plain in _TYPES.items():
        plain_option = plain_option.replace(technical, plain)
    return plain_option, f"{description} {_AGAIN}" if many else description


class CommandPage(TyperCommand):
    """The help of one command: its arguments, then its options in groups, the unnamed group first."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the groups."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for each in self.get_params(ctx):
            record = each.get_help_record(ctx)
            if record:
                is_argument = each.param_type_name == "argument"
                name = "Arguments" if is_argument else getattr(each, "rich_help_panel", None) or "Options"
                groups.setdefault(name, []).append(simplify_types(*record, repeated=not is_argument))
        for name, rows in groups.items():
            if rows:
                with formatter.section(name):
                    formatter.write_dl(rows)


class CommandList(TyperGroup):
    """The help of the program: its commands by topic."""

    topics: ClassVar[Mapping[str, Sequence[str]]] = {}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each topic."""
        widest = max(map(len, self.list_commands(ctx)))
        for topic, names in self.topics.items():
            with formatter.section(topic):
                commands = ((name, self.get_command(ctx, name)) for name in names)
                limit = formatter.width - 6 - widest
                rows = [(f"{name:<{widest}}", each.get_short_help_str(limit)) for name, each in commands if each]
                formatter.write_dl(rows)
