"""PDF (ISO 32000) through pdfplumber: text lines with their boxes and ruled tables, in the order of the page."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.contract import Raw
from tasks.parsers.datelines import WITHIN, datelines
from tasks.parsers.pages import furniture, headings, paragraphs, properties
from tasks.parsers.pages.headings import Typography
from tasks.parsers.pages.lines import TextLine, read_lines
from tasks.parsers.pages.ruled import RuledTable, read_ruled
from tasks.parsers.table_form import Place
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateClaim, Document, Finding, Kind, Severity

if TYPE_CHECKING:
    from pdfplumber.page import Page as PlumberPage
    from pdfplumber.pdf import PDF

_HEAD = 1024
_TAIL = 4096


@dataclass(frozen=True, slots=True)
class PageContent:
    """What one page holds, top to bottom, and whether it shows a picture. `lost` says why it could not be read."""

    number: int
    items: tuple[TextLine | RuledTable, ...] = ()
    has_picture: bool = False
    lost: str = ""

    @property
    def lines(self) -> list[TextLine]:
        """The lines outside tables."""
        return [item for item in self.items if isinstance(item, TextLine)]


@dataclass(frozen=True, slots=True)
class Front:
    """What the file says of itself."""

    title: str
    authors: tuple[str, ...]
    dates: tuple[DateClaim, ...]


class OpenPdf:
    """A PDF whose pages can be read one by one, in any order."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for encrypted and damaged files."""
        from pdfplumber.utils.exceptions import PdfminerException

        from tasks.parsers.pages.quick import quick_pages

        try:
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
        """The information dictionary's title, authors and dates."""
        metadata = self._pdf.metadata
        return Front(properties.title(metadata), tuple(properties.authors(metadata)), tuple(properties.dates(metadata)))

    def read(self, number: int) -> PageContent:
        """Page `number`, from 1. Nothing of it is kept, so that memory does not grow with the pages."""
        from pdfplumber.utils.exceptions import PdfminerException

        from tasks.parsers.pages.quick import quick_page

        try:
            return _read(quick_page(self._pdf, self._pages[number - 1], number))
        except PdfminerException as error:
            raise _refusal(error) from error

    def close(self) -> None:
        """Lets the file go."""
        self._pdf.close()


class Pdf:
    """Paragraphs, headings, lists, ruled tables; running heads and page numbers set aside as furniture."""

    version = 2
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
        return PageContent(number, lost=why)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for encrypted, truncated and damaged files, and where no page has a text layer."""
        pdf = self.open(raw)
        document = self.join(pdf.front, [pdf.read(number) for number in range(1, pdf.count + 1)])
        pdf.close()
        return document

    def join(self, front: Front, pages: Sequence[PageContent]) -> Document:
        """The document of all its pages, in order. Raises `UnreadableFile` where none has a text layer."""
        if not any(page.items for page in pages):
            raise refusals.without_text(len(pages))
        assembly = Assembly()
        aside = furniture.find_furniture([page.lines for page in pages])
        type_sizes = headings.measure(line for page in pages for line in page.lines if id(line) not in aside)
        for page in pages:
            _add(assembly, page, aside, type_sizes)
        return assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=front.title,
            authors=front.authors,
            dates=[*datelines(assembly.beginning(WITHIN)), *front.dates],
            total_pages=len(pages),
            findings=[_without_text(page.number) for page in pages if page.has_picture and not page.items],
        )


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


def _read(page: PlumberPage) -> PageContent:
    tables, outside = read_ruled(page, page.chars)
    items: list[TextLine | RuledTable] = [*read_lines(outside, page.page_number), *tables]
    items.sort(key=lambda item: item.box.top)
    content = PageContent(page.page_number, tuple(items), bool(page.images))
    page.close()
    return content


def _add(assembly: Assembly, page: PageContent, aside: set[int], type_sizes: Typography) -> None:
    for kind, run in groupby(page.items, key=lambda item: _kind(item, aside)):
        items = list(run)
        for table in (item for item in items if isinstance(item, RuledTable)):
            assembly.table(table.rows, places=[Place(page.number, box) for box in table.boxes])
        lines = [item for item in items if isinstance(item, TextLine)]
        if kind is BlockKind.FURNITURE:
            assembly.lines(kind, [line.line for line in lines])
        else:
            _add_prose(assembly, lines, type_sizes)


def _kind(item: TextLine | RuledTable, aside: set[int]) -> BlockKind:
    if isinstance(item, RuledTable):
        return BlockKind.TABLE
    return BlockKind.FURNITURE if id(item) in aside else BlockKind.PARAGRAPH


def _add_prose(assembly: Assembly, lines: list[TextLine], type_sizes: Typography) -> None:
    for listed, run in groupby(paragraphs.group(lines), key=lambda found: paragraphs.starts_item(found[0])):
        found = list(run)
        if listed and len(found) > 1:
            assembly.lines(BlockKind.LIST, [line.line for item in found for line in item])
            continue
        for paragraph in found:
            _add_paragraph(assembly, paragraph, type_sizes)


def _add_paragraph(assembly: Assembly, paragraph: list[TextLine], type_sizes: Typography) -> None:
    lines = [line.line for line in paragraph]
    if level := type_sizes.level(paragraph):
        assembly.heading("", level, lines=lines)
    else:
        assembly.lines(BlockKind.PARAGRAPH, lines)


def _without_text(number: int) -> Finding:
    message = f"page {number} is a picture without a text layer"
    return Finding("DOC009", "page-without-text", Severity.WARNING, message, page=number)


member = Pdf()
