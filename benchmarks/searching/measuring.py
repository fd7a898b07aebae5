"""Seconds and recall of searches."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.searching.peers import Search
from tasks.embedders.embedder import Embedder, embed_question
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import Filters, Mode, Ranking, SearchRequest
from warehouse.search.filters import mask_allowed

TODAY = date(2026, 1, 1)
WARMING = 5
K = 10
OPENING = """
import json, sys, time
from datetime import date
from pathlib import Path
import numpy as np
started = time.perf_counter()
from warehouse.reader import Warehouse
from warehouse.records import Question
imported = time.perf_counter()
warehouse = Warehouse(Path(sys.argv[1]))
vector = np.load(sys.argv[2])
warehouse.search(Question("what is it", "what is it", vector))
print(json.dumps([imported - started, time.perf_counter() - imported]))
"""
"""A first search in a process of its own; the modules that it loads on the way count as opening."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the median search and of the slowest but one in twenty."""

    p50: float
    p95: float

    @classmethod
    def of(cls, searches: Sequence[Callable[[], object]]) -> Timing:
        """Each is run once, in order, after the first few have been run for warmth."""
        for search in searches[:WARMING]:
            search()
        spent = []
        for search in searches:
            started = perf_counter()
            search()
            spent.append(1000 * (perf_counter() - started))
        return cls(float(np.quantile(spent, 0.5)), float(np.quantile(spent, 0.95)))

    def __str__(self) -> str:
        """Both."""
        return f"{self.p50:.1f} | {self.p95:.1f}"


def opening(folder: Path, vector: np.ndarray, scratch: Path) -> tuple[float, float]:
    """Seconds of the imports and of opening and the first search, the best of three new processes."""
    np.save(scratch / "vector.npy", vector)
    command = [sys.executable, "-c", OPENING, str(folder), str(scratch / "vector.npy")]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(3)]
    imports, opened = min(runs, key=lambda run: float(run[1]))
    return float(imports), float(opened)


def asking(warehouse: Warehouse, embedder: Embedder, questions: Sequence[str]) -> dict[str, Timing]:
    """What a whole question takes by mode, its embedding included, and what its embedding takes."""

    def ask(text: str, mode: Mode) -> Callable[[], object]:
        return lambda: find(warehouse, SearchRequest(text, ranking=Ranking(mode=mode)), embedder, TODAY)

    timings = {mode.value: Timing.of([ask(text, mode) for text in questions]) for mode in Mode}
    embeddings = [lambda text=text: embed_question(embedder, text) for text in questions]
    return {**timings, "the question's embedding alone": Timing.of(embeddings)}


def ours(warehouse: Warehouse) -> Search:
    """Our own search by vector under the filter of quality, the filter's evaluation included."""

    def search(vector: np.ndarray, least: float, k: int) -> list[int]:
        snapshot = warehouse.snapshot
        filters = Filters(min_quality=least) if least > 0 else Filters()
        found = snapshot.find_nearest(vector, k, mask_allowed(snapshot, filters))
        return sorted(found, key=lambda row: -found[row])[:k]

    return search


def matrix_of(warehouse: Warehouse) -> np.ndarray:
    """The vector of each passage, in order of row; a grown passage has one window."""
    snapshot = warehouse.snapshot
    rows, _ = snapshot.windows.find_vectors(np.arange(len(snapshot.passages)))
    return snapshot.vectors.read_vectors(rows)


def recall(search: Search, exact: Search, vectors: np.ndarray, least: float) -> float:
    """The share of the exact first ten that are found."""
    right = there = 0
    for vector in vectors:
        expected = exact(vector, least, K)
        there += len(expected)
        right += len(set(expected) & set(search(vector, least, K)))
    return right / max(there, 1)
