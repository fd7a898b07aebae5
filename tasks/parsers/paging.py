"""Reading a file page by page: a page that fails costs itself, the file fails when nothing of it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from tasks.parsers import refusals
from tasks.parsers.contract import OpenPages, PagedParser, Raw
from warehouse.errors import UnreadableFile
from warehouse.records import Document


@contextmanager
def failures_named(parser: str) -> Iterator[None]:
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
        found = [read_page(pages, number) for number in range(1, pages.count + 1)]
        return join_pages(parser, pages.front, found)


def read_page(pages: OpenPages, number: int) -> Any:
    """The page, or the `UnreadableFile` that says why it is lost."""
    try:
        with failures_named("page"):
            return pages.read(number)
    except UnreadableFile as problem:
        return problem.with_traceback(None)


def join_pages(parser: PagedParser, front: Any, found: Sequence[Any]) -> Document:
    """The document of what `read_page` gave for each page, in order."""
    lost = [page for page in found if isinstance(page, UnreadableFile)]
    if lost and len(lost) == len(found):
        raise lost[0]
    return parser.join(
        front,
        [
            parser.lost(number, page.problem) if isinstance(page, UnreadableFile) else page
            for number, page in enumerate(found, start=1)
        ],
    )
