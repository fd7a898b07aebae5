"""Chunks that are about one thing: the split of the sentences with the most likeness inside the chunks.

Sentences are embedded alone. A chunk earns the sum of the cosines of its pairs of sentences, each less the mean of all
pairs of the stretch; the split that earns most is found exactly, by dynamic programming over chunks that fit (the
cluster chunker of Smith & Troynikov 2024, Evaluating Chunking Strategies for Retrieval). The same model on the same
machine gives the same chunks; nothing is random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tasks.chunkers.chunker import Chunker, Span
from tasks.chunkers.parts.atoms import Run, Seam, runs
from tasks.chunkers.parts.packer import Fitting, Range
from tasks.embedders.embedder import embedder
from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class Semantic(Chunker):
    """`model` names the embedder of the sentences; it is loaded when a document is cut."""

    name: ClassVar[str] = "semantic"

    model: str = "minilm"

    @property
    def embedders(self) -> tuple[str, ...]:
        """The model's beside those of every chunker."""
        return tuple(name for name in (self.tokens_of, self.model) if name)

    def with_model(self, model: str) -> Self:
        """See `Chunker`."""
        return replace(self, model=model)

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.ruler(document)
        fitting = Fitting(ruler, self.size)
        found: list[Span] = []
        for run in runs(document, ruler, self.size):
            vectors = self._vectors(document.text, run)
            found += ((run[first].start, run[stop - 1].end) for first, stop in best_split(run, vectors, fitting))
        return tuple(found)

    def _vectors(self, text: str, run: Run) -> np.ndarray:
        """One unit vector an atom; of what is longer than the model's window, its beginning stands for it."""
        chosen = embedder(self.model)
        return chosen.embed([chosen.windows("", text[atom.start : atom.end])[0] for atom in run])


def best_split(run: Run, vectors: np.ndarray, fitting: Fitting) -> Iterator[Range]:
    """The ranges of atoms that earn most together; `vectors` has one unit row an atom."""
    likeness = Likeness(vectors)
    best = np.full(len(run) + 1, -np.inf)
    best[0] = 0.0
    begins = np.zeros(len(run) + 1, dtype=np.int64)
    for stop in range(1, len(run) + 1):
        first = stop - 1
        while first >= 0 and fitting.fits(run, first, stop):
            earned = best[first] + likeness.within(first, stop)
            if earned > best[stop] and not _beheads(run, first, fitting):
                best[stop], begins[stop] = earned, first
            first -= 1
    return reversed(list(_ranges(begins)))


def _beheads(run: Run, first: int, fitting: Fitting) -> bool:
    """Whether a cut before an atom would part it from its heading, which could stay with it."""
    return first > 0 and run[first].seam is Seam.GLUE and fitting.fits(run, first - 1, first + 1)


def _ranges(begins: np.ndarray) -> Iterator[Range]:
    stop = len(begins) - 1
    while stop > 0:
        yield int(begins[stop]), stop
        stop = int(begins[stop])


class Likeness:
    """Sums of cosines over ranges, from running sums of the vectors."""

    def __init__(self, vectors: np.ndarray) -> None:
        """`vectors` has unit rows."""
        zero = np.zeros((1, vectors.shape[1]))
        self._sums = np.concatenate([zero, np.cumsum(vectors, axis=0, dtype=np.float64)])
        pairs = max(1, len(vectors) * (len(vectors) - 1))
        self._mean = (float(self._sums[-1] @ self._sums[-1]) - len(vectors)) / pairs

    def within(self, first: int, stop: int) -> float:
        """The cosines of all ordered pairs of a range, each less the mean of all."""
        total = self._sums[stop] - self._sums[first]
        count = stop - first
        return float(total @ total) - count - self._mean * count * (count - 1)


member = Semantic()
