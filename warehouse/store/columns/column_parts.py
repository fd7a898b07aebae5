"""The columns of a generation for ranking, in parts that generations share.

A part holds the documents whose ids begin with the same digits, in order of id, so all parts together are in order of
id, whatever was published before. A generation links to the parts in which nothing changed; in a part that changed, it
copies the documents that are unchanged, so the cost of publishing is that of the changes. The mark of a document, next
to its id, is a digest of the inputs of its columns.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from warehouse.errors import BadWarehouse
from warehouse.records import CatalogEntry
from warehouse.store.arrow_files import (
    ARROW_MAGIC,
    ARROW_SUFFIX,
    Columns,
    as_arrow,
    as_bytes,
    encode_lists,
    encode_texts,
    is_complete,
    matches_digest,
    read_columns,
    share_file,
    write_columns,
)
from warehouse.store.columns.lake_columns import DTYPES, LakeColumns
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.vectors.vector_index import VectorIndex, load_array

FOLDER = "columns"
VERSION = 1  # Rises whenever the same outputs give other columns.
STAGES = ("chunk", "score", "temporal", "entities", "embed")
"""The stages from whose outputs the columns are computed."""
PART_SIZE = 65_536  # Passages of a part, approximately; a part that changes is rewritten in a tenth of a second.
SIZE_TOLERANCE = 2  # The factor by which a part may differ from `PART_SIZE` before all parts are divided again.
HEX_BASE = 16  # Ids are hexadecimal.
SINGLE_PART = "all"  # The name of the part in a generation that has only one.
DOCUMENT_GROUPS = ("mentions", "names")
"""Columns by document and position in its text."""
PASSAGE_GROUPS = ("windows", "labels")


def map_files(folder: Path) -> dict[str, Path]:
    """The parts in a generation's folder by the digits that the ids in them begin with, in order."""
    return {
        file.stem.partition("-")[0].removeprefix(SINGLE_PART): file
        for file in sorted((folder / FOLDER).glob(f"*{ARROW_SUFFIX}"))
    }


def list_files(generation: Generation) -> list[Path]:
    """The files of a generation's parts, existing or not."""
    return [generation.folder / FOLDER / name for name in generation.manifest.columns]


def get_rows_file(part: Path) -> Path:
    """The file next to a part with the row of the vector index of each of its windows, then of its labels."""
    return part.with_name(f"{part.stem}.rows.npy")


def read_vector_names(part: Path) -> np.ndarray:
    """The names (bytes) of the vectors of a part's windows, then of its labels."""
    columns = read_columns(part)
    return np.concatenate([columns["windows.vector"], columns["labels.vector"]])


def read_rows(file: Path, part: Path) -> np.ndarray | None:
    """The rows in a file for the vectors of a part, memory-mapped; None if the file is damaged."""
    try:
        rows = load_array(file)
    except BadWarehouse:
        return None
    columns = read_columns(part)
    return rows if len(rows) == len(columns["windows.vector"]) + len(columns["labels.vector"]) else None


def are_complete(generation: Generation) -> bool:
    """Whether every part and the file of its vectors' rows exist and are complete."""
    return all(
        is_complete(part, ARROW_MAGIC) and read_rows(get_rows_file(part), part) is not None
        for part in list_files(generation)
    )


def iter_corrupt_files(generation: Generation, index: VectorIndex) -> Iterator[Path]:
    """The files whose content differs from what was written; reads all of them."""
    for part in list_files(generation):
        if not matches_digest(part):
            yield part
        else:
            rows = read_rows(get_rows_file(part), part)
            if rows is None or not np.array_equal(rows, index.find_rows(read_vector_names(part))):
                yield get_rows_file(part)


