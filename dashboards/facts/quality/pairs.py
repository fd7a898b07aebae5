"""Near duplicates: passages and documents that say much of what others say, each with its original."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.check.report import Report
from tasks.quality.corpus import ChunkSketch, Corpus
from warehouse.reader import Warehouse

_CHUNK, _DOCUMENT, _COPY = "CHK009", "DOC018", "DOC017"
_TEXTS = "SELECT chunk_id, text FROM chunks WHERE chunk_id IN ($one, $other)"


@dataclass(frozen=True, slots=True)
class DuplicateSide:
    """One of two: its document's source, and its passage (id, number from 1, page) unless it is the whole."""

    source: str
    chunk_id: str = ""
    number: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """What says again what `first` says; `share` is how much of it that is, in [0, 1], and `code` the rule's."""

    code: str
    first: DuplicateSide
    again: DuplicateSide
    share: float

    @property
    def name(self) -> str:
        """What it is called in an address: there is one pair for each that says something again."""
        return self.again.chunk_id or self.again.source


def list_duplicates(corpus: Corpus, report: Report) -> tuple[DuplicatePair, ...]:
    """The pairs of which the report tells, the most alike first: what it is told to pass over is not among them."""
    told = {(entry.located.finding.code, entry.path, entry.located.finding.start) for entry in report.entries}
    found = [pair for start, pair in _every(corpus) if (pair.code, pair.again.source, start) in told]
    return tuple(sorted(found, key=lambda pair: (-pair.share, pair.again.source, pair.again.number or 0)))


def read_pair_texts(warehouse: Warehouse, pair: DuplicatePair) -> tuple[str, str]:
    """What both say, the first one first; empty where it is not in the generation."""
    if pair.first.chunk_id:
        found = dict(warehouse.snapshot.rows(_TEXTS, {"one": pair.first.chunk_id, "other": pair.again.chunk_id}))
        return found.get(pair.first.chunk_id, ""), found.get(pair.again.chunk_id, "")
    ids = [warehouse.document_id(side.source) for side in (pair.first, pair.again)]
    one, other = (warehouse.text(each) if each else "" for each in ids)
    return one, other


def _every(corpus: Corpus) -> Iterator[tuple[int | None, DuplicatePair]]:
    """Each pair, and where in its document that begins which is said again."""
    for again, first in corpus.copies.items():
        yield None, DuplicatePair(_COPY, DuplicateSide(first), DuplicateSide(again), 1.0)
    for again, (first, likeness) in corpus.alike.items():
        yield None, DuplicatePair(_DOCUMENT, DuplicateSide(first), DuplicateSide(again), likeness)
    for (source, chunk), (other, later), share in corpus.repeated_chunks:
        yield later.start, DuplicatePair(_CHUNK, _side(source, chunk), _side(other, later), share)


def _side(source: str, chunk: ChunkSketch) -> DuplicateSide:
    return DuplicateSide(source, chunk.chunk_id, chunk.number + 1, chunk.page)
