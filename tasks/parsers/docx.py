"""Word documents (ECMA-376): all that Word shows, in the order of the body, with notes, headers and footers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.office_package import attribute, is_office
from tasks.parsers.office_properties import described
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import local
from tasks.parsers.word.word_package import MAIN_NAME, WordPackage
from tasks.parsers.word.word_story import Blocks, StoryReader, note_bodies
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.records import BlockKind, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element


class Docx:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are set aside, each text once. A course transcript is read as one.
    """

    version = 7
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    suffixes: tuple[str, ...] = (".docx", ".docm", ".dotx")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_office(raw, "word", MAIN_NAME, Docx.suffixes)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = WordPackage(raw.data)
        reader = StoryReader(package)
        pieces = list(reader.pieces(package.body))
        assembly = Assembly()
        blocks = Blocks(assembly, reader, note_bodies(package))
        blocks.add_aside(_asides(package, "headerReference"))
        blocks.add(pieces)
        blocks.add_endnotes()
        blocks.add_aside(_asides(package, "footerReference"))
        title, authors, dates = described(package.core_properties())
        titles = (piece.text for piece in pieces if piece.is_title)
        first = (piece.text for piece in pieces[:1] if piece.kind is BlockKind.HEADING and piece.level == 1)
        document = assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=title or next(titles, "") or next(first, ""),
            authors=authors,
            dates=[*datelines(assembly.beginning(WITHIN)), *dates],
        )
        return as_course(document)


def _asides(package: WordPackage, kind: str) -> Iterator[_Element]:
    """The headers or footers of all sections."""
    for reference in package.body.iter(kind):
        owner = reference.getparent()
        above = None if owner is None else owner.getparent()
        root = package.part_of(attribute(reference, "id"))
        if root is not None and (above is None or local(above) != "sectPrChange"):
            yield root


member = Docx()
