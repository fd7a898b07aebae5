"""Pipeline from a document to its scored passages in one go, to look at a single file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import choose_chunker
from tasks.document_date import choose_date, choose_title, select_named_days
from tasks.embedders.embedder import open_embedder
from tasks.entities.names import find_entities
from tasks.faults import one_document
from tasks.note_names import parse_name_interval
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.scoring import group_by_chunk, score_document
from tasks.temporal.document import find_mentions, with_times
from warehouse.identity import digest
from warehouse.records import Chunk, Chunking, Document, Entity, Finding
from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings

ANY = Chunking()  # Nothing but the settings.


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk with its quality and the findings that explain it."""

    chunk: Chunk
    quality_score: float
    findings: tuple[Finding, ...]


def score_file(
    read: Document, name: str, settings: Settings, source: SourceSettings, chunking: Chunking = ANY
) -> tuple[ScoredChunk, ...]:
    """The passages of a file named `name`, as an ingest would cut them.

    `source` says what is known of its folder, `chunking` goes before what that says of chunks.
    """
    kind = source.kind or read.kind
    with one_document("entities", name):
        names = find_entities([read])[0] if kind in settings.entities.kinds else ()
    subject = prepare_file(read, name, settings, source, entities=names, chunking=chunking)
    with one_document("score", name):
        scores, findings = score_document(subject)
    charged = group_by_chunk(findings)
    return tuple(
        ScoredChunk(chunk, found.quality_score, tuple(charged[chunk.chunk_id]))
        for chunk, found in zip(subject.chunks, scores, strict=True)
    )


def prepare_file(
    read: Document,
    name: str,
    settings: Settings,
    source: SourceSettings,
    *,
    entities: Sequence[Entity] = (),
    raw: str = "",
    chunking: Chunking = ANY,
) -> CheckedDocument:
    """A file as its parser read it, with its date, mentions and chunks, ready to be judged.

    Raises `StageError` where a stage fails on it.
    `raw` is its source where that is text. The `entities` take part in what is embedded, and in nothing else.
    """
    with one_document("parse", name):
        document = replace(with_times(read), kind=source.kind or read.kind)
        named, path = parse_name_interval(name), PurePosixPath(name)
        claim = choose_date(document.dates, path.name, document.kind, named, folder=path.parent.name)
    day = claim.date if claim else None
    with one_document("temporal", name):
        found = find_mentions(document, day, source.fiscal_year_end)
    with one_document("chunk", name):
        chunker = choose_chunker(document.kind, chunking.with_defaults(source.chunk.chunking), settings)
        chunks = make_chunks(
            document,
            document_id=digest("document", name),
            title=choose_title(document.title, PurePosixPath(name).name),
            source=name,
            date_claim=claim,
            name_days=select_named_days(document.kind, named),
            mentions=found,
            entities=entities,
            chunker=chunker,
            prefixed=settings.chunk.prefix,
        )
    return CheckedDocument(
        document, chunks, found, claim, chunker.characters, open_embedder(settings.embed.model).window, raw
    )
