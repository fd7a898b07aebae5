"""Word documents (ECMA-376): all that Word shows, in the order of the body, with notes, headers and footers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.word import word_package as word_properties
from tasks.parsers.word.word_package import WordPackage, attribute, is_word, name
from tasks.parsers.word.word_story import Blocks, StoryPart, StoryReader
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.records import BlockKind, Document, Kind


class Docx:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are set aside, each text once. A course transcript is read as one.
    """

    version = 7
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    suffixes: tuple[str, ...] = (".docx", ".docm", ".dotx")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04|\A\xd0\xcf\x11\xe0"), confirms=lambda raw: is_word(raw.data)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = WordPackage(raw.data)
        reader = StoryReader(package)
        pieces = list(reader.pieces(package.body))
        assembly = Assembly()
        blocks = Blocks(assembly, package, reader)
        _add_aside(assembly, package, reader, "headerReference")
        blocks.add(pieces)
        blocks.add_endnotes()
        _add_aside(assembly, package, reader, "footerReference")
        properties = package.core_properties()
        document = assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=word_properties.core_title(properties) or _title(pieces),
            authors=word_properties.core_authors(properties),
            dates=[*datelines(assembly.beginning(WITHIN)), *word_properties.core_dates(properties)],
        )
        return as_course(document)


def _add_aside(assembly: Assembly, package: WordPackage, reader: StoryReader, kind: str) -> None:
    """Adds what the headers or footers of all sections say, each text once."""
    said: set[str] = set()
    for reference in package.body.iter(kind):
        owner = reference.getparent()
        above = None if owner is None else owner.getparent()
        root = package.part_of(attribute(reference, "id"))
        if root is None or (above is not None and name(above) == "sectPrChange"):
            continue
        lines = (
            [" ".join(filter(None, row)) for row in piece.table.rows] if piece.table else [piece.line]
            for piece in reader.pieces(root)
        )
        text = "\n".join(line for group in lines for line in group if line)
        if text not in said:
            said.add(text)
            assembly.add(BlockKind.FURNITURE, text)


def _title(pieces: Sequence[StoryPart]) -> str:
    """The paragraph in the style of titles, else a heading of level 1 at the very beginning."""
    titles = (piece.text for piece in pieces if piece.is_title)
    first = (piece.text for piece in pieces[:1] if piece.kind is BlockKind.HEADING and piece.level == 1)
    return next(titles, "") or next(first, "")


member = Docx()
