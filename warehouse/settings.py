"""Settings: one frozen class a concern, read at the doors and passed on as values.

They come, the later the stronger, from defaults, `kalends.toml`, `KALENDS_*` variables (`KALENDS_PARSE__SECONDS=60`)
and the command line. `load` also says where each value came from.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Hashable, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from warehouse import variables
from warehouse.errors import BadSettings
from warehouse.records import Chunking, Kind

SETTINGS_FILE = "kalends.toml"


class ChunkChoice(BaseModel):
    """How to cut documents, as far as it is not left to their kind; lengths in characters or tokens of the embedder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunker: str = ""
    size: int | None = Field(default=None, ge=20)
    overlap: int | None = Field(default=None, ge=0)
    unit: Literal["", "characters", "tokens"] = ""

    @property
    def chunking(self) -> Chunking:
        """The same as a record."""
        return Chunking(self.chunker, self.size, self.overlap, self.unit)

    @model_validator(mode="after")
    def _advancing(self) -> Self:
        if self.size is not None and self.overlap is not None and self.overlap >= self.size:
            raise ValueError(f"an overlap of {self.overlap} must be smaller than the size, {self.size}")
        return self


class ChunkKinds(BaseModel):
    """How to cut documents of each kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    report: ChunkChoice = ChunkChoice()
    paper: ChunkChoice = ChunkChoice()
    course: ChunkChoice = ChunkChoice()
    note: ChunkChoice = ChunkChoice()
    text: ChunkChoice = ChunkChoice()

    def of(self, kind: Kind) -> ChunkChoice:
        """The choice for a kind."""
        choice: ChunkChoice = getattr(self, kind)
        return choice


class ChunkSettings(ChunkChoice):
    """How to cut all documents; `kinds` has more weight, and what a source says of its folder has most."""

    kinds: ChunkKinds = ChunkKinds()


class SourceSettings(BaseModel):
    """A folder of documents and what is known about all of them.

    `fiscal_year_end` (MM-DD) is the last day of their company's fiscal years, whatever their texts say of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: Path
    name: str = ""
    kind: Kind | None = None
    topic: str = ""
    fiscal_year_end: str = ""
    chunk: ChunkChoice = ChunkChoice()

    @field_validator("folder", mode="before")
    @classmethod
    def _named(cls, folder: object) -> object:
        if isinstance(folder, str) and not folder.strip():
            raise ValueError("it is empty; name a folder ('.' for this one)")
        return folder

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        # It becomes the first part of the sources of all its documents.
        if name in {".", ".."} or "/" in name or not name.isprintable():
            raise ValueError(f"{name!r} cannot name a source; write a plain word")
        return name

    @field_validator("fiscal_year_end")
    @classmethod
    def _a_day_of_each_year(cls, day: str) -> str:
        # February 29 stands for the last day of February in every year.
        try:
            date.fromisoformat(f"2000-{day or '12-31'}")
        except ValueError:
            raise ValueError(f"{day!r} is no day of the year; write it as MM-DD, like '09-30'") from None
        return day


class ParseSettings(BaseModel):
    """Limits of the parsers' worker processes. `processes` 0 means one a core.

    `page_seconds` is what a page may take, `seconds` what a file may take beside a quarter of that for each of its
    pages; `megabytes` is what a file may add to a process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    processes: int = Field(default=0, ge=0)
    seconds: int = Field(default=300, gt=0)
    page_seconds: int = Field(default=90, gt=0)
    megabytes: int = Field(default=4096, gt=0)
    max_file_megabytes: int = Field(default=512, gt=0)


class EntitySettings(BaseModel):
    """The kinds of document whose names are read; the tagger is the slowest step a character."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kinds: tuple[Kind, ...] = (Kind.NOTE,)


class EmbedSettings(BaseModel):
    """The embedder: a member of the family by name, or `sentence:` and the path of a sentence-transformers model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "minilm"


class BatchSettings(BaseModel):
    """How many files, and how many megabytes of them, go to one task run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    files: int = Field(default=256, gt=0)
    megabytes: int = Field(default=8, gt=0)


class CheckSettings(BaseModel):
    """Which quality rules count, by code, first letters of codes, or name; hyphens may stand for underscores.

    `extend_select` adds to `select`. `per_file_ignores` maps globs of paths, relative to the settings file, to rules.
    `min_score` is what the passages of a file must score on average, 0 to 1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    min_score: float = Field(default=0.0, ge=0.0, le=1.0)

    @model_validator(mode="before")
    @classmethod
    def _hyphens(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {str(name).replace("-", "_"): value for name, value in given.items()}


class PriceSettings(BaseModel):
    """What a million tokens of each kind costs, in `currency`; where nothing is set, no cost is shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(default=0.0, ge=0)
    output: float = Field(default=0.0, ge=0)
    cache_read: float = Field(default=0.0, ge=0)
    cache_written: float = Field(default=0.0, ge=0)
    currency: str = "USD"


class ChatSettings(BaseModel):
    """The written answers. The key is the SDK's business (`ANTHROPIC_API_KEY`); without one, answers are extracts.

    `base_url` is that of another server that speaks the Messages API. `rounds` is how often an answer may use tools,
    `tokens` how long it may be, `budget` how many tokens a session may cost in all. `citations` says who cites: the
    `service` by spans, or the model by `marks` like [1]; `auto` is the service at Anthropic and marks elsewhere.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "claude-sonnet-5-5"
    base_url: str = ""
    rounds: int = Field(default=25, ge=1)
    tokens: int = Field(default=4096, ge=256)
    budget: int = Field(default=2_000_000, ge=1000)
    citations: Literal["auto", "service", "marks"] = "auto"
    prices: PriceSettings = PriceSettings()


class VaultSettings(BaseModel):
    """The Obsidian vault, or folder of vaults, that assistants read: `root`; `write` is the folder in it for writing.

    Without `root` the first source that is a vault is read; without `write` nothing is written.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    root: Path | None = None
    write: Path | None = None


class ServeSettings(BaseModel):
    """The HTTP API: where it listens, and who may ask. Elsewhere than on this machine, a token is needed as well.

    `hosts` are further names that the server goes by, `origins` the sites ("https://app.example") whose pages may ask.
    Requests of more than so many `kilobytes` are not read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    kilobytes: int = Field(default=1024, ge=1)


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
    check: CheckSettings = CheckSettings()
    chat: ChatSettings = ChatSettings()
    vault: VaultSettings = VaultSettings()
    serve: ServeSettings = ServeSettings()

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
    variables.check(Settings)
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
    return variables.origin(name) or str(settings_file())


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
