"""Settings, read by the entry points and passed on as values; `warehouse.settings.models` declares them.

Their sources, in rising precedence, are defaults, `kalends.toml`, the file `.env` next to it, `KALENDS_*` variables
(`KALENDS_PARSE__SECONDS=60`) and the command line. `find_origins` gives the source of each value. A misspelt variable,
and one whose JSON cannot be read, are refused by name.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from warehouse.errors import BadSettings
from warehouse.regular_files import require_regular_file
from warehouse.settings import models
from warehouse.settings.addresses import check_addresses
from warehouse.settings.env_file import CONFIG, KEYS, PREFIX, apply_env_file, find_env_file
from warehouse.settings.models import SourceSettings, VaultSettings

SETTINGS_FILE = "kalends.toml"
OTHER_VARIABLES = tuple(
    f"{PREFIX}{name}"
    for name in ("CACHE", "CONFIG", "DEBUG", "HOME", "MODEL_KEY", "PASSWORD", "REWRITE_GOLDEN", "TOKEN")
)
"""Variables that are not settings."""
JSON_NAMES: dict[type, str] = {dict: "a JSON object", list: "a JSON list"}


class Settings(BaseSettings):
    """All settings. Relative folders are relative to the settings file, else to the current folder."""

    model_config = SettingsConfigDict(
        env_prefix="KALENDS_", env_nested_delimiter="__", frozen=True, extra="forbid", env_ignore_empty=True
    )

    warehouse: Path = Path(".kalends")
    sources: tuple[SourceSettings, ...] = ()
    parse: models.ParseSettings = models.ParseSettings()
    entities: models.EntitySettings = models.EntitySettings()
    chunk: models.ChunkSettings = models.ChunkSettings()
    embed: models.EmbedSettings = models.EmbedSettings()
    rerank: models.RerankSettings = models.RerankSettings()
    ingest: models.IngestSettings = models.IngestSettings()
    batch: models.BatchSettings = models.BatchSettings()
    lake: models.LakeSettings = models.LakeSettings()
    scale: models.ScaleSettings = models.ScaleSettings()
    check: models.CheckSettings = models.CheckSettings()
    chat: models.ChatSettings = models.ChatSettings()
    vault: VaultSettings = VaultSettings()
    serve: models.ServeSettings = models.ServeSettings()
    dashboard: models.DashboardSettings = models.DashboardSettings()
    maintain: models.MaintainSettings = models.MaintainSettings()
    log: models.LogSettings = models.LogSettings()
    watch: models.WatchSettings = models.WatchSettings()
    removal: models.RemovalSettings = models.RemovalSettings()
    schedules: models.ScheduleSettings = models.ScheduleSettings()

    @field_validator("sources")
    @classmethod
    def _check_names(cls, sources: tuple[SourceSettings, ...]) -> tuple[SourceSettings, ...]:
        duplicate = _find_duplicate([source.name for source in sources if source.name])
        if duplicate:
            raise ValueError(f"two are named {duplicate!r}; give them different names")
        return sources

    def find_source(self, file: Path) -> SourceSettings:
        """The innermost declared source that contains a file; one without settings if none does."""
        path = file.resolve()
        source_by_folder = {source.folder.resolve(): source for source in self.sources}
        declared = (source_by_folder[folder] for folder in (path, *path.parents) if folder in source_by_folder)
        return next(declared, SourceSettings(folder=path.parent))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The sources in falling precedence: the command line, variables, the file."""
        path = find_settings_file(init_settings().get("warehouse"))
        file = (TomlConfigSettingsSource(settings_cls, path),) if path.exists() else ()
        return (init_settings, env_settings, *file)


def format_variable(name: str) -> str:
    """The variable that sets the setting `name` (dotted)."""
    return PREFIX + name.upper().replace(".", "__")


def _set_variables() -> dict[str, str]:
    return {name.upper(): value for name, value in os.environ.items() if value and name.upper().startswith(PREFIX)}


def _check_variables() -> None:
    """Raise `BadSettings` for a variable that is not a setting, or whose value is not the JSON that it must be."""
    shapes = dict(_iter_shapes(Settings))
    for name, value in _set_variables().items():
        if name in OTHER_VARIABLES:
            continue
        if name not in shapes:
            similar_names = get_close_matches(name, [*shapes, *OTHER_VARIABLES], n=1)
            cure = (
                f"did you mean {similar_names[0]}?"
                if similar_names
                else "unset it ('kalends status --settings' lists what there is)"
            )
            raise BadSettings(f"{_describe_variable(name)} is no setting", cure)
        if shape := shapes[name]:
            try:
                is_fitting = isinstance(json.loads(value), shape)
            except ValueError:
                is_fitting = False
            if not is_fitting:
                raise BadSettings(f"{_describe_variable(name)} is not {JSON_NAMES[shape]}", "correct or unset it")


