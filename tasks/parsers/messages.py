"""What the process that owns the files and the processes that read them say to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tasks.parsers.parser_contract import Raw
from warehouse.errors import UnreadableFile
from warehouse.records import Document

OUT_OF_MEMORY = 77
"""The exit status of a process that had no memory left to answer with."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Open this file with the parser of that name, in place of the one before.

    Answered with `FileOpened`, or with `ParseOutcome` at once where the file has no pages or one, or cannot be read.
    """

    parser: str
    raw: Raw


@dataclass(frozen=True, slots=True)
class ReadPages:
    """Read pages `first` to `last`, both included, of the open file. Answered with a `PageDone` for each, in order."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class JoinPages:
    """Make the document of these pages. Answered with the `ParseOutcome`.

    Each page is as `PageDone` brought it, pickled, so that the process between needs not take it apart.
    """

    parser: str
    front: Any
    pages: tuple[bytes | UnreadableFile, ...]


Request = Begin | ReadPages | JoinPages


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has started."""


@dataclass(frozen=True, slots=True)
class FileOpened:
    """The file is open and has `count` pages, more than one."""

    count: int
    front: Any


@dataclass(frozen=True, slots=True)
class PageDone:
    """A page, pickled, or why it could not be read. `spent`: the process has grown too much to go on."""

    number: int
    page: bytes | UnreadableFile
    spent: bool


@dataclass(frozen=True, slots=True)
class ParseOutcome:
    """The document, or why there is none. `spent`: the process has grown too much to go on."""

    result: Document | UnreadableFile
    spent: bool


Reply = Ready | FileOpened | PageDone | ParseOutcome
