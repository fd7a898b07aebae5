"""An opened generation: its catalog, its passages and its indexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np

from warehouse.records import Chunk, Holding
from warehouse.store import vectors
from warehouse.store.catalog import connect, define, lake_files
from warehouse.store.generations import Generation
from warehouse.store.keywords import KeywordIndex
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.parquet import naming_damage
from warehouse.store.passages import Passages
from warehouse.store.schemas import records_of


class Snapshot:
    """What one generation holds. Nothing is read before it is asked for; everything read stays."""

    def __init__(self, layout: Layout, generation: Generation) -> None:
        """`generation` must be one of the warehouse in `layout`."""
        self.generation = generation
        self._layout = layout

    @cached_property
    def _connection(self) -> Any:
        connection = connect()
        files = lake_files(Lake(self._layout.lake), self.generation.holdings())
        define(connection, self.generation.folder, files)
        return connection

    @cached_property
    def keywords(self) -> KeywordIndex:
        """The keyword index."""
        return KeywordIndex.open(self.generation.folder / "keywords")

    @cached_property
    def vectors(self) -> vectors.VectorIndex:
        """The vector index."""
        manifest = self.generation.manifest
        return vectors.VectorIndex.open(self._layout.indexes / manifest.base, self.generation.folder)

    @cached_property
    def passages(self) -> Passages:
        """What ranking needs to know of every passage."""
        sql = 'SELECT chunk_id, document_id, start, "end" FROM chunks ORDER BY document_id, chunk_index'
        columns = list(zip(*self.rows(sql), strict=True)) or [()] * 4
        documents = tuple(dict.fromkeys(columns[1]))
        ordinals = {document_id: ordinal for ordinal, document_id in enumerate(documents)}
        return Passages(
            np.array(columns[0], dtype=object),
            documents,
            np.array([ordinals[each] for each in columns[1]], np.int64),
            np.array(columns[2], np.int64),
            np.array(columns[3], np.int64),
        )

    @cached_property
    def _windows(self) -> tuple[np.ndarray, np.ndarray]:
        """Vector rows in rising order, and the passage of each; passages of equal text share a row."""
        columns = self.rows("SELECT chunk_id, vector_id FROM chunk_vectors")
        row_of = {name: row for row, name in enumerate(self.vectors.ids)}
        rows = np.fromiter((row_of[vector] for _, vector in columns), np.int64, len(columns))
        passages = self.passages.rows(chunk for chunk, _ in columns)
        order = np.argsort(rows, kind="stable")
        return rows[order], passages[order]

    def nearest(self, vector: np.ndarray, count: int, allowed: np.ndarray | None = None) -> dict[int, float]:
        """The cosines of the best passages by row, at least `count` of them if there are.

        A passage is as near as its nearest window. `allowed` is a boolean mask over passages; None allows all.
        """
        rows, passages = self._windows
        if allowed is not None:
            rows, passages = rows[allowed[passages]], passages[allowed[passages]]
        live = np.unique(rows)
        wanted = count
        while True:
            found, scores = self.vectors.search(vector, wanted, live)
            best: dict[int, float] = {}
            for row, score in zip(found, scores, strict=True):
                low, high = np.searchsorted(rows, [row, row + 1])
                for passage in passages[low:high].tolist():
                    best.setdefault(passage, float(score))
            if len(best) >= count or len(found) == len(live):
                return best
            wanted *= 2

    def cosines(self, vector: np.ndarray, passages: Sequence[int]) -> dict[int, float]:
        """The cosine of each of some passages."""
        if not passages:
            return {}
        mask = np.zeros(len(self.passages), dtype=np.bool_)
        mask[passages] = True
        return self.nearest(vector, len(passages), mask)

    def matching(self, text: str, count: int, allowed: np.ndarray | None = None) -> dict[int, float]:
        """The BM25 scores of the best passages by row, `count` of them if so many hold a word of the text."""
        ids = None if allowed is None else set(self.passages.ids[allowed].tolist())
        return {self.passages.row_of[chunk]: score for chunk, score in self.keywords.search(text, count, ids)}

    def scores(self, text: str, passages: Sequence[int]) -> dict[int, float]:
        """The BM25 score of each of some passages that holds a word of the text."""
        if not passages:
            return {}
        ids = set(self.passages.ids[np.array(passages)].tolist())
        return {self.passages.row_of[chunk]: score for chunk, score in self.keywords.search(text, len(ids), ids)}

    def rows(self, sql: str, parameters: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a query of our own."""
        with self._naming_damage():
            found: list[tuple[Any, ...]] = self._connection.cursor().execute(sql, parameters or {}).fetchall()
        return found

    def records(self, sql: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """The rows of a query of our own, by column."""
        with self._naming_damage():
            table = self._connection.cursor().sql(sql, params=parameters or {}).to_arrow_table()
        found: list[dict[str, Any]] = table.to_pylist()
        return found

    def _naming_damage(self) -> AbstractContextManager[None]:
        return naming_damage(f"generation {self.generation.folder.name}")

    def chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, float]]:
        """Chunks and their quality by id."""
        rows = self.records("SELECT * FROM chunks WHERE chunk_id IN (SELECT unnest($ids))", {"ids": list(chunk_ids)})
        quality = [row.pop("quality_score") or 0.0 for row in rows]
        found = records_of(Chunk, rows)
        return {chunk.chunk_id: (chunk, score) for chunk, score in zip(found, quality, strict=True)}

    def holdings(self, document_ids: Iterable[str]) -> dict[str, Holding]:
        """Documents by id."""
        path = str(self.generation.folder / "documents.parquet")
        sql = "SELECT * FROM read_parquet($path) WHERE document_id IN (SELECT unnest($ids))"
        found = records_of(Holding, self.records(sql, {"path": path, "ids": list(document_ids)}))
        return {holding.document_id: holding for holding in found}
