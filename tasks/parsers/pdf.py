"""PDF (ISO 32000) through pdfplumber: text lines with their boxes and tables, in reading order."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.pages import properties
from tasks.parsers.pages.document_writer import write
from tasks.parsers.pages.lost_glyphs import with_text
from tasks.parsers.pages.page_reader import PageContent, read_page
from tasks.parsers.parser_contract import Raw, parse_pages
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.errors import UnreadableFile
from warehouse.records import Attributes, DateClaim, Document, Kind

if TYPE_CHECKING:
    from pdfplumber.pdf import PDF

_HEAD = 1024
_TAIL = 4096


@dataclass(frozen=True, slots=True)
class Front:
    """What the file says of itself; `bookmarks` are the titles of its outline (ISO 32000-1, 12.3.3)."""

    title: str
    authors: tuple[str, ...]
    dates: tuple[DateClaim, ...]
    bookmarks: tuple[str, ...] = ()


class OpenPdf:
    """A PDF whose pages can be read one by one, in any order."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for encrypted and damaged files."""
        from pdfplumber.utils.exceptions import PdfminerException

        from tasks.parsers.pages.quick import quick_pages

        try:
            self._data = data
            self._pdf = _open(data)
            self._pages = quick_pages(self._pdf)
        except PdfminerException as error:
            raise _refusal(error) from error

    @property
    def count(self) -> int:
        """The number of pages."""
        return len(self._pages)

    @property
    def front(self) -> Front:
        """The information dictionary's title, authors and dates, and the bookmarks."""
        metadata = self._pdf.metadata
        authors, dates = tuple(properties.authors(metadata)), tuple(properties.dates(metadata))
        return Front(properties.title(metadata), authors, dates, tuple(properties.bookmarks(self._pdf.doc.catalog)))

    def read(self, number: int) -> PageContent:
        """Page `number`, from 1. Nothing of it is kept, so that memory does not grow with the pages."""
        from pdfplumber.utils.exceptions import PdfminerException

        from tasks.parsers.pages.quick import quick_page

        try:
            return read_page(quick_page(self._pdf, self._pages[number - 1], number), self._data)
        except PdfminerException as error:
            raise _refusal(error) from error

    def close(self) -> None:
        """Lets the file go. pdfplumber's own `close` would make all of its pages first, only to close them."""
        self._pdf.stream.close()


class Pdf:
    """Paragraphs, headings, lists, tables; running heads and page numbers set aside as furniture.

    A course transcript is read as one.
    """

    version = 12
    media_type = "application/pdf"
    suffixes: tuple[str, ...] = (".pdf",)
    heavy = True

    def claims(self, raw: Raw) -> float:
        """The signature near the beginning (ISO 32000-1, annex H)."""
        return 1.0 if b"%PDF-" in raw.data[:_HEAD] else 0.0

    def open(self, raw: Raw) -> OpenPdf:
        """Raises `UnreadableFile` for encrypted, truncated and damaged files."""
        if b"startxref" not in raw.data[-_TAIL:]:
            raise refusals.truncated("PDF")
        return OpenPdf(raw.data)

    def lost(self, number: int, why: str) -> PageContent:
        """A page that could not be read."""
        return PageContent(number, findings=(refusals.lost_page(number, why),), is_lost=True)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for encrypted, truncated and damaged files, and where no page has a text layer."""
        return parse_pages(self, raw)

    def join(self, front: Front, pages: Sequence[PageContent]) -> Document:
        """The document of all its pages, in order. Raises `UnreadableFile` where none has a text layer."""
        if all(page.is_empty for page in pages) and not any(page.is_lost for page in pages):
            raise refusals.without_text(len(pages))
        assembly = Assembly()
        title = write(assembly, with_text(pages), front.bookmarks)
        document = assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=front.title or title,
            authors=front.authors,
            dates=[*datelines(assembly.beginning(WITHIN)), *front.dates],
            total_pages=len(pages),
            attributes=Attributes(doi=properties.doi_of("\n".join(assembly.beginning(WITHIN)))),
            findings=[finding for page in pages for finding in page.findings],
        )
        return as_course(document)


def _open(data: bytes) -> PDF:
    import pdfplumber

    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every odd colour and font
    return pdfplumber.open(BytesIO(data))


def _refusal(error: Exception) -> UnreadableFile:
    """What pdfminer's error, which pdfplumber wraps, says about the file."""
    from pdfminer.pdfdocument import PDFPasswordIncorrect

    cause = error.args[0] if error.args else error
    if isinstance(cause, PDFPasswordIncorrect):
        return refusals.encrypted()
    if isinstance(cause, MemoryError):
        return refusals.out_of_memory()
    return refusals.damaged("PDF", f"{type(cause).__name__} {cause}")


member = Pdf()