def publish(lake: Lake, previous: Generation | None, partial: Path, entries: Sequence[CatalogEntry]) -> None:
    """Write the columns of the documents into a generation's folder; damaged parts of `previous` are built again."""
    (partial / FOLDER).mkdir()
    chunked_entries = [entry for entry in entries if entry.find_output("chunk")]
    previous_files = map_files(previous.folder) if previous else {}
    digits = _choose_digits(sum(entry.chunk_count for entry in chunked_entries), len(min(previous_files, default="")))
    previous_parts = {
        part: content for part, file in previous_files.items() if len(part) == digits and (content := _read_part(file))
    }
    marks = {entry.document_id: compute_mark(entry) for entry in chunked_entries}
    known_marks = {name: mark for part in previous_parts.values() for name, mark in part.marks.items()}
    changes = [entry for entry in chunked_entries if known_marks.get(entry.document_id) != marks[entry.document_id]]
    new_columns = LakeColumns(lake, changes).read()
    new_rows = defaultdict[str, list[int]](list)
    for row, name in enumerate(new_columns["documents.id"].tolist()):
        new_rows[name.decode()[:digits]].append(row)
    for part in sorted({name[:digits] for name in marks}):
        pieces: list[tuple[Columns, Sequence[int]]] = [(new_columns, new_rows[part])]
        if previous_part := previous_parts.get(part):
            rows = [row for row, (name, mark) in enumerate(previous_part.marks.items()) if marks.get(name) == mark]
            if not new_rows[part] and len(rows) == len(previous_part.marks):
                share_file(previous_part.file, partial / FOLDER / previous_part.file.name)
                continue
            pieces.insert(0, (previous_part.columns, rows))
        columns = assemble_columns(pieces)
        columns["documents.mark"] = as_bytes([marks[name.decode()] for name in columns["documents.id"].tolist()])
        write_columns(partial / FOLDER, part or SINGLE_PART, columns)


def compute_mark(entry: CatalogEntry) -> str:
    """A digest of the inputs of a document's columns: documents with equal marks have equal columns."""
    keys = {output.stage: output.key for output in entry.outputs}
    inputs = (str(VERSION), str(entry.document_date), *(keys.get(stage, "") for stage in STAGES))
    return hashlib.blake2b("\n".join(inputs).encode(), digest_size=16).hexdigest()


def assemble_columns(pieces: Iterable[tuple[Columns, Sequence[int]]]) -> Columns:
    """The columns of the documents at some positions of each piece, in order of id; no document is in two pieces."""
    chosen_pieces = [(columns, np.array(positions, np.int64)) for columns, positions in pieces]
    ids = np.concatenate([columns["documents.id"][positions] for columns, positions in chosen_pieces])
    order = np.argsort(ids, kind="stable")
    ordinals, count = np.empty(len(ids), np.int64), 0
    ordinals[order] = np.arange(len(ids))
    ordinals_by_piece = []  # For each piece the ordinal of each of its documents, -1 for those that are left out.
    for columns, positions in chosen_pieces:
        ordinal = np.full(len(columns["documents.id"]), -1, np.int64)
        ordinal[positions] = ordinals[count : count + len(positions)]
        ordinals_by_piece.append(ordinal)
        count += len(positions)
    rows = {group: _Rows(chosen_pieces, ordinals_by_piece, group) for group in ("passages", *DOCUMENT_GROUPS)}
    all_columns: Columns = {"documents.id": ids[order]}
    for group_rows in rows.values():
        all_columns.update(group_rows.build_columns())
    all_columns["passages.section"], all_columns["sections"] = encode_lists(
        rows["passages"].read_texts("sections", "section")
    )
    all_columns["names.name"], all_columns["names"] = encode_texts(rows["names"].read_texts("names", "name"))
    for group in PASSAGE_GROUPS:
        all_columns.update(_assemble_passage_columns(chosen_pieces, rows["passages"].row_maps, group))
    return all_columns


