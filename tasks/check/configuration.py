"""The check settings of each folder: those of the nearest settings file above it, as linters do.

A folder's `kalends.toml` with a table `[check]`, or `pyproject.toml` with `[tool.kalends.check]` or `[tool.kalends]`,
holds for all that lies below it; settings of folders further up then do not count.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tasks.check.selection import Selection, check_selector
from warehouse.errors import BadInput, BadSettings
from warehouse.settings import SETTINGS_FILE, CheckSettings

_FIELDS = frozenset(CheckSettings.model_fields)


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings in force in a folder and where they come from; globs are relative to `folder`."""

    folder: Path
    settings: CheckSettings

    def selection(self, path: Path, over: CheckSettings) -> Selection:
        """The rules that count in a file; what the command line gives (`over`) goes before the file's settings."""
        given = over.model_fields_set
        select = over.select if "select" in given else self.settings.select
        ignore = over.ignore if "ignore" in given else self.settings.ignore
        extended = (*self.settings.extend_select, *over.extend_select)
        return Selection((*select, *extended), (*ignore, *self._ignored_in(path)))

    def _ignored_in(self, path: Path) -> tuple[str, ...]:
        place = path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.name
        globs = self.settings.per_file_ignores.items()
        return tuple(code for glob, codes in globs if _matches(place, glob) for code in codes)


@dataclass
class Configuration:
    """The rules of every folder, each file read once. `fallback` holds where no settings file is above."""

    fallback: Rules
    _known: dict[Path, Rules] = field(default_factory=dict)

    def rules(self, folder: Path) -> Rules:
        """The rules in force in a folder. Raises `BadSettings` naming the file that cannot be used."""
        if folder not in self._known:
            own = _rules_in(folder)
            above = self.fallback if folder.parent == folder else None
            self._known[folder] = own or above or self.rules(folder.parent)
        return self._known[folder]


def _rules_in(folder: Path) -> Rules | None:
    for path, tables in ((folder / SETTINGS_FILE, ("check",)), (folder / "pyproject.toml", ("tool", "kalends"))):
        found: Any = _toml(path) if path.is_file() else None
        for name in tables:
            found = found.get(name) if isinstance(found, Mapping) else None
        if path.name != SETTINGS_FILE and isinstance(found, Mapping):
            inner = found.get("check")
            found = inner if inner is not None else _own_fields(found)
        if found:
            return Rules(folder, _settings(path, found))
    return None


def _own_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name.replace("-", "_") in _FIELDS}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read ({error.strerror})", "correct its permissions") from None
    except ValueError as error:
        raise BadSettings(f"{path} is not valid TOML: {error}", "correct the line it names") from None


def _settings(path: Path, table: Any) -> CheckSettings:
    try:
        settings = CheckSettings.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, ("check", *first["loc"])))
        raise BadSettings(f"setting '{name}': {first['msg']}", f"correct it in {path}") from None
    ignored = [code for codes in settings.per_file_ignores.values() for code in codes]
    try:
        for wanted in (*settings.select, *settings.ignore, *settings.extend_select, *ignored):
            check_selector(wanted)
    except BadInput as error:
        raise BadSettings(error.problem, f"correct it in {path}") from None
    return settings


def _matches(place: str, glob: str) -> bool:
    """Whether a glob names a path, its last part, or a folder above it; `**/` also stands for no folder."""
    name = place.rsplit("/", 1)[-1]
    shapes = (glob, glob.replace("**/", ""), f"{glob.rstrip('/')}/*")
    return any(fnmatchcase(place, shape) for shape in shapes) or fnmatchcase(name, glob)
