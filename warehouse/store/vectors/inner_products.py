"""Inner products of a query with the rows of a matrix, and the best of some scores."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

import numpy as np
from threadpoolctl import ThreadpoolController

BLOCK = 1024  # Rows copied at once: they stay in the CPU's cache.


def compute_row_products(matrix: np.ndarray, rows: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner products of some rows with the query, float32, shape (len(rows),)."""
    if len(rows) == 0:
        return np.empty(0, np.float32)
    if 2 * len(rows) >= len(matrix):
        return np.asarray(compute_inner_products(matrix, query)[rows])
    parts = [compute_inner_products(matrix[rows[first : first + BLOCK]], query) for first in range(0, len(rows), BLOCK)]
    return np.concatenate(parts)


def compute_inner_products(matrix: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner product of every row with the query, float32, shape (rows,), on one thread.

    A second one makes it no faster, waits busily for the next and takes the core that the model needs: questions to
    12,000 rows took a median of 58 ms with two, 33 with one.
    """
    with limit_threads():
        return np.asarray(matrix @ query, dtype=np.float32)


def limit_threads() -> AbstractContextManager[object]:
    """Arithmetic inside is done by one thread."""
    limited: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limited


_threads = cache(ThreadpoolController)


def select_best_rows(rows: np.ndarray, scores: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The `k` rows of highest score and their scores, in falling order; of equal scores the lower row is first."""
    if 0 < k < len(rows):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = scores >= least
        rows, scores = rows[kept], scores[kept]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]
