"""How fast search is, and how exact under filters, beside brute force, Chroma and LanceDB in the same run.

    python benchmarks/search.py WAREHOUSE [--passages 100000] [--folder FOLDER]

WAREHOUSE is any ingested one: its passages and vectors are grown to as many as asked for (see
`searching/population.py`), and its sentences are the questions. Grown warehouses stay in FOLDER, if one is named, and
are taken from there the next time.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.searching.measuring import K, Timing, asking, matrix_of, opening, ours, recall
from benchmarks.searching.peers import brute_force, peers
from benchmarks.searching.population import Seeds, grow, seeds_of
from tasks.embedders.embedder import Embedder, embed_question, open_embedder
from warehouse.reader import Warehouse

SHARES = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 1.0)
"""Of the passages that a filter allows."""


def questions_of(texts: Sequence[str], count: int) -> list[str]:
    """Some words in a row of real passages."""
    chance = random.Random(7)
    found = []
    for text in chance.choices([text for text in texts if text.count(" ") > 30], k=count):
        words = text.split()
        first = chance.randrange(len(words) - 12)
        found.append(" ".join(words[first : first + chance.randint(5, 12)]))
    return found


def growth(folder: Path, seeds: Seeds, sizes: list[int], model: Embedder, questions: list[str]) -> Iterator[str]:
    """A table of the time that opening and questions take, by size and mode."""
    yield "| passages | opened and asked once, s | search | p50, ms | p95, ms |"
    yield "|---:|---:|---|---:|---:|"
    vector = embed_question(model, questions[0])
    for size in sizes:
        place = folder / str(size)
        if not place.exists():
            grow(place, seeds, size)
        _, opened = opening(place, vector, folder)
        for name, timing in asking(Warehouse(place), model, questions).items():
            yield f"| {size:,} | {opened:.2f} | {name} | {timing} |"


def filtered(folder: Path, warehouse: Warehouse, vectors: np.ndarray) -> Iterator[str]:
    """A table of recall and time under filters, of ourselves and the peers."""
    yield f"| allowed | store | recall@{K} | p50, ms | p95, ms |"
    yield "|---:|---|---:|---:|---:|"
    matrix, quality = matrix_of(warehouse), warehouse.snapshot.passages.quality
    exact = brute_force(matrix, quality)
    stores = [("Kalends", ours(warehouse)), *peers(folder, matrix, quality)]
    for share in SHARES:
        least = float(np.quantile(quality, 1 - share)) if share < 1 else 0.0
        for name, search in stores:
            right = recall(search, exact, vectors, least)
            timing = Timing.of([lambda v=v, s=search, n=least: s(v, n, K) for v in vectors])
            yield f"| {share:.2%} | {name} | {right:.4f} | {timing} |"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    seeds, model = seeds_of(Warehouse(options.warehouse)), open_embedder("minilm")
    questions = questions_of(seeds.texts, options.questions)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        sizes = [size for size in (1_000, 10_000) if size < options.passages] + [options.passages]
        for line in growth(folder, seeds, sizes, model, questions):
            print(line, flush=True)
        print()
        grown = Warehouse(folder / str(options.passages))
        vectors = np.stack([embed_question(model, text) for text in questions])
        for line in filtered(Path(scratch), grown, vectors):
            print(line, flush=True)


if __name__ == "__main__":
    main()
