"""The vector index: an immutable base of vectors, shared by generations, and each generation's small delta.

A base holds vectors in order of their ids. One of up to `MAX_SCANNED` vectors is scanned exactly. A larger one has two
smaller copies of them with one byte for each number: their principal components, of which a few dozen hold most of the
differences between vectors, and all of their numbers. A search scans the components, compares the best hundredth of the
rows by all numbers, and the best of those exactly. A filter applies from the first step on. All of these files are
memory-mapped: a base opens at once, and takes the memory of the parts that are read. On request, such a base also has a
graph (HNSW, Malkov and Yashunin 2018), which is held in memory and gives the candidates of a search without a filter. A
base is a folder named by its content; `warehouse.store.publishing` builds it.

A delta is a matrix and ids in the generation's own folder and is always searched exactly. Rows are numbered in the
base, then in the delta; the numbers change only when a new base replaces both. Vectors have unit length; their
similarity is the inner product.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from functools import cache, cached_property
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from warehouse.errors import BadWarehouse
from warehouse.store.arrow_files import CURE

MAX_SCANNED = 30_000  # Vectors that are scanned exactly in about 4 ms.
SHORTLIST_SHARE, MIN_SHORTLIST = 0.01, 4_000
"""The share of the rows that are compared by all numbers, and the minimum."""
COMPARED_PER_RESULT, MIN_COMPARED = 4, 200  # Rows that are compared exactly for each requested row, at least 200.
DEVIATIONS = 3  # Standard deviations above the mean: 99.9 % of normally distributed increases are smaller.
MAX_COPIED_SHARE = 0.1  # Up to this share allowed rows are copied to be scanned: 7 ms in a million, as scanning all.
BLOCK = 8192  # Rows that are processed at once while a base is built.
ROWS_PER_PRODUCT = 1 << 16  # Rows that are compared at once, so that the copy of the selected rows is small.
MAX_CODE = 127  # The greatest code: one byte with a sign.
SAMPLE_SIZE = 5_000  # Scores that suffice to estimate the threshold of the best among a million.
TINY = np.finfo(np.float32).tiny
MIN_NEIGHBOURS = 500
"""The minimum number of rows that a graph returns, hnswlib's ef.

