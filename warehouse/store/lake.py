"""The lake: immutable Parquet files, one for each table and batch, written atomically.

The file that holds a vector is looked up by a number of 64 bits made from the vector's name; if two names had the same
number, one vector would be computed twice and nothing else would happen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from warehouse.errors import BadWarehouse
from warehouse.records import Block, Content, Document, Fact, Table
from warehouse.store.arrow_files import (
    CURE,
    ID_BYTES,
    ID_LENGTH,
    LAKE_RECORDS,
    as_bytes,
    get_lake_schema,
    is_complete,
    read_keys,
    read_parquet,
    to_records,
    to_rows,
    write_parquet,
)

if TYPE_CHECKING:
    from warehouse.settings.models import LakeSettings

Record = TypeVar("Record")

REPLACED_NAMES_SUFFIX = ".replaces"
"""The suffix of the file next to a merged file of vectors that lists the names of the files that it replaces."""


def build_vector_schema(dimension: int) -> pa.Schema:
    """Vectors by name: float32, unit length."""
    return pa.schema(
        [("vector_id", pa.string()), ("model", pa.string()), ("vector", pa.list_(pa.float32(), dimension))]
    )


class Lake:
    """Stage outputs by table and file name."""

    def __init__(self, folder: Path) -> None:
        """`folder` need not exist yet."""
        self.folder = folder
        self._vectors = VectorFiles(self.list_vector_files)

    def get_path(self, table: str, name: str) -> Path:
        """The path of a file, whether or not it exists."""
        return self.folder / table / f"{name}.parquet"

    def has(self, tables: Iterable[str], name: str) -> bool:
        """Whether a batch's output is complete: its files are, and no vector that they name is lost."""
        table_names = tuple(tables)
        has_files = all(self._has_file(table, name) for table in table_names)
        return has_files and ("embeddings" not in table_names or self._has_vectors(name))

    def _has_file(self, table: str, name: str) -> bool:
        return is_complete(self.get_path(table, name))

    def _has_vectors(self, name: str) -> bool:
        names = read_parquet(self.get_path("embeddings", name), ["vector_id"])["vector_id"].to_pylist()
        return not self.find_lost_vectors(names)

    def write(self, table: str, name: str, outputs: Mapping[str, Sequence[Any]]) -> None:
        """Write the records of each key of a batch. An empty file is written too: it records that the work is done."""
        self.write_rows(table, name, self.build_rows(table, outputs))

    def build_rows(self, table: str, outputs: Mapping[str, Sequence[Any]]) -> pa.Table:
        """The records of each key of a batch as rows of a table. Raises `ValueError` where one does not fit."""
        record = LAKE_RECORDS[table]
        rows = [{"key": key, **row} for key, records in outputs.items() for row in to_rows(record, records)]
        return pa.Table.from_pylist(rows, schema=get_lake_schema(table))

    def write_rows(self, table: str, name: str, rows: pa.Table) -> None:
        """Write the rows of a batch."""
        write_parquet(self.get_path(table, name), rows)

    def fetch_files(self, files: Iterable[tuple[str, str]]) -> None:
        """Make sure that files, (table, name), are in the folder; a local lake has no others."""

    def share_files(self, files: Iterable[tuple[str, str]]) -> None:
        """Share files, (table, name), with all users of the lake; those of a local lake already have them."""

    def record_outputs(self, outputs: Mapping[tuple[str, str], str]) -> None:
        """Record for all users of the lake which file holds each output, (stage, key); a local lake needs no record."""

    def read_recorded_outputs(self) -> Mapping[tuple[str, str], str]:
        """The file of each output, (stage, key), by `record_outputs`."""
        return {}

    def read(
        self, table: str, record: type[Record], files_by_key: Mapping[str, str], columns: Sequence[str] | None = None
    ) -> dict[str, tuple[Record, ...]]:
        """The records of each key; `files_by_key` maps a key to the file that holds it."""
        by_file: defaultdict[str, list[str]] = defaultdict(list)
        for key, name in files_by_key.items():
            by_file[name].append(key)
        rows: dict[str, list[dict[str, Any]]] = {key: [] for key in files_by_key}
        for name, keys in by_file.items():
            for key, table_rows in read_keys(self.get_path(table, name), frozenset(keys), columns):
                rows[key] += table_rows.drop_columns(["key"]).to_pylist()
        return {key: to_records(record, table_rows) for key, table_rows in rows.items()}

    def write_vectors(self, name: str, model: str, ids: Sequence[str], vectors: np.ndarray) -> None:
        """Write new vectors, float32, shape (len(ids), dimension)."""
        vector_column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1), pa.float32()), vectors.shape[1])
        columns = [pa.array(ids, pa.string()), pa.array([model] * len(ids), pa.string()), vector_column]
        self.write_rows("vectors", name, pa.table(columns, schema=build_vector_schema(vectors.shape[1])))

    def list_vector_files(self) -> list[Path]:
        """All complete files of vectors, without those that a merged file replaces."""
        complete = sorted(path for path in (self.folder / "vectors").glob("*.parquet") if is_complete(path))
        replaced = {name for path in complete for name in self.read_replaced(path)}
        return [path for path in complete if path.stem not in replaced]

    def read_replaced(self, path: Path) -> list[str]:
        """The names of the files that a merged file of vectors replaces; none for any other file."""
        list_file = path.with_suffix(REPLACED_NAMES_SUFFIX)
        return list_file.read_text(encoding="utf-8").split() if list_file.exists() else []

    def find_lost_vectors(self, names: Iterable[str]) -> set[str]:
        """The vectors among `names` that no file holds. Each file is read once for each object."""
        distinct_names = list(dict.fromkeys(names))
        files = self._vectors.find_files(as_bytes(distinct_names))
        return {name for name, file in zip(distinct_names, files.tolist(), strict=True) if file < 0}

    def iter_vector_blocks(self, names: np.ndarray, dimension: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The vectors of `names` (bytes) by blocks: positions in `names`, and rows, float32.

        Raises `BadWarehouse` for a lost one.
        """
        if lost_count := int(np.count_nonzero(self._vectors.find_files(names) < 0)):
            raise BadWarehouse(f"the lake has lost {lost_count} vectors", CURE)
        return self._vectors.iter_blocks(names, dimension)

    def read_vectors(self, names: np.ndarray, dimension: int) -> np.ndarray:
        """The vectors of `names` (bytes): float32, (len(names), dimension). Raises `BadWarehouse` if one is lost."""
        vectors = np.empty((len(names), dimension), np.float32)
        for positions, rows in self.iter_vector_blocks(names, dimension):
            vectors[positions] = rows
        return vectors


def open_lake(folder: Path, settings: LakeSettings) -> Lake:
    """The lake in a folder, or that of the settings' URL with the folder as its mirror.

    Raises `LakeFailed` where nothing can be written at the URL.
    """
    if not settings.url:
        return Lake(folder)
    from warehouse.store.remote_lake import MirroredLake, Remote

    remote = Remote(settings.url, settings.options)
    remote.check_writable()
    return MirroredLake(folder, remote)


_SHARED = {field.name for field in fields(Content)} & {field.name for field in fields(Document)}
"""The fields that the records of a document and of its content share."""


def build_content(document: Document) -> Content:
    """A document without its blocks, tables, facts and findings, which have tables of their own."""
    return Content(table_count=len(document.tables), **{name: getattr(document, name) for name in _SHARED})


def read_documents(lake: Lake, files_by_key: Mapping[str, str]) -> dict[str, Document]:
    """The documents of parse outputs (key to file), without their findings."""
    contents = lake.read("contents", Content, files_by_key)
    blocks = lake.read("blocks", Block, files_by_key)
    tables = lake.read("tables", Table, files_by_key)
    facts = lake.read("facts", Fact, files_by_key)
    return {
        key: Document(
            blocks=blocks[key],
            tables=tables[key],
            facts=facts[key],
            **{name: getattr(contents[key][0], name) for name in _SHARED},
        )
        for key in files_by_key
    }


_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: an odd number.


@dataclass(frozen=True, eq=False)
class _VectorNames:
    """Names of some files in order of their numbers, each with its file."""

    numbers: np.ndarray
    names: np.ndarray
    files: np.ndarray

    @classmethod
    def from_files(cls, names: np.ndarray, files: np.ndarray) -> _VectorNames:
        numbers = hash_names(names)
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], names[order], files[order])

    def find_files(self, names: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The file of each name, -1 if no file here has it."""
        if not len(self.numbers):
            return np.full(len(names), -1, np.int64)
        positions = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.names[positions] == names, self.files[positions], -1)

    def join(self, other: _VectorNames) -> _VectorNames:
        names, files = np.concatenate([self.names, other.names]), np.concatenate([self.files, other.files])
        return _VectorNames.from_files(names, files)


