"""The pieces of a Word document as blocks, each followed by the footnotes it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.word.captions import captions
from tasks.parsers.word.elements import attribute
from tasks.parsers.word.story import StoryPart, StoryReader
from tasks.parsers.word.text import Note
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

    from tasks.parsers.word.package import WordPackage


class Blocks:
    """Adds pieces to an assembly; endnotes wait until all else is there."""

    def __init__(self, assembly: Assembly, package: WordPackage, reader: StoryReader) -> None:
        self._assembly = assembly
        self._reader = reader
        self._endnotes: list[Note] = []
        self._stories: dict[tuple[str, str], _Element] = {}
        for story in ("footnotes", "endnotes"):
            root = package.part(story)
            self._stories |= {(story, attribute(note, "id")): note for note in (() if root is None else root)}

    def add(self, pieces: Sequence[StoryPart]) -> None:
        """Adds pieces in order; items and lines of code that follow each other are one block."""
        of_tables = dict(captions(pieces))
        for kind, group in groupby(enumerate(pieces), key=lambda entry: entry[1].kind):
            members = list(group)
            if kind is BlockKind.LIST:
                self._assembly.add(kind, "\n".join("  " * piece.level + piece.line for _, piece in members))
            elif kind is BlockKind.CODE:
                self._assembly.add(kind, "\n".join(piece.text for _, piece in members))
            for place, piece in members:
                self._add_one(piece, of_tables.get(place, ""))
                self._add_notes(piece.notes)

    def add_endnotes(self) -> None:
        """Adds the endnotes, those that other endnotes refer to included."""
        for note in self._endnotes:
            self._add_note(note)

    def _add_one(self, piece: StoryPart, caption: str) -> None:
        if piece.table is not None:
            laid = piece.table
            self._assembly.table(laid.rows, header_rows=laid.header_rows, merges=laid.merges, caption=caption)
        elif piece.kind is BlockKind.HEADING:
            self._assembly.heading(piece.line, piece.level)
        elif piece.kind is BlockKind.PARAGRAPH:
            self._assembly.add(piece.kind, piece.text)

    def _add_notes(self, notes: Sequence[Note]) -> None:
        self._endnotes += (note for note in notes if note.story == "endnotes")
        for note in notes:
            if note.story == "footnotes":
                self._add_note(note)

    def _add_note(self, note: Note) -> None:
        story = self._stories.pop((note.story, note.note_id), None)
        if story is None:
            return
        pieces = list(self._reader.pieces(story))
        if pieces and pieces[0].table is None:
            first = pieces.pop(0)
            self._assembly.add(BlockKind.PARAGRAPH, " ".join(filter(None, (note.mark, first.line))))
            self._add_notes(first.notes)
        self.add(pieces)
