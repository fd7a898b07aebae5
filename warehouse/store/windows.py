"""Which vectors stand for which passages: several windows of a long one, one vector for passages of equal text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warehouse.errors import BadWarehouse
from warehouse.store.parquet import CURE


@dataclass(frozen=True, eq=False)
class Windows:
    """Pairs of a row of the vectors and a row of the passages, of which there are `count`; rising by vector."""

    vectors: np.ndarray
    passages: np.ndarray
    count: int

    @classmethod
    def of(cls, passages: np.ndarray, names: np.ndarray, vector_ids: Sequence[str], count: int) -> Windows:
        """From the row of the passage of each window and the id of its vector; `vector_ids` are in order of row.

        Raises `BadWarehouse` where one is not among them.
        """
        row_of = {name: row for row, name in enumerate(vector_ids)}
        try:
            vectors = np.fromiter(map(row_of.__getitem__, names), np.int64, len(names))
        except (KeyError, TypeError) as lost:  # a name that is masked, as no text was read, has no hash
            raise BadWarehouse(f"the vector index and the embeddings do not agree ({lost})", CURE) from None
        order = np.argsort(vectors, kind="stable")
        return cls(vectors[order], passages[order], count)

    def of_allowed(self, allowed: np.ndarray | None) -> np.ndarray:
        """The vectors of the allowed passages (a boolean mask; None allows all), rising."""
        return self._live if allowed is None else _distinct(self.vectors[allowed[self.passages]])

    def of_passages(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of some passages, and of each the place of its passage among them, rising."""
        order, bounds = self._by_passage
        counts = bounds[rows + 1] - bounds[rows]
        places = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.vectors[order[bounds[rows][places] + within]], places

    def best_by_passage(self, vectors: np.ndarray, scores: np.ndarray, allowed: np.ndarray | None) -> dict[int, float]:
        """The score of the first vector of each allowed passage that has one of these, given best first."""
        low, high = np.searchsorted(self.vectors, vectors), np.searchsorted(self.vectors, vectors, side="right")
        best: dict[int, float] = {}
        for first, last, score in zip(low.tolist(), high.tolist(), scores.tolist(), strict=True):
            for passage in self.passages[first:last].tolist():
                if allowed is None or allowed[passage]:
                    best.setdefault(passage, score)
        return best

    @cached_property
    def _live(self) -> np.ndarray:
        return _distinct(self.vectors)

    @cached_property
    def _by_passage(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self.passages, kind="stable")
        return order, np.searchsorted(self.passages[order], np.arange(self.count + 1))


def _distinct(rising: np.ndarray) -> np.ndarray:
    return rising[np.diff(rising, prepend=-1) > 0]
