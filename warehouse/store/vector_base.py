"""The base of a vector index: vectors that never change, in lists of neighbours, shared by generations.

A base of up to `LISTED` vectors is a matrix in the order of its ids and is scanned whole. A larger one lies in lists of
neighbours (IVF: Jégou, Douze & Schmid 2011): a search scans the lists nearest to its query, until it has seen enough
allowed rows, by copies of the vectors with a byte a number, and compares the best of those exactly. All of it is
memory-mapped: a base opens at once, and takes the memory of what is looked at.

A base is a folder named by its content. It is built in blocks, in bounded memory.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import numpy as np

from warehouse.errors import BadWarehouse
from warehouse.store.inner_products import inner_products, inner_products_of, one_thread
from warehouse.store.parquet import CURE

LISTED = 30_000  # Vectors from which on a base has lists: scanning so many costs no more than choosing among lists.
LEARNT = 40  # Vectors for each list that the centroids of the lists are learnt from.
ROUNDS = 8  # Of k-means.
OUTGROWN = 2  # A base of so many times the vectors that its centroids were learnt for learns new ones.
SEED = 7
BLOCK = 8192  # Rows that are worked on at once while a base is built.
STEP = 1024  # Rows whose coarse copies are widened at once: they stay in the CPU's cache.

LEAST_SCANNED, SCANNED = 20_000, 0.06
"""The allowed rows that a search scans at least, and their share of all allowed ones."""
SPARSE = 0.25  # Below this share of allowed rows they are picked out of a list before it is scanned.
COMPARED = 4  # For each row wanted so many are compared exactly, `LEAST_COMPARED` at least.
LEAST_COMPARED = 200

NAMING = ("base.ids.npy", "base.npy", "base.centroids.npy", "base.bounds.npy")
"""The files whose content a base is named by; the others are made from them."""

Blocks = Callable[[], Iterable[tuple[np.ndarray, np.ndarray]]]
"""Gives the vectors of a base by blocks: their places among its ids, and their rows, float32."""


class VectorBase:
    """A base, opened for reading."""

    def __init__(self, folder: Path) -> None:
        """Raises `BadWarehouse` where a file is missing or cut off."""
        self.ids = load(folder / "base.ids.npy")
        self.matrix = load(folder / "base.npy")
        self._folder = folder
        if len(self.ids) != len(self.matrix):
            raise BadWarehouse(f"{folder} of the vector index is damaged", CURE)
        if self.is_listed:
            self._codes, self._steps = load(folder / "base.codes.npy"), load(folder / "base.steps.npy")
            self.centroids = np.array(load(folder / "base.centroids.npy"))
            self.bounds = np.array(load(folder / "base.bounds.npy"))
            if not len(self._codes) == len(self._steps) == len(self.ids) == self.bounds[-1]:
                raise BadWarehouse(f"{folder} of the vector index is damaged", CURE)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.ids)

    @property
    def is_listed(self) -> bool:
        """Whether its vectors lie in lists."""
        return len(self.ids) > LISTED

    def rows_of(self, names: np.ndarray) -> np.ndarray:
        """The row of each vector by its id, -1 where it has none; `names` are bytes."""
        if not len(self.ids):
            return np.full(len(names), -1, np.int64)
        places = np.minimum(np.searchsorted(self.ids, names, sorter=self._order), len(self.ids) - 1)
        rows = places if self._order is None else self._order[places].astype(np.int64)
        return np.where(self.ids[rows] == names, rows, -1)

    @cached_property
    def _order(self) -> np.ndarray | None:
        """The rows in order of their ids; None where they lie so."""
        return load(self._folder / "base.order.npy") if self.is_listed else None

    def lists_of(self, rows: np.ndarray) -> np.ndarray:
        """The list that each row lies in."""
        return np.searchsorted(self.bounds, rows, side="right") - 1

    def near(self, query: np.ndarray, k: int, live: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows among which the `k` best live ones are, but for few, and their exact scores; all of them where few are.

        `live` is a boolean mask over the rows.
        """
        count = int(np.count_nonzero(live))
        wanted = max(COMPARED * k, LEAST_COMPARED)
        if not self.is_listed or count <= wanted:
            rows = np.flatnonzero(live)
            return rows, inner_products_of(self.matrix, rows, query)
        rows, scores = self._scanned(query, live, count, wanted)
        if len(rows) > wanted:
            rows = np.sort(rows[np.argpartition(scores, len(scores) - wanted)[len(scores) - wanted :]])
        return rows, inner_products_of(self.matrix, rows, query)

    def _scanned(self, query: np.ndarray, live: np.ndarray, count: int, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        """The live rows of the nearest lists and about their scores."""
        enough = max(LEAST_SCANNED, wanted, int(SCANNED * count))
        if count <= enough:
            rows = np.flatnonzero(live)
            return rows, self._coarse(query, rows)
        live_in = np.add.reduceat(live, self.bounds[:-1], dtype=np.int64)
        nearest = np.argsort(-inner_products(self.centroids, query), kind="stable")
        chosen = np.sort(nearest[: 1 + int(np.searchsorted(np.cumsum(live_in[nearest]), enough))])
        sizes = np.diff(self.bounds)[chosen]
        # The places in the lists, one list after the other.
        rows = np.arange(sizes.sum()) + np.repeat(self.bounds[chosen] - (np.cumsum(sizes) - sizes), sizes)
        if count < SPARSE * len(live):
            rows = rows[live[rows]]
            return rows, self._coarse(query, rows)
        scores = self._coarse_of_lists(query, chosen)
        allowed = live[rows]
        return rows[allowed], scores[allowed]

    def is_consistent(self) -> bool:
        """Whether the coarse copies and the order of the ids of a listed base are right; reads all of it."""
        order = self._order
        if order is None or not np.array_equal(np.sort(order), np.arange(len(self))):
            return False
        rising = self.ids[order]
        for first in range(0, len(self), BLOCK):
            codes, steps = coarse(np.array(self.matrix[first : first + BLOCK]))
            last = first + len(codes)
            if not (np.array_equal(codes, self._codes[first:last]) and np.array_equal(steps, self._steps[first:last])):
                return False
        return bool(np.all(rising[1:] > rising[:-1]))

    def _coarse(self, query: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """About the scores of some rows, which rise."""
        found = np.empty(len(rows), np.float32)
        with one_thread():
            for first in range(0, len(rows), STEP):
                some = rows[first : first + STEP]
                np.dot(self._codes[some].astype(np.float32), query, out=found[first : first + STEP])
        return np.asarray(found * self._steps[rows])

    def _coarse_of_lists(self, query: np.ndarray, lists: np.ndarray) -> np.ndarray:
        """About the scores of all rows of some lists, one list after the other."""
        firsts, lasts = self.bounds[lists], self.bounds[lists + 1]
        found, place = np.empty(int((lasts - firsts).sum()), np.float32), 0
        with one_thread():
            for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
                codes = self._codes[first:last].astype(np.float32)
                np.multiply(codes @ query, self._steps[first:last], out=found[place : place + last - first])
                place += last - first
        return found


def build_base(folder: Path, ids: np.ndarray, blocks: Blocks, dimension: int, before: VectorBase | None = None) -> str:
    """Write a base into `folder` and return its name; one that is there already and whole is left as it is.

    `ids` are bytes and rise; `blocks` gives a row of unit length for each. Lists of the base `before` are kept, and
    only what it does not hold is put into them, unless the new base has outgrown them.
    """
    partial = folder / f"{hashlib.blake2b(ids.tobytes(), digest_size=16).hexdigest()}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    rows = partial / "base.npy"
    np.lib.format.open_memmap(rows, "w+", np.float32, (len(ids), dimension))
    for places, block in blocks():
        # Mapped anew for each block, so that what was written before does not count as memory of this process.
        np.load(rows, mmap_mode="r+")[places] = block
    if len(ids) > LISTED:
        ids = _write_lists(partial, ids, before)
    np.save(partial / "base.ids.npy", ids)
    name = name_of(partial)
    target = folder / name
    if is_whole(target):
        shutil.rmtree(partial)
    else:
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return name


def _write_lists(partial: Path, ids: np.ndarray, before: VectorBase | None) -> np.ndarray:
    """Put the rows of `base.npy`, which are in order of `ids`, into lists; the ids in their new order."""
    unordered = (partial / "base.npy").rename(partial / "unordered.npy")
    count = round(len(ids) ** 0.5)
    lists = np.full(len(ids), -1, np.int64)
    if before is not None and before.is_listed and count <= OUTGROWN**0.5 * len(before.centroids):
        centroids, held = before.centroids, before.rows_of(ids)
        lists[held >= 0] = before.lists_of(held[held >= 0])
    else:
        rows = load(unordered)
        centroids = _centroids(np.array(rows[:: max(1, len(rows) // (LEARNT * count))]), count)
    for first in range(0, len(ids), BLOCK):
        new = first + np.flatnonzero(lists[first : first + BLOCK] < 0)
        if len(new):
            lists[new] = _nearest(load(unordered)[new], centroids)
    sizes = np.bincount(lists, minlength=len(centroids))
    order = np.argsort(lists, kind="stable")
    _write_rows(partial, unordered, order)
    unordered.unlink()
    np.save(partial / "base.centroids.npy", centroids[sizes > 0])
    np.save(partial / "base.bounds.npy", np.concatenate([[0], np.cumsum(sizes[sizes > 0])]))
    # The ids rise before they are put in order, so that the row of the n-th id is where n stands now.
    by_id = np.empty(len(ids), np.int32)
    by_id[order] = np.arange(len(ids), dtype=np.int32)
    np.save(partial / "base.order.npy", by_id)
    return ids[order]


def _write_rows(partial: Path, unordered: Path, order: np.ndarray) -> None:
    """Write the rows in an order, and their coarse copies."""
    shape, steps = load(unordered).shape, np.empty(len(order), np.float32)
    with (partial / "base.npy").open("wb") as exact, (partial / "base.codes.npy").open("wb") as codes:
        for stream, kind in ((exact, np.float32), (codes, np.int8)):
            described = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(stream, described)
        for first in range(0, len(order), BLOCK):
            block = load(unordered)[order[first : first + BLOCK]]
            block.tofile(exact)
            coded, steps[first : first + BLOCK] = coarse(block)
            coded.tofile(codes)
    np.save(partial / "base.steps.npy", steps)


def name_of(folder: Path) -> str:
    """The name that a base has by its content; reads all of it but what is made from the rest."""
    seen = hashlib.blake2b(digest_size=16)
    for file in NAMING:
        if (folder / file).exists():
            array = load(folder / file)
            seen.update(f"{file} {array.shape}".encode())
            for first in range(0, len(array), BLOCK):
                seen.update(np.ascontiguousarray(load(folder / file)[first : first + BLOCK]).tobytes())
    return seen.hexdigest()


def is_whole(base: Path) -> bool:
    """Whether the files of a base are there and not cut off; reads little of them."""
    try:
        VectorBase(base)
    except BadWarehouse:
        return False
    return True


def is_as_named(base: Path) -> bool:
    """Whether a base holds what its name is the digest of, and what is made from that; reads all of it."""
    try:
        if name_of(base) != base.name:
            return False
        opened = VectorBase(base)
        return not opened.is_listed or opened.is_consistent()
    except BadWarehouse:
        return False


def coarse(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows with a byte a number, and what a step of each row's numbers is worth."""
    steps = np.maximum(np.abs(rows).max(axis=1), np.finfo(np.float32).tiny) / 127
    return np.rint(rows / steps[:, None]).astype(np.int8), steps.astype(np.float32)


def _centroids(sample: np.ndarray, count: int) -> np.ndarray:
    """The centroids of so many lists, of unit length, by k-means on a sample (Lloyd 1982)."""
    centroids = sample[np.random.default_rng(SEED).choice(len(sample), count, replace=False)]
    for _ in range(ROUNDS):
        nearest = np.concatenate([_nearest(sample[n : n + BLOCK], centroids) for n in range(0, len(sample), BLOCK)])
        order = np.argsort(nearest, kind="stable")
        held, starts = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(sample[order], starts)
        centroids[held] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return centroids


def _nearest(rows: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """The list whose centroid is nearest to each row."""
    return np.asarray((rows @ centroids.T).argmax(axis=1))


def load(file: Path) -> np.ndarray:
    """The array of a file, memory-mapped. Raises `BadWarehouse`."""
    try:
        loaded = np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError) as error:
        raise BadWarehouse(f"{file} of the vector index cannot be read ({error})", CURE) from error
    return loaded
