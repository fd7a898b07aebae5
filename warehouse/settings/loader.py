"""Settings, read at the doors and passed on as values; `warehouse.settings.models` says what can be set.

They come, the later the stronger, from defaults, `kalends.toml`, `KALENDS_*` variables (`KALENDS_PARSE__SECONDS=60`)
and the command line. `load` also says where each value came from.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Hashable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

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
from warehouse.settings import environment
from warehouse.settings.models import (
    BatchSettings,
    ChatSettings,
    CheckSettings,
    ChunkSettings,
    DashboardSettings,
    EmbedSettings,
    EntitySettings,
    LakeSettings,
    LogSettings,
    MaintainSettings,
    ParseSettings,
    RemovalSettings,
    ScaleSettings,
    ScheduleSettings,
    ServeSettings,
    SourceSettings,
    VaultSettings,
    WatchSettings,
)

SETTINGS_FILE = "kalends.toml"


class Settings(BaseSettings):
    """All settings. Relative folders are relative to the settings file, else to the current folder."""

    model_config = SettingsConfigDict(
        env_prefix="KALENDS_", env_nested_delimiter="__", frozen=True, extra="forbid", env_ignore_empty=True
    )

    warehouse: Path = Path(".kalends")
    sources: tuple[SourceSettings, ...] = ()
    parse: ParseSettings = ParseSettings()
    entities: EntitySettings = EntitySettings()
    chunk: ChunkSettings = ChunkSettings()
    embed: EmbedSettings = EmbedSettings()
    batch: BatchSettings = BatchSettings()
    lake: LakeSettings = LakeSettings()
    scale: ScaleSettings = ScaleSettings()
    check: CheckSettings = CheckSettings()
    chat: ChatSettings = ChatSettings()
    vault: VaultSettings = VaultSettings()
    serve: ServeSettings = ServeSettings()
    dashboard: DashboardSettings = DashboardSettings()
    maintain: MaintainSettings = MaintainSettings()
    log: LogSettings = LogSettings()
    watch: WatchSettings = WatchSettings()
    removal: RemovalSettings = RemovalSettings()
    schedules: ScheduleSettings = ScheduleSettings()

    @field_validator("sources")
    @classmethod
    def _apart(cls, sources: tuple[SourceSettings, ...]) -> tuple[SourceSettings, ...]:
        twin = _twin([source.name for source in sources if source.name])
        if twin:
            raise ValueError(f"two are named {twin!r}; name them apart")
        return sources

    def source_of(self, file: Path) -> SourceSettings:
        """The innermost declared source that holds a file; one that says nothing where none does."""
        place = file.resolve()
        holders = [source for source in self.sources if place.is_relative_to(source.folder.resolve())]
        return max(
            holders,
            key=lambda source: len(source.folder.resolve().parts),
            default=SourceSettings(folder=place.parent),
        )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The command line over variables over the file."""
        return (init_settings, env_settings, *cls._file(settings_cls))

    @staticmethod
    def _file(settings_cls: type[BaseSettings]) -> tuple[PydanticBaseSettingsSource, ...]:
        path = settings_file()
        return (TomlConfigSettingsSource(settings_cls, path),) if path.exists() else ()


def settings_file() -> Path:
    """The settings file in force: `KALENDS_CONFIG`, else `kalends.toml` in the current folder."""
    return Path(os.environ.get("KALENDS_CONFIG") or SETTINGS_FILE)


