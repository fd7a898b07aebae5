"""A corpus for rules about many documents: a small digest of each document, whatever its size."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tasks.chunkers.parts.document_spans import Statement
from tasks.quality.acronyms import Acronym
from tasks.quality.note_links import LinkTargets, NoteDigest, NoteLink
from tasks.quality.similarity import Sample, SampledPassage, Sketch, find_repetitions, find_similar
from warehouse.records import DateClaim

MIN_SHARE_ELSEWHERE, MIN_SHARE_WITHIN = 0.4, 0.85  # Captions of papers repeat parts of their text; that is no copy.
MIN_SIMILARITY = 0.8


@dataclass(frozen=True, slots=True)
class ChunkSketch:
    """A chunk by its place, and a sample of its runs of words, if it has enough of them."""

    chunk_id: str
    number: int
    start: int
    end: int
    page: int | None
    sample: Sample


@dataclass(frozen=True, slots=True)
class Digest:
    """The data of a document that are stored for comparisons: about 300 bytes per chunk.

    `date` is the document's own, None if it is undated; `claims` are the dates in its content and its name. `acronyms`
    are those it uses and `spelled_out` those it explains. Only Markdown has a `note`.
    """

    sha256: str
    date: DateClaim | None
    claims: tuple[DateClaim, ...]
    sketch: Sketch
    chunks: tuple[ChunkSketch, ...]
    acronyms: tuple[Acronym, ...]
    spelled_out: tuple[str, ...]
    statements: tuple[Statement, ...]
    note: NoteDigest | None

    def find_chunk(self, position: int | None) -> ChunkSketch | None:
        """The first chunk with a position of the text."""
        if position is None:
            return None
        first = bisect_left(self.chunks, position + 1, key=lambda chunk: chunk.end)
        chunks = self.chunks[first : first + 1]
        return chunks[0] if chunks and chunks[0].start <= position else None


@dataclass(frozen=True)
class Corpus:
    """The documents by source, in order. `links` are the files that notes may link to; `today` judges dates."""

    digests: dict[str, Digest]
    links: LinkTargets
    today: date

    def get_links(self, source: str) -> tuple[NoteLink, ...]:
        """The links of a note."""
        note = self.digests[source].note
        return note.links if note else ()

    @cached_property
    def copies(self) -> dict[str, str]:
        """Each source with the same bytes as an earlier one, with that one."""
        first: dict[str, str] = {}
        originals = {source: first.setdefault(digest.sha256, source) for source, digest in self.digests.items()}
        return {source: original for source, original in originals.items() if original != source}

    @cached_property
    def alike(self) -> dict[str, tuple[str, float]]:
        """Each source with nearly the same text as an earlier one, with that one and their similarity (0 to 1)."""
        sources = [source for source in self.digests if source not in self.copies]
        sketches = [self.digests[source].sketch for source in sources]
        repetitions = find_similar(sketches, MIN_SIMILARITY)
        return {sources[pair.later]: (sources[pair.earlier], pair.share) for pair in repetitions}

    @cached_property
    def repeated_chunks(self) -> tuple[tuple[tuple[str, ChunkSketch], tuple[str, ChunkSketch], float], ...]:
        """Chunks of which two fifths are in an earlier document, or nearly all at another place of their own.

        The earlier chunk, the later, and the repeated share of it (0 to 1); copies of whole documents are left out.
        """
        duplicates = self.copies.keys() | self.alike.keys()
        numbers = {source: number for number, source in enumerate(self.digests) if source not in duplicates}
        chunks = [(source, chunk) for source in numbers for chunk in self.digests[source].chunks]
        passages = [SampledPassage(chunk.sample, numbers[source], chunk.start, chunk.end) for source, chunk in chunks]
        repetitions = find_repetitions(passages, MIN_SHARE_ELSEWHERE, MIN_SHARE_WITHIN)
        return tuple((chunks[pair.earlier], chunks[pair.later], pair.share) for pair in repetitions)
