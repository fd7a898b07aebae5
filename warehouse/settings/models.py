"""Settings models: one frozen pydantic class a concern, which holds values and checks them.

`warehouse.settings.loader` reads them from files and variables.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from warehouse.records import Chunking, Kind
from warehouse.settings.secrets import has_password


class Concern(BaseModel):
    """The settings of one concern, which never change; a name that is not among them is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ChunkChoice(Concern):
    """How to cut documents, as far as it is not left to their kind; lengths in characters or tokens of the embedder."""

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


class ChunkKinds(Concern):
    """How to cut documents of each kind."""

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
    """How to cut all documents; `kinds` has more weight, and what a source says of its folder has most.

    `prefix` is whether a chunk is embedded with its context (dates, title, names) before it.
    """

    prefix: bool = True
    kinds: ChunkKinds = ChunkKinds()


class SourceSettings(Concern):
    """A folder of documents and what is known about all of them.

    `fiscal_year_end` (MM-DD) is the last day of their company's fiscal years, whatever their texts say of it.
    """

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


class ParseSettings(Concern):
    """Limits of the parsers' worker processes. `processes` 0 means one a core.

    `page_seconds` is what a page may take, `seconds` what a file may take beside a quarter of that for each of its
    pages; `megabytes` is what a file may add to a process.
    """

    processes: int = Field(default=0, ge=0)
    seconds: int = Field(default=300, gt=0)
    page_seconds: int = Field(default=90, gt=0)
    megabytes: int = Field(default=4096, gt=0)
    max_file_megabytes: int = Field(default=512, gt=0)


class EntitySettings(Concern):
    """The kinds of document whose names are read; the tagger is the slowest step a character."""

    kinds: tuple[Kind, ...] = (Kind.NOTE,)


class EmbedSettings(Concern):
    """The embedder: a member of the family by name, or `sentence:` and the path of a sentence-transformers model.

    `server:URL#MODEL` is a model behind OpenAI's embeddings API, `server:http://127.0.0.1:8080/v1#bge-m3`; what key the
    server asks for is in `KALENDS_MODEL_KEY`.

    `tables` says what stands for a passage with a table that is longer than the model's window: all its `windows`, each
    some rows under the table's head, or the `first` alone.
    """

    model: str = "minilm"
    tables: Literal["windows", "first"] = "windows"


class RerankSettings(Concern):
    """The reranker of every search that names none: `maxsim`, `cross:FOLDER` or `server:URL#MODEL`; empty for none.

    It reads the best `passages` again; its scores make up a `share` of theirs, by default what the reranker sets.
    """

    model: str = ""
    passages: int = Field(default=30, ge=1, le=1000)
    share: float | None = Field(default=None, gt=0, le=1)


class BatchSettings(Concern):
    """How many files, and how many megabytes of them, go to one task run.

    `seconds` is what a stage after parsing may take for a document, beside a minute for each whole megabyte of it.
    """

    files: int = Field(default=256, gt=0)
    megabytes: int = Field(default=8, gt=0)
    seconds: int = Field(default=300, gt=0)


class CheckSettings(Concern):
    """Which quality rules count, by code, first letters of codes, or name; hyphens may stand for underscores.

    `extend_select` adds to `select`. `per_file_ignores` maps globs of paths, relative to the settings file, to rules.
    `min_score` is what the passages of a file must score on average, 0 to 1.
    """

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


class PriceSettings(Concern):
    """What a million tokens of each kind costs, in `currency`; where nothing is set, no cost is shown."""

    input: float = Field(default=0.0, ge=0)
    output: float = Field(default=0.0, ge=0)
    cache_read: float = Field(default=0.0, ge=0)
    cache_written: float = Field(default=0.0, ge=0)
    currency: str = "USD"


class ChatSettings(Concern):
    """The written answers. The key is the SDK's business (`ANTHROPIC_API_KEY`); without one, answers are extracts.

    `base_url` is that of another server; `api` is what it speaks: Anthropic's `messages`, or OpenAI's
    `chat-completions`, below a base URL that often ends in /v1, with the key, if any, in `KALENDS_MODEL_KEY`. `rounds`
    is how often an answer may use tools, `tokens` how long it may be, `budget` how many tokens a session may cost in
    all. `citations` says who cites: the `service` by spans, or the model by `marks` like [1]; `auto` is the service at
    Anthropic and marks elsewhere.
    """

    model: str = "claude-sonnet-5-5"
    base_url: str = ""
    api: Literal["messages", "chat-completions"] = "messages"
    rounds: int = Field(default=25, ge=1)
    tokens: int = Field(default=4096, ge=256)
    budget: int = Field(default=2_000_000, ge=1000)
    citations: Literal["auto", "service", "marks"] = "auto"
    prices: PriceSettings = PriceSettings()

    @model_validator(mode="after")
    def _at_a_server(self) -> Self:
        if self.api == "chat-completions" and not self.base_url:
            raise ValueError("chat-completions needs chat.base_url, as http://127.0.0.1:11434/v1")
        return self

    @field_validator("base_url")
    @classmethod
    def _without_password(cls, url: str) -> str:
        # Runs keep the settings they had, and Prefect shows them.
        if has_password(url):
            raise ValueError("a password does not belong here; give the key as ANTHROPIC_API_KEY")
        return url