def load(overrides: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings. Raises `BadSettings` naming the setting, the variable or the file that cannot be used."""
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    environment.check(Settings)
    _check_file(settings_file())
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise refused(error, Settings) from None
    base = settings_file().resolve().parent if settings_file().exists() else Path.cwd()
    sources = tuple(s.model_copy(update={"folder": base / s.folder.expanduser()}) for s in settings.sources)
    twin = _twin([source.folder.resolve() for source in sources])
    if twin:
        raise BadSettings(f"setting 'sources': {twin} is there twice", f"correct it in {_origin_of('sources')}")
    folder = (Path.cwd() if "warehouse" in given else base) / settings.warehouse.expanduser()
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise BadSettings(f"setting 'warehouse': {place} is a file", "name a folder")
    return settings.model_copy(
        update={"sources": sources, "warehouse": folder, "vault": _vault_in(base, settings.vault)}
    )


def _vault_in(base: Path, vault: VaultSettings) -> VaultSettings:
    root, write = ((base / place.expanduser()).resolve() if place else None for place in (vault.root, vault.write))
    if root and write and not write.is_relative_to(root):
        raise BadSettings(
            f"setting 'vault.write': {write} is not in the vault {root}", f"correct it in {_origin_of('vault.write')}"
        )
    return VaultSettings(root=root, write=write)


def refused(error: ValidationError, model: type[BaseModel], within: str = "", path: Path | None = None) -> BadSettings:
    """What is wrong with the settings of a `model`: first of all one that there is not, with the nearest there is.

    `within` is the name of the table that the model is of; `path` the file, the one in force if not given.
    """
    every = error.errors()
    first = next((each for each in every if each["type"] == "extra_forbidden"), every[0])
    name = ".".join(filter(None, (within, *map(str, first["loc"]))))
    where = str(path) if path else _origin_of(name)
    if first["type"] == "extra_forbidden":
        return unknown(name, _fields_at(model, first["loc"][:-1]), where)
    return BadSettings(f"setting '{name}': {first['msg'].removeprefix('Value error, ')}", f"correct it in {where}")


def unknown(name: str, known: Collection[str], where: str) -> BadSettings:
    """The error of a setting that there is not, `name` with the tables that it is in; `known` are those beside it."""
    table, _, last = name.rpartition(".")
    near = get_close_matches(last.replace("-", "_"), known, n=1, cutoff=0.5)
    cure = f"did you mean '{'.'.join(filter(None, (table, near[0])))}'?" if near else f"there are {', '.join(known)}"
    return BadSettings(f"there is no setting '{name}' ({where})", cure)


def _fields_at(model: type[BaseModel], place: Sequence[str | int]) -> Collection[str]:
    """The names of the settings in a table; none where the names are free."""
    found: Any = model
    for part in (each for each in place if isinstance(each, str)):
        found = found.model_fields[part].annotation
        found = next((each for each in (found, *get_args(found)) if hasattr(each, "model_fields")), None)
    return tuple(found.model_fields) if found else ()


def origins(overrides: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Where each setting's value comes from, by dotted name."""
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    layers: list[tuple[str, dict[str, Any]]] = [("command line", InitSettingsSource(Settings, given)())]
    layers.append(("environment", EnvSettingsSource(Settings)()))
    if settings_file().exists():
        layers.append((str(settings_file()), TomlConfigSettingsSource(Settings, settings_file())()))
    named = [(label, set(_flat(values))) for label, values in layers]
    return {
        name: next((label for label, names in named if name in names), "default")
        for name in _flat(load(overrides).model_dump(mode="json"))
    }


def values(settings: Settings) -> dict[str, Any]:
    """Every setting by dotted name, JSON-like."""
    return _flat(settings.model_dump(mode="json"))


def _check_file(path: Path) -> None:
    """Refuse a file that is named and not there, or there and no TOML."""
    if not path.exists():
        if os.environ.get("KALENDS_CONFIG"):
            raise BadSettings(f"KALENDS_CONFIG names {path}, which is not there", "correct or unset it")
        return
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path} cannot be read ({error.strerror})", "it must be a readable TOML file") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{path} is not UTF-8", "save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{path} is not valid TOML: {error}", "correct the line it names") from None


def _origin_of(name: str) -> str:
    return environment.origin(name) or str(settings_file())


def _twin(values: Sequence[Hashable]) -> Hashable | None:
    """The first that is there twice."""
    return next((value for place, value in enumerate(values) if value in values[:place]), None)


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat
