"""Files attached to messages, read by the parser of their format within bounds.

Files beyond the bounds of one message are left out with a finding: a file that is saved beside the mail is read
completely. Pictures, sound, archives and the like are only listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from tasks.parsers import reader, refusals
from tasks.parsers.assembly import BlockContent, make_block_contents
from tasks.parsers.mail.calendar_text import is_calendar, iter_calendar_paragraphs
from tasks.parsers.mail.mime_parts import AttachedFile
from tasks.parsers.parser_contract import PagedParser, Parser, Raw, join_pages, refuse_failures, try_page
from tasks.parsers.textless_suffixes import TEXTLESS
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Finding

MESSAGES = frozenset({"eml", "mbox", "msg"})
"""The parsers of messages and mailboxes: attachments of these formats are read as messages inside of the message."""
_TEXTLESS_TYPES = ("image/", "audio/", "video/", "font/", "application/zip", "application/x-7z", "application/gzip")
_SUFFIXES_BY_TYPE = {
    "application/pdf": ".pdf", "text/html": ".html", "text/csv": ".csv", "text/markdown": ".md", "text/plain": ".txt",
    "text/calendar": ".ics", "text/vcard": ".vcf", "text/x-vcard": ".vcf", "message/rfc822": ".eml",
}  # fmt: skip
"""The suffix of a file without a name."""
_CURE_SAVE_FILE = "save it as a file of its own"


@dataclass(slots=True)
class ReadingBudget:
    """The files, bytes and pages that may still be read of one message and of all messages inside of it."""

    files: int = 40
    size: int = 64 * 2**20
    pages: int = 60

    def count_file(self, size: int) -> None:
        """Raises `UnreadableFile` where a file of so many bytes is more than is left."""
        self.files -= 1
        self.size -= size
        if self.files < 0:
            raise UnreadableFile("there are more than 40 files attached to the message", _CURE_SAVE_FILE)
        if self.size < 0:
            raise UnreadableFile("the files attached to the message have more than 64 MB", _CURE_SAVE_FILE)


@dataclass(frozen=True, slots=True)
class ReadAttachment:
    """A file attached to a message, with its blocks if it was read."""

    name: str
    media_type: str
    size: int
    blocks: tuple[BlockContent, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def shown(self) -> str:
        """Name, type and size."""
        types = () if self.media_type == "application/octet-stream" else (self.media_type,)
        return f"{self.name} ({', '.join((*types, _format_size(self.size)))})"


def _format_size(size: int) -> str:
    return f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{max(1, round(size / 2**10))} KB" if size else "empty"


def get_attachment_name(file: AttachedFile) -> str:
    """The file's name, else one made of its media type."""
    return file.name or f"unnamed{_SUFFIXES_BY_TYPE.get(file.media_type, '')}"


def choose_attachment_parser(file: AttachedFile) -> str:
    """The parser of a file; nothing where it holds no text. Raises `UnreadableFile` where no parser reads it."""
    name = get_attachment_name(file)
    if PurePosixPath(name).suffix.lower() in TEXTLESS or file.media_type.startswith(_TEXTLESS_TYPES) or not file.data:
        return ""
    return reader.choose_parser(Raw(name, file.data))


def read_attachment(file: AttachedFile, budget: ReadingBudget) -> ReadAttachment:
    """A file with its blocks, or with the finding that says why it has none."""
    attachment = ReadAttachment(get_attachment_name(file), file.media_type, len(file.data))
    try:
        if is_calendar(file.data):
            paragraphs = iter_calendar_paragraphs(file.data)
            return replace(attachment, blocks=tuple(BlockContent(BlockKind.PARAGRAPH, text) for text in paragraphs))
        parser = choose_attachment_parser(file)
        if not parser:
            return attachment
        budget.count_file(len(file.data))
        document, skipped_page_count = _read_bounded(parser, Raw(attachment.name, file.data), budget)
    except UnreadableFile as problem:
        return replace(
            attachment, findings=(refusals.report_lost_part(f"the attachment {attachment.name}", str(problem)),)
        )
    texts = (document.text[block.start : block.end] for block in document.blocks)
    findings = [*_iter_findings(document, attachment.name)]
    if skipped_page_count:
        reason = f"only the first pages of a message's attachments are read; {_CURE_SAVE_FILE}"
        findings.append(
            refusals.report_lost_part(f"{skipped_page_count} pages of the attachment {attachment.name}", reason)
        )
    return replace(
        attachment, blocks=tuple(make_block_contents(document.blocks, texts, document.tables)), findings=tuple(findings)
    )


def _iter_findings(document: Document, name: str) -> Iterator[Finding]:
    """The parser's findings with the attachment's name, without places: those are not places in the mail."""
    for finding in document.findings:
        yield replace(finding, message=f"attachment {name}: {finding.message}", start=None, end=None, page=None)


def _read_bounded(name: str, raw: Raw, budget: ReadingBudget) -> tuple[Document, int]:
    """The document and how many of its pages were left out. Raises `UnreadableFile`."""
    parser: Parser = reader.PARSERS[name]
    with refuse_failures(name):
        if not isinstance(parser, PagedParser):
            return parser.parse(raw), 0
        with closing(parser.open(raw)) as pages:
            count = min(pages.count, budget.pages)
            budget.pages -= count
            if pages.count and not count:
                raise UnreadableFile("the attachments of the message have too many pages", _CURE_SAVE_FILE)
            results = [try_page(pages, number) for number in range(1, count + 1)]
            return join_pages(parser, pages.front, results), pages.count - count
