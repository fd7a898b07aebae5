"""The vector index: an immutable base shared by generations, and each generation's small delta.

A base is a folder named by its content: the matrix (memory-mapped), the vectors' ids in row order and a graph for
approximate search, HNSW (Malkov & Yashunin 2020) by hnswlib. A delta is a matrix and ids in the generation's own folder
and is always searched exactly. Rows count through the base and on through the delta. Vectors have unit length; their
likeness is the inner product.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import numpy as np
from threadpoolctl import ThreadpoolController

from warehouse.errors import BadWarehouse
from warehouse.store.parquet import CURE

IndexPart = Literal["base", "delta"]
BLOCK = 1024  # Rows copied at once: they stay in the CPU's cache.


def inner_products_of(matrix: np.ndarray, rows: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner products of some rows with the query, float32, shape (len(rows),)."""
    if len(rows) == 0:
        return np.empty(0, np.float32)
    if 2 * len(rows) >= len(matrix):
        return np.asarray(inner_products(matrix, query)[rows])
    parts = [inner_products(matrix[rows[first : first + BLOCK]], query) for first in range(0, len(rows), BLOCK)]
    return np.concatenate(parts)


def inner_products(matrix: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner product of every row with the query, float32, shape (rows,), on one thread.

    A second one makes it no faster, waits busily for the next and takes the core that the model needs: questions to
    12,000 rows took a median of 58 ms with two, 33 with one.
    """
    with _threads().limit(limits=1, user_api="blas"):
        return np.asarray(matrix @ query, dtype=np.float32)


_threads = cache(ThreadpoolController)


def best_rows(rows: np.ndarray, found: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The `k` rows of highest score and their scores, in falling order; of equal scores the lower row is first."""
    if 0 < k < len(rows):
        least = np.partition(found, len(found) - k)[len(found) - k]
        kept = found >= least
        rows, found = rows[kept], found[kept]
    order = np.lexsort((rows, -found))[:k]
    return rows[order], found[order]


LINKS = 16  # M: links of a node.
BUILD_WIDTH = 200  # ef_construction: candidates looked at for a new node.
SEARCH_WIDTH = 400
"""ef: the least candidates looked at in a search. With 200, recall@10 fell to .978 of 100,000 passages where a filter
allowed half of them; with this it stays above .99, for half a millisecond."""
SEED = 7
BATCH = 20_000


def build_graph(file: Path, matrix: np.ndarray) -> None:
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
        self._lock = Lock()

    def nearest(self, query: np.ndarray, k: int) -> np.ndarray:
        """About the `k` best rows, not sorted; fewer where the graph reaches fewer."""
        k = min(k, self._count)
        # The width is a property of hnswlib's index, not of a search.
        with self._lock:
            while k > 0:
                self._graph.set_ef(max(SEARCH_WIDTH, 2 * k))
                try:
                    labels, _ = self._graph.knn_query(query, k=k, num_threads=1)
                except RuntimeError:  # so hnswlib says that it reaches fewer than k rows
                    k //= 2
                else:
                    return np.asarray(labels[0], dtype=np.int64)
        return np.empty(0, dtype=np.int64)

    @cached_property
    def _graph(self) -> Any:
        import hnswlib

        graph = hnswlib.Index(space="ip", dim=self._dimension)
        try:
            graph.load_index(str(self._file), max_elements=self._count)
        except RuntimeError as error:
            raise BadWarehouse(f"{self._file} cannot be read ({error})", CURE) from error
        return graph


SCAN = 30_000  # A scan of so many rows costs no more than a search of the graph and is exact.
NARROW = 0.2  # Below this share of allowed rows a scan of them is cheaper than a graph that mostly finds others.
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
        write_vectors(partial, "base", ids, matrix)
        build_graph(partial / "base.hnsw", matrix)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return name


def is_whole(base: Path) -> bool:
    """Whether the files of a base are there and not cut off; reads little of them."""
    try:
        # The graph holds the vectors too.
        return _has_pair(base, "base") and (base / "base.hnsw").stat().st_size > read_matrix(base, "base").nbytes
    except OSError:
        return False


def are_whole(base: Path, delta: Path) -> bool:
    """Whether the files of a base and those of a generation's delta are there and not cut off."""
    return is_whole(base) and _has_pair(delta, "delta")


def _has_pair(folder: Path, part: IndexPart) -> bool:
    try:
        return len(read_matrix(folder, part)) == len(_load(folder / f"{part}.ids.npy"))
    except BadWarehouse:
        return False


def is_as_named(base: Path) -> bool:
    """Whether a base holds the ids and vectors that its name is the digest of; reads all of it but the graph."""
    try:
        return _name(read_ids(base, "base"), read_matrix(base, "base")) == base.name
    except (BadWarehouse, UnicodeDecodeError):
        return False


def write_vectors(folder: Path, part: IndexPart, ids: Sequence[str], matrix: np.ndarray) -> None:
    """Write the ids and the matrix of a base or delta, possibly empty, into its folder."""
    np.save(folder / f"{part}.npy", np.ascontiguousarray(matrix, dtype=np.float32))
    np.save(folder / f"{part}.ids.npy", np.array(ids, dtype=np.bytes_))


def read_ids(folder: Path, part: IndexPart) -> list[str]:
    """The ids of a base or delta in row order. Raises `BadWarehouse`."""
    return [name.decode("ascii") for name in _load(folder / f"{part}.ids.npy").tolist()]


def read_matrix(folder: Path, part: IndexPart) -> np.ndarray:
    """The matrix of a base or delta, memory-mapped. Raises `BadWarehouse`."""
    return _load(folder / f"{part}.npy")


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
        """From the folder of a base and that of a delta; raises `BadWarehouse` where files are missing."""
        self._folders = base, delta
        self._base = read_matrix(base, "base")
        self._delta = read_matrix(delta, "delta")
        self._graph = Graph(base / "base.hnsw", len(self._base), self._base.shape[1])

    def __len__(self) -> int:
        """How many rows there are, live or not."""
        return len(self._base) + len(self._delta)

    @cached_property
    def ids(self) -> list[str]:
        """The id of each row."""
        base, delta = self._folders
        return read_ids(base, "base") + read_ids(delta, "delta")

    def search(self, query: np.ndarray, k: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best of some rows, which rise, and their inner products with `query` (float32), in falling order.

        `k` of them, or all there are.
        """
        query = np.ascontiguousarray(query, dtype=np.float32)
        k = min(k, len(rows))
        if k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        split = int(np.searchsorted(rows, len(self._base)))
        base, delta = rows[:split], rows[split:] - len(self._base)
        base, base_scores = self._search_base(query, k, base)
        delta_scores = inner_products_of(self._delta, delta, query)
        found = np.concatenate([base, delta + len(self._base)])
        return best_rows(found, np.concatenate([base_scores, delta_scores]), k)

    def scores(self, query: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The inner product of each of some rows, in any order, with `query`, float32."""
        count = len(self._base)
        found = np.empty(len(rows), np.float32)
        based = rows < count
        found[based] = inner_products(self._base[rows[based]], query)
        found[~based] = inner_products(self._delta[rows[~based] - count], query)
        return found

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Some vectors, in any order, float32, shape (len(rows), dimension)."""
        count = len(self._base)
        found = np.empty((len(rows), self._base.shape[1]), np.float32)
        based = rows < count
        found[based], found[~based] = self._base[rows[based]], self._delta[rows[~based] - count]
        return found

    def _search_base(self, query: np.ndarray, k: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if len(rows) > SCAN and len(rows) > NARROW * len(self._base):
            found = self._search_graph(query, k, rows)
            if found is not None:
                return found, inner_products_of(self._base, found, query)
        return rows, inner_products_of(self._base, rows, query)

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


def _load(file: Path) -> np.ndarray:
    try:
        loaded: np.ndarray = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadWarehouse(f"{file} of the vector index cannot be read ({error})", CURE) from error
    return loaded
