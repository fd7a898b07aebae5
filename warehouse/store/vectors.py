"""The vector index: an immutable base shared by generations, and each generation's small delta.

A base is a folder named by its content: the matrix (memory-mapped), the vectors' ids in row order and a graph. A delta
is a matrix and ids in the generation's own folder and is always searched exactly. Rows count through the base and on
through the delta.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from warehouse.errors import BadWarehouse
from warehouse.store import exact
from warehouse.store.graph import Graph, build
from warehouse.store.parquet import CURE

SCAN = 30_000
"""A scan of so many rows costs no more than a search of the graph and is exact."""
NARROW = 0.2
"""Below this share of allowed rows a scan of them is cheaper than a graph that mostly finds others."""
LEAST_DELTA = 2_000
MOST_DELTA = 100_000


def build_base(folder: Path, ids: Sequence[str], matrix: np.ndarray) -> str:
    """Write a base into `folder` and return its name; one that is there already and whole is left as it is.

    `matrix` is float32, shape (len(ids), dimension), of unit rows.
    """
    name = _name(ids, matrix)
    target = folder / name
    if not is_whole(target):
        partial = folder / f"{name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _write(partial, "base", ids, matrix)
        build(partial / "base.hnsw", matrix)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return name


def is_whole(base: Path) -> bool:
    """Whether the files of a base are there and not cut off; reads little of them."""
    try:
        matrix = _read_pair(base, "base")
        # The graph holds the vectors too.
        return (base / "base.hnsw").stat().st_size > matrix.nbytes
    except (BadWarehouse, OSError):
        return False


def is_as_named(base: Path) -> bool:
    """Whether a base holds the ids and vectors that its name is the digest of; reads all of it but the graph."""
    try:
        return _name(_read_ids(base, "base"), _read_matrix(base, "base")) == base.name
    except (BadWarehouse, UnicodeDecodeError):
        return False


def is_whole_delta(folder: Path) -> bool:
    """Whether the files of a generation's delta are there and not cut off."""
    try:
        return _read_pair(folder, "delta") is not None
    except BadWarehouse:
        return False


def base_ids(base: Path) -> list[str]:
    """The ids of a base in row order."""
    return _read_ids(base, "base")


def write_delta(folder: Path, ids: Sequence[str], matrix: np.ndarray) -> None:
    """Write a generation's delta, possibly empty, into its folder."""
    _write(folder, "delta", ids, matrix)


def read_delta(folder: Path) -> tuple[list[str], np.ndarray]:
    """The ids and the matrix of a generation's delta."""
    return _read_ids(folder, "delta"), _read_matrix(folder, "delta")


