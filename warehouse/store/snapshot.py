"""An opened generation: its catalog, its indexes, and which chunk each vector belongs to."""

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
    def vector_chunks(self) -> tuple[np.ndarray, np.ndarray]:
        """Vector rows in rising order, and the chunk id of each; chunks of equal text share a row."""
        columns = self.rows("SELECT chunk_id, vector_id FROM chunk_vectors")
        row_of = {name: row for row, name in enumerate(self.vectors.ids)}
        rows = np.fromiter((row_of[vector] for _, vector in columns), np.int64, len(columns))
        chunks = np.array([chunk for chunk, _ in columns], dtype=object)
        order = np.argsort(rows, kind="stable")
        return rows[order], chunks[order]

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
