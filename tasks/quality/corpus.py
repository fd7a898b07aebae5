"""A corpus for rules about many documents: a small digest of each document, whatever its size."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tasks.quality.acronyms import Acronym
from tasks.quality.note_links import LinkTargets, NoteDigest, NoteLink
from tasks.quality.similarity import Sample, SampledPassage, Sketch, find_repetitions, find_similar
from tasks.quality.statements import Statement
from warehouse.records import DateClaim

REPEATED_ELSEWHERE, REPEATED_WITHIN = 0.4, 0.85  # Papers say in captions what they say in their text; that is no copy.
ALIKE_DOCUMENTS = 0.8


@dataclass(frozen=True, slots=True)
class ChunkSketch:
    """A chunk by its place, and a sample of its runs of words, where it has enough of them."""

    chunk_id: str
    number: int
    start: int
    end: int
    page: int | None
    sample: Sample


@dataclass(frozen=True, slots=True)
class Digest:
    """What is kept of a document for comparisons: some 300 bytes a chunk.

    `date` is the document's own, None if it is undated; `claims` are what its content and its name say of it.
    `acronyms` are those it uses and `spelled_out` those it explains. `note` is there for Markdown only.
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
        """The first chunk that holds a position of the text."""
        if position is None:
            return None
        first = bisect_left(self.chunks, position + 1, key=lambda chunk: chunk.end)
        found = self.chunks[first : first + 1]
        return found[0] if found and found[0].start <= position else None


@dataclass(frozen=True)
class Corpus:
    """The documents by source, in order. `links` are the files that notes may link to; `today` judges dates."""

    digests: dict[str, Digest]
    links: LinkTargets
    today: date

    def get_links(self, source: str) -> tuple[NoteLink, ...]:
        """What a note links to."""
        note = self.digests[source].note
        return note.links if note else ()

    @cached_property
    def copies(self) -> dict[str, str]:
        """Each source whose bytes are those of an earlier one, with that one."""
        first: dict[str, str] = {}
        originals = {source: first.setdefault(digest.sha256, source) for source, digest in self.digests.items()}
        return {source: original for source, original in originals.items() if original != source}

    @cached_property
    def alike(self) -> dict[str, tuple[str, float]]:
        """Each source that says nearly what an earlier one says, with that one and how alike they are (0 to 1)."""
        sources = [source for source in self.digests if source not in self.copies]
        sketches = [self.digests[source].sketch for source in sources]
        found = find_similar(sketches, ALIKE_DOCUMENTS)
        return {sources[each.later]: (sources[each.earlier], each.share) for each in found}

    @cached_property
    def repeated_chunks(self) -> tuple[tuple[tuple[str, ChunkSketch], tuple[str, ChunkSketch], float], ...]:
        """Chunks of which two fifths stand in an earlier document, or nearly all in their own at another place.

        The earlier, the later, and how much of it that is (0 to 1); copies of whole documents are left out.
        """
        known = self.copies.keys() | self.alike.keys()
        number = {source: place for place, source in enumerate(self.digests) if source not in known}
        every = [(source, chunk) for source in number for chunk in self.digests[source].chunks]
        passages = [SampledPassage(chunk.sample, number[source], chunk.start, chunk.end) for source, chunk in every]
        found = find_repetitions(passages, REPEATED_ELSEWHERE, REPEATED_WITHIN)
        return tuple((every[each.earlier], every[each.later], each.share) for each in found)
