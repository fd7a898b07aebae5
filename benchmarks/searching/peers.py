"""Other vector stores over the same vectors, asked for the nearest passages under the same filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

Search = Callable[[np.ndarray, float, int], list[int]]
"""The rows nearest to a vector, of those whose quality is at least so much, best first."""
BATCH = 5_000
REFINED = 10
"""How many times as many as wanted LanceDB takes from its index to compare exactly; by default it compares none."""


def peers(folder: Path, matrix: np.ndarray, quality: np.ndarray) -> Iterator[tuple[str, Search]]:
    """Brute force, and those of Chroma and LanceDB that are installed, built with their own defaults."""
    yield "brute force (numpy)", brute_force(matrix, quality)
    if find_spec("chromadb"):
        yield "Chroma", _chroma(folder / "chroma", matrix, quality)
    if find_spec("lancedb"):
        table = _lance_table(folder / "lance", matrix, quality)
        yield "LanceDB, flat", _lance(lambda vector: table.search(vector).bypass_vector_index())
        yield "LanceDB, IVF_PQ", _lance(table.search)
        yield "LanceDB, IVF_PQ, refined", _lance(lambda vector: table.search(vector).refine_factor(REFINED))


def brute_force(matrix: np.ndarray, quality: np.ndarray) -> Search:
    """What is exact."""

    def search(vector: np.ndarray, least: float, k: int) -> list[int]:
        rows = np.flatnonzero(quality >= least)
        scores = matrix[rows] @ vector if len(rows) < len(matrix) // 2 else (matrix @ vector)[rows]
        found: list[int] = rows[np.argsort(-scores, kind="stable")[:k]].tolist()
        return found

    return search


def _chroma(folder: Path, matrix: np.ndarray, quality: np.ndarray) -> Search:
    import chromadb

    client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
    held = client.create_collection("passages", metadata={"hnsw:space": "cosine"}, embedding_function=None)
    for first in range(0, len(matrix), BATCH):
        rows = range(first, min(first + BATCH, len(matrix)))
        metadatas: list[Any] = [{"quality": float(quality[row])} for row in rows]
        held.add(ids=[str(row) for row in rows], embeddings=matrix[rows.start : rows.stop], metadatas=metadatas)

    def search(vector: np.ndarray, least: float, k: int) -> list[int]:
        where: Any = {"quality": {"$gte": least}} if least > 0 else None
        found = held.query(query_embeddings=[vector], n_results=k, where=where, include=[])
        return [int(each) for each in found["ids"][0]]

    return search


def _lance_table(folder: Path, matrix: np.ndarray, quality: np.ndarray) -> Any:
    import lancedb
    import pyarrow as pa

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), matrix.shape[1])
    columns = {"row": pa.array(np.arange(len(matrix))), "quality": pa.array(quality), "vector": vectors}
    table = lancedb.connect(str(folder)).create_table("passages", pa.table(columns))
    table.create_index(metric="cosine", vector_column_name="vector")
    return table


def _lance(ask: Callable[[np.ndarray], Any]) -> Search:
    def search(vector: np.ndarray, least: float, k: int) -> list[int]:
        query = ask(vector).distance_type("cosine").select(["row", "_distance"]).limit(k)
        found = (query.where(f"quality >= {least}", prefilter=True) if least > 0 else query).to_arrow()
        rows: list[int] = found["row"].to_pylist()
        return rows

    return search