class _Rows:
    """The rows of a group that belong to some documents of each piece, in order of the documents' ordinals."""

    def __init__(
        self, pieces: Sequence[tuple[Columns, np.ndarray]], ordinals: Sequence[np.ndarray], group: str
    ) -> None:
        self._pieces, self._group = pieces, group
        documents = [
            ordinal[columns[f"{group}.document"]] for (columns, _), ordinal in zip(pieces, ordinals, strict=True)
        ]
        self._rows = [np.flatnonzero(column >= 0) for column in documents]
        ordinals_of_rows = _join_rows(documents, self._rows)
        self._order = np.argsort(ordinals_of_rows, kind="stable")
        self._documents = ordinals_of_rows[self._order]

    def build_columns(self) -> Columns:
        """All columns except those of codes, whose meaning differs between pieces."""
        names = [name for name in DTYPES if name.startswith(f"{self._group}.")]
        joined_columns: Columns = {
            name: _join_rows([columns[name] for columns, _ in self._pieces], self._rows)[self._order] for name in names
        }
        joined_columns[f"{self._group}.document"] = self._documents.astype(np.int32)
        return joined_columns

    def read_texts(self, texts: str, codes: str) -> pa.Array:
        """The text, or list of texts, of the code of each row."""
        pieces = []
        for (columns, _), rows in zip(self._pieces, self._rows, strict=True):
            pieces.append(columns[texts].take(as_arrow(columns[f"{self._group}.{codes}"][rows])))
        return pa.concat_arrays(pieces).take(as_arrow(self._order))

    @cached_property
    def row_maps(self) -> list[np.ndarray]:
        """For each piece, the new row of each of its rows, -1 for rows that are left out."""
        new_rows, count, row_maps = np.empty(len(self._order), np.int64), 0, []
        new_rows[self._order] = np.arange(len(self._order))
        for (columns, _), rows in zip(self._pieces, self._rows, strict=True):
            row_map = np.full(len(columns[f"{self._group}.document"]), -1, np.int64)
            row_map[rows] = new_rows[count : count + len(rows)]
            row_maps.append(row_map)
            count += len(rows)
        return row_maps


def _join_rows(columns: Sequence[np.ndarray], rows: Sequence[np.ndarray]) -> np.ndarray:
    """Some rows of each column, one after the other."""
    return np.concatenate([column[positions] for column, positions in zip(columns, rows, strict=True)])


def _assemble_passage_columns(
    pieces: Sequence[tuple[Columns, np.ndarray]], row_maps: Sequence[np.ndarray], group: str
) -> Columns:
    passages = [row_map[columns[f"{group}.passage"]] for (columns, _), row_map in zip(pieces, row_maps, strict=True)]
    kept_rows = [np.flatnonzero(column >= 0) for column in passages]
    new_passages = _join_rows(passages, kept_rows)
    order = np.argsort(new_passages, kind="stable")
    group_columns: Columns = {f"{group}.passage": new_passages[order].astype(np.int32)}
    for name in [name for name in DTYPES if name.startswith(f"{group}.") and name not in group_columns]:
        group_columns[name] = _join_rows([columns[name] for columns, _ in pieces], kept_rows)[order]
    return group_columns


@dataclass(frozen=True)
class _PreviousPart:
    """A part of the previous generation."""

    file: Path
    columns: Columns

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """The mark of each document, in order."""
        names, marks = (self.columns[f"documents.{name}"].tolist() for name in ("id", "mark"))
        return {name.decode(): mark.decode() for name, mark in zip(names, marks, strict=True)}


def _read_part(file: Path) -> _PreviousPart | None:
    """A part; None if it is damaged."""
    try:
        return _PreviousPart(file, read_columns(file)) if is_complete(file, ARROW_MAGIC) else None
    except BadWarehouse:
        return None


def _choose_digits(passages: int, previous_digits: int) -> int:
    """How many digits of the ids divide the documents into parts; the previous generation used `previous_digits`."""
    if PART_SIZE / HEX_BASE / SIZE_TOLERANCE <= passages / HEX_BASE**previous_digits <= SIZE_TOLERANCE * PART_SIZE or (
        not previous_digits and passages <= PART_SIZE
    ):
        return previous_digits
    digits = 0
    while passages / HEX_BASE**digits > PART_SIZE:
        digits += 1
    return digits
