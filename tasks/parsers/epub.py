"""Books (.epub, EPUB 2 and 3): chapters in the order of reading, with their headings, tables and notes."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.book.chapter_page import add_chapter
from tasks.parsers.book.contents_table import ContentsEntry, read_contents
from tasks.parsers.book.epub_package import EpubPackage, is_epub
from tasks.parsers.document_head import is_placeholder
from tasks.parsers.language import detect_document_language
from tasks.parsers.parser_contract import Raw, Signature, refuse_failures
from warehouse.errors import UnreadableFile
from warehouse.records import Attributes, BlockKind, Document, Finding, Kind


class Epub:
    """The text of the book without covers and lists of contents; parts that are not linear come last."""

    version = 5
    media_type = "application/epub+zip"
    suffixes: tuple[str, ...] = (".epub",)
    heavy = True
    signature: Signature | None = Signature(magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_epub(raw.data))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or protected book, and for a book of only pictures."""
        package = EpubPackage(raw.data)
        assembly = Assembly()
        assembly.add(BlockKind.PARAGRAPH, "\n".join(package.publication_lines))
        start = assembly.end
        entries: defaultdict[str, list[ContentsEntry]] = defaultdict(list)
        for entry in read_contents(package):
            entries[entry.part].append(entry)
        findings: list[Finding] = []
        for page in sorted(package.pages, key=lambda page: not page.is_linear):
            data = package.read_part(page.part)
            if data is None:
                findings.append(refusals.report_lost_part(f"the chapter {page.part}", "it is missing in the archive"))
                continue
            try:
                with refuse_failures("epub"):
                    chapter = Assembly()
                    add_chapter(chapter, data, entries[page.part])
            except UnreadableFile as problem:
                findings.append(refusals.report_lost_part(f"the chapter {page.part}", str(problem), assembly.end))
                continue
            if not page.is_linear:
                assembly.end_sections(1)
            for block in chapter.contents:
                assembly.add_block_content(block)
        if assembly.end == start:
            raise refusals.damaged("EPUB", findings[0].message) if findings else refusals.pictures_of_pages()
        title = "" if is_placeholder(package.title) else package.title
        document = assembly.finish(
            Kind.BOOK,
            self.media_type,
            title=title,
            authors=package.authors,
            dates=package.dates,
            attributes=Attributes(keywords=tuple(package.subjects)),
            findings=[*findings, *package.findings],
        )
        return replace(document, language=detect_document_language(document.text, document.blocks, package.language))


member = Epub()
