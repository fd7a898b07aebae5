"""A commented settings file: every setting with its description and its default, from the settings models.

Lines of explanation begin with "# ", settings that are not in force with "#" alone: without it they are TOML.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings

_WIDTH = 100  # Characters of a line of explanation.
HEAD = """\
# Settings of Kalends, for the commands that run in this folder, name this file with --config, or name its warehouse.
# A setting may also be a variable of the environment, or a line of a file .env beside this one, and these go first:
# parse.seconds is KALENDS_PARSE__SECONDS. Keys belong there and never here: ANTHROPIC_API_KEY, KALENDS_TOKEN.
# What begins with # is off, and shows the default or an example. `kalends status --settings` prints what holds.
"""


@dataclass(frozen=True, slots=True)
class DeclaredSource:
    """A table `[[sources]]`: a comment, settings that are in force, and others in comments, by name.

    Without settings in force the whole table is a comment.
    """

    comment: str
    values: Mapping[str, Any]
    commented_values: Mapping[str, Any] = field(default_factory=dict)


def format_settings_template(sources: Sequence[DeclaredSource]) -> str:
    """The text of a settings file with the sources in force and every other setting as a comment."""
    lines = [
        HEAD,
        *_format_comment("The folder of the warehouse, relative to this file."),
        "#" + _format_pair("warehouse", ".kalends"),
    ]
    lines += ["", *_format_comment("Folders of documents, relative to this file: one table for each.")]
    lines += [
        f"# {name}: {about.description}" for name, about in SourceSettings.model_fields.items() if about.description
    ]
    for source in sources:
        lines += ["", *_format_comment(source.comment), f"{'' if source.values else '#'}[[sources]]"]
        lines += [_format_pair(name, value) for name, value in source.values.items()]
        lines += ["#" + _format_pair(name, value) for name, value in source.commented_values.items()]
    names_by_model: dict[type[BaseModel], str] = {}
    for name, about in Settings.model_fields.items():
        if model := _get_model(about):
            lines += _format_table(name, model, names_by_model)
    return "\n".join(lines) + "\n"


def _get_model(about: FieldInfo) -> type[BaseModel] | None:
    """The model of a table; None for a setting that is a value."""
    kind = about.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _format_table(name: str, model: type[BaseModel], names_by_model: dict[type[BaseModel], str]) -> Iterator[str]:
    """The lines of a table and of those in it; a table with the same settings as an earlier one only refers to it."""
    yield from ("", *_format_comment(" ".join((model.__doc__ or "").split())), f"#[{name}]")
    names_by_model[model] = name
    inner: dict[str, type[BaseModel]] = {}
    for key, about in model.model_fields.items():
        if kind := _get_model(about):
            inner[f"{name}.{key}"] = kind
            continue
        yield from _format_comment(about.description or "")
        yield "#" + _format_pair(key, _choose_shown_value(about))
    for key, kind in inner.items():
        if kind in names_by_model:
            yield from _format_comment(f"The table [{key}] takes the settings of [{names_by_model[kind]}].")
        else:
            yield from _format_table(key, kind, names_by_model)


def _choose_shown_value(about: FieldInfo) -> Any:
    """The default, or an example if the setting has no default value."""
    value = about.get_default(call_default_factory=True)
    return about.examples[0] if value in (None, PydanticUndefined) and about.examples else value


def _format_comment(text: str) -> Iterator[str]:
    yield from (f"# {line}" for line in wrap(text, _WIDTH))


def _format_pair(name: str, value: Any) -> str:
    return f"{name} = {format_toml_value(value)}"


def format_toml_value(value: Any) -> str:
    """A value as TOML 1.0 writes it; its strings are escaped as those of JSON, and DEL, which TOML refuses."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case Mapping():
            return (
                "{ " + ", ".join(f"{json.dumps(key)} = {format_toml_value(item)}" for key, item in value.items()) + " }"
            )
        case list() | tuple():
            return "[" + ", ".join(map(format_toml_value, value)) + "]"
        case _:
            return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
