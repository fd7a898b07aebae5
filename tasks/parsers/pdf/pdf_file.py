"""An open PDF file: its pages, properties, bookmarks and attachments.

pdfminer opens it. A file that pdfminer cannot open, or in which it finds no text, is rewritten by PDFium, which reads
damaged files and those that are encrypted but ask for no password.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import pdfplumber
from pdfminer.pdfdocument import PDFEncryptionError
from pdfminer.pdfparser import PDFSyntaxError
from pdfminer.pdftypes import PDFObjRef, dict_value, resolve1
from pdfminer.utils import decode_text
from pdfplumber.utils.exceptions import PdfminerException

from tasks.parsers import refusals
from tasks.parsers.document_head import is_placeholder
from tasks.parsers.pdf import PdfFront
from tasks.parsers.pdf.characters.page_interpreter import DAMAGES, list_pages, make_page
from tasks.parsers.pdf.page_reader import PageContent, read_page
from tasks.parsers.written_dates import make_date
from warehouse.errors import UnreadableFile
from warehouse.records import DateClaim, DateOrigin

if TYPE_CHECKING:
    from pdfminer.pdfpage import PDFPage
    from pdfplumber.pdf import PDF

_MAX_BOOKMARKS = 2_000  # Bookmarks that are read: a file may have more than headings.
_MAX_NODES = 1_000  # Nodes of the tree of attachments that are looked at.
_MIN_TITLE_LETTERS = 5  # Letters that a title in Latin script has at least.
_BROWSER = re.compile(r"^Mozilla\/|\b(?:Chrom(?:e|ium)|Firefox|Safari)\b")
_DATE = re.compile(r"(?:D:)?(\d{4})-?(\d{2})-?(\d{2})")


class OpenPdf:
    """A PDF whose pages can be read one by one, in any order."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for files with a password, and damaged ones that PDFium cannot mend either."""
        logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every unusual colour and font
        self._data = data
        self._repaired: _PagedFile | None = None  # as PDFium rewrites it; set when it is first needed
        try:
            self._file = _open(data)
        except PdfminerException as error:
            repaired = None if isinstance(_get_cause(error), MemoryError) else _repair_with_pdfium(data, 0)
            if repaired is None:
                raise _make_refusal(error, "its pages cannot be found") from error
            self._file = self._repaired = repaired

    @property
    def count(self) -> int:
        """The number of pages."""
        return len(self._file.pages)

    @property
    def front(self) -> PdfFront:
        """The information dictionary's title, authors and dates, and the bookmarks."""
        metadata = self._file.pdf.metadata
        names = (name.strip() for name in str(metadata.get("Author") or "").split(";"))
        authors = tuple(name for name in names if " " in name)
        catalog = self._file.pdf.doc.catalog
        bookmarks, attachments = tuple(find_bookmarks(catalog)), tuple(find_attachments(catalog))
        return PdfFront(read_title(metadata), authors, tuple(_read_dates(metadata)), bookmarks, attachments)

    def read(self, number: int) -> PageContent:
        """Page `number`, from 1. It is not cached, so that memory does not grow with the pages.

        Where it fails or has no text, and PDFium finds text on it, it is read from the file that PDFium writes.
        """
        try:
            page = self._file.read(number)
            problem = None
        except PdfminerException as error:
            page, problem = None, error
            if isinstance(_get_cause(error), MemoryError):
                raise _make_refusal(error, "") from error
        if (page is None or page.is_empty) and self._repaired is not self._file:
            self._repaired = self._repaired or _repair_with_pdfium(self._data, number)
            if self._repaired is not None:
                with suppress(PdfminerException):
                    return self._repaired.read(number)
        if page is None:
            raise _make_refusal(problem, "its content cannot be decoded") from problem
        return page

    def close(self) -> None:
        """Closes the file. pdfplumber's `close` would first make all of its pages, only to close them."""
        for file in filter(None, (self._file, self._repaired)):
            file.pdf.stream.close()


@dataclass(frozen=True, slots=True)
class _PagedFile:
    """A file opened by pdfplumber, and its pages, not yet interpreted."""

    data: bytes
    pdf: PDF
    pages: Sequence[PDFPage]

    def read(self, number: int) -> PageContent:
        """Page `number`, from 1. Raises `PdfminerException`."""
        try:
            page = make_page(self.pdf, self.pages[number - 1], number)
        except (*DAMAGES, RecursionError) as error:
            raise PdfminerException(error) from error
        return read_page(page, self.data)


