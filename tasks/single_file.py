"""Pipeline from a document to its scored passages in one step, to examine a single file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import choose_chunker
from tasks.document_date import choose_date, choose_title, parse_name_interval, select_named_days
from tasks.embedders.embedder import open_embedder
from tasks.entities.names import find_entities
from tasks.faults import isolate_document
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.scoring import group_by_chunk, score_document
from tasks.temporal.document import find_mentions, with_times
from warehouse.identity import digest
from warehouse.records import Chunk, Chunking, Document, Entity, Finding
from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings

NO_CHUNKING = Chunking()  # Only the settings.


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk with its quality and the findings that explain it."""

    chunk: Chunk
    quality_score: float
    findings: tuple[Finding, ...]


def score_file(
    document: Document, name: str, settings: Settings, source: SourceSettings, chunking: Chunking = NO_CHUNKING
) -> tuple[ScoredChunk, ...]:
    """The passages of a file named `name`, as an ingest would cut them.

    `source` has the settings of its folder, `chunking` takes precedence over their chunking.
    """
    kind = source.kind or document.kind
    with isolate_document("entities", name):
        names = find_entities([document])[0] if kind in settings.entities.kinds else ()
    subject = prepare_file(document, name, settings, source, entities=names, chunking=chunking)
    with isolate_document("score", name):
        scores, findings = score_document(subject)
    findings_by_chunk = group_by_chunk(findings)
    return tuple(
        ScoredChunk(chunk, score.quality_score, tuple(findings_by_chunk[chunk.chunk_id]))
        for chunk, score in zip(subject.chunks, scores, strict=True)
    )


def prepare_file(
    parsed: Document,
    name: str,
    settings: Settings,
    source: SourceSettings,
    *,
    entities: Sequence[Entity] = (),
    raw: str = "",
    chunking: Chunking = NO_CHUNKING,
) -> CheckedDocument:
    """A file as its parser read it, with its date, mentions and chunks, ready to be scored.

    Raises `StageError` if a stage fails on it.
    `raw` is its source if that is text. The `entities` are only used in the embedded text.
    """
    with isolate_document("parse", name):
        document = replace(with_times(parsed), kind=source.kind or parsed.kind)
        name_days, path = parse_name_interval(name), PurePosixPath(name)
        claim = choose_date(document.dates, path.name, document.kind, name_days, folder=path.parent.name)
    day = claim.date if claim else None
    with isolate_document("temporal", name):
        mentions = find_mentions(document, day, source.fiscal_year_end)
    with isolate_document("chunk", name):
        chunker = choose_chunker(document.kind, chunking.with_defaults(source.chunk.chunking), settings)
        chunks = make_chunks(
            document,
            document_id=digest("document", name),
            title=choose_title(document.title, PurePosixPath(name).name),
            source=name,
            date_claim=claim,
            name_days=select_named_days(document.kind, name_days),
            mentions=mentions,
            entities=entities,
            chunker=chunker,
            prefixed=settings.chunk.prefix,
        )
    return CheckedDocument(
        document, chunks, mentions, claim, chunker.characters, open_embedder(settings.embed.model).window, raw
    )
