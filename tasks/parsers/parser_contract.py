"""The contract of parsers: anything that turns a file's bytes into a `Document`, at once or page by page.

A page that fails is lost without the others; the file fails when nothing of it can be read.

The text that a parser gives to `Assembly` may have marks where the tagged pieces of a page begin and end. A mark is
four characters of the private area of plane 16 next to a visible character, so that white space is handled as without
it. `Assembly` removes the marks from what it adds and records their places; code that reads the words of a cell before
that reads them `without_marks`.
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

_FIRST_DIGIT = 0x10F800
_MARK_BASE = 1024
_OPENING, _CLOSING = chr(0x10FC00), chr(0x10FC01)
_MARK = re.compile(rf"([{_OPENING}{_CLOSING}])([{chr(_FIRST_DIGIT)}-{chr(_FIRST_DIGIT + _MARK_BASE - 1)}]{{3}})")
LOOKS_MARKED = re.compile(rf"[{chr(_FIRST_DIGIT)}-{_CLOSING}]")
"""Characters that the text of a page must not have while it has marks."""
MAX_PIECES = _MARK_BASE**3


@dataclass(frozen=True, slots=True)
class Raw:
    """A file's bytes. `name` is the file's name without its folder; only its suffix is used."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The suffix in lower case with its dot, or nothing."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature by which a format is recognized, whatever the file's name.

    `magic` is searched in the first kilobyte of bytes, `text` in the decoded beginning (`decoder.decode_head`).
    `confirms` decides on files with the pattern that may be of another format; it never raises.
    """

    magic: re.Pattern[bytes] | None = None
    text: re.Pattern[str] | None = None
    confirms: Callable[[Raw], bool] = lambda raw: True


class ReadResult(NamedTuple):
    """The result of a file: its index, the document or error, and the seconds of wall time."""

    place: int
    found: Document | UnreadableFile
    seconds: float


class Parser(Protocol):
    """A member of the family: the object `member` of a module of this package, named after the module.

    `version` rises whenever the same bytes would give another `Document`; it is part of every cache key. `heavy`
    parsers run in separate processes, under a time and a memory limit. `reader.choose_parser` describes how `suffixes`
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
    """A parser of a format whose files need not have a signature: they are recognized by suffix or content."""

    def measure_confidence(self, raw: Raw) -> float:
        """The confidence that a file without a signature has this format, 0 to 1; 0 if it cannot have it.

        With a suffix of the format, only whether it is 0 matters. Reads a bounded part and never raises.
        """


class OpenPages(Protocol):
    """An open file whose pages can be read one by one, in any order. Its results are sent between processes."""

    @property
    def count(self) -> int:
        """The number of pages."""

    @property
    def front(self) -> Any:
        """The metadata of the file, for `join` of its parser."""

    def read(self, number: int) -> Any:
        """Page `number`, from 1, for `join` of its parser. Raises `UnreadableFile` where it cannot be read."""

    def close(self) -> None:
        """Releases the file."""


@runtime_checkable
class PagedParser(Parser, Protocol):
    """A parser whose pages are independent, so that processes share them and a bad page is lost without the others."""

    def open(self, raw: Raw) -> OpenPages:
        """Raises `UnreadableFile` where the file cannot be opened."""

    def make_lost_page(self, number: int, why: str) -> Any:
        """A page that could not be read, in place of the result of `OpenPages.read`."""

    def join(self, front: Any, pages: Sequence[Any]) -> Document:
        """The document of all pages, in order. Raises `UnreadableFile` where there is none."""


@contextmanager
def refuse_failures(parser: str) -> Iterator[None]:
    """Makes every failure an `UnreadableFile`.

    Third-party parsers fail on damaged files with any error. Only here such an unknown failure becomes one of the file:
    the file (or the page) is lost, with the error's type in the message and its traceback as the cause.
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
    """The page, or the `UnreadableFile` with the reason why it is lost."""
    try:
        with refuse_failures("page"):
            return pages.read(number)
    except UnreadableFile as problem:
        return problem.with_traceback(None)


def join_pages(parser: PagedParser, front: Any, results: Sequence[Any]) -> Document:
    """The document of the results of `try_page` for each page, in order."""
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


class TextMark(NamedTuple):
    """The beginning, or the end, of a piece at an offset of a text without marks."""

    piece: int
    is_end: bool
    offset: int


def make_mark(piece: int, *, is_end: bool) -> str:
    """The mark of a piece, which is a number below `MAX_PIECES`."""
    digits = (piece // _MARK_BASE**2, piece // _MARK_BASE % _MARK_BASE, piece % _MARK_BASE)
    return (_CLOSING if is_end else _OPENING) + "".join(chr(_FIRST_DIGIT + digit) for digit in digits)


def without_marks(text: str) -> str:
    """A text without its marks."""
    return text if text.isascii() else _MARK.sub("", text)


def extract_marks(text: str) -> tuple[str, list[TextMark]]:
    """A text without its marks, and these in order."""
    if text.isascii():
        return text, []
    pieces, marks, copied_to, length = [], list[TextMark](), 0, 0
    for match in _MARK.finditer(text):
        pieces.append(text[copied_to : match.start()])
        length += match.start() - copied_to
        copied_to = match.end()
        first, second, third = (ord(digit) - _FIRST_DIGIT for digit in match[2])
        marks.append(TextMark((first * _MARK_BASE + second) * _MARK_BASE + third, match[1] == _CLOSING, length))
    return ("".join((*pieces, text[copied_to:])), marks) if marks else (text, [])
