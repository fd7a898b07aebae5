"""The contract of parsers: anything that turns a file's bytes into a `Document`, as a whole or page by page.

A page that fails costs itself; the file fails when nothing of it can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tasks.parsers import refusals
from warehouse.errors import UnreadableFile
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class Raw:
    """A file's bytes. `name` is the file's name without its folder; only its suffix is ever looked at."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The suffix in lower case with its dot, or nothing."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class Signature:
    """How a format is recognized whatever the file's name is.

    `magic` is sought in the first kilobyte of bytes, `text` in the decoded beginning (`decoder.decode_head`). Where
    that does not settle it, `confirms` does; it is asked only of files in which the pattern is, and never raises.
    """

    magic: re.Pattern[bytes] | None = None
    text: re.Pattern[str] | None = None
    confirms: Callable[[Raw], bool] = lambda raw: True


class ReadResult(NamedTuple):
    """The result of a file, its `place` among those given, and the seconds of wall time that it took."""

    place: int
    found: Document | UnreadableFile
    seconds: float


class Parser(Protocol):
    """A member of the family: the object `member` of a module of this package, named after the module.

    `version` rises whenever the same bytes would give another `Document`; it is part of every cache key. `heavy`
    parsers run in a process of their own, under a time and a memory limit. `reader.choose_parser` says how `suffixes`
    and `signature` decide which parser reads a file.
    """

    version: int
    media_type: str
    suffixes: tuple[str, ...]
    heavy: bool
    signature: Signature | None

    def parse(self, raw: Raw) -> Document:
        """The document. Raises `UnreadableFile` with the finding's code where the bytes cannot be read."""


@runtime_checkable
class UnsignedParser(Parser, Protocol):
    """A parser of a format whose files need not have a signature: the suffix tells them, or what they look like."""

    def measure_confidence(self, raw: Raw) -> float:
        """How much a file without a signature looks like this format, 0 to 1; 0 where it cannot be of it.

        With a suffix of its own only whether it is 0 counts. Looks at a bounded part and never raises.
        """


class OpenPages(Protocol):
    """An open file whose pages can be read one by one, in any order. Its results are sent between processes."""

    @property
    def count(self) -> int:
        """The number of pages."""

    @property
    def front(self) -> Any:
        """What the file says of itself, as its parser's `join` wants it."""

    def read(self, number: int) -> Any:
        """Page `number`, from 1, as its parser's `join` wants it. Raises `UnreadableFile` where it cannot be read."""

    def close(self) -> None:
        """Lets the file go."""


@runtime_checkable
class PagedParser(Parser, Protocol):
    """A parser whose pages do not need each other, so that processes share them and a bad page costs itself only."""

    def open(self, raw: Raw) -> OpenPages:
        """Raises `UnreadableFile` where the file as a whole cannot be read."""

    def make_lost_page(self, number: int, why: str) -> Any:
        """A page that could not be read, in place of what `OpenPages.read` would have given."""

    def join(self, front: Any, pages: Sequence[Any]) -> Document:
        """The document of all pages, in order. Raises `UnreadableFile` where they make none."""


@contextmanager
def refuse_failures(parser: str) -> Iterator[None]:
    """Makes every failure an `UnreadableFile`.

    Third-party parsers fail on broken files with whatever error comes first. This is the one place where such an
    unknown failure becomes the file's own: it costs the file (or the page), keeps the error's type in the message and
    its traceback as the cause.
    """
    try:
        yield
    except UnreadableFile:
        raise
    except MemoryError as error:
        raise refusals.out_of_memory() from error
    except RecursionError as error:
        raise refusals.too_deep() from error
    except Exception as error:
        raise refusals.crashed(parser, error) from error


def parse_pages(parser: PagedParser, raw: Raw) -> Document:
    """The document as `parser` reads it, in this process. Raises `UnreadableFile` where no page can be read."""
    with closing(parser.open(raw)) as pages:
        results = [try_page(pages, number) for number in range(1, pages.count + 1)]
        return join_pages(parser, pages.front, results)


def try_page(pages: OpenPages, number: int) -> Any:
    """The page, or the `UnreadableFile` that says why it is lost."""
    try:
        with refuse_failures("page"):
            return pages.read(number)
    except UnreadableFile as problem:
        return problem.with_traceback(None)


def join_pages(parser: PagedParser, front: Any, results: Sequence[Any]) -> Document:
    """The document of what `try_page` gave for each page, in order."""
    problems = [page for page in results if isinstance(page, UnreadableFile)]
    if problems and len(problems) == len(results):
        raise problems[0]
    return parser.join(
        front,
        [
            parser.make_lost_page(number, page.problem) if isinstance(page, UnreadableFile) else page
            for number, page in enumerate(results, start=1)
        ],
    )
