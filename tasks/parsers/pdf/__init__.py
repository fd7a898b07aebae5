"""PDF (ISO 32000) through pdfplumber: text lines with their boxes and tables, in reading order.

A file is read in four packages. `characters`: the drawings of a page, glyphs that the file does not name, OCR. `lines`:
words, lines, zones and columns. `tables`: those that rules or white space lay out, and those that continue on the next
page. `blocks`: headings, paragraphs, lists, running heads, the document. `pdf_file` opens the file, `page_reader` reads
each page with the first three. The thresholds of a package are one class of settings. All of it is imported only when a
PDF is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tasks import faults
from tasks.parsers import refusals
from tasks.parsers.parser_contract import Raw, Signature, parse_pages
from warehouse.records import DateClaim, Document

if TYPE_CHECKING:
    from tasks.parsers.pdf.page_reader import PageContent
    from tasks.parsers.pdf.pdf_file import OpenPdf

_HEAD_LENGTH = 1024  # The first bytes, in which a file says that it is a PDF.
_TAIL_LENGTH = (
    4096  # The last bytes, in which a whole file says where its cross-references begin; readers search that far.
)
_STREAM = re.compile(rb"\bstream\r?\n.*?\bendstream\b", re.DOTALL)
_OBJECT = re.compile(rb"(?<!\d)(\d{1,10} \d{1,5}) obj\b")
_REFERENCE = re.compile(rb"(?<!\d)(\d{1,10} \d{1,5}) R\b")
_CATALOG = re.compile(rb"(?<!\d)(\d{1,10} \d{1,5}) obj\b(?:(?!\bendobj\b).){0,2000}?/Type\s*/Catalog\b", re.DOTALL)
_TRAILER = re.compile(rb"(?<![\w/])trailer\s*<<.{0,2000}?/Root\s+\d+\s+\d+\s+R", re.DOTALL)
_REFERENCES = re.compile(rb"/Type\s*/XRef\b")
_OCR_VERSION = 1  # Raised whenever the same picture would give another text.


@cache
def has_ocr() -> bool:
    """Whether the extra `ocr` is installed, which reads pages that are pictures; constant within a process."""
    return find_spec("rapidocr_onnxruntime") is not None


def get_ocr_version() -> int:
    """The version of the reader of pictures, for fingerprints; 0 without the extra."""
    return _OCR_VERSION if has_ocr() else 0


@dataclass(frozen=True, slots=True)
class PdfFront:
    """The metadata of the file.

    `bookmarks` are the titles of its outline (ISO 32000-1, 12.3.3), `attachments` the names of files in it (7.11.4).
    """

    title: str
    authors: tuple[str, ...]
    dates: tuple[DateClaim, ...]
    bookmarks: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()


def _is_pdf(raw: Raw) -> bool:
    """Whether a file with the signature in its first kilobyte (ISO 32000-1, annex H) is a PDF and does not quote it.

    A file with the suffix may have lost its first line.
    """
    if raw.suffix == ".pdf":
        return True
    return b"%PDF-" in raw.data[:_HEAD_LENGTH] and (raw.data.lstrip().startswith(b"%PDF-") or b" obj" in raw.data)


def _is_complete(data: bytes) -> bool:
    """Whether a file says where its cross-references begin, or is followed by bytes that are no part of it.

    Otherwise, whether only the cross-references are missing, which PDFium can rebuild: the last object has its end, and
    it is a stream of such references, a table of them begins behind it, or every object that is referred to is there.
    """
    end = data.rfind(b"%%EOF")
    if b"startxref" in data[-_TAIL_LENGTH:] or (end >= 0 and b" obj" not in data[end:]):
        return True
    last_object = data.rfind(b" obj")
    if last_object < 0 or data.rfind(b"endobj") < last_object:
        return False
    if b"xref" in data[data.rfind(b"endobj") :] or _REFERENCES.search(data, last_object):
        return True
    objects = _STREAM.sub(b"", data)
    names = set(_OBJECT.findall(objects))
    return _find_catalog(objects) is not None and names.issuperset(_REFERENCE.findall(objects))


def _find_catalog(objects: bytes) -> re.Match[bytes] | None:
    """The last catalog in a file without its streams; None also where objects or passwords may be in these."""
    catalogs = list(_CATALOG.finditer(objects))
    return None if not catalogs or b"/ObjStm" in objects or b"/Standard" in objects else catalogs[-1]


def _with_trailer(data: bytes) -> bytes:
    """A file with a trailer that names its catalog, if it has none: PDFium finds the other objects by itself."""
    if _TRAILER.search(data) or _REFERENCES.search(data) or not (catalog := _find_catalog(_STREAM.sub(b"", data))):
        return data
    return data + b"\ntrailer\n<< /Root %b R >>\nstartxref\n0\n%%%%EOF\n" % catalog[1]


class Pdf:
    """Paragraphs, headings, lists, tables; running heads and page numbers are furniture.

    A course transcript is read as one.
    """

    version = 25
    media_type = "application/pdf"
    suffixes: tuple[str, ...] = (".pdf",)
    heavy = True
    signature: Signature | None = Signature(magic=re.compile(rb"%PDF-|\d obj\b|xref|trailer"), confirms=_is_pdf)

    def open(self, raw: Raw) -> OpenPdf:
        """Raises `UnreadableFile` for encrypted, truncated and damaged files."""
        from tasks.parsers.pdf.pdf_file import OpenPdf

        if not _is_complete(raw.data):
            raise refusals.truncated("PDF")
        return OpenPdf(_with_trailer(raw.data))

    def make_lost_page(self, number: int, why: str) -> PageContent:
        """A page that could not be read."""
        from tasks.parsers.pdf.page_reader import PageContent

        return PageContent(number, findings=(refusals.report_lost_page(number, why),), is_lost=True)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for encrypted, truncated and damaged files, and if no page has text."""
        return parse_pages(self, raw)

    def join(self, front: PdfFront, pages: Sequence[PageContent]) -> Document:
        """The document of all its pages, in order. Raises `UnreadableFile` if none has text."""
        from tasks.parsers.pdf.blocks.document_writer import make_document

        if all(page.is_empty for page in pages) and not any(page.is_lost for page in pages):
            finding_codes = {finding.code for page in pages for finding in page.findings}
            if faults.LOST_PART.code in finding_codes:
                raise refusals.damaged("PDF", "its content cannot be decoded")
            raise refusals.without_text(len(pages), pictured=faults.PAGE_WITHOUT_TEXT.code in finding_codes)
        document = make_document(front, pages, self.media_type)
        if not front.attachments:
            return document
        return replace(document, findings=(*document.findings, refusals.report_attachments(front.attachments)))


member = Pdf()