def _describe_variable(variable: str) -> str:
    """A variable with the file that it comes from, if the environment itself does not have it."""
    file = find_env_file(variable)
    return f"{variable} ({file})" if file else variable


def _iter_shapes(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, type | None]]:
    """Every variable with the kind of JSON it must hold, None for plain text."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield format_variable(prefix + name), dict
            yield from _iter_shapes(kind, f"{prefix}{name}.")
        else:
            yield format_variable(prefix + name), list if get_origin(kind) is tuple else None


def _describe_origin(name: str, file: Path) -> str:
    """The variable that sets the setting `name` (dotted), or else the `file`."""
    variable = _find_variable(name)
    return _describe_variable(variable) if variable else str(file)


def _find_variable(name: str) -> str | None:
    """The variable that sets the setting `name` (dotted), a table that contains it, or a part of it."""
    variables, parts = _set_variables(), name.split(".")
    containing_tables = (format_variable(".".join(parts[:length])) for length in range(len(parts), 0, -1))
    parts_of_table = (variable for variable in variables if variable.startswith(f"{format_variable(name)}__"))
    return next((variable for variable in (*containing_tables, *parts_of_table) if variable in variables), None)


def find_settings_file(warehouse: Path | None = None) -> Path:
    """The settings file in force: `KALENDS_CONFIG`, else `kalends.toml` here, else next to the warehouse or in it.

    `warehouse` is that of the command line, by default the one that `KALENDS_WAREHOUSE` names. So a program that an
    agent starts in any folder finds the settings that its warehouse was made with.
    """
    config_path, folder_name = os.environ.get(CONFIG), warehouse or os.environ.get(format_variable("warehouse"))
    if config_path or not folder_name:
        return Path(config_path or SETTINGS_FILE)
    folder = Path(folder_name).expanduser()
    files = (Path(SETTINGS_FILE), folder.absolute().parent / SETTINGS_FILE, folder / SETTINGS_FILE)
    return next((file for file in files if file.exists()), files[0])


def use_settings_file(path: Path) -> None:
    """Let this process and those that it starts read their settings from a file. Raises `BadSettings` without it."""
    if not path.expanduser().exists():
        raise BadSettings(f"there is no settings file {path}", "correct --config")
    os.environ[CONFIG] = str(path.expanduser().absolute())


def load_settings(overrides: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings. Raises `BadSettings` naming the setting, the variable or the file that cannot be used."""
    options = {name: value for name, value in (overrides or {}).items() if value is not None}
    file = find_settings_file(options.get("warehouse"))
    _check_file(file)
    apply_env_file(file)
    _check_variables()
    try:
        settings = Settings(**options)
    except ValidationError as error:
        raise make_settings_error(error, Settings, warehouse=options.get("warehouse")) from None
    base = file.resolve().parent if file.exists() else Path.cwd()
    sources = tuple(
        source.model_copy(update={"folder": base / source.folder.expanduser()}) for source in settings.sources
    )
    duplicate = _find_duplicate([source.folder.resolve() for source in sources])
    if duplicate:
        cure = f"correct it in {_describe_origin('sources', file)}"
        raise BadSettings(f"setting 'sources': {duplicate} is there twice", cure)
    folder = (Path.cwd() if "warehouse" in options else base) / settings.warehouse.expanduser()
    for ancestor in (folder, *folder.parents):
        if ancestor.exists() and not ancestor.is_dir():
            raise BadSettings(f"setting 'warehouse': {ancestor} is a file", "name a folder")
    vault = _resolve_vault(base, settings.vault, file)
    result = settings.model_copy(update={"sources": sources, "warehouse": folder, "vault": vault})
    if file.exists() and not os.environ.get(CONFIG):
        check_addresses(result, file, lambda name: _find_origin_file(name, file))
    return result


def _find_origin_file(name: str, file: Path) -> Path | None:
    """The file that the setting `name` comes from, the settings `file` or the file of variables next to it."""
    variable = _find_variable(name)
    return find_env_file(variable) if variable else file


def _resolve_vault(base: Path, vault: VaultSettings, file: Path) -> VaultSettings:
    try:
        root, write = (
            (base / folder.expanduser()).resolve() if folder else None for folder in (vault.root, vault.write)
        )
    except (RuntimeError, ValueError) as error:
        raise BadSettings(f"setting 'vault': {error}", f"correct it in {_describe_origin('vault', file)}") from None
    if root and write and not write.is_relative_to(root):
        cure = f"correct it in {_describe_origin('vault.write', file)}"
        raise BadSettings(f"setting 'vault.write': {write} is not in the vault {root}", cure)
    return VaultSettings(root=root, write=write)


