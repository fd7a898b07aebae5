"""The process in which heavy parsers run: `python -m tasks.parsers.child DESCRIPTOR MEGABYTES`, started by `worker`.

It says that it is ready, then answers each request of `messages`. It ends when the other end of its pipe is closed or
the process that started it is gone.
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection

import psutil

from tasks.parsers.messages import (
    OUT_OF_MEMORY,
    Begin,
    FileOpened,
    JoinPages,
    PageDone,
    ParseOutcome,
    ReadPages,
    Ready,
    Reply,
    Request,
)
from tasks.parsers.parser_contract import OpenPages, PagedParser, Raw, failures_named, join_pages, read_page
from tasks.parsers.reader import PARSERS, parse_as
from warehouse.errors import UnreadableFile
from warehouse.process_limits import bound_memory, end_with_owner
from warehouse.records import Document


class _RequestLoop:
    """Answers requests; has at most one file open."""

    def __init__(self, megabytes: int) -> None:
        self._process = psutil.Process()
        self._start = self._process.memory_info().vms
        self._most = megabytes * 2**20
        self._pages: OpenPages | None = None
        bound_memory(self._start + self._most)

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
        """Whether this process has grown so much that another should go on."""
        return bool(self._process.memory_info().vms - self._start > self._most / 2)

    def _begin(self, name: str, raw: Raw) -> Reply:
        self._close()
        parser = PARSERS[name]
        if not isinstance(parser, PagedParser):
            return ParseOutcome(parse_as(name, raw), self._is_spent)
        with failures_named(name):
            self._pages = pages = parser.open(raw)
            if pages.count > 1:
                return FileOpened(pages.count, pages.front)
            found = [read_page(pages, 1)] if pages.count else []
            return ParseOutcome(join_pages(parser, pages.front, found), self._is_spent)

    def _read(self, first: int, last: int) -> Iterator[Reply]:
        if self._pages is None:
            raise ValueError("a page was asked for before its file was opened")
        for number in range(first, last + 1):
            page = read_page(self._pages, number)
            kept = page if isinstance(page, UnreadableFile) else pickle.dumps(page, pickle.HIGHEST_PROTOCOL)
            yield PageDone(number, kept, self._is_spent)

    def _join(self, request: JoinPages) -> Document:
        self._close()
        parser = PARSERS[request.parser]
        if not isinstance(parser, PagedParser):
            raise ValueError(f"the {request.parser} parser has no pages")
        with failures_named(request.parser):
            pages = [page if isinstance(page, UnreadableFile) else pickle.loads(page) for page in request.pages]  # noqa: S301  (our own process wrote it)
            return join_pages(parser, request.front, pages)

    def _close(self) -> None:
        if self._pages is not None:
            self._pages.close()
            self._pages = None


def _serve(pipe: Connection, megabytes: int) -> None:
    """Answers until the pipe is closed."""
    _load()
    reader = _RequestLoop(megabytes)
    pipe.send(Ready())
    while True:
        try:
            for reply in reader.answer(pipe.recv()):
                pipe.send(reply)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def _load() -> None:
    """Imports what reads, before any clock runs or memory is counted."""
    import lxml.etree  # noqa: F401

    import tasks.parsers.pdf.blocks.document_writer
    import tasks.parsers.pdf.pdf_file  # noqa: F401

    len(PARSERS)


def main() -> None:
    """Reads the arguments and serves."""
    warnings.simplefilter("ignore")
    end_with_owner()
    try:
        _serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