def _open(data: bytes) -> _PagedFile:
    """Raises `PdfminerException`."""
    pdf = pdfplumber.open(BytesIO(data))
    try:
        pages = list_pages(pdf)
    except (*DAMAGES, RecursionError) as error:
        raise PdfminerException(error) from error
    if not pages:
        raise PdfminerException(PDFSyntaxError("it has no pages"))
    return _PagedFile(data, pdf, pages)


def _repair_with_pdfium(data: bytes, number: int) -> _PagedFile | None:
    """The file as PDFium saves it, or else its pages in a new one: cross-references, page tree and text unlocked.

    None where PDFium finds no pages either, or no text on page `number` if that is not 0.
    """
    import pypdfium2
    from pypdfium2 import raw as pdfium

    with suppress(pypdfium2.PdfiumError), closing(pypdfium2.PdfDocument(data)) as document:
        if len(document) < max(number, 1) or (number and not document[number - 1].get_textpage().count_chars()):
            return None
        with closing(pypdfium2.PdfDocument.new()) as new_document:
            new_document.import_pages(document)
            for source in (document, new_document):
                saved = BytesIO()
                source.save(saved, flags=pdfium.FPDF_REMOVE_SECURITY)
                with suppress(PdfminerException):
                    return _open(saved.getvalue())
    return None


def _get_cause(error: PdfminerException) -> BaseException:
    """The error of pdfminer that pdfplumber wraps."""
    cause = error.args[0] if error.args else error
    return cause if isinstance(cause, BaseException) else error


def _make_refusal(error: PdfminerException | None, reason: str) -> UnreadableFile:
    """What an error of pdfminer says about the file; else `reason` it cannot be read."""
    cause = error and _get_cause(error)
    if isinstance(cause, PDFEncryptionError):
        return refusals.encrypted()
    if isinstance(cause, MemoryError):
        return refusals.out_of_memory()
    return refusals.damaged("PDF", "its objects contain themselves" if isinstance(cause, RecursionError) else reason)


def read_title(metadata: Mapping[str, object]) -> str:
    """The title, or nothing where it is a file name, a program's default or a single code."""
    text = " ".join(str(metadata.get("Title") or "").split())
    return "" if is_placeholder(text) or (text.isascii() and len(text) < _MIN_TITLE_LETTERS) else text


def _read_dates(metadata: Mapping[str, object]) -> list[DateClaim]:
    """The date of creation, else of the last change; none where a browser printed a page of any age."""
    if _BROWSER.search(str(metadata.get("Creator") or "")):
        return []
    matches = (_DATE.match(str(metadata.get(key) or "")) for key in ("CreationDate", "ModDate"))
    days = (make_date(*map(int, match.groups())) for match in matches if match)
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day][:1]


def find_bookmarks(catalog: Mapping[str, object]) -> Iterator[str]:
    """The titles in a file's outline, in no particular order; what is damaged in it is left out."""
    pending, seen_ids = [catalog.get("Outlines")], set[int]()
    while pending and len(seen_ids) < _MAX_BOOKMARKS:
        node = pending.pop()
        if not isinstance(node, PDFObjRef) or node.objid in seen_ids:
            continue
        seen_ids.add(node.objid)
        entry = dict_value(node)
        title = resolve1(entry.get("Title"))
        if isinstance(title, bytes):
            yield " ".join(decode_text(title).split())
        pending += [entry.get("First"), entry.get("Next")]


def find_attachments(catalog: Mapping[str, object]) -> Iterator[str]:
    """The names of the files that are embedded, in their order; what is damaged among them is left out."""
    names = resolve1(catalog.get("Names"))
    pending = [names.get("EmbeddedFiles")] if isinstance(names, dict) else []
    for _ in range(_MAX_NODES):
        if not pending:
            return
        node = resolve1(pending.pop())
        if not isinstance(node, dict):
            continue
        pairs, kids = resolve1(node.get("Names")), resolve1(node.get("Kids"))
        for value in pairs[1::2] if isinstance(pairs, list) else ():
            file_spec = resolve1(value)
            name = resolve1(file_spec.get("UF") or file_spec.get("F")) if isinstance(file_spec, dict) else None
            yield decode_text(name) if isinstance(name, bytes) else "a file without a name"
        pending += reversed(kids) if isinstance(kids, list) else ()
