"""A graph for approximate search: HNSW (Malkov & Yashunin 2020) by hnswlib, inner product of unit vectors."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from warehouse.errors import BadWarehouse
from warehouse.store.parquet import CURE

LINKS = 16
"""M: links of a node."""
BUILD_WIDTH = 200
"""ef_construction: candidates looked at for a new node."""
SEARCH_WIDTH = 400
"""ef: the least candidates looked at in a search. With 200, recall@10 fell to .978 of 100,000 passages where a filter
allowed half of them; with this it stays above .99, for half a millisecond."""
SEED = 7
BATCH = 20_000


def build(file: Path, matrix: np.ndarray) -> None:
    """Write the graph of the rows of `matrix`, float32, shape (rows, dimension), with all cores."""
    import hnswlib

    graph = hnswlib.Index(space="ip", dim=matrix.shape[1])
    graph.init_index(max(1, len(matrix)), M=LINKS, ef_construction=BUILD_WIDTH, random_seed=SEED)
    for first in range(0, len(matrix), BATCH):
        rows = np.arange(first, min(first + BATCH, len(matrix)))
        graph.add_items(matrix[rows], rows)
    graph.save_index(str(file))


class Graph:
    """A graph read from its file when first searched."""

    def __init__(self, file: Path, count: int, dimension: int) -> None:
        """`count` is how many rows it holds."""
        self._file = file
        self._count = count
        self._dimension = dimension
        self._graph: Any = None
        self._lock = Lock()

    def nearest(self, query: np.ndarray, k: int) -> np.ndarray:
        """About the `k` best rows, not sorted; fewer where the graph reaches fewer."""
        k = min(k, self._count)
        # The width is a property of hnswlib's index, not of a search.
        with self._lock:
            graph = self._loaded()
            while k > 0:
                graph.set_ef(max(SEARCH_WIDTH, 2 * k))
                try:
                    labels, _ = graph.knn_query(query, k=k, num_threads=1)
                except RuntimeError:  # so hnswlib says that it reaches fewer than k rows
                    k //= 2
                else:
                    return np.asarray(labels[0], dtype=np.int64)
        return np.empty(0, dtype=np.int64)

    def _loaded(self) -> Any:
        if self._graph is None:
            import hnswlib

            graph = hnswlib.Index(space="ip", dim=self._dimension)
            try:
                graph.load_index(str(self._file), max_elements=self._count)
            except RuntimeError as error:
                raise BadWarehouse(f"{self._file} cannot be read ({error})", CURE) from error
            self._graph = graph
        return self._graph
