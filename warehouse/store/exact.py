"""Exact search: the inner product of a query with every row that counts."""

from __future__ import annotations

import numpy as np

BLOCK = 1024
"""Rows copied at once: they stay in the CPU's cache."""


def scores(matrix: np.ndarray, rows: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner products of some rows with the query, float32, shape (len(rows),)."""
    if len(rows) == 0:
        return np.empty(0, np.float32)
    if 2 * len(rows) >= len(matrix):
        return np.asarray((matrix @ query)[rows], dtype=np.float32)
    parts = [matrix[rows[first : first + BLOCK]] @ query for first in range(0, len(rows), BLOCK)]
    return np.concatenate(parts)


def best(rows: np.ndarray, found: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The `k` rows of highest score and their scores, in falling order; of equal scores the lower row is first."""
    if 0 < k < len(rows):
        least = np.partition(found, len(found) - k)[len(found) - k]
        kept = found >= least
        rows, found = rows[kept], found[kept]
    order = np.lexsort((rows, -found))[:k]
    return rows[order], found[order]
