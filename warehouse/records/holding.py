"""Where documents come from and what the warehouse holds of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path

from warehouse.records.document import Attributes, DateOrigin, Kind


@dataclass(frozen=True, slots=True)
class Root:
    """A declared folder of documents. `only` limits it to some files (paths relative to the folder)."""

    name: str
    folder: Path
    only: tuple[str, ...] | None = None
    kind: Kind | None = None
    topic: str = ""
    chunker: str = ""
    fiscal_year_end: str = ""


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
class Holding:
    """One document of a generation: its file, what it is, and the key of each stage output it stands on.

    `keys` maps a stage to the key of this document's output, `files` maps a stage to the lake file that holds it.
    """

    document_id: str
    source: str
    root: str
    path: str
    sha256: str
    size: int
    modified_ns: int
    status: Status
    reason: str = ""
    kind: Kind = Kind.TEXT
    media_type: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = "und"
    document_date: date | None = None
    date_origin: DateOrigin | None = None
    fiscal_year_start: int | None = None
    total_pages: int | None = None
    non_empty_pages: int | None = None
    table_count: int = 0
    chunk_count: int = 0
    attributes: Attributes = field(default_factory=Attributes)
    keys: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
