"""An opened generation: its catalog, its passages and its indexes."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import date
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from warehouse.errors import BadWarehouse
from warehouse.records import CatalogEntry, Chunk
from warehouse.store import titles
from warehouse.store.arrow_files import convert_read_errors, read_keys, read_parquet, to_records
from warehouse.store.catalog import connect, define_documents, define_views, list_lake_files
from warehouse.store.columns.generation_columns import GenerationColumns
from warehouse.store.columns.passage_columns import (
    DocumentTimes,
    Mentions,
    Names,
    Passages,
    RowLabels,
    Windows,
    read_document_times,
)
from warehouse.store.generations import Generation
from warehouse.store.keywords import KeywordIndex
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.vectors import vector_index
from warehouse.store.words import split_words
from warehouse.store.works import COPY_CANDIDATES_SQL, MIN_TITLE_LENGTH, find_copies

Value = TypeVar("Value")
MAX_CACHED_MASKS = 16  # Cached masks of documents or passages, one byte for each document or passage.
READ_FOR_SPELLING = 200  # Passages that are read to learn how a word is written.
MAX_CACHED_TABLES = 16  # Documents for whose tables the positions of rows are kept, 8 bytes a row.
_TABLE_ROW_COLUMNS = ("key", "start", "end", "header_rows", "row_spans")
TableRows = tuple[int, int, np.ndarray]


class Snapshot:
    """The content of one generation. Nothing is read before it is needed; everything read stays in memory."""

    def __init__(self, layout: Layout, generation: Generation) -> None:
        """`generation` must be one of the warehouse in `layout`."""
        self.generation = generation
        self._layout = layout
        self.values: dict[str, tuple[str, ...]] = {}
        """The values of documents by field of a filter, cached by `warehouse.search.filters`."""
        self._masks: dict[Hashable, np.ndarray] = {}
        self._tables: dict[str, list[TableRows]] = {}
        self._is_read_ahead = self._has_views = False
        self._lock = Lock()

    @cached_property
    def _connection(self) -> Any:
        connection = connect()
        define_documents(connection, self.generation.folder)
        return connection

    def _define_views(self) -> None:
        """Define the views over the lake and the other tables, once.

        For a million passages in thousands of files this takes .3 s.
        """
        with self._lock:
            if not self._has_views:
                cursor = self._connection.cursor()
                outputs = cursor.execute("SELECT DISTINCT stage, file FROM outputs").fetchall()
                cursor.begin()
                try:
                    define_views(cursor, self.generation.folder, list_lake_files(Lake(self._layout.lake), outputs))
                except BadWarehouse:
                    # Drops the views made before the damaged one, so that the next query fails in the same way.
                    cursor.rollback()
                    raise
                cursor.commit()
                self._has_views = True

    def _query(self, sql: str, parameters: dict[str, Any] | None = None) -> Any:
        """The result of a trusted SQL query, for rows or arrays."""
        return self._with_views(lambda: self._connection.cursor().execute(sql, parameters or {}))

    def _with_views(self, query: Callable[[], Any]) -> Any:
        """What a query returns.

        The views over the lake, and tables that few queries need, are defined when a query first needs one.
        `Warehouse.run_sql` shows the tables.
        """
        import duckdb

        try:
            return query()
        except duckdb.CatalogException:
            self._define_views()
            return query()

    @cached_property
    def keywords(self) -> KeywordIndex:
        """The keyword index."""
        return KeywordIndex(self.generation.folder / "keywords", self.passages, self._get_keys)

    def read_ahead(self) -> None:
        """Begin to read what every search needs, in a thread, while the question is prepared; at most once.

        Code that needs it earlier waits for it or reads it as well, and gets the error if it is damaged.
        """
        with self._lock:
            is_begun, self._is_read_ahead = self._is_read_ahead, True
        if not is_begun:
            reader = ThreadPoolExecutor(1, "read ahead")
            for read in (lambda: self.passages.by_code, lambda: self.windows.by_vector, lambda: self._document_rows):
                reader.submit(read)
            reader.shutdown(wait=False)

    def _get_keys(self, documents: Sequence[str]) -> list[str]:
        """The keys of the passages of some documents."""
        return [self._chunk_keys[document] for document in documents]

    @cached_property
    def _chunk_keys(self) -> dict[str, str]:
        """The key of the passages of each document that has any."""
        return dict(self.query_rows("SELECT document_id, key FROM outputs WHERE stage = 'chunk'"))

    @cached_property
    def vectors(self) -> vector_index.VectorIndex:
        """The vector index."""
        manifest = self.generation.manifest
        return vector_index.VectorIndex(self._layout.indexes / manifest.base, self.generation.folder)

    @cached_property
    def titles(self) -> titles.TitleVectors:
        """The titles of the documents, as vectors."""
        return titles.read(self.generation.folder, self.generation.manifest.dimension)

    @cached_property
    def columns(self) -> GenerationColumns:
        """The columns of passages, times and names."""
        return GenerationColumns(self.generation)

    @cached_property
    def passages(self) -> Passages:
        """The columns of all passages."""
        return self.columns.read_passages()

    @cached_property
    def mentions(self) -> Mentions:
        """The mentions of times in all texts."""
        return self.columns.read_mentions()

    @cached_property
    def mention_runs(self) -> tuple[np.ndarray, np.ndarray]:
        """The half-open run of the rows of `mentions` that start in each passage, int32, each of the shape (passages,).

        Looking them up takes 30 ms for a million passages, and every filter by the times that passages name needs them.
        """
        passages = self.passages
        first, last = self.mentions.find_runs(passages.document, passages.start, passages.end)
        return first.astype(np.int32), last.astype(np.int32)

    @cached_property
    def names(self) -> Names:
        """The names in all texts."""
        return self.columns.read_names()

    @cached_property
    def document_times(self) -> DocumentTimes:
        """The dates and periods of the documents."""
        with self._convert_read_errors():
            return read_document_times(self._connection.cursor(), self.passages)

    @cached_property
    def windows(self) -> Windows:
        """The pairs of a passage and a vector of it."""
        return self.columns.read_windows(len(self.vectors))

    @cached_property
    def row_labels(self) -> RowLabels:
        """The rows of figures in passages."""
        return self.columns.read_row_labels()

    @cached_property
    def copies(self) -> dict[str, str]:
        """The id of the document that counts, for each document that is a copy of the same work, by id."""
        with self._convert_read_errors():
            # Not `query_records`, which plans the query twice: 6 of 14 ms.
            result = self._query(COPY_CANDIDATES_SQL, {"least": MIN_TITLE_LENGTH})
            names = [name for name, *_ in result.description]
            return find_copies(dict(zip(names, row, strict=True)) for row in result.fetchall())

    def find_nearest(self, vector: np.ndarray, count: int, mask: np.ndarray | None = None) -> dict[int, float]:
        """The cosines of the best passages by row, at least `count` of them if there are so many.

        A passage is as near as its nearest window. `mask` is a boolean mask over passages; None allows all.
        """
        allowed = self.windows.mask_vectors(mask)
        vector_count, total = count, int(np.count_nonzero(allowed))
        while True:
            vectors, scores = self.vectors.search(vector, vector_count, allowed)
            best_scores = self.windows.select_best(vectors, scores, mask)
            if len(best_scores) >= count or len(vectors) == total:
                return best_scores
            vector_count *= 2

    def compute_cosines(self, vector: np.ndarray, passages: Sequence[int]) -> dict[int, float]:
        """The cosine of each of some passages that have vectors; a model gives none for a script it cannot read."""
        windows, positions = self.windows.find_vectors(np.array(passages, np.int64))
        best_cosines = np.full(len(passages), -1.0)
        np.maximum.at(best_cosines, positions, self.vectors.compute_scores(vector, windows))
        has_vector = np.bincount(positions, minlength=len(passages)).tolist()
        cosines = zip(passages, best_cosines.tolist(), has_vector, strict=True)
        return {passage: cosine for passage, cosine, count in cosines if count}

    def find_matching(self, text: str, count: int, mask: np.ndarray | None = None) -> dict[int, float]:
        """The BM25 scores of the best passages by row: `count`, or as many as contain a word of the text."""
        rows, scores = self.keywords.search(text, count, mask)
        return dict(zip(rows.tolist(), scores.tolist(), strict=True))

    def compute_scores(self, text: str, passages: Sequence[int]) -> dict[int, float]:
        """The BM25 score of each of some passages that contains a word of the text."""
        mask = np.zeros(len(self.passages), dtype=np.bool_)
        mask[np.array(passages, np.int64)] = True
        return self.find_matching(text, len(passages), mask)

    def query_rows(self, sql: str, parameters: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a trusted SQL query."""
        with self._convert_read_errors():
            rows: list[tuple[Any, ...]] = self._query(sql, parameters).fetchall()
        return rows

    def mask_documents(self, condition: str, parameters: dict[str, Any]) -> np.ndarray:
        """Whether each of `Passages.documents` satisfies a trusted SQL condition, as a boolean mask."""

        def make_mask() -> np.ndarray:
            all_ids, sql = self.passages.document_ids, f"SELECT document_id FROM documents WHERE {condition}"  # noqa: S608
            with self._convert_read_errors():
                ids = self._query(sql, parameters).fetchnumpy()["document_id"]
            return np.isin(all_ids, ids.astype(all_ids.dtype))

        return self.cache_mask((condition, repr(parameters)), make_mask)

    def cache_mask(self, key: Hashable, make: Callable[[], np.ndarray]) -> np.ndarray:
        """The mask that `make` returns for a key, read-only; the last ones are cached for later steps of an answer."""
        mask = self._cache(self._masks, key, make, MAX_CACHED_MASKS)
        mask.flags.writeable = False
        return mask

    def _cache(self, values: dict[Any, Value], key: Hashable, make: Callable[[], Value], max_count: int) -> Value:
        """The value of a key, made if it is not among `values`, which keep those that were used last."""
        with self._lock:
            value = values.pop(key, None)
        if value is None:
            value = make()
        with self._lock:
            values[key] = value
            while len(values) > max_count:
                del values[next(iter(values))]
        return value

    def mask_sections(self, condition: str, parameters: dict[str, Any]) -> np.ndarray:
        """Whether each passage is in a section, a list of headings, that satisfies a trusted SQL condition."""
        sections = self.columns.read_sections()
        mask = np.zeros(len(sections), np.bool_)
        with self._convert_read_errors():
            sql = f"SELECT rowid FROM {self._sections} WHERE {condition}"  # noqa: S608
            row_ids = self._query(sql, parameters).fetchnumpy()
        mask[np.asarray(row_ids["rowid"], np.int64)] = True
        return np.asarray(mask[self.passages.section])

    @cached_property
    def _sections(self) -> str:
        """The table of the distinct sections, which is made when it is first needed."""
        with self._convert_read_errors():
            cursor = self._connection.cursor()
            cursor.register("section_list", pa.table({"section": self.columns.read_sections()}))
            cursor.execute("CREATE TABLE IF NOT EXISTS sections AS FROM section_list")
            cursor.unregister("section_list")
        return "sections"

    def query_table(self, sql: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        """The rows of a trusted SQL query, by column and typed."""
        with self._convert_read_errors():
            # A relation, which costs planning twice: other results would be copied for Arrow.
            relation = self._with_views(lambda: self._connection.cursor().sql(sql, params=parameters or {}))
            return relation.to_arrow_table()

    def query_records(self, sql: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """The rows of a trusted SQL query, each by its columns."""
        records: list[dict[str, Any]] = self.query_table(sql, parameters).to_pylist()
        return records

    def _convert_read_errors(self) -> AbstractContextManager[None]:
        return convert_read_errors(f"generation {self.generation.folder.name}")

    def read_passages(self, rows: np.ndarray) -> list[tuple[Chunk, float]]:
        """The passages of some rows, in their order, each with its quality."""
        return list(zip(self.keywords.read_chunks(rows), self.passages.quality[rows].tolist(), strict=True))

    def read_chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, float]]:
        """Passages and their quality by id. Raises `KeyError` for an unknown one."""
        rows = self.passages.find_rows(chunk_ids)
        if len(unknown := np.flatnonzero(rows < 0)):
            raise KeyError(chunk_ids[int(unknown[0])])
        return {chunk.chunk_id: (chunk, quality) for chunk, quality in self.read_passages(rows)}

    def has_lowercase_word(self, word: str) -> bool:
        """Whether a passage has a word in lower case, as a word of the language and not within an address.

        The first `READ_FOR_SPELLING` passages with the word are read: a name is in lower case in none of them.
        """
        rows = np.flatnonzero(self.keywords.match_all_words(word))[:READ_FOR_SPELLING]
        spelling = re.compile(rf"(?<![\w.@/-]){re.escape(word)}(?![\w@])")
        return any(spelling.search(chunk.text) for chunk in self.keywords.read_chunks(rows))

    def is_always_capitalized(self, word: str) -> bool:
        """Whether passages contain a word, given in lower case, and always write it with a capital."""
        index_words = split_words(word)
        is_known = len(index_words) == 1 and self.keywords.count_passages(index_words[0]) > 0
        return is_known and not self.has_lowercase_word(word)

    def read_entries(self, document_ids: Iterable[str]) -> dict[str, CatalogEntry]:
        """Documents by id; unknown ids are left out."""
        # Slices, as take() would load pandas.
        positions = [self._document_rows[name] for name in document_ids if name in self._document_rows]
        rows = [row for position in positions for row in self._documents.slice(position, 1).to_pylist()]
        return {entry.document_id: entry for entry in to_records(CatalogEntry, rows)}

    def read_document_dates(self, document_ids: Iterable[str]) -> dict[str, date | None]:
        """The dates of known documents by their ids; takes a tenth of the time that reading their entries takes."""
        dates = self._documents["document_date"]
        return {document_id: dates[self._document_rows[document_id]].as_py() for document_id in document_ids}

    def read_text(self, document_id: str) -> str:
        """The canonical text of a document, empty if there is none.

        The document's own file is read, as the views over a lake of a million passages take .3 s to define.
        """
        query = "SELECT key, file FROM outputs WHERE document_id = $id AND stage = 'parse'"
        for key, file in self.query_rows(query, {"id": document_id}):
            for _, rows in read_keys(Lake(self._layout.lake).get_path("contents", file), {key}, ["text"]):
                return str(rows["text"][0])
        return ""

    def count_rows_before(self, entry: CatalogEntry, position: int) -> int:
        """How many rows below its header a table has before a position of the document's text inside the table."""
        row_starts = (rows for start, end, rows in self._get_table_rows(entry) if start < position < end)
        return int(np.searchsorted(next(row_starts, np.empty(0)), position))

    def _get_table_rows(self, entry: CatalogEntry) -> list[TableRows]:
        """The span of each table of a document, and where each of its rows below the header begins.

        They are read from the document's own file, as its text is.
        """
        parse_output = entry.find_output("parse")
        if parse_output is None:
            return []
        key, path = parse_output.key, Lake(self._layout.lake).get_path("tables", parse_output.file)

        def read_table_rows() -> list[TableRows]:
            tables = read_parquet(path, _TABLE_ROW_COLUMNS)
            rows = [row for row, table_key in enumerate(tables["key"].to_pylist()) if table_key == key]
            return [_build_table_rows(tables.slice(row, 1)) for row in rows]

        return self._cache(self._tables, key, read_table_rows, MAX_CACHED_TABLES)

    @cached_property
    def _documents(self) -> pa.Table:
        return read_parquet(self.generation.folder / "documents.parquet")

    @cached_property
    def _document_rows(self) -> dict[str, int]:
        return {document_id: row for row, document_id in enumerate(self._documents["document_id"].to_pylist())}


def _build_table_rows(table: pa.Table) -> TableRows:
    """The span of a table, which is the one row given, and where its rows below the header begin."""
    start, end, header_rows = (table[name][0].as_py() for name in ("start", "end", "header_rows"))
    starts = table["row_spans"].combine_chunks().flatten().flatten().to_numpy().reshape(-1, 2)[header_rows:, 0]
    return start, end, starts
