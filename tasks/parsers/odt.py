"""Texts of LibreOffice and other programs (OpenDocument: .odt, .ott), read as Word documents are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.office_package import ZipPackage, entry_names
from tasks.parsers.office_properties import described_by
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.sheets.opendocument_cells import properties_of
from tasks.parsers.word.open_text import OpenStyles, OpenTextReader
from tasks.parsers.word.word_story import Note, StoryPart, captions
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_NOUN = "OpenDocument text"
_TYPE = b"application/vnd.oasis.opendocument.text"
_MANIFEST = "META-INF/manifest.xml"
_FIRST = 200  # Bytes in which the type stands, which is the first entry of the archive, unpacked.


def _is_open_text(raw: Raw) -> bool:
    """Whether an archive is an OpenDocument text: by the type at its beginning, else by its manifest."""
    if b"mimetype" + _TYPE in raw.data[:_FIRST]:
        return True
    if not {"content.xml", _MANIFEST}.issubset(entry_names(raw.data) or ()):
        return False
    try:
        return b'"' + _TYPE in (ZipPackage(raw.data, _NOUN).data(_MANIFEST) or b"")
    except UnreadableFile:
        return False


class Odt:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are set aside, each text once. A course transcript is read as one.
    """

    version = 1
    media_type = _TYPE.decode()
    suffixes: tuple[str, ...] = (".odt", ".ott")
    heavy = True
    signature: Signature | None = Signature(magic=re.compile(rb"\APK\x03\x04"), confirms=_is_open_text)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = ZipPackage(raw.data, _NOUN)
        if b"encryption-data" in (package.data(_MANIFEST) or b""):
            raise refusals.encrypted()
        content, styles = package.xml("content.xml"), package.xml("styles.xml")
        body = None if content is None else content.find("body/text")
        if body is None:
            raise refusals.damaged(_NOUN, "there is no text part in it")
        reader = OpenTextReader(OpenStyles(styles, content))
        pieces = list(reader.pieces(body))
        assembly = Assembly()
        _add_aside(assembly, styles, reader, "header")
        endnotes = _add(assembly, reader, pieces)
        while endnotes:
            endnotes = [inner for note in endnotes for inner in _add_note(assembly, reader, note)]
        _add_aside(assembly, styles, reader, "footer")
        title, authors, dates = described_by(*properties_of(package))
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


def _add(assembly: Assembly, reader: OpenTextReader, pieces: Sequence[StoryPart]) -> list[Note]:
    """Adds pieces in order, with their footnotes; gives the endnotes that they refer to."""
    endnotes: list[Note] = []
    of_tables = captions(pieces)
    for kind, group in groupby(enumerate(pieces), key=lambda entry: entry[1].kind):
        members = list(group)
        if kind is BlockKind.LIST:
            assembly.add(kind, "\n".join("  " * piece.level + piece.line for _, piece in members))
        elif kind is BlockKind.CODE:
            assembly.add(kind, "\n".join(piece.text for _, piece in members))
        for place, piece in members:
            if (laid := piece.table) is not None:
                caption = of_tables.get(place, "")
                assembly.table(laid.rows, header_rows=laid.header_rows, merges=laid.merges, caption=caption)
            elif kind is BlockKind.HEADING:
                assembly.heading(piece.line, piece.level)
            elif kind is BlockKind.PARAGRAPH:
                assembly.add(kind, piece.text)
            for note in piece.notes:
                endnotes += [note] if note.story == "endnotes" else _add_note(assembly, reader, note)
    return endnotes


def _add_note(assembly: Assembly, reader: OpenTextReader, note: Note) -> list[Note]:
    """Adds a note, its mark before it; gives the endnotes that it refers to."""
    story = reader.stories.pop(note.note_id, None)
    pieces = [] if story is None else list(reader.pieces(story))
    if not pieces or pieces[0].table is not None:
        return _add(assembly, reader, pieces)
    first = pieces.pop(0)
    assembly.add(BlockKind.PARAGRAPH, f"{note.mark} {first.line}")
    return _add(assembly, reader, pieces)


def _add_aside(assembly: Assembly, styles: _Element | None, reader: OpenTextReader, kind: str) -> None:
    """Adds what the headers or footers of all pages say, each text once."""
    said: set[str] = set()
    tags = (kind, f"{kind}-first", f"{kind}-left")
    for node in () if styles is None else styles.iter(*tags):
        lines = (
            [" ".join(filter(None, row)) for row in piece.table.rows] if piece.table else [piece.line]
            for piece in reader.pieces(node)
        )
        text = "\n".join(line for group in lines for line in group if line)
        if text not in said:
            said.add(text)
            assembly.add(BlockKind.FURNITURE, text)


member = Odt()
