"""The columns of documents, computed from their stage outputs.

Rows are joined by numbers: documents by their position among the requested documents, passages by the code of their id.
Files of the lake are read one after the other and only the columns that are needed, so that no more memory is taken
than the result needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from warehouse.records import CatalogEntry, DateOrigin, StatementKind
from warehouse.store.arrow_files import (
    ID_BYTES,
    Columns,
    as_arrow,
    as_bytes,
    encode_lists,
    encode_texts,
    read_parquet,
    to_numbers,
)
from warehouse.store.columns.passage_columns import NO_DAY, NO_END, NO_NUMBER, NO_START, compute_codes, to_day_number
from warehouse.store.lake import Lake

TABLE_BIT, REFERENCES_BIT, ENTRY_BIT, ROWS_BIT = 1, 2, 4, 8
"""The bits of `passages.flags`."""
STATEMENTS = ("", *StatementKind)
"""The kinds of statements by their code."""
DTYPES: Mapping[str, type[np.generic] | str] = {
    "documents.id": ID_BYTES,
    "passages.document": np.int32,
    "passages.id": ID_BYTES,
    "passages.start": np.uint32,
    "passages.end": np.uint32,
    "passages.quality": np.float64,
    "passages.page": np.int32,
    "passages.lesson": np.int32,
    "passages.flags": np.uint8,
    "passages.day": np.int32,
    "passages.day_end": np.int32,
    "passages.section": np.int32,
    "mentions.document": np.int32,
    "mentions.start": np.uint32,
    "mentions.end": np.uint32,
    "mentions.start_date": np.int32,
    "mentions.end_date": np.int32,
    "names.document": np.int32,
    "names.start": np.uint32,
    "names.end": np.uint32,
    "names.name": np.int32,
    "windows.passage": np.int32,
    "windows.vector": ID_BYTES,
    "labels.passage": np.int32,
    "labels.vector": ID_BYTES,
    "labels.statement": np.uint8,
}
"""The type of each column; the further columns `sections` and `names` hold lists of texts and texts."""


class LakeColumns:
    """Reads the columns of some documents, which must have outputs of passages, in order of their ids."""

    def __init__(self, lake: Lake, entries: Sequence[CatalogEntry]) -> None:
        self._lake = lake
        self._entries = sorted(entries, key=lambda entry: entry.document_id)
        self._ids = as_bytes([entry.document_id for entry in self._entries])

    def read(self) -> Columns:
        """All columns; `<group>.document` counts in `documents.id`, `<group>.passage` in the passages."""
        passages = self._read_passages()
        codes = compute_codes(passages["passages.id"])
        self._has_passages = np.bincount(passages["passages.document"], minlength=len(self._ids)) > 0
        vectors = self._read_vectors(codes, passages["passages.document"])
        quality = {"passages.quality": self._read_quality(codes)}
        return {
            "documents.id": self._ids,
            **passages,
            **quality,
            **self._read_mentions(),
            **self._read_names(),
            **vectors,
        }

    def _read_passages(self) -> Columns:
        import pyarrow.compute as pc  # Commands that read no columns need not load it.

        dates = np.array(
            [to_day_number(day) if (day := entry.document_date) else NO_DAY for entry in self._entries], np.int64
        )
        pieces, sections = ColumnPieces("passages"), []
        for table, table_rows, documents in self._iter_rows("chunk", "chunks", PASSAGE_COLUMNS):
            # An output may serve several documents, each of which has passages of its own.
            is_own = self._ids[documents] == as_bytes(table["document_id"])[table_rows]
            rows, document = table_rows[is_own], documents[is_own]
            entry_day = to_numbers(table["passage_date"], NO_DAY)[rows]
            entry_end = to_numbers(table["passage_end"], NO_DAY)[rows]
            is_entry, day, has_day = entry_day != NO_DAY, dates[document], dates[document] != NO_DAY
            by_rows = to_numbers(pc.equal(table["passage_date_origin"], DateOrigin.ROWS.value), 0)
            flags = (
                TABLE_BIT * to_numbers(table["has_table"])
                + REFERENCES_BIT * to_numbers(table["is_references"])
                + ROWS_BIT * by_rows
            )
            pieces.add(
                document=document,
                id=as_bytes(table["chunk_id"])[rows],
                index=to_numbers(table["chunk_index"])[rows],
                start=to_numbers(table["start"])[rows],
                end=to_numbers(table["end"])[rows],
                page=to_numbers(table["page"], NO_NUMBER)[rows],
                lesson=to_numbers(table["lesson"], NO_NUMBER)[rows],
                flags=flags[rows] + ENTRY_BIT * is_entry,
                day=np.where(is_entry, entry_day, day),
                day_end=np.where(entry_end != NO_DAY, entry_end, np.where(has_day, day + 1, NO_DAY)),
            )
            sections.append(table["section"].combine_chunks().take(as_arrow(rows)))
        order = np.lexsort((pieces["index"], pieces["document"]))
        ordered_sections = (
            pa.concat_arrays(sections).take(as_arrow(order)) if sections else pa.array([], pa.list_(pa.string()))
        )
        section, distinct = encode_lists(ordered_sections)
        return {**pieces.build_columns(order), "passages.section": section, "sections": distinct}

    def _read_quality(self, codes: np.ndarray) -> np.ndarray:
        """The quality of each passage, 0 for one without."""
        quality = np.zeros(len(codes))
        for table, rows, _ in self._iter_rows("score", "scores", ["chunk_id", "quality_score"]):
            positions = _find_positions(codes, compute_codes(as_bytes(table["chunk_id"])[rows]))
            quality[positions[positions >= 0]] = to_numbers(table["quality_score"])[rows][positions >= 0]
        return quality

    def _read_mentions(self) -> Columns:
        """The mentions of times that have an interval, in documents with passages."""
        pieces = ColumnPieces("mentions")
        for table, rows, document in self._iter_rows(
            "temporal", "mentions", ["start", "end", "start_date", "end_date"]
        ):
            first, last = (to_numbers(table[name], NO_DAY)[rows] for name in ("start_date", "end_date"))
            has_interval = self._has_passages[document] & ((first != NO_DAY) | (last != NO_DAY))
            pieces.add(
                document=document[has_interval],
                start=to_numbers(table["start"])[rows][has_interval],
                end=to_numbers(table["end"])[rows][has_interval],
                start_date=np.where(first != NO_DAY, first, NO_START)[has_interval],
                end_date=np.where(last != NO_DAY, last, NO_END)[has_interval],
            )
        return pieces.build_columns(np.lexsort((pieces["start"], pieces["document"])))

    def _read_names(self) -> Columns:
        """The names in texts, and the distinct ones."""
        pieces, texts = ColumnPieces("names"), [pa.array([], pa.string())]
        for table, rows, document in self._iter_rows("entities", "entities", ["start", "end", "name"]):
            has_passages = self._has_passages[document]
            start, end = (to_numbers(table[name])[rows[has_passages]] for name in ("start", "end"))
            pieces.add(
                document=document[has_passages], start=start, end=end, name=sum(map(len, texts)) + np.arange(len(start))
            )
            texts.append(table["name"].combine_chunks().take(as_arrow(rows[has_passages])))
        order = np.lexsort((pieces["start"], pieces["document"]))
        columns = pieces.build_columns(order)
        ordered_names = pa.concat_arrays(texts).take(as_arrow(pieces["name"][order]))
        columns["names.name"], columns["names"] = encode_texts(ordered_names)
        return columns

    def _read_vectors(self, codes: np.ndarray, documents: np.ndarray) -> Columns:
        """The vectors of the windows of the passages, and those of the labels of the rows that they show."""
        import pyarrow.compute as pc  # Commands that read no columns need not load it.

        windows, labels = ColumnPieces("windows"), ColumnPieces("labels")
        for table, rows, document in self._iter_rows(
            "embed", "embeddings", ["chunk_id", "vector_id", "label", "statement"]
        ):
            positions = _find_positions(codes, compute_codes(as_bytes(table["chunk_id"])[rows]))
            kept_rows = np.flatnonzero((positions >= 0) & (documents[positions] == document))
            vector = as_bytes(table["vector_id"])[rows]
            is_label = to_numbers(pc.not_equal(table["label"], ""))[rows] == 1
            statement = _encode_statements(table["statement"])[rows]
            window, label = kept_rows[~is_label[kept_rows]], kept_rows[is_label[kept_rows]]
            windows.add(passage=positions[window], vector=vector[window])
            labels.add(passage=positions[label], vector=vector[label], statement=statement[label])
        groups = (pieces.build_columns(np.argsort(pieces["passage"], kind="stable")) for pieces in (windows, labels))
        return {name: column for pieces in groups for name, column in pieces.items()}

    def _iter_rows(
        self, stage: str, table: str, columns: Sequence[str]
    ) -> Iterator[tuple[pa.Table, np.ndarray, np.ndarray]]:
        """For each file of a stage's table: its columns, the rows that belong to documents, and each row's document."""
        by_file: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for position, entry in enumerate(self._entries):
            if output := entry.find_output(stage):
                by_file[output.file].append((output.key, position))
        for file, keyed_positions in sorted(by_file.items()):
            content = read_parquet(self._lake.get_path(table, file), ["key", *columns])
            file_keys, file_positions = zip(*keyed_positions, strict=True)
            keys, positions = as_bytes(file_keys), np.array(file_positions)
            order = np.argsort(keys, kind="stable")
            row_keys = as_bytes(content["key"])
            first, last = (np.searchsorted(keys[order], row_keys, side=side) for side in ("left", "right"))
            # One key may belong to several documents, as identical files share outputs.
            count = last - first
            rows = np.repeat(np.arange(len(row_keys)), count)
            nth = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
            yield content, rows, positions[order][first[rows] + nth]


PASSAGE_COLUMNS = (
    "document_id",
    "chunk_id",
    "chunk_index",
    "start",
    "end",
    "page",
    "lesson",
    "has_table",
    "section",
    "is_references",
    "passage_date",
    "passage_end",
    "passage_date_origin",
)


class ColumnPieces:
    """Columns of a group that come in pieces."""

    def __init__(self, group: str) -> None:
        self._group = group
        self._pieces: defaultdict[str, list[np.ndarray]] = defaultdict(list)

    def add(self, **columns: np.ndarray) -> None:
        """A piece of each column."""
        for name, column in columns.items():
            self._pieces[name].append(column)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column, empty where nothing was added."""
        pieces = self._pieces.get(name)
        return np.concatenate(pieces) if pieces else np.empty(0, np.int64)

    def build_columns(self, order: np.ndarray) -> Columns:
        """The columns of `DTYPES` in this group, their rows in the given order."""
        names = [name for name in DTYPES if name.startswith(f"{self._group}.")]
        return {
            name: self[name.partition(".")[2]][order].astype(DTYPES[name])
            for name in names
            if not self._pieces or name.partition(".")[2] in self._pieces
        }


def _find_positions(codes: np.ndarray, wanted_codes: np.ndarray) -> np.ndarray:
    """The position of each wanted code among `codes`, -1 if it is not among them."""
    if not len(codes):
        return np.full(len(wanted_codes), -1, np.int64)
    order = np.argsort(codes, kind="stable")
    positions = order[np.minimum(np.searchsorted(codes, wanted_codes, sorter=order), len(codes) - 1)]
    return np.where(codes[positions] == wanted_codes, positions, -1)


def _encode_statements(column: pa.ChunkedArray) -> np.ndarray:
    """The code of the kind of statement in each row."""
    encoded = column.combine_chunks().fill_null("").dictionary_encode()
    codes = np.array([STATEMENTS.index(kind) for kind in encoded.dictionary.to_pylist()], np.int64)
    return np.asarray(codes[to_numbers(encoded.indices)])
