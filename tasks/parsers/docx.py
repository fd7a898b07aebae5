"""Word documents (ECMA-376): all that Word shows, in the order of the body, with notes, headers and footers."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.office_package import attribute
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.titles import is_placeholder
from tasks.parsers.trees import local, squeezed
from tasks.parsers.word.word_package import WordPackage, is_word
from tasks.parsers.word.word_story import Blocks, StoryReader
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind

if TYPE_CHECKING:
    from docx.opc.coreprops import CoreProperties

_PROGRAMS = re.compile(
    r"python-docx|apache poi|un-?named|author|admin(?:istrator)?|(?:microsoft office |windows )?user|微软用户",
    re.IGNORECASE,
)
_TEMPLATE_DAY = date(2013, 12, 23)
_OLDEST = date(1983, 10, 25)


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
        title, authors, dates = _described(package.core_properties())
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


def _described(properties: CoreProperties | None) -> tuple[str, list[str], list[DateClaim]]:
    """Title, authors (several where semicolons part them), and the days of creation and of the last change.

    Left out are titles and names that programs put there, a date before the first Word, and the day on which
    python-docx's own template was made.
    """
    if properties is None:
        return "", [], []
    title, names = squeezed(properties.title), re.split(r"\s*;\s*", squeezed(properties.author))
    days = (time.date() for time in (properties.created, properties.modified) if time)
    return (
        "" if is_placeholder(title) else title,
        [name for name in names if not _PROGRAMS.fullmatch(name)],
        [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day >= _OLDEST and day != _TEMPLATE_DAY],
    )


def _add_aside(assembly: Assembly, package: WordPackage, reader: StoryReader, kind: str) -> None:
    """Adds what the headers or footers of all sections say, each text once."""
    said: set[str] = set()
    for reference in package.body.iter(kind):
        owner = reference.getparent()
        above = None if owner is None else owner.getparent()
        root = package.part_of(attribute(reference, "id"))
        if root is None or (above is not None and local(above) == "sectPrChange"):
            continue
        lines = (
            [" ".join(filter(None, row)) for row in piece.table.rows] if piece.table else [piece.line]
            for piece in reader.pieces(root)
        )
        text = "\n".join(line for group in lines for line in group if line)
        if text not in said:
            said.add(text)
            assembly.add(BlockKind.FURNITURE, text)


member = Docx()