class VectorFiles:
    """The files that `list_files` gives. Each is read once, as files of the lake never change, and only when needed.

    The newest are read first: what a publication asks for was just written, and a million names take .4 s to read.
    """

    def __init__(self, list_files: Callable[[], list[Path]]) -> None:
        self._list_files = list_files
        self._paths: list[Path] = []
        self._parts: list[_VectorNames] = []

    def find_files(self, names: np.ndarray) -> np.ndarray:
        """The position in `paths` of the file that holds each vector, by its name (bytes); -1 if no file does."""
        unread, numbers = self._list_unread(), hash_names(names)
        files = self._look_up(names, numbers)
        count = 1
        while unread and (files < 0).any():
            self._read(unread[:count])
            unread, count = unread[count:], 2 * count
            files = self._look_up(names, numbers)
        return files

    def _look_up(self, names: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        files = np.full(len(names), -1, np.int64)
        for part in self._parts:
            is_missing = files < 0
            files[is_missing] = part.find_files(names[is_missing], numbers[is_missing])
        return files

    def iter_blocks(self, names: np.ndarray, dimension: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The existing vectors among `names` (bytes): their positions in `names`, and their rows, float32."""
        files = self.find_files(names)
        for file in np.unique(files[files >= 0]).tolist():
            positions = np.flatnonzero(files == file)
            table = read_parquet(self._paths[file], ["vector_id", "vector"])
            matrix = np.from_dlpack(table["vector"].combine_chunks().flatten()).reshape(-1, dimension)
            stored = as_bytes(table["vector_id"])
            order = np.argsort(stored, kind="stable")
            yield positions, matrix[order[np.searchsorted(stored, names[positions], sorter=order)]]

    def _list_unread(self) -> list[Path]:
        """The files that were not read yet, the newest first; all files, if one that was read is gone."""
        paths = self._list_files()
        if not set(self._paths) <= set(paths):
            self._paths, self._parts = [], []
        unread = set(paths) - set(self._paths)
        return sorted(unread, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)

    def _read(self, new_paths: list[Path]) -> None:
        ids = [as_bytes(read_parquet(path, ["vector_id"])["vector_id"]) for path in new_paths]
        files = np.repeat(np.arange(len(new_paths)) + len(self._paths), [len(vector_ids) for vector_ids in ids])
        self._paths += new_paths
        self._parts.append(_VectorNames.from_files(np.concatenate(ids).astype(ID_BYTES), files.astype(np.int32)))
        # Each part is more than twice as large as the next: parts are few, and a vector is sorted only a few times.
        while len(self._parts) > 1 and len(self._parts[-2].names) <= 2 * len(self._parts[-1].names):
            last_part = self._parts.pop()
            self._parts[-1] = self._parts[-1].join(last_part)


def hash_names(names: np.ndarray) -> np.ndarray:
    """A number of 64 bits for each name (bytes)."""
    words = np.ascontiguousarray(names.astype(ID_BYTES)).view(np.uint64).reshape(-1, ID_LENGTH // 8)
    numbers = np.zeros(len(names), np.uint64)
    for word_index in range(words.shape[1]):
        numbers = (numbers ^ words[:, word_index]) * _HASH_MULTIPLIER
        numbers ^= numbers >> np.uint64(29)
    return numbers
