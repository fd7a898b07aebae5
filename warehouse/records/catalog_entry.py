"""Source folders and files, what the warehouse holds of each document, and the runs that published it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from warehouse.records.corrections import AppliedCorrection, CorrectedField
from warehouse.records.document import Attributes, DateClaim, DateOrigin, Kind
from warehouse.records.fiscal import FiscalCalendar


@dataclass(frozen=True, slots=True)
class StageCost:
    """What one stage did in a run: documents it worked on and wall seconds it took."""

    stage: str
    documents: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run that published `generation`. `settings` is their JSON; `started` is UTC; `flow_run` is Prefect's id.

    `seconds` are those from the start to the first step of publishing. `published` is the moment (UTC) of publishing;
    runs of older programs did not note it.
    """

    generation: int
    flow_run: str
    started: datetime
    seconds: float
    settings: str
    model: str
    documents: int
    chunks: int
    new: int
    changed: int
    gone: int
    stages: tuple[StageCost, ...] = ()
    published: datetime | None = None

    @property
    def visible_from(self) -> datetime:
        """Since when readers see its generation; of a run that did not note it, since when they can do so."""
        return self.published or self.started + timedelta(seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are to be cut, as far as somebody said: a chunker's name, and lengths in `unit` if that is said.

    `unit` is "characters" or "tokens" (of the embedder).
    """

    chunker: str = ""
    size: int | None = None
    overlap: int | None = None
    unit: str = ""

    def with_defaults(self, defaults: Chunking) -> Chunking:
        """The same, with the values of `defaults` where it has none."""
        return Chunking(
            self.chunker or defaults.chunker,
            defaults.size if self.size is None else self.size,
            defaults.overlap if self.overlap is None else self.overlap,
            self.unit or defaults.unit,
        )


@dataclass(frozen=True, slots=True)
class Root:
    """A declared folder of documents. `only` limits it to some files (paths relative to the folder).

    `fiscal_year_end` is the last day of its company's fiscal years, MM-DD, or empty.
    """

    name: str
    folder: Path
    only: tuple[str, ...] | None = None
    kind: Kind | None = None
    topic: str = ""
    fiscal_year_end: str = ""
    chunking: Chunking = Chunking()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as discovery saw it. `source` is its name for ever: the root's name, a slash, the relative path."""

    source: str
    root: str
    path: str
    sha256: str
    size: int
    modified_ns: int


class Status(StrEnum):
    """`STALE`: the file as it is now cannot be read and the last good version still answers."""

    PUBLISHED = "published"
    STALE = "stale"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Output:
    """A stage's output for one document: its key and the name of the lake file that holds it."""

    stage: str
    key: str
    file: str


FAILURES = ("refused", "failed")
"""What stands among the outputs of a document for why its file, as it is now, has none: no parser can read it, or a
stage failed on it."""


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One document of a generation: its file, what it is, and the stage outputs it stands on.

    `document_id` is a digest of `source`, so it outlives edits. A file that no parser can read has the output
    "refused", one on which a stage failed "failed", alone or beside the outputs of its last good version.
    `content_kind` is what the content looks like, `kind` what the root says it is, if it says. `fiscal_year_start` is
    the month, 1 to 12, in which fiscal years begin, `fiscal_calendar` all that is known of them, by what the documents
    of its company say. `reported_name` is the period it reports on ("FY2022", "Q2 2023"; empty where it has none), from
    `reported_start` up to, and without, `reported_end`. `corrections` are those that people made of it, which stand in
    its other fields and outputs already, and `correction_key` names them.
    """

    document_id: str
    file: SourceFile
    status: Status
    reason: str = ""
    kind: Kind = Kind.TEXT
    content_kind: Kind = Kind.TEXT
    media_type: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = "und"
    document_date: date | None = None
    date_origin: DateOrigin | None = None
    fiscal_year_start: int | None = None
    fiscal_calendar: FiscalCalendar | None = None
    reported_name: str = ""
    reported_start: date | None = None
    reported_end: date | None = None
    total_pages: int | None = None
    non_empty_pages: int | None = None
    table_count: int = 0
    chunk_count: int = 0
    attributes: Attributes = field(default_factory=Attributes)
    outputs: tuple[Output, ...] = ()
    corrections: tuple[AppliedCorrection, ...] = ()
    correction_key: str = ""

    def find_correction(self, field: CorrectedField, table: int = 0) -> AppliedCorrection | None:
        """The correction of a field of the document, or of one of its tables by number; None without one."""
        return next((each for each in self.corrections if (each.field, each.table) == (field, table)), None)

    @property
    def detected_company(self) -> str:
        """The company that Kalends read, whatever a person corrected."""
        found = self.find_correction(CorrectedField.COMPANY)
        return found.was if found else self.attributes.company

    @property
    def date_claim(self) -> DateClaim | None:
        """Its date with where that came from, None if it is undated."""
        if self.document_date is None or self.date_origin is None:
            return None
        return DateClaim(self.document_date, self.date_origin)

    @property
    def detected_date_claim(self) -> DateClaim | None:
        """The date that Kalends found, whatever a person corrected."""
        found = self.find_correction(CorrectedField.DOCUMENT_DATE)
        if found is None:
            return self.date_claim
        return DateClaim(date.fromisoformat(found.was), DateOrigin(found.was_from)) if found.was else None

    def find_output(self, stage: str) -> Output | None:
        """The output of a stage, if it ran."""
        return next((output for output in self.outputs if output.stage == stage), None)

    @property
    def failure(self) -> Output | None:
        """What tells why the file as it is now has no version of its own."""
        return next((output for output in self.outputs if output.stage in FAILURES), None)