class VaultSettings(Concern):
    """The Obsidian vault, or folder of vaults, that assistants read: `root`; `write` is the folder in it for writing.

    Without `root` the first source that is a vault is read; without `write` nothing is written.
    """

    root: Path | None = None
    write: Path | None = None


class DashboardSettings(Concern):
    """The dashboard: where it listens, and whom it lets in of those that the OpenID Connect provider knows.

    `users` are addresses ("ada@example.org") or domains ("@example.org"); empty lets in all that the provider knows.
    An open page looks every `refresh` seconds whether something new was published.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8501, ge=1, le=65535)
    users: tuple[str, ...] = ()
    refresh: float = Field(default=10.0, ge=0.1, le=3600)


class ServeSettings(Concern):
    """The HTTP API: where it listens, and who may ask. Elsewhere than on this machine, a token is needed as well.

    `hosts` are further names that the server goes by, `origins` the sites ("https://app.example") whose pages may ask.
    Requests of more than so many `kilobytes` are not read.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    kilobytes: int = Field(default=1024, ge=1)


SECRETS = frozenset(
    {"key", "secret", "token", "password", "account_key", "sas_token", "connection_string", "credential"}
)
"""Options of filesystems that are credentials."""


class LakeSettings(Concern):
    """Where stage outputs are kept beside the warehouse's own folder, for other machines: any fsspec URL.

    `options` go to its filesystem (`endpoint_url`, `profile`); credentials are what that reads in the environment.
    """

    url: str = ""
    options: dict[str, Any] = Field(default_factory=dict)

    @field_validator("url")
    @classmethod
    def _without_password(cls, url: str) -> str:
        if url and "://" not in url:
            raise ValueError(f"{url!r} is no URL; write it as s3://bucket/prefix or file:///folder")
        if "@" in url.partition("://")[2].partition("/")[0] and ":" in url.partition("://")[2].partition("@")[0]:
            raise ValueError("a password does not belong here; give it by the environment")
        return url

    @field_validator("options")
    @classmethod
    def _without_secrets(cls, options: dict[str, Any]) -> dict[str, Any]:
        # Runs keep the settings they had.
        if secret := SECRETS & options.keys():
            raise ValueError(f"{min(secret)!r} does not belong here; give credentials by the environment")
        return options


class ScaleSettings(Concern):
    """Who does the work: `dask` is the address of a Dask scheduler (`tcp://host:8786`), empty for this process."""

    dask: str = ""


class RemovalSettings(Concern):
    """When documents that vanish from a root are kept: `least` of them or more, and over a `share` of the root's.

    A share of 1 lets all of them go.
    """

    share: float = Field(default=0.5, ge=0, le=1)
    least: int = Field(default=20, ge=1)


class WatchSettings(Concern):
    """How a watch waits, in seconds: until nothing has changed for `quiet`; beside a file that never rests, `patience`.

    A file that is written without end is looked at after `longest`. Where the system does not tell of changes, all
    folders are looked through every `poll` seconds.
    """

    quiet: float = Field(default=0.3, gt=0)
    patience: float = Field(default=3.0, gt=0)
    longest: float = Field(default=60.0, gt=0)
    poll: float = Field(default=5.0, gt=0)

    @model_validator(mode="after")
    def _in_order(self) -> WatchSettings:
        if not self.quiet <= self.patience <= self.longest:
            raise ValueError("quiet, patience and longest must not fall")
        return self


class ScheduleSettings(Concern):
    """When what is deployed runs: cron expressions in a `timezone`, or "never"; left out, what prefect.yaml says."""

    ingest: str = ""
    scan: str = ""
    quality_report: str = ""
    maintain: str = ""
    timezone: str = ""


class MaintainSettings(Concern):
    """What `kalends maintain` keeps: the newest `keep` generations, and the last of each of the past `days` days.

    What a reader may still hold open stays for `grace` minutes after it was replaced.
    """

    keep: int = Field(default=10, ge=1)
    days: int = Field(default=30, ge=0)
    grace: int = Field(default=60, ge=0)


class LogSettings(Concern):
    """What is logged, one line an event: nothing unless a `level` is set.

    `file` lies in the warehouse's folder `logs`, if its path is not absolute; without one, lines go to standard error.
    """

    level: Literal["off", "error", "warning", "info", "debug"] = "off"
    format: Literal["human", "logfmt", "json"] = "human"
    file: Path | None = None
