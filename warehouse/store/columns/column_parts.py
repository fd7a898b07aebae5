"""The columns of a generation: what ranking needs to know of every passage, in parts that generations share.

A part holds the documents whose ids begin with the same digits, in order of id; so all parts together are in order of
id, whatever was published before. A generation links the parts in which nothing changed, and in another it takes over
the documents that are as they were: publishing costs what changed. Beside the id of a document stands a mark of what
its columns are made of.
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
from warehouse.store.columns.arrow_arrays import (
    SUFFIX,
    Columns,
    as_arrow,
    as_bytes,
    encode_lists,
    encode_texts,
    is_as_named,
    is_whole,
    read_columns,
    write_columns,
)
from warehouse.store.columns.lake_columns import KINDS, LakeColumns
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.parquet import share_file
from warehouse.store.vectors.vector_index import VectorIndex, load_array

FOLDER = "columns"
VERSION = 1  # Rises whenever the same outputs give other columns.
STAGES = ("chunk", "score", "temporal", "entities", "embed")
"""The stages whose outputs the columns are made of."""
PART = 65_536  # Passages of a part, about; one that changes is written anew in a tenth of a second.
SIZE_TOLERANCE = 2  # How many times as many, or as few, passages a part may have before all are cut otherwise.
BASE = 16  # The digits of an id.
WHOLE = "all"  # The name of the part of a generation that has but one.
GROUPS = ("mentions", "names")
"""Columns by document and place in its text."""
OF_PASSAGES = ("windows", "labels")


def map_files(folder: Path) -> dict[str, Path]:
    """The parts in a generation's folder by the digits that the ids in them begin with, in order."""
    return {
        file.stem.partition("-")[0].removeprefix(WHOLE): file for file in sorted((folder / FOLDER).glob(f"*{SUFFIX}"))
    }


def list_files(generation: Generation) -> list[Path]:
    """The parts that a generation has, whether or not they are there."""
    return [generation.folder / FOLDER / name for name in generation.manifest.columns]


def get_rows_file(part: Path) -> Path:
    """The file beside a part with the row of the vector index of each of its windows, then of its labels."""
    return part.with_name(f"{part.stem}.rows.npy")


def read_vector_names(part: Path) -> np.ndarray:
    """The names (bytes) of the vectors of a part's windows, then of its labels."""
    columns = read_columns(part)
    return np.concatenate([columns["windows.vector"], columns["labels.vector"]])


def read_rows(file: Path, part: Path) -> np.ndarray | None:
    """The rows in a file for the vectors of a part, mapped; None where they are damaged."""
    try:
        rows = load_array(file)
    except BadWarehouse:
        return None
    columns = read_columns(part)
    return rows if len(rows) == len(columns["windows.vector"]) + len(columns["labels.vector"]) else None


def are_whole(generation: Generation) -> bool:
    """Whether every part is there and not cut off, and the rows of its vectors are."""
    return all(is_whole(part) and read_rows(get_rows_file(part), part) is not None for part in list_files(generation))


def iter_corrupt_files(generation: Generation, index: VectorIndex) -> Iterator[Path]:
    """The files that hold something else than was written; reads all of them."""
    for part in list_files(generation):
        if not is_as_named(part):
            yield part
        else:
            rows = read_rows(get_rows_file(part), part)
            if rows is None or not np.array_equal(rows, index.find_rows(read_vector_names(part))):
                yield get_rows_file(part)


def publish(lake: Lake, previous: Generation | None, partial: Path, entries: Sequence[CatalogEntry]) -> None:
    """Write the columns of the documents into a generation's folder; what of `previous` is damaged is made anew."""
    (partial / FOLDER).mkdir()
    cut = [entry for entry in entries if entry.find_output("chunk")]
    before = map_files(previous.folder) if previous else {}
    digits = _choose_digits(sum(entry.chunk_count for entry in cut), len(min(before, default="")))
    previous_parts = {
        part: found for part, file in before.items() if len(part) == digits and (found := _read_part(file))
    }
    marks = {entry.document_id: compute_mark(entry) for entry in cut}
    known = {name: mark for part in previous_parts.values() for name, mark in part.marks.items()}
    changed = [entry for entry in cut if known.get(entry.document_id) != marks[entry.document_id]]
    fresh = LakeColumns(lake, changed).read()
    new = defaultdict[str, list[int]](list)
    for place, name in enumerate(fresh["documents.id"].tolist()):
        new[name.decode()[:digits]].append(place)
    for part in sorted({name[:digits] for name in marks}):
        old = previous_parts.get(part)
        kept = [place for place, (name, mark) in enumerate(old.marks.items()) if marks.get(name) == mark] if old else []
        if old and not new[part] and len(kept) == len(old.marks):
            share_file(old.file, partial / FOLDER / old.file.name)
            continue
        columns = assemble_columns([*([(old.columns, kept)] if old else []), (fresh, new[part])])
        columns["documents.mark"] = as_bytes([marks[name.decode()] for name in columns["documents.id"].tolist()])
        write_columns(partial / FOLDER, part or WHOLE, columns)


def compute_mark(entry: CatalogEntry) -> str:
    """What the columns of a document are made of: of the same mark they are the same."""
    keys = {output.stage: output.key for output in entry.outputs}
    made_of = (str(VERSION), str(entry.document_date), *(keys.get(stage, "") for stage in STAGES))
    return hashlib.blake2b("\n".join(made_of).encode(), digest_size=16).hexdigest()


