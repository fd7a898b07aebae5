"""Settings models: one frozen pydantic class a concern, which has values and checks them.

`warehouse.settings.loader` reads them from files and variables.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from warehouse.printable_text import has_password
from warehouse.records import Chunking, Kind


class Concern(BaseModel):
    """The settings of one concern, which never change; a name that is not among them is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ChunkChoice(Concern):
    """How to cut documents into passages, as far as it is not left to their kind."""

    chunker: str = Field(default="", description="The chunker; empty for the one that suits the kind of document.")
    size: int | None = Field(default=None, ge=20, examples=[1000], description="The length of a passage, in `unit`.")
    overlap: int | None = Field(
        default=None, ge=0, examples=[100], description="How much of a passage the next one repeats, in `unit`."
    )
    unit: Literal["", "characters", "tokens"] = Field(
        default="", description="Characters, or tokens of the embedding model; empty for the chunker's."
    )

    @property
    def chunking(self) -> Chunking:
        """The same as a record."""
        return Chunking(self.chunker, self.size, self.overlap, self.unit)

    @model_validator(mode="after")
    def _check_overlap(self) -> Self:
        if self.size is not None and self.overlap is not None and self.overlap >= self.size:
            raise ValueError(f"an overlap of {self.overlap} must be smaller than the size, {self.size}")
        return self


class ChunkKinds(Concern):
    """How to cut documents of each kind; this has more weight than the settings for all."""

    report: ChunkChoice = ChunkChoice()
    paper: ChunkChoice = ChunkChoice()
    course: ChunkChoice = ChunkChoice()
    note: ChunkChoice = ChunkChoice()
    message: ChunkChoice = ChunkChoice()
    book: ChunkChoice = ChunkChoice()
    text: ChunkChoice = ChunkChoice()

    def get_choice(self, kind: Kind) -> ChunkChoice:
        """The choice for a kind."""
        choice: ChunkChoice = getattr(self, kind)
        return choice


class ChunkSettings(ChunkChoice):
    """How to cut all documents into passages; what a source says of its folder has more weight."""

    prefix: bool = Field(default=True, description="Embed a passage with its title, dates and names before it.")
    kinds: ChunkKinds = ChunkKinds()


class SourceSettings(Concern):
    """A folder of documents, and what is known about all of them."""

    folder: Path = Field(description="The folder, relative to this file.")
    name: str = Field(default="", description="The first part of the names of its documents; empty for the folder's.")
    kind: Kind | None = Field(
        default=None, description="report, paper, course, note or text, where the contents would not tell."
    )
    topic: str = Field(default="", description="A topic that all its documents get, for the filter --topic.")
    fiscal_year_end: str = Field(
        default="", description="The last day of the company's fiscal years as MM-DD, whatever the texts say of it."
    )
    chunk: ChunkChoice = ChunkChoice()

    @field_validator("folder", mode="before")
    @classmethod
    def _check_folder(cls, folder: object) -> object:
        if isinstance(folder, str) and not folder.strip():
            raise ValueError("it is empty; name a folder ('.' for this one)")
        return folder

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        # It becomes the first part of the sources of all its documents.
        if name in {".", ".."} or "/" in name or not name.isprintable():
            raise ValueError(f"{name!r} cannot name a source; write a plain word")
        return name

    @field_validator("fiscal_year_end")
    @classmethod
    def _check_fiscal_year_end(cls, day: str) -> str:
        # February 29 means the last day of February in every year.
        try:
            date.fromisoformat(f"2000-{day or '12-31'}")
        except ValueError:
            raise ValueError(f"{day!r} is no day of the year; write it as MM-DD, like '09-30'") from None
        return day


class ParseSettings(Concern):
    """Limits of the processes that read files."""

    processes: int = Field(default=0, ge=0, description="How many there are; 0 for one a core.")
    seconds: int = Field(default=300, gt=0, description="What a file may take, beside a quarter of that for each page.")
    page_seconds: int = Field(default=90, gt=0, description="What a page may take, in seconds.")
    megabytes: int = Field(default=4096, gt=0, description="The memory that a file may add to a process.")
    max_file_megabytes: int = Field(default=512, gt=0, description="Larger files are left out.")


class EntitySettings(Concern):
    """Names of people, organisations and places."""

    kinds: tuple[Kind, ...] = Field(
        default=(Kind.NOTE,),
        description="The kinds of document whose names are read; it is the slowest step a character.",
    )


