"""The pipeline from document to scored passages in one go, for looking at a single file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tasks.chunkers.making import make_chunks
from tasks.chunkers.sizes import chunker_for
from tasks.dating import document_date, title
from tasks.entities.names import entities_of
from tasks.quality.scoring import score
from tasks.temporal.document import mentions
from warehouse.identity import digest
from warehouse.records import Chunk, Document, Finding
from warehouse.settings import Settings


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk with its quality and the findings that explain it."""

    chunk: Chunk
    quality_score: float
    findings: tuple[Finding, ...]


def passages(document: Document, name: str, modified: date, settings: Settings) -> tuple[Passage, ...]:
    """The passages of a file named `name`, last written on the day `modified`, as an ingest would cut them."""
    day = document_date(document.dates, name, modified).date
    chunker = chunker_for(document.kind, settings.chunk.size, settings.chunk.overlap)
    names = entities_of([document])[0] if document.kind in settings.entities.kinds else ()
    chunks = make_chunks(
        document,
        document_id=digest("document", name),
        title=title(document.title, name),
        source=name,
        document_date=day,
        mentions=mentions(document, day),
        entities=names,
        chunker=chunker,
    )
    scores, findings = score(chunks, document, chunker.size)
    return tuple(
        Passage(chunk, found.quality_score, tuple(f for f in findings if f.chunk_id == chunk.chunk_id))
        for chunk, found in zip(chunks, scores, strict=True)
    )
