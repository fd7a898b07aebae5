"""The chunker that each kind of document gets, and how settings change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache

from tasks.chunkers.contract import CHUNKERS, Chunker
from tasks.chunkers.dated import Dated
from tasks.chunkers.lesson import LessonChunker
from tasks.chunkers.section import SectionChunker
from tasks.chunkers.semantic import Semantic
from tasks.chunkers.structural import Structural
from tasks.embedders.registry import embedder
from warehouse.records import Chunking, Kind
from warehouse.settings.loader import Settings

OF_KIND: dict[Kind, Chunker] = {
    Kind.REPORT: Structural(),
    Kind.TEXT: Structural(),
    Kind.PAPER: SectionChunker(),
    Kind.COURSE: LessonChunker(),
    Kind.NOTE: Dated(),
}


def chunker_for(kind: Kind, own: Chunking, settings: Settings) -> Chunker:
    """The chunker for a document of a kind; `own` is what its folder or the command line asks for.

    What `own` leaves open is taken from the settings of the kind, then from those for all documents, then from the
    chunker of the kind, or from another chunker's own sizes where another was named. Raises `BadInput` for a name that
    no chunker has and for sizes that contradict or that the chunker does not have.
    """
    asked = (own, settings.chunk.kinds.of(kind).chunking, settings.chunk.chunking)
    return _chosen(kind, asked, settings.embed.model)


@cache
def identity(chunker: Chunker) -> tuple[object, ...]:
    """What decides the spans, JSON-like: version and settings, and the digests of the models they depend on."""
    settings = {field.name: getattr(chunker, field.name) for field in fields(chunker)}
    return (chunker.name, chunker.version, settings, [embedder(name).model for name in chunker.embedders])


@cache
def _chosen(kind: Kind, asked: Sequence[Chunking], model: str) -> Chunker:
    name = next((choice.chunker for choice in asked if choice.chunker), OF_KIND[kind].name)
    base = OF_KIND[kind] if name == OF_KIND[kind].name else CHUNKERS[name]
    unit = next((choice.unit for choice in asked if choice.unit), base.unit)
    size = next((choice.size for choice in asked if choice.size is not None), None)
    overlap = next((choice.overlap for choice in asked if choice.overlap is not None), None)
    return _with_model(base.counting(model if unit == "tokens" else ""), model).sized(size, overlap)


def _with_model(chunker: Chunker, model: str) -> Chunker:
    return replace(chunker, model=model) if isinstance(chunker, Semantic) else chunker
