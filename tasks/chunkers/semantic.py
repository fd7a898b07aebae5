"""Chunks that are about one thing: the split of the sentences with the most similarity inside the chunks.

Sentences are embedded alone. The gain of a chunk is the sum of the cosines of its pairs of sentences, each less the
mean of all pairs of the stretch; the split with the greatest gain is found exactly, by dynamic programming over chunks
that fit (the cluster chunker of Smith & Troynikov 2024, Evaluating Chunking Strategies for Retrieval). The same model
on the same machine gives the same chunks; nothing is random.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tasks.chunkers.chunker import Chunker, Span
from tasks.chunkers.parts.packing import Fitting, Range, Run, Seam, iter_runs
from tasks.embedders.embedder import open_embedder
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class SemanticChunker(Chunker):
    """`model` names the embedder of the sentences; it is loaded when a document is cut."""

    name: ClassVar[str] = "semantic"

    model: str = "minilm"

    @property
    def embedders(self) -> tuple[str, ...]:
        """The embedders of every chunker, and the model."""
        return tuple(name for name in (self.tokens_of, self.model) if name)

    def with_model(self, model: str) -> Self:
        """See `Chunker`."""
        return replace(self, model=model)

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler, embedder = self.make_ruler(document), open_embedder(self.model)
        fitting = Fitting(ruler, self.size)
        spans: list[Span] = []
        for run in iter_runs(document, ruler, self.size):
            # An atom that is longer than the model's window is represented by its beginning.
            texts = [embedder.cut_windows("", document.text[atom.start : atom.end])[0] for atom in run]
            ranges = find_best_split(run, embedder.embed(texts), fitting)
            spans += ((run[first].start, run[stop - 1].end) for first, stop in ranges)
        return tuple(spans)


def find_best_split(run: Run, vectors: np.ndarray, fitting: Fitting) -> list[Range]:
    """The ranges of atoms with the greatest total gain; `vectors` has one unit row per atom."""
    sums = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)])
    mean = (float(sums[-1] @ sums[-1]) - len(run)) / max(1, len(run) * (len(run) - 1))
    best = np.full(len(run) + 1, -np.inf)
    best[0] = 0.0
    starts = [0] * (len(run) + 1)
    for stop in range(1, len(run) + 1):
        first = stop - 1
        while first >= 0 and fitting.fits(run, first, stop):
            # The cosines of all ordered pairs of the range, each less the mean of all.
            total, count = sums[stop] - sums[first], stop - first
            gain = best[first] + (float(total @ total) - count - mean * count * (count - 1))
            is_parted = first > 0 and run[first].seam is Seam.GLUE and fitting.fits(run, first - 1, first + 1)
            if gain > best[stop] and not is_parted:  # from its heading, which could stay with it
                best[stop], starts[stop] = gain, first
            first -= 1
    ranges, stop = [], len(run)
    while stop > 0:
        ranges.append((starts[stop], stop))
        stop = starts[stop]
    return ranges[::-1]


member = SemanticChunker()
