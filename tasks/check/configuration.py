"""The check settings of each folder: those of the nearest settings file above it, as for other linters.

A folder's `kalends.toml` with a table `[check]`, or `pyproject.toml` with `[tool.kalends.check]` or `[tool.kalends]`,
applies to all below it; settings of folders further up then do not count. Unknown settings are refused by name in all
of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from pydantic import ValidationError

from tasks.check.selection import Selection, check_selector
from warehouse.errors import BadInput, BadSettings
from warehouse.settings.loader import SETTINGS_FILE, Settings, make_settings_error, make_unknown_setting_error
from warehouse.settings.models import CheckSettings

_FIELDS = tuple(CheckSettings.model_fields)


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """The settings in force in a folder and their origin; globs are relative to `folder`."""

    folder: Path
    settings: CheckSettings

    def select_rules(self, path: Path, overrides: CheckSettings) -> Selection:
        """The rules that count in a file; the command line (`overrides`) takes precedence over the file's settings."""
        given_names = overrides.model_fields_set
        select = overrides.select if "select" in given_names else self.settings.select
        ignore = overrides.ignore if "ignore" in given_names else self.settings.ignore
        extended_codes = (*self.settings.extend_select, *overrides.extend_select)
        relative_path = path.relative_to(self.folder) if path.is_relative_to(self.folder) else PurePath(path.name)
        globs = self.settings.per_file_ignores.items()
        ignored_codes = (code for glob, codes in globs if _matches(relative_path, glob) for code in codes)
        return Selection((*select, *extended_codes), (*ignore, *ignored_codes))


@dataclass
class Configuration:
    """The rules of every folder, each file read once. `fallback` applies if there is no settings file above."""

    fallback: RuleSettings
    _settings_by_path: dict[Path, RuleSettings] = field(default_factory=dict)

    def find_rules(self, folder: Path) -> RuleSettings:
        """The rules in force in a folder. Raises `BadSettings` naming the file that cannot be used."""
        if folder not in self._settings_by_path:
            folder_rules = _read_rules(folder)
            above = self.fallback if folder.parent == folder else None
            self._settings_by_path[folder] = folder_rules or above or self.find_rules(folder.parent)
        return self._settings_by_path[folder]


def _read_rules(folder: Path) -> RuleSettings | None:
    for path, find_table in (
        (folder / SETTINGS_FILE, _find_settings_table),
        (folder / "pyproject.toml", _find_project_table),
    ):
        table = find_table(path, _read_toml(path)) if path.is_file() else None
        if table:
            return RuleSettings(folder, _parse_settings(path, table))
    return None


def _find_settings_table(path: Path, tables: Mapping[str, Any]) -> Any:
    """The table of a settings file that is about checking."""
    _refuse_unknown(path, tables, "", tuple(Settings.model_fields))
    return tables.get("check")


def _find_project_table(path: Path, tables: Mapping[str, Any]) -> Any:
    """The table of a project's file that is about checking; it may also be directly under the tool's name."""
    tool = tables.get("tool")
    tool_table = tool.get("kalends") if isinstance(tool, Mapping) else None
    if not isinstance(tool_table, Mapping):
        return None
    _refuse_unknown(path, tool_table, "tool.kalends.", ("check", *_FIELDS))
    inner = tool_table.get("check")
    return inner if inner is not None else tool_table


def _refuse_unknown(path: Path, table: Mapping[str, Any], prefix: str, known_names: Sequence[str]) -> None:
    for name in table:
        if name.replace("-", "_") not in known_names:
            raise make_unknown_setting_error(f"{prefix}{name}", known_names, str(path))


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read ({error.strerror})", "correct its permissions") from None
    except ValueError as error:
        raise BadSettings(f"{path} is not valid TOML: {error}", "correct the line it names") from None


def _parse_settings(path: Path, table: Any) -> CheckSettings:
    try:
        settings = CheckSettings.model_validate(table)
    except ValidationError as error:
        raise make_settings_error(error, CheckSettings, "check", path) from None
    ignored_codes = [code for codes in settings.per_file_ignores.values() for code in codes]
    try:
        for selector in (*settings.select, *settings.ignore, *settings.extend_select, *ignored_codes):
            check_selector(selector)
    except BadInput as error:
        raise BadSettings(error.problem, f"correct it in {path}") from None
    return settings


def _matches(path: PurePath, glob: str) -> bool:
    """Whether a glob matches a path, its last part, or a folder above it; `**/` also matches no folder."""
    patterns = (glob, glob.replace("**/", ""), f"{glob.rstrip('/')}/*")
    return any(fnmatchcase(path.as_posix(), pattern) for pattern in patterns) or fnmatchcase(path.name, glob)
