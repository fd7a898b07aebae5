"""An opened generation: its catalog, its passages and its indexes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from warehouse.records import CatalogEntry, Chunk
from warehouse.store import titles, vectors
from warehouse.store.catalog import connect, define, lake_files, script
from warehouse.store.columns import (
    Clocks,
    Mentions,
    Names,
    Passages,
    RowLabels,
    Windows,
    clocks_of,
    fetched,
    mentions_of,
    names_of,
    passages_of,
    vector_rows,
)
from warehouse.store.generations import Generation
from warehouse.store.keywords import KeywordIndex
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.parquet import naming_damage, read_parquet, records_of
from warehouse.store.works import LEAST_TITLE, ROWS, copies_of

Columns = TypeVar("Columns")
READ_FOR_SPELLING = 200  # Passages that are read to learn how a word is written.


class Snapshot:
    """What one generation holds. Nothing is read before it is asked for; everything read stays."""

    def __init__(self, layout: Layout, generation: Generation) -> None:
        """`generation` must be one of the warehouse in `layout`."""
        self.generation = generation
        self._layout = layout

    @cached_property
    def _connection(self) -> Any:
        connection = connect()
        files = lake_files(Lake(self._layout.lake), self.generation.outputs())
        define(connection, self.generation.folder, files)
        return connection

    @cached_property
    def keywords(self) -> KeywordIndex:
        """The keyword index."""
        keys = dict(self.rows("SELECT document_id, key FROM outputs WHERE stage = 'chunk'"))
        passages = self.passages
        folder = self.generation.folder / "keywords"
        return KeywordIndex(folder, passages.ids, passages.document, [keys[each] for each in passages.documents])

    @cached_property
    def vectors(self) -> vectors.VectorIndex:
        """The vector index."""
        manifest = self.generation.manifest
        return vectors.VectorIndex(self._layout.indexes / manifest.base, self.generation.folder)

    @cached_property
    def titles(self) -> titles.TitleVectors:
        """What the documents are called, as vectors."""
        return titles.read(self.generation.folder, self.generation.manifest.dimension)

    @cached_property
    def passages(self) -> Passages:
        """What ranking needs to know of every passage."""
        with self._naming_damage():
            return passages_of(self._connection.cursor())

    @cached_property
    def mentions(self) -> Mentions:
        """Every time that the texts name."""
        return self._beside_passages(mentions_of)

    @cached_property
    def names(self) -> Names:
        """Every name that the texts have."""
        return self._beside_passages(names_of)

    @cached_property
    def clocks(self) -> Clocks:
        """The times that the documents are of."""
        return self._beside_passages(clocks_of)

    def _beside_passages(self, read: Callable[[Any], Columns]) -> Columns:
        """What is read by the ordinals of the table `passages`, which comes with the passages."""
        self.passages  # noqa: B018
        with self._naming_damage():
            return read(self._connection.cursor())

    @cached_property
    def copies(self) -> dict[str, str]:
        """The document that counts for each that is a copy of its work, by their ids."""
        return copies_of(self.records(ROWS, {"least": LEAST_TITLE}))

    @cached_property
    def _windows(self) -> Windows:
        found = self._beside_passages(lambda cursor: fetched(cursor, script("windows.sql")))
        return Windows.of(found["row"], found["vector_id"], self.vectors.ids, len(self.passages))

    @cached_property
    def row_labels(self) -> RowLabels:
        """The rows of figures that passages show."""
        found = self._beside_passages(lambda cursor: fetched(cursor, script("row_labels.sql")))
        vectors = vector_rows(found["vector_id"], self.vectors.ids)
        return RowLabels(found["row"], vectors, found["statement"])

    def nearest(self, vector: np.ndarray, count: int, allowed: np.ndarray | None = None) -> dict[int, float]:
        """The cosines of the best passages by row, at least `count` of them if there are.

        A passage is as near as its nearest window. `allowed` is a boolean mask over passages; None allows all.
        """
        live = self._windows.of_allowed(allowed)
        wanted = count
        while True:
            found, scores = self.vectors.search(vector, wanted, live)
            best = self._windows.best_by_passage(found, scores, allowed)
            if len(best) >= count or len(found) == len(live):
                return best
            wanted *= 2

    def cosines(self, vector: np.ndarray, passages: Sequence[int]) -> dict[int, float]:
        """The cosine of each of some passages that have vectors: a model has none of a script that it does not read."""
        windows, places = self._windows.of_passages(np.array(passages, np.int64))
        best = np.full(len(passages), -1.0)
        np.maximum.at(best, places, self.vectors.scores(vector, windows))
        has_vector = np.bincount(places, minlength=len(passages)).tolist()
        found = zip(passages, best.tolist(), has_vector, strict=True)
        return {passage: cosine for passage, cosine, count in found if count}

    def matching(self, text: str, count: int, allowed: np.ndarray | None = None) -> dict[int, float]:
        """The BM25 scores of the best passages by row, `count` of them if so many hold a word of the text."""
        rows, scores = self.keywords.search(text, count, allowed)
        return dict(zip(rows.tolist(), scores.tolist(), strict=True))

    def scores(self, text: str, passages: Sequence[int]) -> dict[int, float]:
        """The BM25 score of each of some passages that holds a word of the text."""
        mask = np.zeros(len(self.passages), dtype=np.bool_)
        mask[np.array(passages, np.int64)] = True
        return self.matching(text, len(passages), mask)

    def rows(self, sql: str, parameters: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a query of our own."""
        with self._naming_damage():
            found: list[tuple[Any, ...]] = self._connection.cursor().execute(sql, parameters or {}).fetchall()
        return found

    def mask(self, condition: str, parameters: dict[str, Any]) -> np.ndarray:
        """Whether each passage satisfies a condition of our own on the table `passages`."""
        mask = np.zeros(len(self.passages), dtype=np.bool_)
        with self._naming_damage():
            sql = f"SELECT rowid FROM passages WHERE {condition}"  # noqa: S608
            found = self._connection.cursor().sql(sql, params=parameters).fetchnumpy()
        mask[np.asarray(found["rowid"], np.int64)] = True
        return mask

    def table(self, sql: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        """The rows of a query of our own, by column and typed."""
        with self._naming_damage():
            return self._connection.cursor().sql(sql, params=parameters or {}).to_arrow_table()

    def records(self, sql: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """The rows of a query of our own, each by its columns."""
        found: list[dict[str, Any]] = self.table(sql, parameters).to_pylist()
        return found

    def _naming_damage(self) -> AbstractContextManager[None]:
        return naming_damage(f"generation {self.generation.folder.name}")

    def chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, float]]:
        """Chunks and their quality by id."""
        rows = np.fromiter((self.passages.row_of[chunk_id] for chunk_id in chunk_ids), np.int64)
        found = zip(self.keywords.chunks(rows), self.passages.quality[rows].tolist(), strict=True)
        return {chunk.chunk_id: (chunk, quality) for chunk, quality in found}

    def writes_small(self, word: str) -> bool:
        """Whether a passage has a word in small letters, as a word of the language and not within an address.

        Of passages with the word the first `READ_FOR_SPELLING` are read: a name has small letters in none of them.
        """
        rows = np.flatnonzero(self.keywords.passages_with_all(word))[:READ_FOR_SPELLING]
        written = re.compile(rf"(?<![\w.@/-]){re.escape(word)}(?![\w@])")
        return any(written.search(chunk.text) for chunk in self.keywords.chunks(rows))

    def entries(self, document_ids: Iterable[str]) -> dict[str, CatalogEntry]:
        """Documents by id; there is none for an unknown one."""
        # Slices, as take() would load pandas.
        rows = [self._document_rows[each] for each in document_ids if each in self._document_rows]
        found = [row for place in rows for row in self._documents.slice(place, 1).to_pylist()]
        return {entry.document_id: entry for entry in records_of(CatalogEntry, found)}

    @cached_property
    def _documents(self) -> pa.Table:
        return read_parquet(self.generation.folder / "documents.parquet")

    @cached_property
    def _document_rows(self) -> dict[str, int]:
        return {document_id: row for row, document_id in enumerate(self._documents["document_id"].to_pylist())}
