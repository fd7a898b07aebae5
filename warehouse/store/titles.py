"""The vectors of the titles of documents, by which a question finds a document whose title it paraphrases.

They are in the lake as all vectors, named by model and exact text, so that none is computed twice. A generation lists
those of its own documents and keeps them in a few files, most of which are links to those of the previous generation,
so that the cost of publishing is that of the changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from warehouse.errors import BadWarehouse
from warehouse.identity import digest, make_vector_id
from warehouse.records import Attributes, CatalogEntry, Kind
from warehouse.store.arrow_files import as_bytes, is_complete, read_parquet, share_file, write_parquet
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake, build_vector_schema
from warehouse.store.vectors.vector_index import compute_inner_products

FILE = "titles.parquet"
PARTS = "titles"
COLUMNS = ("document_id", "vector_id", "part")
MAX_PARTS = 64  # With so many files, the next generation writes all vectors into one file again.
MAX_TITLE_LENGTH = 200  # Characters of a title that are embedded: they fit every model's window.
_TITLED_KINDS = frozenset(Kind) - {Kind.TEXT}
"""Kinds of documents that people name by their topic: the paper on, the course about, my note on."""


@dataclass(frozen=True, slots=True, eq=False)
class TitleVectors:
    """`vectors[i]`, of unit length, is that of a title of `documents[i]`, an id; a document may have several."""

    documents: np.ndarray
    vectors: np.ndarray

    def score_documents(self, vector: np.ndarray) -> dict[str, float]:
        """The cosine of each document's nearest title with a unit vector."""
        cosines = compute_inner_products(self.vectors, vector)
        order = np.argsort(cosines)
        # The last one of a document, its nearest title, counts.
        return dict(zip(self.documents[order].tolist(), cosines[order].tolist(), strict=True))


def list_titles(kind: Kind, source: str, title: str, attributes: Attributes) -> tuple[str, ...]:
    """The texts whose vectors represent a document: its title, its aliases, the titles of a course's lessons.

    The name of a note's file is a title, too.
    """
    if kind not in _TITLED_KINDS:
        return ()
    stem = PurePosixPath(source).stem if kind is Kind.NOTE else ""
    titles = (title, stem, *attributes.aliases, *(lesson.title for lesson in attributes.lessons))
    return tuple(dict.fromkeys(text[:MAX_TITLE_LENGTH] for text in map(str.strip, titles) if text))


def publish(
    lake: Lake, previous: Generation | None, partial: Path, entries: Sequence[CatalogEntry], model: str, dimension: int
) -> None:
    """Write the title vectors that the lake has of some documents into a generation's folder.

    The titles of documents that are unchanged since `previous`, a generation of the same model, are taken from there,
    together with the files that contain their vectors.
    """
    previous_rows = _read_rows(previous.folder) if previous and are_complete(previous.folder) else []
    known_entries = previous.read_entries() if previous and previous_rows else ()
    previous_entries = {entry.document_id: entry for entry in known_entries}
    changed_entries = [entry for entry in entries if previous_entries.get(entry.document_id) != entry]
    unchanged_ids = {entry.document_id for entry in entries}.difference(entry.document_id for entry in changed_entries)
    rows = [(row.document, row.vector) for row in previous_rows if row.document in unchanged_ids]
    added_rows = [
        (entry.document_id, make_vector_id(model, text))
        for entry in changed_entries
        for text in list_titles(entry.kind, entry.file.source, entry.title, entry.attributes)
    ]
    lost_names = lake.find_lost_vectors(name for _, name in added_rows)
    rows += [(document, name) for document, name in added_rows if name not in lost_names]
    names = sorted({vector for _, vector in rows})
    parts = {row.vector: row.part for row in previous_rows if row.document in unchanged_ids}
    if len(set(parts.values())) >= MAX_PARTS:
        parts = {}
    if new_names := [name for name in names if name not in parts]:
        part = digest("titles", new_names)
        table = _build_table(new_names, lake.read_vectors(as_bytes(new_names), dimension), dimension)
        write_parquet(partial / PARTS / f"{part}.parquet", table)
        parts.update(dict.fromkeys(new_names, part))
    for part in set(parts.values()):
        if previous and not (file := partial / PARTS / f"{part}.parquet").exists():
            share_file(previous.folder / PARTS / file.name, file)
    columns = [[document for document, _ in rows], [name for _, name in rows], [parts[name] for _, name in rows]]
    write_parquet(partial / FILE, pa.table([pa.array(column, pa.string()) for column in columns], names=COLUMNS))


class _Row(NamedTuple):
    """A title of a document: the name of its vector, and of the file that holds that."""

    document: str
    vector: str
    part: str


def list_files(folder: Path) -> list[Path]:
    """The files of a generation's folder that hold its titles' vectors, existing or not.

    If the first, which lists the others, cannot be read, it is the only one.
    """
    try:
        return [folder / FILE, *_list_parts(folder)]
    except BadWarehouse:
        return [folder / FILE]


def are_complete(folder: Path) -> bool:
    """Whether the file that lists the others can be read, and the others exist and are complete."""
    try:
        return all(map(is_complete, _list_parts(folder)))
    except BadWarehouse:
        return False


def _list_parts(folder: Path) -> list[Path]:
    return [folder / PARTS / f"{name}.parquet" for name in sorted({row.part for row in _read_rows(folder)})]


def _read_rows(folder: Path) -> list[_Row]:
    """The rows of a generation's titles; none if an older program wrote them. Raises `BadWarehouse`."""
    table = read_parquet(folder / FILE)
    if tuple(table.column_names) != COLUMNS:
        return []
    return [_Row(*row) for row in zip(*(table[name].to_pylist() for name in COLUMNS), strict=True)]


def _build_table(names: Sequence[str], vectors: np.ndarray, dimension: int) -> pa.Table:
    vector_column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1), pa.float32()), dimension)
    fields = [build_vector_schema(dimension).field(name) for name in ("vector_id", "vector")]
    return pa.table([pa.array(names, pa.string()), vector_column], schema=pa.schema(fields))


def read(folder: Path, dimension: int) -> TitleVectors:
    """The title vectors of the generation in a folder; none if an older program wrote it. Raises `BadWarehouse`."""
    rows = _read_rows(folder) if (folder / FILE).exists() else []
    tables = [read_parquet(folder / PARTS / f"{part}.parquet") for part in sorted({row.part for row in rows})]
    empty = _build_table([], np.empty((0, dimension), np.float32), dimension)
    vectors = pa.concat_tables([empty, *tables]).combine_chunks()
    row_by_name = {name: row for row, name in enumerate(vectors["vector_id"].to_pylist())}
    matrix = np.from_dlpack(vectors["vector"].combine_chunks().flatten()).reshape(-1, dimension)
    documents = np.array([row.document for row in rows], np.object_)
    return TitleVectors(documents, matrix[[row_by_name[row.vector] for row in rows]])
