"""The pieces of Word's and OpenDocument's stories as the blocks of a document.

Tables have their captions, and each block is followed by the footnotes that it refers to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.document_head import HEAD_LENGTH, TAIL_LENGTH, find_datelines, find_opening_title
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.office.office_properties import FileDescription
from tasks.parsers.plain_text.spoken_turns import join_speakers
from tasks.parsers.word.word_story import Note, StoryPart, StoryReader, WordParts
from warehouse.records import BlockKind, Document, Finding, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_TABLE_CAPTION = re.compile(
    r"(?:table|tab\.|tabelle|tableau|tabla|exhibit|表)\s*[\dIVXA-Z一二三四五六七八九十]", re.IGNORECASE
)
_FIGURE_CAPTION = re.compile(r"(?:fig|abb|image|photo|chart|box|图|圖)", re.IGNORECASE)
_MAX_CAPTION_LENGTH = 400  # Characters.


class PieceReader(Protocol):
    """Reader of the pieces of a story."""

    @property
    def findings(self) -> list[Finding]:
        """The findings so far."""

    def iter_pieces(self, story: _Element) -> Iterator[StoryPart]:
        """The pieces in order."""


def build_story_document(
    media_type: str,
    reader: PieceReader,
    body: _Element,
    notes: dict[tuple[str, str], _Element],
    *,
    headers: Iterable[_Element],
    footers: Iterable[_Element],
    properties: FileDescription,
) -> Document:
    """The body with footnotes below what refers to them and endnotes at the end.

    Headers and footers are furniture, each text once. `notes` are the bodies of notes by story and id, which reading
    may add to. A course transcript is read as one.
    """
    pieces = list(reader.iter_pieces(body))
    assembly = Assembly()
    blocks = _Blocks(assembly, reader, notes)
    blocks.add_furniture(headers)
    blocks.add_pieces(pieces)
    blocks.add_endnotes()
    blocks.add_furniture(footers)
    assembly = join_speakers(assembly)
    title, authors, dates = properties
    printed_title = next((piece.text for piece in pieces if piece.is_title), "")
    first = (piece.text for piece in pieces[:1] if piece.kind is BlockKind.HEADING and piece.level == 1)
    heading = printed_title or next(first, "")
    beginning = assembly.list_beginning(HEAD_LENGTH)
    is_printed = title.casefold() in "\n".join(beginning).casefold()
    if (printed_title and not is_printed) or heading.casefold().startswith(title.casefold()):
        # That of the file is its template's, or the beginning of the printed one.
        title = heading
    document = assembly.finish(
        Kind.REPORT,
        media_type,
        title=title or heading or find_opening_title(beginning),
        authors=authors,
        dates=[
            *find_datelines(beginning, assembly.list_first_tables(HEAD_LENGTH), assembly.list_ending(TAIL_LENGTH)),
            *dates,
        ],
        findings=reader.findings,
    )
    return as_course(document)


class _Blocks:
    """Adds pieces to an assembly; endnotes wait until all else is there."""

    def __init__(self, assembly: Assembly, reader: PieceReader, notes: dict[tuple[str, str], _Element]) -> None:
        self._assembly = assembly
        self._reader = reader
        self._endnotes: list[Note] = []
        self._notes = notes

    def add_pieces(self, pieces: Sequence[StoryPart]) -> None:
        """Adds pieces in order; items and lines of code that follow each other are one block."""
        table_captions = find_captions(pieces)
        for kind, group in groupby(enumerate(pieces), key=lambda entry: entry[1].kind):
            members = list(group)
            if kind is BlockKind.LIST:
                self._assembly.add(kind, "\n".join("  " * piece.level + piece.line for _, piece in members))
            elif kind is BlockKind.CODE:
                self._assembly.add(kind, "\n".join(piece.text for _, piece in members))
            for place, piece in members:
                if (table := piece.table) is not None:
                    caption = table_captions.get(place, "")
                    self._assembly.add_table(
                        table.rows, header_rows=table.header_rows, merges=table.merges, caption=caption
                    )
                elif kind is BlockKind.HEADING:
                    self._assembly.add_heading(piece.line, piece.level)
                elif kind is BlockKind.PARAGRAPH:
                    self._assembly.add(kind, piece.text)
                self._add_notes(piece.notes)

    def add_furniture(self, stories: Iterable[_Element]) -> None:
        """Adds the texts of headers or footers as furniture, each once."""
        seen_texts: set[str] = set()
        for story in stories:
            lines = (
                [" ".join(filter(None, row)) for row in piece.table.rows] if piece.table else [piece.line]
                for piece in self._reader.iter_pieces(story)
            )
            text = "\n".join(line for group in lines for line in group if line)
            if text not in seen_texts:
                seen_texts.add(text)
                self._assembly.add(BlockKind.FURNITURE, text)

    def add_endnotes(self) -> None:
        """Adds the endnotes, those that other endnotes refer to included."""
        for note in self._endnotes:
            self._add_note(note)

    def _add_notes(self, notes: Sequence[Note]) -> None:
        self._endnotes += (note for note in notes if note.story == "endnotes")
        for note in notes:
            if note.story == "footnotes":
                self._add_note(note)

    def _add_note(self, note: Note) -> None:
        story = self._notes.pop((note.story, note.note_id), None)
        if story is None:
            return
        pieces = list(self._reader.iter_pieces(story))
        if pieces and pieces[0].table is None:
            first = pieces.pop(0)
            self._assembly.add(BlockKind.PARAGRAPH, " ".join(filter(None, (note.mark, first.line))))
            self._add_notes(first.notes)
        self.add_pieces(pieces)


def find_captions(pieces: Sequence[StoryPart]) -> dict[int, str]:
    """The caption of each table by its place: the caption paragraph above it, else the one below.

    That is a paragraph in the style of captions, or one that begins like the caption of a table.
    """
    captions: dict[int, str] = {}
    used_places = {
        place
        for place, piece in enumerate(pieces)
        if piece.kind is not BlockKind.PARAGRAPH
        or len(piece.text) > _MAX_CAPTION_LENGTH
        or not (_TABLE_CAPTION.match(piece.text) or (piece.is_caption and not _FIGURE_CAPTION.match(piece.text)))
    }
    for place, piece in enumerate(pieces):
        caption_places = (
            neighbour
            for neighbour in (place - 1, place + 1)
            if 0 <= neighbour < len(pieces) and neighbour not in used_places
        )
        if piece.table is not None and (neighbour := next(caption_places, None)) is not None:
            used_places.add(neighbour)
            captions[place] = pieces[neighbour].line
    return captions


def build_word_document(media_type: str, package: WordParts) -> Document:
    """The document of a Word file of any version: the body, its notes, headers and footers; comments are left out."""
    roots = ((story, package.read_related_part(story)) for story in ("footnotes", "endnotes"))
    return build_story_document(
        media_type,
        StoryReader(package),
        package.body,
        {(story, get_attribute(note, "id")): note for story, root in roots for note in (() if root is None else root)},
        headers=package.iter_headers_or_footers("header"),
        footers=package.iter_headers_or_footers("footer"),
        properties=package.read_properties(),
    )