class EmbedSettings(Concern):
    """The model by whose vectors passages are found by meaning; another one embeds all passages anew."""

    model: str = Field(
        default="minilm",
        description="minilm, sentence:FOLDER (a sentence-transformers model), or server:URL#MODEL (OpenAI's embeddings "
        "API, as server:http://127.0.0.1:8080/v1#bge-m3; its key is the variable KALENDS_MODEL_KEY).",
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto",
        description="Where many texts are embedded: cpu, cuda (in half precision), or auto, CUDA where there is one.",
    )
    tables: Literal["windows", "first"] = Field(
        default="windows",
        description="What stands for a table longer than the model's window: windows of some rows, or the first alone.",
    )
    index: Literal["scan", "hnsw"] = Field(
        default="scan",
        description="How the nearest of over 30,000 vectors are found: scan finds all; hnsw, a graph in memory, finds "
        "some 98 % sooner where there is no filter. The next run that publishes changes it.",
    )


class RerankSettings(Concern):
    """The model that reads the best passages of every search again."""

    model: str = Field(default="", description="maxsim, cross:FOLDER or server:URL#MODEL; empty for none.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto", description="Where a cross:FOLDER computes, as embed.device; maxsim computes where that says."
    )
    passages: int = Field(default=30, ge=1, le=1000, description="How many passages it reads.")
    share: float | None = Field(
        default=None,
        gt=0,
        le=1,
        examples=[0.5],
        description="The share of its scores in theirs; left out, what the model sets.",
    )


class IngestSettings(Concern):
    """How an ingest publishes."""

    publish_every: float = Field(
        default=0.0,
        ge=0,
        description="Minutes after which a long ingest publishes what it has done so far; 0 for the end alone.",
    )


class BatchSettings(Concern):
    """How much goes to one task run, and the time of a stage after reading."""

    files: int = Field(default=256, gt=0, description="Files of a task run at most.")
    megabytes: int = Field(default=8, gt=0, description="Megabytes of files of a task run at most.")
    seconds: int = Field(
        default=300, gt=0, description="What a stage may take for a document, beside a minute for each megabyte of it."
    )


class CheckSettings(Concern):
    """Which quality rules count, by code, first letters of codes, or name (`kalends rules` lists them)."""

    select: tuple[str, ...] = Field(default=("ALL",), description="The rules that are checked.")
    ignore: tuple[str, ...] = Field(default=(), description="Rules that are left out.")
    extend_select: tuple[str, ...] = Field(default=(), description="Rules beside those of `select`.")
    per_file_ignores: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Rules left out by glob of the path relative to this file."
    )
    min_score: float = Field(
        default=0.0, ge=0.0, le=1.0, description="What the passages of a file must score on average, 0 to 1."
    )

    @model_validator(mode="before")
    @classmethod
    def _hyphens(cls, content: Any) -> Any:
        if not isinstance(content, dict):
            return content
        return {str(name).replace("-", "_"): value for name, value in content.items()}


class PriceSettings(Concern):
    """What a million tokens of each kind costs; where nothing is set, no cost is shown."""

    input: float = Field(default=0.0, ge=0, description="Tokens that are sent.")
    output: float = Field(default=0.0, ge=0, description="Tokens that are answered.")
    cache_read: float = Field(default=0.0, ge=0, description="Tokens read from the cache.")
    cache_written: float = Field(default=0.0, ge=0, description="Tokens written to the cache.")
    currency: str = Field(default="USD", description="The currency of the prices.")


