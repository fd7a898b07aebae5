"""The process in which heavy parsers run, and its messages to and from its owner (`parser_pool`).

It reports that it is ready, then answers each request.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import psutil

from tasks.parsers.parser_contract import OpenPages, PagedParser, Raw, join_pages, refuse_failures, try_page
from tasks.parsers.reader import PARSERS, parse_as
from warehouse.child_process import bound_memory
from warehouse.errors import UnreadableFile
from warehouse.records import Document


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

    Each page is pickled as in `PageDone`, so that the owner need not unpickle it.
    """

    parser: str
    front: Any
    pages: tuple[bytes | UnreadableFile, ...]


Request = Begin | ReadPages | JoinPages


@dataclass(frozen=True, slots=True)
class ProcessReady:
    """The process has started."""


@dataclass(frozen=True, slots=True)
class FileOpened:
    """The file is open and has `count` pages, more than one."""

    count: int
    front: Any


@dataclass(frozen=True, slots=True)
class PageDone:
    """A page, pickled, or why it could not be read. `spent`: the process has grown too much to continue."""

    number: int
    page: bytes | UnreadableFile
    spent: bool


@dataclass(frozen=True, slots=True)
class ParseOutcome:
    """The document, or why there is none. `spent`: the process has grown too much to continue."""

    result: Document | UnreadableFile
    spent: bool


Reply = ProcessReady | FileOpened | PageDone | ParseOutcome


def read_on_request(pipe: Connection, megabytes: str) -> None:
    """Answers until the owner closes the pipe; a file may add so many megabytes to the memory of this process."""
    import lxml.etree  # noqa: F401  (imported before time and memory are measured)
    import pdfplumber  # noqa: F401

    len(PARSERS)
    loop = _RequestLoop(int(megabytes))
    pipe.send(ProcessReady())
    while True:
        for reply in loop.answer(pipe.recv()):
            pipe.send(reply)


class _RequestLoop:
    """Answers requests; has at most one file open."""

    def __init__(self, megabytes: int) -> None:
        self._process = psutil.Process()
        self._start_bytes = self._process.memory_info().vms
        self._max_bytes = megabytes * 2**20
        self._pages: OpenPages | None = None
        bound_memory(self._start_bytes + self._max_bytes)

    def answer(self, request: Request) -> Iterator[Reply]:
        """The replies to a request."""
        try:
            if isinstance(request, Begin):
                yield self._begin(request.parser, request.raw)
            elif isinstance(request, ReadPages):
                yield from self._read(request.first, request.last)
            else:
                yield ParseOutcome(self._join(request), self._is_spent)
        except UnreadableFile as problem:
            yield ParseOutcome(problem.with_traceback(None), self._is_spent)

    @property
    def _is_spent(self) -> bool:
        """Whether this process has grown so much that another should continue."""
        return bool(self._process.memory_info().vms - self._start_bytes > self._max_bytes / 2)

    def _begin(self, name: str, raw: Raw) -> Reply:
        self._close()
        parser = PARSERS[name]
        if not isinstance(parser, PagedParser):
            return ParseOutcome(parse_as(name, raw), self._is_spent)
        with refuse_failures(name):
            self._pages = pages = parser.open(raw)
            if pages.count > 1:
                return FileOpened(pages.count, pages.front)
            results = [try_page(pages, 1)] if pages.count else []
            return ParseOutcome(join_pages(parser, pages.front, results), self._is_spent)

    def _read(self, first: int, last: int) -> Iterator[Reply]:
        if self._pages is None:
            raise ValueError("a page was asked for before its file was opened")
        for number in range(first, last + 1):
            page = try_page(self._pages, number)
            result = page if isinstance(page, UnreadableFile) else pickle.dumps(page, pickle.HIGHEST_PROTOCOL)
            yield PageDone(number, result, self._is_spent)

    def _join(self, request: JoinPages) -> Document:
        self._close()
        parser = PARSERS[request.parser]
        if not isinstance(parser, PagedParser):
            raise ValueError(f"the {request.parser} parser has no pages")
        with refuse_failures(request.parser):
            pages = [page if isinstance(page, UnreadableFile) else pickle.loads(page) for page in request.pages]  # noqa: S301  (our own process wrote it)
            return join_pages(parser, request.front, pages)

    def _close(self) -> None:
        if self._pages is not None:
            self._pages.close()
            self._pages = None
