"""Word documents (ECMA-376): headings, paragraphs, lists, tables and text boxes in the order of the body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from tasks.parsers import word_text
from tasks.parsers.assembly import Assembly
from tasks.parsers.contract import Raw
from tasks.parsers.word_package import is_word, open_word
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from lxml.etree import _Element

_TEMPLATE_AUTHOR = "python-docx"
_TEMPLATE_DAY = (2013, 12, 23)
_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_CODE = re.compile(r"code|html preformatted|source", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A paragraph, or a table, as the body has it."""

    kind: BlockKind
    text: str = ""
    level: int = 0
    table: _Element | None = None


class Docx:
    """What Word shows in the body; headers, footers, footnotes and comments are left out."""

    version = 2
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    suffixes: tuple[str, ...] = (".docx", ".docm")
    heavy = True

    def claims(self, raw: Raw) -> float:
        """A ZIP archive with a Word document in it."""
        return is_word(raw.data)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        word = open_word(raw.data)
        assembly = Assembly()
        pieces = list(_pieces(word.element.body, _Styles(word)))
        for kind, group in groupby(pieces, key=lambda piece: piece.kind):
            _add(assembly, kind, list(group))
        properties = word.core_properties
        author = properties.author or ""
        return assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=properties.title or next((piece.text for piece in pieces[:1] if piece.level == 1), ""),
            authors=[] if author == _TEMPLATE_AUTHOR else re.split(r"\s*;\s*", author),
            dates=_dates(properties.created, properties.modified),
        )


class _Styles:
    """What each paragraph style means, through the styles it is based on."""

    def __init__(self, word: WordDocument) -> None:
        styles = [style for style in word.styles.element if word_text.name(style) == "style"]
        self._by_id = {word_text.attribute(style, "styleId"): style for style in styles}

    def chain(self, style_id: str) -> Iterator[_Element]:
        """The style and its ancestors, nearest first."""
        seen: set[str] = set()
        while style_id in self._by_id and style_id not in seen:
            seen.add(style_id)
            yield self._by_id[style_id]
            style_id = word_text.attribute(word_text.child(self._by_id[style_id], "basedOn"), "val")


def _pieces(body: _Element, styles: _Styles) -> Iterator[_Piece]:
    for block in word_text.blocks(body):
        if word_text.name(block) == "tbl":
            yield _Piece(BlockKind.TABLE, table=block)
            continue
        piece = _piece(block, styles)
        if piece.text.strip() or piece.kind is BlockKind.CODE:
            yield piece
        for box in word_text.boxes(block):
            yield from _pieces(box, styles)


def _piece(paragraph: _Element, styles: _Styles) -> _Piece:
    text = word_text.text_of(paragraph)
    own = word_text.child(paragraph, "pPr")
    chain = list(styles.chain(word_text.attribute(word_text.child(own, "pStyle"), "val")))
    names = [word_text.attribute(word_text.child(style, "name"), "val") for style in chain]
    if (level := _heading_level(own, chain, names)) and text.strip():
        return _Piece(BlockKind.HEADING, text, level)
    if any(map(_CODE.match, names)):
        return _Piece(BlockKind.CODE, text)
    numbering = word_text.child(own, "numPr")
    if numbering is None and any(name.lower().startswith("list") and "paragraph" not in name.lower() for name in names):
        return _Piece(BlockKind.LIST, text)
    if numbering is not None and word_text.attribute(word_text.child(numbering, "numId"), "val") != "0":
        depth = word_text.attribute(word_text.child(numbering, "ilvl"), "val")
        return _Piece(BlockKind.LIST, text, int(depth) if depth.isdigit() else 0)
    return _Piece(BlockKind.PARAGRAPH, text)


def _heading_level(own: _Element | None, chain: list[_Element], names: list[str]) -> int:
    """1 to 9 for a heading, else 0; the title of a document is a heading of level 1."""
    for name in names:
        if (match := _HEADING.match(name)) is not None:
            return int(match[1])
        if name.lower() == "title":
            return 1
    for properties in (own, *(word_text.child(style, "pPr") for style in chain)):
        outline = word_text.attribute(word_text.child(properties, "outlineLvl"), "val")
        if outline.isdigit():
            return int(outline) + 1 if int(outline) < 9 else 0
    return 0


def _add(assembly: Assembly, kind: BlockKind, pieces: list[_Piece]) -> None:
    """Adds pieces of one kind: items and lines of code that follow each other are one block."""
    if kind is BlockKind.LIST:
        items = (f"{'  ' * piece.level}- {' '.join(piece.text.split())}" for piece in pieces if piece.text.strip())
        assembly.add(kind, "\n".join(items))
    elif kind is BlockKind.CODE:
        assembly.add(kind, "\n".join(piece.text for piece in pieces))
    else:
        for piece in pieces:
            if piece.table is not None:
                rows, header_rows = word_text.table_rows(piece.table)
                assembly.table(rows, header_rows=header_rows)
            elif kind is BlockKind.HEADING:
                assembly.heading(piece.text, piece.level)
            else:
                assembly.add(kind, piece.text)


def _dates(*moments: datetime | None) -> list[DateClaim]:
    """Created, else modified; the day on which python-docx's own template was made is nobody's date."""
    days = (moment.date() for moment in moments if moment is not None)
    known = [day for day in days if (day.year, day.month, day.day) != _TEMPLATE_DAY]
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in known[:1]]


member = Docx()
