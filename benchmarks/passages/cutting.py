"""Passages of notes that are cut where their pieces meet, and what the rules say of them.

A note with a planted fault goes through the parser, the tagger and the rules as any other; only the cuts are given.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import ClassVar

from benchmarks.passages.exam import Passage, Period
from benchmarks.passages.pieces import WRITTEN, Note, Piece
from benchmarks.passages.questions import Span, places
from benchmarks.passages.remembering import remembering
from tasks.check.sheet_builder import judge_document
from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import Chunker
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.corpus import Corpus, Digest
from tasks.quality.note_links import LinkTargets
from tasks.quality.scoring import check_corpus
from tasks.single_file import prepare_file
from warehouse.records import Chunk, Document
from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings

_DOUBT = 0.4


@dataclass(frozen=True, slots=True)
class Kept(Chunker):
    """Cuts where it is told."""

    name: ClassVar[str] = "kept"

    kept: tuple[Span, ...] = ()

    def spans(self, document: Document) -> tuple[Span, ...]:
        """The spans given."""
        return self.kept


def cut(notes: Sequence[Note]) -> tuple[list[Passage], dict[str, int]]:
    """The passages of all notes, and how many each rule blames: a note is one where no chunk of it is charged."""
    passages: list[Passage] = []
    digests: dict[str, Digest] = {}
    blamed: defaultdict[str, set[tuple[str, str | None]]] = defaultdict(set)
    for note in notes:
        subject, pieces = _subject(note)
        sheet = judge_document(subject, f"{note.name}.md", note.name)
        if sheet.digest is not None:
            digests[note.name] = sheet.digest
        passages += (_passage(note, piece, chunk, subject) for piece, chunk in zip(pieces, subject.chunks, strict=True))
        for found in sheet.findings:
            blamed[found.finding.code].add((note.name, found.finding.chunk_id))
    for name, each in check_corpus(Corpus(digests, LinkTargets(), WRITTEN)):
        blamed[each.finding.code].add((name, each.finding.chunk_id))
    return passages, {code: len(chunks) for code, chunks in blamed.items()}


def _subject(note: Note) -> tuple[CheckedDocument, list[Piece]]:
    """A note ready to be judged, and the pieces that left something to cut."""
    document = read(Raw(f"{note.name}.md", note.source.encode()))
    if note.doubtful:
        document = replace(document, tables=tuple(replace(table, confidence=_DOUBT) for table in document.tables))
    spans = list(_spans(note, document))
    kept = Kept(size=note.target, kept=tuple(span for span in spans if span))
    subject = prepare_file(document, f"{note.name}.md", Settings(), SourceSettings(folder=Path()), raw=note.source)
    chunks = make_chunks(
        subject.document,
        document_id=note.name,
        title=note.name,
        source=f"{note.name}.md",
        date_claim=subject.date,
        mentions=subject.mentions,
        entities=(),
        chunker=kept,
    )
    pieces = [piece for piece, span in zip(note.pieces, spans, strict=True) if span]
    return replace(subject, chunks=chunks, target=note.target), pieces


def _spans(note: Note, document: Document) -> Iterator[Span | None]:
    """The span of each piece in the text that was read, without white space around it; None where nothing is left."""
    text = document.text
    known = places(text, note.source)
    edges = list(accumulate((len(piece.text) for piece in note.pieces), initial=len(note.head)))
    found = [_beside_tables(bisect_left(known, edge), document) for edge in edges[:-1]] + [len(text)]
    for start, end in pairwise(found):
        inner = text[start:end].strip()
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        yield (first, first + len(inner)) if inner else None


def _beside_tables(edge: int, document: Document) -> int:
    """A cut between the marker and the rows of a table, which are not in the source, is one beside the table."""
    for table in document.tables:
        if table.start < edge <= table.row_spans[0][0]:
            return table.start
        if table.start < edge < table.end and not document.text[edge : table.row_spans[-1][1]].strip("| "):
            return table.end
    return edge


def _passage(note: Note, piece: Piece, chunk: Chunk, subject: CheckedDocument) -> Passage:
    windows = remembering("minilm").cut_windows(chunk.prefix, chunk.headed_text)
    return Passage(note.name, note.pool, windows, piece.shows, chunk.size, tuple(_periods(subject, chunk)))


def _periods(subject: CheckedDocument, chunk: Chunk) -> Iterator[Period]:
    for mention in subject.mentions:
        if chunk.start <= mention.start < chunk.end and mention.start_date and mention.end_date:
            yield mention.start_date, mention.end_date