class ChatSettings(Concern):
    """The language model that writes answers, with the key in ANTHROPIC_API_KEY; without one, answers are extracts."""

    model: str = Field(default="claude-sonnet-5-5", description="The name of the model.")
    base_url: str = Field(default="", description="The URL of another server; empty for Anthropic's.")
    api: Literal["messages", "chat-completions"] = Field(
        default="messages",
        description="What that server speaks: Anthropic's messages, or OpenAI's chat-completions, whose URL often ends "
        "in /v1 and whose key, if any, is the variable KALENDS_MODEL_KEY.",
    )
    rounds: int = Field(default=25, ge=1, description="How often an answer may use tools.")
    tokens: int = Field(default=4096, ge=256, description="How long an answer may be, in tokens.")
    budget: int = Field(default=2_000_000, ge=1000, description="What a session may cost in all, in tokens.")
    citations: Literal["auto", "service", "marks"] = Field(
        default="auto",
        description="Who cites: the service, or the model by marks like [1]; auto is the service at Anthropic.",
    )
    prices: PriceSettings = PriceSettings()

    @model_validator(mode="after")
    def _check_server(self) -> Self:
        if self.api == "chat-completions" and not self.base_url:
            raise ValueError("chat-completions needs chat.base_url, as http://127.0.0.1:11434/v1")
        return self

    @field_validator("base_url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        # Runs keep the settings they had, and Prefect shows them.
        if has_password(url):
            raise ValueError("a password does not belong here; give the key as ANTHROPIC_API_KEY")
        return url


class VaultSettings(Concern):
    """The Obsidian vault, or folder of vaults, that assistants read and may write to."""

    root: Path | None = Field(
        default=None, examples=["notes"], description="Its folder; left out, the first source that is a vault."
    )
    write: Path | None = Field(
        default=None,
        examples=["notes/Inbox"],
        description="The folder in it that assistants may write to; left out, they write nothing.",
    )


class DashboardSettings(Concern):
    """The dashboard: where it listens, and whom it lets in."""

    host: str = Field(
        default="127.0.0.1",
        description="Its address; any but this machine's needs a password (KALENDS_PASSWORD) or login.",
    )
    port: int = Field(default=8501, ge=1, le=65535, description="Its port.")
    users: tuple[str, ...] = Field(
        default=(),
        description="Who may log in by OpenID Connect: addresses (ada@example.org) or domains (@example.org); none for "
        "all that the provider knows.",
    )
    refresh: float = Field(
        default=10.0, ge=0.1, le=3600, description="Seconds after which an open page looks for what is new."
    )


class ServeSettings(Concern):
    """The HTTP API: where it listens, and who may ask."""

    host: str = Field(
        default="127.0.0.1", description="Its address; any but this machine's needs a token (KALENDS_TOKEN)."
    )
    port: int = Field(default=8000, ge=0, le=65535, description="Its port; 0 for a free one.")
    hosts: tuple[str, ...] = Field(default=(), description="Further names that the server goes by.")
    origins: tuple[str, ...] = Field(default=(), description="Sites (https://app.example) whose pages may ask.")
    kilobytes: int = Field(default=1024, ge=1, description="Larger requests are not read.")


SECRETS = frozenset(
    {"key", "secret", "token", "password", "account_key", "sas_token", "connection_string", "credential"}
)
"""Options of filesystems that are credentials."""


class LakeSettings(Concern):
    """Where the outputs of stages are stored in addition to the warehouse's folder, for other machines."""

    url: str = Field(default="", description="Any fsspec URL, as s3://bucket/prefix; empty for none.")
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Options of its filesystem (endpoint_url, profile); credentials are read from the environment.",
    )

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        if url and "://" not in url:
            raise ValueError(f"{url!r} is no URL; write it as s3://bucket/prefix or file:///folder")
        if "@" in url.partition("://")[2].partition("/")[0] and ":" in url.partition("://")[2].partition("@")[0]:
            raise ValueError("a password does not belong here; give it by the environment")
        return url

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: dict[str, Any]) -> dict[str, Any]:
        # Runs keep the settings they had.
        if secret := SECRETS & options.keys():
            raise ValueError(f"{min(secret)!r} does not belong here; give credentials by the environment")
        return options


class ScaleSettings(Concern):
    """Who does the work of an ingest."""

    dask: str = Field(
        default="", description="The address of a Dask scheduler (tcp://host:8786); empty for this process."
    )


class RemovalSettings(Concern):
    """When documents that vanish from a source folder stay published until a person allows their removal."""

    share: float = Field(
        default=0.5, ge=0, le=1, description="More than this share of the folder's documents; 1 lets all of them go."
    )
    least: int = Field(default=20, ge=1, description="And at least so many.")


class WatchSettings(Concern):
    """How `kalends watch` waits, in seconds."""

    quiet: float = Field(default=0.3, gt=0, description="Files are read when nothing has changed for so long.")
    patience: float = Field(default=3.0, gt=0, description="The same beside a file that never rests.")
    longest: float = Field(default=60.0, gt=0, description="A file that is written without end is read after so long.")
    poll: float = Field(default=5.0, gt=0, description="Between two looks, where the system does not tell of changes.")

    @model_validator(mode="after")
    def _check_order(self) -> WatchSettings:
        if not self.quiet <= self.patience <= self.longest:
            raise ValueError("quiet, patience and longest must not fall")
        return self


class ScheduleSettings(Concern):
    """When the runs of `kalends up` begin: cron expressions, or "never"; left out, the times in prefect.yaml."""

    ingest: str = Field(default="", description="Read what is new or changed; left out, at 2:00 each day.")
    scan: str = Field(default="", description="Look for changes and read them; left out, at half past each hour.")
    quality_report: str = Field(default="", description="Write a report of findings; left out, Mondays at 5:00.")
    maintain: str = Field(default="", description="Merge and remove files; left out, Sundays at 4:00.")
    timezone: str = Field(default="", description="As Europe/Berlin; left out, UTC.")


class MaintainSettings(Concern):
    """What `kalends maintain` keeps."""

    keep: int = Field(default=10, ge=1, description="So many of the newest generations.")
    days: int = Field(default=30, ge=0, description="And the last one of each of so many past days.")
    grace: int = Field(default=60, ge=0, description="Minutes for which what was replaced stays for its readers.")


class LogSettings(Concern):
    """What is logged, one line an event."""

    level: Literal["off", "error", "warning", "info", "debug"] = Field(
        default="off", description="The least level of events that are logged; off for none."
    )
    format: Literal["human", "logfmt", "json"] = Field(default="human", description="The form of a line.")
    file: Path | None = Field(
        default=None,
        examples=["kalends.log"],
        description="The file, in the warehouse's folder logs; left out, lines go to standard error.",
    )