Of 100,000 grown vectors .978 of the best 10 in 2.0 ms, with 1,000 rows .987 in 3.8 ms; a scan finds them all in 4.4 ms.
Adding 100,000 takes 32 s of processor time.
"""
GRAPH_ROWS_PER_RESULT = 10  # The graph is used only if the base has this many times the requested rows.
GRAPH, GRAPH_CHECK = "base.hnsw", "base.hnsw.note"  # Of the latter, the length and the digest of the graph's file.
FILES = ("base.ids.npy", "base.npy")
COPY_FILES = tuple(f"{copy}.{part}.npy" for copy in ("bytes", "components") for part in ("codes", "steps"))
BASIS = "components.basis.npy"
DAMAGED_ARRAY = (OSError, ValueError, TypeError, EOFError, SyntaxError, TokenError)
"""What numpy raises where a file of an array is damaged: it reads the head as Python."""


class ByteRows:
    """Rows with one byte for each number: the numbers of each column are `codes` times the column's step."""

    def __init__(self, folder: Path, copy: str) -> None:
        """Raises `BadWarehouse` where a file is missing or cut off."""
        self._codes, self._steps = load_array(folder / f"{copy}.codes.npy"), load_array(folder / f"{copy}.steps.npy")

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._codes)

    def compute_products(self, query: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
        """The approximate inner products of some rows (rising numbers), or of all, with a query, float32.

        The query has a byte a number, too: simsimd then takes 7 ms for a million rows of 96 numbers, where numpy takes
        22 to widen and multiply them.
        """
        import simsimd

        scaled_query = query * self._steps
        unit = max(float(np.abs(scaled_query).max(initial=0.0)), float(TINY)) / MAX_CODE
        codes = np.rint(scaled_query / unit).astype(np.int8)[np.newaxis]
        products = np.empty(len(self._codes) if rows is None else len(rows), np.float32)
        for first in range(0, len(products), ROWS_PER_PRODUCT):
            block = slice(first, first + ROWS_PER_PRODUCT)
            selection = block if rows is None else rows[block]
            block_products = simsimd.cdist(self._codes[selection], codes, "dot", out_dtype="float32")
            products[block] = np.asarray(block_products)[:, 0]
        products *= np.float32(unit)
        return products


class VectorBase:
    """A base, opened for reading."""

    def __init__(self, folder: Path) -> None:
        """Raises `BadWarehouse` where a file is missing or cut off."""
        self._folder = folder
        self.ids, self.matrix = (load_array(folder / file) for file in FILES)
        self._has_copies = is_large(len(self.ids))
        self.has_graph = (folder / GRAPH_CHECK).exists()
        counts = {len(self.matrix)}
        if self._has_copies:
            self._bytes, self._components = (ByteRows(folder, copy) for copy in ("bytes", "components"))
            self._basis = load_array(folder / BASIS)
            counts |= {len(self._bytes), len(self._components)}
        if counts != {len(self.ids)} or (self.has_graph and not _is_graph_complete(folder)):
            raise BadWarehouse(f"{folder} of the vector index is damaged", CURE)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.ids)

    def find_rows(self, names: np.ndarray) -> np.ndarray:
        """The row of each vector by its id, -1 where it has none; `names` are bytes."""
        if not len(self.ids):
            return np.full(len(names), -1, np.int64)
        rows = np.minimum(np.searchsorted(self.ids, names), len(self.ids) - 1)
        return np.where(self.ids[rows] == names, rows, -1)

    def find_candidates(self, query: np.ndarray, k: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows that include nearly all of the `k` best allowed ones, and their exact scores; all rows if there are few.

        `allowed` is a boolean mask over the rows.
        """
        compared_count = max(COMPARED_PER_RESULT * k, MIN_COMPARED)
        rows = np.flatnonzero(allowed)
        neighbour_count = max(compared_count, MIN_NEIGHBOURS)
        if self.has_graph and len(rows) == len(self) >= GRAPH_ROWS_PER_RESULT * neighbour_count:
            neighbours = self._find_neighbours(query, neighbour_count)
            if neighbours is not None:
                return neighbours, compute_row_products(self.matrix, neighbours, query)
        if self._has_copies and len(rows) > MAX_SCANNED:
            count = max(compared_count, MIN_SHORTLIST, int(SHORTLIST_SHARE * len(rows)))
            rows = rows[self._select_shortlist(query, k, rows, count)]
        if self._has_copies and len(rows) > compared_count:
            rows = rows[_select_best(self._bytes.compute_products(query, rows), compared_count)]
        return rows, compute_row_products(self.matrix, rows, query)

    @cached_property
    def _graph(self) -> Any:
        """The graph, an `hnswlib.Index`, read into memory when first asked. Raises `BadWarehouse`."""
        import hnswlib

        graph = hnswlib.Index(space="ip", dim=self.matrix.shape[1])
        try:
            graph.load_index(str(self._folder / GRAPH))
        except RuntimeError as error:
            raise BadWarehouse(f"{self._folder / GRAPH} of the vector index cannot be read ({error})", CURE) from error
        return graph

    def _find_neighbours(self, query: np.ndarray, count: int) -> np.ndarray | None:
        """`count` rows near the query, in rising order; None where the graph reaches fewer."""
        graph = self._graph
        graph.set_ef(count)
        try:
            labels, _ = graph.knn_query(query, k=count, num_threads=1)
        except RuntimeError:
            # hnswlib fails if it cannot return the requested number: among many equal vectors not all are linked.
            return None
        return np.sort(labels[0].astype(np.int64))

    def _select_shortlist(self, query: np.ndarray, k: int, rows: np.ndarray, count: int) -> np.ndarray:
        """The positions of about `count` of the rows, the best by their components; more if these are not decisive.

        The numbers that the components leave out may raise a score, at most by the mean of the compared rows plus three
        standard deviations. Rows that could thereby be among the best `k` are compared as well.
        """
        is_sparse = len(rows) < MAX_COPIED_SHARE * len(self)
        scores = self._components.compute_products(query @ self._basis, rows if is_sparse else None)
        scores = scores if is_sparse or len(rows) == len(self) else scores[rows]
        positions = _select_about_best(scores, count)
        exact_scores = self._bytes.compute_products(query, rows[positions])
        increase = exact_scores - scores[positions]
        kth_position = len(exact_scores) - min(k, len(exact_scores))
        kth_score = np.partition(exact_scores, kth_position)[kth_position]
        score_limit = kth_score - increase.mean() - DEVIATIONS * increase.std()
        return np.flatnonzero(scores >= score_limit) if score_limit < scores[positions].min() else positions


def _select_best(scores: np.ndarray, count: int) -> np.ndarray:
    """The positions, rising, of the `count` greatest scores; all positions if there are no more scores."""
    if len(scores) <= count:
        return np.arange(len(scores))
    return np.sort(np.argpartition(scores, len(scores) - count)[len(scores) - count :])


def _select_about_best(scores: np.ndarray, count: int) -> np.ndarray:
    """The positions, rising, of about `count` of the greatest scores, by a threshold estimated from a sample."""
    if len(scores) <= count:
        return np.arange(len(scores))
    sample = np.sort(scores[:: max(1, len(scores) // SAMPLE_SIZE)])
    score_limit = sample[-max(1, count * len(sample) // len(scores))]
    positions = np.flatnonzero(scores >= score_limit)
    return positions if count // 2 < len(positions) < 2 * count else _select_best(scores, count)


def compute_graph_check(folder: Path) -> str:
    """The length in bytes and the digest of the file of a graph; reads all of it."""
    with (folder / GRAPH).open("rb") as file:
        return f"{(folder / GRAPH).stat().st_size} {hashlib.file_digest(file, 'blake2b').hexdigest()}"


def _is_graph_complete(folder: Path) -> bool:
    """Whether the file of a graph exists and is complete."""
    recorded_size = (folder / GRAPH_CHECK).read_text(encoding="utf-8").partition(" ")[0]
    return (folder / GRAPH).exists() and recorded_size == str((folder / GRAPH).stat().st_size)


def compute_name(folder: Path) -> str:
    """The name of a base, by its content; reads all of it except the graph, which several processors build."""
    content_digest = hashlib.blake2b(digest_size=16)
    if (folder / GRAPH_CHECK).exists():
        content_digest.update(GRAPH.encode())
    for file in (*FILES, BASIS, *COPY_FILES):
        if (folder / file).exists():
            content_digest.update(f"{file} {load_array(folder / file).shape}".encode())
            for first in range(0, len(load_array(folder / file)), BLOCK):
                content_digest.update(np.ascontiguousarray(load_array(folder / file)[first : first + BLOCK]).tobytes())
    return content_digest.hexdigest()


def is_large(count: int) -> bool:
    """Whether a base of `count` vectors has smaller copies (and a graph, if requested); smaller bases are scanned."""
    return count > MAX_SCANNED


def is_complete(base: Path) -> bool:
    """Whether the files of a base exist and are complete; reads little of them."""
    try:
        VectorBase(base)
    except BadWarehouse:
        return False
    return True


def matches_digest(base: Path) -> bool:
    """Whether the content of a base and of its graph match their digests; reads all of it."""
    try:
        check_file = base / GRAPH_CHECK
        is_graph_intact = not check_file.exists() or check_file.read_text(encoding="utf-8") == compute_graph_check(base)
        return is_graph_intact and is_complete(base) and compute_name(base) == base.name
    except (BadWarehouse, OSError):
        return False


def load_array(file: Path) -> np.ndarray:
    """The array of a file, memory-mapped. Raises `BadWarehouse`."""
    try:
        array = np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
    except DAMAGED_ARRAY as error:
        reason = " ".join(str(error).split())
        raise BadWarehouse(f"{file} of the vector index cannot be read ({reason})", CURE) from error
    return array


ROWS_PER_COPY = 1024  # Rows copied at once: they stay in the CPU's cache.


def compute_row_products(matrix: np.ndarray, rows: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner products of some rows with the query, float32, shape (len(rows),)."""
    if len(rows) == 0:
        return np.empty(0, np.float32)
    if 2 * len(rows) >= len(matrix):
        return np.asarray(compute_inner_products(matrix, query)[rows])
    blocks = (rows[first : first + ROWS_PER_COPY] for first in range(0, len(rows), ROWS_PER_COPY))
    return np.concatenate([compute_inner_products(matrix[block], query) for block in blocks])


def compute_inner_products(matrix: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The inner product of every row with the query, float32, shape (rows,), on one thread.

    A second thread makes it no faster, busily waits for the next product and occupies the core that the model needs:
    questions to 12,000 rows took a median of 58 ms with two threads, 33 ms with one.
    """
    with limit_threads():
        return np.asarray(matrix @ query, dtype=np.float32)


def limit_threads() -> AbstractContextManager[object]:
    """A context in which one thread does the arithmetic."""
    limit: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limit


_threads = cache(ThreadpoolController)


def select_best_rows(rows: np.ndarray, scores: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The `k` rows of highest score and their scores, in falling order; of equal scores the lower row is first."""
    if 0 < k < len(rows):
        threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
        is_candidate = scores >= threshold
        rows, scores = rows[is_candidate], scores[is_candidate]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]


MIN_DELTA = 2_000
MAX_DELTA = 100_000


def are_complete(base: Path, delta: Path) -> bool:
    """Whether the files of a base and those of a generation's delta exist and are complete."""
    try:
        read_delta(delta)
    except BadWarehouse:
        return False
    return is_complete(base)


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


def should_fold(base_count: int, delta_count: int, used_count: int) -> bool:
    """Whether to build a new base of the used vectors instead of a larger delta.

    The limits guarantee that a search scans at most a fifth of the base in addition to it (and at most 100,000 rows),
    that building costs at most a few times the added vectors, and that at least half of the rows are used.
    """
    max_delta = min(max(MIN_DELTA, base_count // 5), MAX_DELTA)
    unused_count = base_count + delta_count - used_count
    return delta_count > max_delta or unused_count > max(MIN_DELTA, used_count)


class VectorIndex:
    """The vectors of one generation, opened for reading."""

    def __init__(self, base: Path, delta: Path) -> None:
        """From the folder of a base and that of a delta; raises `BadWarehouse` where files are missing."""
        self.base = VectorBase(base)
        self._delta_ids, self._delta = read_delta(delta)

    def __len__(self) -> int:
        """How many rows there are, used or not."""
        return len(self.base) + len(self._delta)

    @cached_property
    def ids(self) -> np.ndarray:
        """The id of each row, as bytes."""
        return np.concatenate([self.base.ids, self._delta_ids])

    def find_rows(self, names: np.ndarray) -> np.ndarray:
        """The row of each vector by its id (bytes), -1 where it has none."""
        rows = self.base.find_rows(names)
        order = np.argsort(self._delta_ids, kind="stable")
        missing = np.flatnonzero(rows < 0)
        if len(order) and len(missing):
            positions = np.searchsorted(self._delta_ids, names[missing], sorter=order)
            positions = order[np.minimum(positions, len(order) - 1)]
            rows[missing] = np.where(self._delta_ids[positions] == names[missing], len(self.base) + positions, -1)
        return rows

    def extend_delta(self, ids: np.ndarray, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The ids and the matrix of a delta that has these vectors too, behind those that it has."""
        return np.concatenate([self._delta_ids, ids]), np.concatenate([self._delta, matrix])

    def search(self, query: np.ndarray, k: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best allowed rows and their inner products with `query` (float32), in falling order: `k`, or all.

        `allowed` is a boolean mask over the rows.
        """
        query = np.ascontiguousarray(query, dtype=np.float32)
        count = len(self.base)
        k = min(k, int(np.count_nonzero(allowed)))
        if k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        base_rows, base_scores = self.base.find_candidates(query, k, allowed[:count])
        delta_rows = np.flatnonzero(allowed[count:])
        rows = np.concatenate([base_rows, delta_rows + count])
        return select_best_rows(
            rows, np.concatenate([base_scores, compute_row_products(self._delta, delta_rows, query)]), k
        )

    def compute_scores(self, query: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The inner product of each of some rows, in any order, with `query`, float32."""
        count = len(self.base)
        scores = np.empty(len(rows), np.float32)
        in_base = rows < count
        scores[in_base] = compute_inner_products(self.base.matrix[rows[in_base]], query)
        scores[~in_base] = compute_inner_products(self._delta[rows[~in_base] - count], query)
        return scores

    def read_vectors(self, rows: np.ndarray) -> np.ndarray:
        """Some vectors, in any order, float32, shape (len(rows), dimension)."""
        count = len(self.base)
        vectors = np.empty((len(rows), self.base.matrix.shape[1]), np.float32)
        in_base = rows < count
        vectors[in_base], vectors[~in_base] = self.base.matrix[rows[in_base]], self._delta[rows[~in_base] - count]
        return vectors
