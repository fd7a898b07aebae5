"""The vector index: an immutable base shared by generations, and each generation's small delta.

A delta is a matrix and ids in the generation's own folder and is always searched exactly. Rows count through the base
and on through the delta; they never change until a new base takes both in. Vectors have unit length; their likeness is
the inner product.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from warehouse.errors import BadWarehouse
from warehouse.store.parquet import CURE
from warehouse.store.vectors.vector_base import (
    VectorBase,
    compute_inner_products,
    compute_row_products,
    is_whole,
    load_array,
    select_best_rows,
)

LEAST_DELTA = 2_000
MOST_DELTA = 100_000


def are_whole(base: Path, delta: Path) -> bool:
    """Whether the files of a base and those of a generation's delta are there and not cut off."""
    try:
        read_delta(delta)
    except BadWarehouse:
        return False
    return is_whole(base)


def write_delta(folder: Path, ids: np.ndarray, matrix: np.ndarray) -> None:
    """Write the ids (bytes) and the matrix of a delta, possibly empty, into a generation's folder."""
    np.save(folder / "delta.npy", np.ascontiguousarray(matrix, dtype=np.float32))
    np.save(folder / "delta.ids.npy", ids)


def read_delta(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """The ids (bytes) of a generation's delta and its matrix, memory-mapped. Raises `BadWarehouse`."""
    ids, matrix = load_array(folder / "delta.ids.npy"), load_array(folder / "delta.npy")
    if len(ids) != len(matrix):
        raise BadWarehouse(f"the delta of generation {folder.name} is damaged", CURE)
    return ids, matrix


def should_fold(base_count: int, delta_count: int, live_count: int) -> bool:
    """Whether to build a new base of the live vectors instead of a larger delta.

    So that no search scans more than a fifth of the base beside it (nor 100,000 rows), building costs a few times the
    vectors added and no more, and at least half of the rows are live.
    """
    most = min(max(LEAST_DELTA, base_count // 5), MOST_DELTA)
    dead = base_count + delta_count - live_count
    return delta_count > most or dead > max(LEAST_DELTA, live_count)


class VectorIndex:
    """The vectors of one generation, opened for reading."""

    def __init__(self, base: Path, delta: Path) -> None:
        """From the folder of a base and that of a delta; raises `BadWarehouse` where files are missing."""
        self.base = VectorBase(base)
        self._delta_ids, self._delta = read_delta(delta)

    def __len__(self) -> int:
        """How many rows there are, live or not."""
        return len(self.base) + len(self._delta)

    @cached_property
    def ids(self) -> np.ndarray:
        """The id of each row, as bytes."""
        return np.concatenate([self.base.ids, self._delta_ids])

    def find_rows(self, names: np.ndarray) -> np.ndarray:
        """The row of each vector by its id (bytes), -1 where it has none."""
        rows = self.base.find_rows(names)
        order = np.argsort(self._delta_ids, kind="stable")
        new = np.flatnonzero(rows < 0)
        if len(order) and len(new):
            places = order[np.minimum(np.searchsorted(self._delta_ids, names[new], sorter=order), len(order) - 1)]
            rows[new] = np.where(self._delta_ids[places] == names[new], len(self.base) + places, -1)
        return rows

    def extend_delta(self, ids: np.ndarray, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The ids and the matrix of a delta that has these vectors too, behind those that it has."""
        return np.concatenate([self._delta_ids, ids]), np.concatenate([self._delta, matrix])

    def search(self, query: np.ndarray, k: int, live: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best live rows and their inner products with `query` (float32), in falling order: `k`, or all there are.

        `live` is a boolean mask over the rows.
        """
        query = np.ascontiguousarray(query, dtype=np.float32)
        count = len(self.base)
        k = min(k, int(np.count_nonzero(live)))
        if k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        base, base_scores = self.base.find_near(query, k, live[:count])
        delta = np.flatnonzero(live[count:])
        found = np.concatenate([base, delta + count])
        return select_best_rows(
            found, np.concatenate([base_scores, compute_row_products(self._delta, delta, query)]), k
        )

    def compute_scores(self, query: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The inner product of each of some rows, in any order, with `query`, float32."""
        count = len(self.base)
        found = np.empty(len(rows), np.float32)
        in_base = rows < count
        found[in_base] = compute_inner_products(self.base.matrix[rows[in_base]], query)
        found[~in_base] = compute_inner_products(self._delta[rows[~in_base] - count], query)
        return found

    def read_vectors(self, rows: np.ndarray) -> np.ndarray:
        """Some vectors, in any order, float32, shape (len(rows), dimension)."""
        count = len(self.base)
        found = np.empty((len(rows), self.base.matrix.shape[1]), np.float32)
        in_base = rows < count
        found[in_base], found[~in_base] = self.base.matrix[rows[in_base]], self._delta[rows[~in_base] - count]
        return found