def make_settings_error(
    error: ValidationError,
    model: type[BaseModel],
    table_name: str = "",
    path: Path | None = None,
    warehouse: Path | None = None,
) -> BadSettings:
    """The error of settings that their `model` refuses: an unknown setting first, with the nearest known one.

    `table_name` is that of the model's table; `path` is the file, by default the one in force for the `warehouse`.
    """
    errors = error.errors()
    first = next((entry for entry in errors if entry["type"] == "extra_forbidden"), errors[0])
    name = ".".join(filter(None, (table_name, *map(str, first["loc"]))))
    origin = str(path) if path else _describe_origin(name, find_settings_file(warehouse))
    if first["type"] == "extra_forbidden":
        return make_unknown_setting_error(name, _list_fields(model, first["loc"][:-1]), origin)
    return BadSettings(f"setting '{name}': {first['msg'].removeprefix('Value error, ')}", f"correct it in {origin}")


def load_vault_settings(folder: Path) -> VaultSettings:
    """The settings of a vault from a settings file in it, for use when the settings in force name no vault.

    Only its table `[vault]` counts, and only paths within the folder: documents must not choose, for example, the
    server that gets a key. Raises `BadSettings` if it cannot be used.
    """
    file, vault_folder = folder / SETTINGS_FILE, folder.resolve()
    if not file.exists():
        return VaultSettings(root=vault_folder)
    _check_file(file)
    table = tomllib.loads(file.read_text(encoding="utf-8")).get("vault", {})
    try:
        vault = VaultSettings.model_validate({"root": vault_folder, **table})
    except ValidationError as error:
        raise make_settings_error(error, VaultSettings, "vault", file) from None
    vault = _resolve_vault(vault_folder, vault, file)
    if vault.root is None or not vault.root.is_relative_to(vault_folder):
        raise BadSettings(f"setting 'vault.root': {vault.root} is not in {vault_folder}", f"correct it in {file}")
    return vault


def make_unknown_setting_error(name: str, names: Collection[str], origin: str) -> BadSettings:
    """The error of an unknown setting: `name` with its tables, set in `origin`; `names` are those of the table."""
    table, _, last = name.rpartition(".")
    similar_names = get_close_matches(last.replace("-", "_"), names, n=1, cutoff=0.5)
    similar_name = ".".join(filter(None, (table, *similar_names)))
    cure = f"did you mean '{similar_name}'?" if similar_names else f"there are {', '.join(names)}"
    return BadSettings(f"there is no setting '{name}' ({origin})", cure)


def _list_fields(model: type[BaseModel], place: Sequence[str | int]) -> Collection[str]:
    """The names of the settings in a table; none if any name is allowed."""
    kind: Any = model
    for part in (step for step in place if isinstance(step, str)):
        kind = kind.model_fields[part].annotation
        kind = next((argument for argument in (kind, *get_args(kind)) if hasattr(argument, "model_fields")), None)
    return tuple(kind.model_fields) if kind else ()


def find_origins(overrides: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Where each setting's value comes from, by dotted name."""
    settings = _flatten(load_settings(overrides).model_dump(mode="json"))
    options = {name: value for name, value in (overrides or {}).items() if value is not None}
    layers = {"command line": InitSettingsSource(Settings, options)(), "environment": EnvSettingsSource(Settings)()}
    file = find_settings_file(options.get("warehouse"))
    if file.exists():
        layers[str(file)] = TomlConfigSettingsSource(Settings, file)()
    names_by_layer = [(label, set(_flatten(values))) for label, values in layers.items()]
    labels = {name: next((label for label, names in names_by_layer if name in names), "default") for name in settings}
    env_files = {
        name: find_env_file(_find_variable(name) or "") for name, label in labels.items() if label == "environment"
    }
    return {name: str(env_files.get(name) or label) for name, label in labels.items()}


def find_secret_origins() -> dict[str, str]:
    """The secrets that are set, by the names of their variables, and where each comes from."""
    return {name: str(find_env_file(name) or "environment") for name in KEYS if os.environ.get(name)}


def flatten_settings(settings: Settings) -> dict[str, Any]:
    """Every setting by dotted name, JSON-like."""
    return _flatten(settings.model_dump(mode="json"))


def _check_file(path: Path) -> None:
    """Refuse a file that is named and missing, or that is not TOML."""
    if not path.exists():
        if os.environ.get(CONFIG):
            raise BadSettings(f"{CONFIG} names {path}, which is not there", "correct or unset it")
        return
    try:
        tomllib.loads(require_regular_file(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read ({error.strerror})", "it must be a readable TOML file") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{path} is not UTF-8", "save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{path} is not valid TOML: {error}", "correct the line it names") from None


def _find_duplicate(values: Sequence[Hashable]) -> Hashable | None:
    """The first value that occurs twice; None without one."""
    return next((value for place, value in enumerate(values) if value in values[:place]), None)


def _flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    values_by_name: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            values_by_name.update(_flatten(value, f"{prefix}{name}."))
        else:
            values_by_name[prefix + name] = value
    return values_by_name
