"""Filings as the SEC's EDGAR publishes them: one text with a header and all documents of a submission.

The first document is the filing itself; the exhibits follow it, then the header's lines on the filer. Documents are
web pages or, in old filings, plain text with some tags: `<PAGE>`, and `<TABLE>` around lines whose columns begin
below `<S>` and `<C>` (EDGAR Filer Manual, volume II, 5.2.1). Pictures, archives, taxonomies and the tables that EDGAR
generates are left out. A document that was saved separately begins with its type, and has no header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from tasks.parsers import reader, refusals
from tasks.parsers.assembly import Assembly, make_block_contents
from tasks.parsers.decoder import decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.text import add_tagged_text
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Finding, Kind

_BEGINNING = r"^<(?:SEC|IMS)-(?:DOCUMENT|HEADER)>|\A\s*<SUBMISSION>\s*^<|\A\s*<DOCUMENT>\s*^<TYPE>"
_DOCUMENT = re.compile(rb"<DOCUMENT>(.*?)(?:</DOCUMENT>|(?=<DOCUMENT>)|\Z)", re.DOTALL)
_BODY = re.compile(rb"<TEXT>(.*?)(?:</TEXT>|\Z)", re.DOTALL)
_FIELD = re.compile(rb"^<(TYPE|FILENAME|DESCRIPTION)>[ \t]*([^\r\n]*)", re.MULTILINE)
_XML_WRAPPER = re.compile(rb"\s*<(XML|XBRL)>\s*(.*?)\s*</\1>\s*\Z", re.DOTALL)
_UUENCODED = re.compile(rb"\s*(?:<PDF>\s*)?begin [0-7]{3} \S")
"""The beginning of a file that is not text, in the notation of uuencode."""
_OMITTED = re.compile(r"GRAPHIC|ZIP|EXCEL|XML|JSON|COVER|PDF|EX-10[0-4](?:\..*)?|.*\.(?:SCH|CAL|DEF|LAB|PRE|INS)")
"""Types of documents without words of the filer: pictures, archives, taxonomies, tables that EDGAR generates."""
_SCHEDULE = "EX-27"
_MARKUP = re.compile(rb"<(?:html|!doctype|\?xml|body|div|p)\b", re.IGNORECASE)
_MARKUP_BYTES = 2_000
_LINE = re.compile(r"^[ \t]*(?:<([A-Z-]+)>|([A-Z][A-Z0-9 /()-]+):)[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_HEADER_NAMES = {
    **dict.fromkeys(("COMPANY CONFORMED NAME", "CONFORMED-NAME"), "Company"),
    **dict.fromkeys(("CONFORMED SUBMISSION TYPE", "TYPE"), "Form"),
    **dict.fromkeys(("CONFORMED PERIOD OF REPORT", "PERIOD"), "Period of report"),
    **dict.fromkeys(("FILED AS OF DATE", "FILING-DATE"), "Filed"),
    **dict.fromkeys(("FISCAL YEAR END", "FISCAL-YEAR-END"), "Fiscal year end"),
    **dict.fromkeys(("STANDARD INDUSTRIAL CLASSIFICATION", "ASSIGNED-SIC"), "Industry"),
    **dict.fromkeys(("STATE OF INCORPORATION", "STATE-OF-INCORPORATION"), "State of incorporation"),
    **dict.fromkeys(("CENTRAL INDEX KEY", "CIK"), "Central index key"),
    **dict.fromkeys(("ITEM INFORMATION", "ITEMS"), "Item"),
    **dict.fromkeys(("ACCESSION NUMBER", "ACCESSION-NUMBER"), "Accession number"),
}
"""The names of the header's lines, in text and in the tags of the dissemination service, as they are shown."""
_TAGGED_VALUE = re.compile(r"^<([A-Z][A-Z0-9&/-]+)>[ \t]+([^<\s][^\n]*?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SubmittedDocument:
    """A document of a submission: its type ("10-K", "EX-99.1"), name and bytes."""

    type: str
    name: str
    description: str
    data: bytes

    @property
    def is_page(self) -> bool:
        """Whether it is markup, and no plain text."""
        return bool(_MARKUP.search(self.data[:_MARKUP_BYTES]))


class Edgar:
    """The filing, its exhibits and the header's lines about the filer."""

    version = 2
    media_type = "application/vnd.sec.edgar"
    suffixes: tuple[str, ...] = (".nc",)
    heavy = False
    signature: Signature | None = Signature(text=re.compile(_BEGINNING, re.MULTILINE))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where there is no document with words in it, or none that can be read."""
        header = read_header(raw.data)
        submitted_documents = [part for part in iter_documents(raw.data) if not _OMITTED.fullmatch(part.type.upper())]
        documents = [part for part in submitted_documents if not _UUENCODED.match(part.data)]
        if not documents:
            raise UnreadableFile("no document of the submission has words", "save the documents themselves")
        main, *exhibits = documents
        assembly = Assembly()
        page = _add_document(assembly, main)
        why = "it is a file of another format inside the submission: save it from EDGAR by itself"
        encoded_documents = (part for part in submitted_documents if _UUENCODED.match(part.data))
        findings = [refusals.report_lost_part(f"{part.type} {part.name}".strip(), why) for part in encoded_documents]
        findings += [finding for exhibit in exhibits for finding in _add_exhibit(assembly, exhibit)]
        if header:
            assembly.add_heading("Submission", 1)
            assembly.add(BlockKind.PARAGRAPH, "\n".join(f"{name}: {value}" for name, value in header))
        header_values = dict(header)
        title = " ".join(filter(None, map(header_values.get, ("Company", "Form", "Period of report"))))
        return assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=title or (page.title if page else ""),
            dates=[*_iter_claims(header_values), *(page.dates if page else ())],
            facts=page.facts if page else (),
            findings=[*(page.findings if page else ()), *findings],
        )


def read_header(data: bytes) -> list[tuple[str, str]]:
    """The header's lines on the submission and the filer, as names and values; days as in ISO 8601."""
    header = data.partition(b"<DOCUMENT>")[0]
    text = decode_text(header) if header.strip() else ""
    pairs = ((_HEADER_NAMES.get((match[1] or match[2]).strip(), ""), match[3]) for match in _LINE.finditer(text))
    return list(dict.fromkeys((name, _format_value(name, value)) for name, value in pairs if name))


def _format_value(name: str, value: str) -> str:
    with suppress(ValueError):
        if name in ("Period of report", "Filed"):
            return date.fromisoformat(value).isoformat()
        if name == "Fiscal year end":
            return f"{date(2000, int(value[:2]), int(value[2:])):%B %d}"
    return value


def _iter_claims(header: dict[str, str]) -> Iterator[DateClaim]:
    with suppress(KeyError, ValueError):
        yield DateClaim(date.fromisoformat(header["Filed"]), DateOrigin.PUBLICATION)


def iter_documents(data: bytes) -> Iterator[SubmittedDocument]:
    """The documents of a submission in their order."""
    for match in _DOCUMENT.finditer(data):
        head, body = match[1].partition(b"<TEXT>")[0], _BODY.search(match[1])
        fields = {
            field[1].decode(): decode_text(field[2]).strip() for field in _FIELD.finditer(head) if field[2].strip()
        }
        if body is None or not body[1].strip():
            continue
        wrapped = _XML_WRAPPER.fullmatch(body[1])
        yield SubmittedDocument(
            fields.get("TYPE", ""),
            fields.get("FILENAME", ""),
            fields.get("DESCRIPTION", ""),
            wrapped[2] if wrapped else body[1],
        )


def _add_exhibit(assembly: Assembly, exhibit: SubmittedDocument) -> Sequence[Finding]:
    """Adds an exhibit under its heading; one that cannot be read is a finding."""
    words = exhibit.description if exhibit.description.upper() != exhibit.type.upper() else ""
    title = " ".join(filter(None, (exhibit.type.replace("EX-", "Exhibit "), words)))
    assembly.end_sections(1)
    assembly.add_heading(title, 1)
    try:
        page = _add_document(assembly, exhibit, level_offset=1)
    except UnreadableFile as problem:
        return [refusals.report_lost_part(title, str(problem))]
    return page.findings if page else ()


def _add_document(assembly: Assembly, document: SubmittedDocument, level_offset: int = 0) -> Document | None:
    """Adds the blocks of a document, headings `level_offset` levels deeper; returns it as a document if it is a page.

    The spans of its facts are right if it is the first.
    """
    if not document.is_page:
        text = decode_text(document.data)
        if document.type.upper().startswith(_SCHEDULE):
            _add_schedule(assembly, text)
        else:
            add_tagged_text(assembly, text)
        return None
    raw = Raw(document.name or "document.htm", document.data)
    page = reader.parse_as(reader.choose_parser(raw), raw)
    texts = (page.text[block.start : block.end] for block in page.blocks)
    for block in make_block_contents(page.blocks, texts, page.tables):
        assembly.add_block_content(block, level_offset)
    return page


def _add_schedule(assembly: Assembly, text: str) -> None:
    """Adds a financial data schedule: a table of tags and values."""
    rows = [(match[1].replace("-", " ").capitalize(), match[2]) for match in _TAGGED_VALUE.finditer(text)]
    assembly.add_table(rows, header_rows=0)


member = Edgar()