def should_fold(base_count: int, delta_count: int, live_count: int) -> bool:
    """Whether to build a new base of the live vectors instead of a larger delta.

    So that no search scans more than a fifth of the base beside it (nor 100,000 rows), building costs a few times the
    vectors added and no more, and at least half of the rows are live.
    """
    most = min(max(LEAST_DELTA, base_count // 5), MOST_DELTA)
    dead = base_count + delta_count - live_count
    return delta_count > most or dead > max(LEAST_DELTA, live_count)


class VectorIndex:
    """The vectors of one generation, opened for reading; the graph is loaded by the first search that needs it."""

    def __init__(self, base: Path, delta: Path) -> None:
        """See `open`."""
        self._folders = base, delta
        self._base = _read_matrix(base, "base")
        self._delta = _read_matrix(delta, "delta")
        self._graph = Graph(base / "base.hnsw", len(self._base), self._base.shape[1])

    @classmethod
    def open(cls, base: Path, delta: Path) -> VectorIndex:
        """From the folder of a base and that of a delta; raises `BadWarehouse` where files are missing."""
        return cls(base, delta)

    def __len__(self) -> int:
        """How many rows there are, live or not."""
        return len(self._base) + len(self._delta)

    @cached_property
    def ids(self) -> list[str]:
        """The id of each row."""
        base, delta = self._folders
        return _read_ids(base, "base") + _read_ids(delta, "delta")

    def search(self, query: np.ndarray, k: int, allowed: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The best rows and their inner products with `query` (float32), in falling order, `k` or all there are.

        `allowed` is a boolean mask over all rows, or row numbers; None allows every row.
        """
        query = np.ascontiguousarray(query, dtype=np.float32)
        rows = self._rows(allowed)
        k = min(k, len(rows))
        if k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        split = int(np.searchsorted(rows, len(self._base)))
        base, delta = rows[:split], rows[split:] - len(self._base)
        base, base_scores = self._search_base(query, k, base)
        delta_scores = exact.scores(self._delta, delta, query)
        found = np.concatenate([base, delta + len(self._base)])
        return exact.best(found, np.concatenate([base_scores, delta_scores]), k)

    def scores(self, query: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The inner product of each of some rows, in any order, with `query`, float32."""
        count = len(self._base)
        found = np.empty(len(rows), np.float32)
        based = rows < count
        found[based] = exact.products(self._base[rows[based]], query)
        found[~based] = exact.products(self._delta[rows[~based] - count], query)
        return found

    def _rows(self, allowed: np.ndarray | None) -> np.ndarray:
        if allowed is None:
            return np.arange(len(self))
        if allowed.dtype == np.bool_:
            return np.flatnonzero(allowed)
        rising = bool((allowed[1:] > allowed[:-1]).all())
        return (allowed if rising else np.unique(allowed)).astype(np.int64)

    def _search_base(self, query: np.ndarray, k: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if len(rows) > SCAN and len(rows) > NARROW * len(self._base):
            found = self._search_graph(query, k, rows)
            if found is not None:
                return found, exact.scores(self._base, found, query)
        return rows, exact.scores(self._base, rows, query)

    def _search_graph(self, query: np.ndarray, k: int, rows: np.ndarray) -> np.ndarray | None:
        """About the best allowed rows, at least `k` of them; None once a scan is the cheaper way to them."""
        allowed = np.zeros(len(self._base), dtype=np.bool_)
        allowed[rows] = True
        wanted = k + k * (len(self._base) - len(rows)) // len(rows)
        while wanted <= len(self._base) // 50:
            reached = self._graph.nearest(query, wanted)
            near: np.ndarray = reached[allowed[reached]]
            if len(near) >= k:
                return near
            wanted *= 3
        return None


def _name(ids: Sequence[str], matrix: np.ndarray) -> str:
    seen = hashlib.blake2b("\n".join(ids).encode(), digest_size=16)
    seen.update(repr(matrix.shape).encode())
    seen.update(np.ascontiguousarray(matrix, dtype=np.float32).data.cast("B") if matrix.size else b"")
    return seen.hexdigest()


def _write(folder: Path, part: str, ids: Sequence[str], matrix: np.ndarray) -> None:
    np.save(folder / f"{part}.npy", np.ascontiguousarray(matrix, dtype=np.float32))
    np.save(folder / f"{part}.ids.npy", np.array(ids, dtype=np.bytes_))


def _read_pair(folder: Path, part: str) -> np.ndarray:
    matrix, ids = _read_matrix(folder, part), _load(folder / f"{part}.ids.npy")
    if len(ids) != len(matrix):
        raise BadWarehouse(f"{folder} has {len(ids)} ids for {len(matrix)} vectors", CURE)
    return matrix


def _read_ids(folder: Path, part: str) -> list[str]:
    return [name.decode("ascii") for name in _load(folder / f"{part}.ids.npy").tolist()]


def _read_matrix(folder: Path, part: str) -> np.ndarray:
    return _load(folder / f"{part}.npy")


def _load(file: Path) -> np.ndarray:
    try:
        loaded: np.ndarray = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadWarehouse(f"{file} of the vector index cannot be read ({error})", CURE) from error
    return loaded
