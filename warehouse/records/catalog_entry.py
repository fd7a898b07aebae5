"""Source folders and files, the entries of documents in the warehouse, and the runs that published them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from warehouse.records.calendars import FiscalCalendar
from warehouse.records.corrections import AppliedCorrection, CorrectedField
from warehouse.records.document import Attributes, DateClaim, DateOrigin, Kind


@dataclass(frozen=True, slots=True)
class StageCost:
    """The work of one stage in a run: the number of documents and the wall seconds that it took."""

    stage: str
    documents: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run that published `generation`. `settings` is their JSON; `started` is UTC; `flow_run` is Prefect's id.

    `seconds` are those from the start to the first step of publishing. `published` is the moment (UTC) of publishing;
    runs of older programs did not record it.
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
        """The time from which readers see its generation; if the run did not record it, the earliest possible time."""
        return self.published or self.started + timedelta(seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are divided into passages, as far as that is set: a chunker's name, and lengths in `unit`.

    `unit` is "characters" or "tokens" (of the embedder).
    """

    chunker: str = ""
    size: int | None = None
    overlap: int | None = None
    unit: str = ""

    def with_defaults(self, defaults: Chunking) -> Chunking:
        """The same, with the values of `defaults` for those that are not set."""
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
    """A file as discovery saw it. `source` is its permanent name: the root's name, a slash, the relative path."""

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
"""The outputs of a document that say why its present file has no others: no parser can read it, or a stage failed on
it."""


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One document of a generation: its file, its properties, and its stage outputs.

    `document_id` is a digest of `source`, so edits do not change it. A file that no parser can read has the output
    "refused", one on which a stage failed "failed", alone or with the outputs of its last good version.
    `content_kind` is the kind by content, `kind` the one that the root declares, if it does. `fiscal_year_start` is the
    month, 1 to 12, in which fiscal years begin, `fiscal_calendar` all that the documents of its company say about them.
    `reported_name` is the period it reports on ("FY2022", "Q2 2023"; empty if it has none), from `reported_start` up
    to, but not including, `reported_end`. `corrections` are those by people, which its other fields and outputs already
    contain, and `correction_key` is their digest.
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
        return next(
            (correction for correction in self.corrections if (correction.field, correction.table) == (field, table)),
            None,
        )

    @property
    def detected_company(self) -> str:
        """The company that Kalends read, without corrections by people."""
        correction = self.find_correction(CorrectedField.COMPANY)
        return correction.was if correction else self.attributes.company

    @property
    def date_claim(self) -> DateClaim | None:
        """Its date with where that came from, None if it is undated."""
        if self.document_date is None or self.date_origin is None:
            return None
        return DateClaim(self.document_date, self.date_origin)

    @property
    def detected_date_claim(self) -> DateClaim | None:
        """The date that Kalends found, without corrections by people."""
        correction = self.find_correction(CorrectedField.DOCUMENT_DATE)
        if correction is None:
            return self.date_claim
        return (
            DateClaim(date.fromisoformat(correction.was), DateOrigin(correction.was_from)) if correction.was else None
        )

    def find_output(self, stage: str) -> Output | None:
        """The output of a stage, if it ran."""
        return next((output for output in self.outputs if output.stage == stage), None)

    @property
    def failure(self) -> Output | None:
        """The output that says why the present file has no version of its own."""
        return next((output for output in self.outputs if output.stage in FAILURES), None)