def assemble_columns(pieces: Iterable[tuple[Columns, Sequence[int]]]) -> Columns:
    """The columns of some documents of each piece, by their places in it, in order of id; each is of one piece."""
    chosen = [(columns, np.array(places, np.int64)) for columns, places in pieces]
    ids = np.concatenate([columns["documents.id"][places] for columns, places in chosen])
    order = np.argsort(ids, kind="stable")
    ordinals, count = np.empty(len(ids), np.int64), 0
    ordinals[order] = np.arange(len(ids))
    ordinals_by_piece = []  # For each piece the ordinal of each of its documents, -1 for those that are left out.
    for columns, places in chosen:
        ordinal = np.full(len(columns["documents.id"]), -1, np.int64)
        ordinal[places] = ordinals[count : count + len(places)]
        ordinals_by_piece.append(ordinal)
        count += len(places)
    rows = {group: _Rows(chosen, ordinals_by_piece, group) for group in ("passages", *GROUPS)}
    found: Columns = {"documents.id": ids[order]}
    for each in rows.values():
        found.update(each.build_columns())
    found["passages.section"], found["sections"] = encode_lists(rows["passages"].read_texts("sections", "section"))
    found["names.name"], found["names"] = encode_texts(rows["names"].read_texts("names", "name"))
    for group in OF_PASSAGES:
        found.update(_assemble_passage_columns(chosen, rows["passages"].places, group))
    return found


class _Rows:
    """The rows of a group that some documents of each piece have, in order of their ordinals."""

    def __init__(self, pieces: Sequence[tuple[Columns, np.ndarray]], own: Sequence[np.ndarray], group: str) -> None:
        self._pieces, self._group = pieces, group
        documents = [ordinal[columns[f"{group}.document"]] for (columns, _), ordinal in zip(pieces, own, strict=True)]
        self._kept = [np.flatnonzero(each >= 0) for each in documents]
        every = np.concatenate([each[kept] for each, kept in zip(documents, self._kept, strict=True)])
        self._order = np.argsort(every, kind="stable")
        self._documents = every[self._order]

    def build_columns(self) -> Columns:
        """The columns, but for those of codes, which are another piece by piece."""
        names = [name for name in KINDS if name.startswith(f"{self._group}.")]
        found: Columns = {name: self._join([columns[name] for columns, _ in self._pieces]) for name in names}
        found[f"{self._group}.document"] = self._documents.astype(np.int32)
        return found

    def read_texts(self, texts: str, codes: str) -> pa.Array:
        """The text, or list of texts, that the code of each row stands for."""
        found = []
        for (columns, _), kept in zip(self._pieces, self._kept, strict=True):
            found.append(columns[texts].take(as_arrow(columns[f"{self._group}.{codes}"][kept])))
        return pa.concat_arrays(found).take(as_arrow(self._order))

    @cached_property
    def places(self) -> list[np.ndarray]:
        """For each piece the new row of each of its rows, -1 for those that are left out."""
        new, count, found = np.empty(len(self._order), np.int64), 0, []
        new[self._order] = np.arange(len(self._order))
        for (columns, _), kept in zip(self._pieces, self._kept, strict=True):
            place = np.full(len(columns[f"{self._group}.document"]), -1, np.int64)
            place[kept] = new[count : count + len(kept)]
            found.append(place)
            count += len(kept)
        return found

    def _join(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate([each[kept] for each, kept in zip(columns, self._kept, strict=True)])[self._order]


def _assemble_passage_columns(
    pieces: Sequence[tuple[Columns, np.ndarray]], places: Sequence[np.ndarray], group: str
) -> Columns:
    passages = [place[columns[f"{group}.passage"]] for (columns, _), place in zip(pieces, places, strict=True)]
    kept = [np.flatnonzero(each >= 0) for each in passages]
    every = np.concatenate([each[rows] for each, rows in zip(passages, kept, strict=True)])
    order = np.argsort(every, kind="stable")
    found: Columns = {f"{group}.passage": every[order].astype(np.int32)}
    for name in [name for name in KINDS if name.startswith(f"{group}.") and name not in found]:
        found[name] = np.concatenate([c[name][rows] for (c, _), rows in zip(pieces, kept, strict=True)])[order]
    return found


@dataclass(frozen=True)
class _PreviousPart:
    """A part of the generation before."""

    file: Path
    columns: Columns

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """The mark of each document, in order."""
        names, marks = (self.columns[f"documents.{name}"].tolist() for name in ("id", "mark"))
        return {name.decode(): mark.decode() for name, mark in zip(names, marks, strict=True)}


def _read_part(file: Path) -> _PreviousPart | None:
    """A part; None where it is damaged."""
    try:
        return _PreviousPart(file, read_columns(file)) if is_whole(file) else None
    except BadWarehouse:
        return None


def _choose_digits(passages: int, before: int) -> int:
    """How many digits of the ids tell the parts apart, where `before` did in the generation before."""
    if PART / BASE / SIZE_TOLERANCE <= passages / BASE**before <= SIZE_TOLERANCE * PART or (
        not before and passages <= PART
    ):
        return before
    digits = 0
    while passages / BASE**digits > PART:
        digits += 1
    return digits
