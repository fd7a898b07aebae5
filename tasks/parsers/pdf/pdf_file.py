"""An open PDF file: its pages one by one, and what it says of itself in properties and bookmarks."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from io import BytesIO

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdftypes import PDFObjRef, dict_value, resolve1
from pdfminer.utils import decode_text
from pdfplumber.utils.exceptions import PdfminerException

from tasks.parsers import refusals
from tasks.parsers.pdf import PdfFront
from tasks.parsers.pdf.characters.page_interpreter import quick_page, quick_pages
from tasks.parsers.pdf.page_reader import PageContent, read_page
from tasks.parsers.titles import is_placeholder
from tasks.parsers.written_dates import make_date
from warehouse.errors import UnreadableFile
from warehouse.records import DateClaim, DateOrigin

_MOST_BOOKMARKS = 2_000  # Bookmarks that are read: a file may have more than headings.
_SHORTEST = 5  # Letters that a title in Latin script has at least.
_DATE = re.compile(r"(?:D:)?(\d{4})-?(\d{2})-?(\d{2})")


class OpenPdf:
    """A PDF whose pages can be read one by one, in any order."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for encrypted and damaged files."""
        logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every odd colour and font
        try:
            self._data = data
            self._pdf = pdfplumber.open(BytesIO(data))
            self._pages = quick_pages(self._pdf)
        except PdfminerException as error:
            raise _refusal(error) from error

    @property
    def count(self) -> int:
        """The number of pages."""
        return len(self._pages)

    @property
    def front(self) -> PdfFront:
        """The information dictionary's title, authors and dates, and the bookmarks."""
        metadata = self._pdf.metadata
        names = (name.strip() for name in str(metadata.get("Author") or "").split(";"))
        authors = tuple(name for name in names if " " in name)
        bookmarks = tuple(find_bookmarks(self._pdf.doc.catalog))
        return PdfFront(proper_title(metadata), authors, tuple(_dates(metadata)), bookmarks)

    def read(self, number: int) -> PageContent:
        """Page `number`, from 1. Nothing of it is kept, so that memory does not grow with the pages."""
        try:
            return read_page(quick_page(self._pdf, self._pages[number - 1], number), self._data)
        except PdfminerException as error:
            raise _refusal(error) from error

    def close(self) -> None:
        """Lets the file go. pdfplumber's own `close` would make all of its pages first, only to close them."""
        self._pdf.stream.close()


def _refusal(error: Exception) -> UnreadableFile:
    """What pdfminer's error, which pdfplumber wraps, says about the file."""
    cause = error.args[0] if error.args else error
    if isinstance(cause, PDFPasswordIncorrect):
        return refusals.encrypted()
    if isinstance(cause, MemoryError):
        return refusals.out_of_memory()
    return refusals.damaged("PDF", f"{type(cause).__name__} {cause}")


def proper_title(metadata: Mapping[str, object]) -> str:
    """The title, or nothing where it is a file name, a program's default or a single code."""
    text = " ".join(str(metadata.get("Title") or "").split())
    return "" if is_placeholder(text) or (text.isascii() and len(text) < _SHORTEST) else text


def _dates(metadata: Mapping[str, object]) -> list[DateClaim]:
    """The date of creation, else of the last change."""
    matches = (_DATE.match(str(metadata.get(key) or "")) for key in ("CreationDate", "ModDate"))
    days = (make_date(*map(int, match.groups())) for match in matches if match)
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day][:1]


def find_bookmarks(catalog: Mapping[str, object]) -> Iterator[str]:
    """The titles in a file's outline, in no particular order; what is damaged in it is left out."""
    waiting, seen = [catalog.get("Outlines")], set[int]()
    while waiting and len(seen) < _MOST_BOOKMARKS:
        place = waiting.pop()
        if not isinstance(place, PDFObjRef) or place.objid in seen:
            continue
        seen.add(place.objid)
        entry = dict_value(place)
        title = resolve1(entry.get("Title"))
        if isinstance(title, bytes):
            yield " ".join(decode_text(title).split())
        waiting += [entry.get("First"), entry.get("Next")]
