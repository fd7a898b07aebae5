"""The lake's files of vectors: which of them holds a vector, and the vectors in blocks.

Names of vectors are looked up by a number of 64 bits that is made from each; two names with one number would cost no
more than a vector that is made twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from warehouse.store.columns.arrow_arrays import ID_BYTES, ID_LENGTH, as_bytes
from warehouse.store.parquet import read_parquet

_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class _Names:
    """Names of some files in order of their numbers, each with its file."""

    numbers: np.ndarray
    names: np.ndarray
    files: np.ndarray

    @classmethod
    def from_files(cls, names: np.ndarray, files: np.ndarray) -> _Names:
        numbers = hash_names(names)
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], names[order], files[order])

    def find_files(self, names: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The file of each name, -1 where none is here."""
        if not len(self.numbers):
            return np.full(len(names), -1, np.int64)
        places = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.names[places] == names, self.files[places], -1)

    def join(self, other: _Names) -> _Names:
        return _Names.from_files(np.concatenate([self.names, other.names]), np.concatenate([self.files, other.files]))


class VectorFiles:
    """The files that `list_files` gives. Each is read once, as files of the lake never change, and only when needed.

    The newest are read first: what a publication asks for was just written, and a million names take .4 s to read.
    """

    def __init__(self, list_files: Callable[[], list[Path]]) -> None:
        self._listed = list_files
        self._paths: list[Path] = []
        self._parts: list[_Names] = []

    def find_files(self, names: np.ndarray) -> np.ndarray:
        """The place among `paths` of the file that holds each vector, by its name (bytes); -1 where none does."""
        unread, numbers = self._list_unread(), hash_names(names)
        found = self._look_up(names, numbers)
        count = 1
        while unread and (found < 0).any():
            self._read(unread[:count])
            unread, count = unread[count:], 2 * count
            found = self._look_up(names, numbers)
        return found

    def _look_up(self, names: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        found = np.full(len(names), -1, np.int64)
        for part in self._parts:
            new = found < 0
            found[new] = part.find_files(names[new], numbers[new])
        return found

    def iter_blocks(self, names: np.ndarray, dimension: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The vectors that are held of those named (bytes): their places among the names, and their rows, float32."""
        files = self.find_files(names)
        for file in np.unique(files[files >= 0]).tolist():
            places = np.flatnonzero(files == file)
            table = read_parquet(self._paths[file], ["vector_id", "vector"])
            matrix = np.from_dlpack(table["vector"].combine_chunks().flatten()).reshape(-1, dimension)
            stored = as_bytes(table["vector_id"])
            order = np.argsort(stored, kind="stable")
            yield places, matrix[order[np.searchsorted(stored, names[places], sorter=order)]]

    def _list_unread(self) -> list[Path]:
        """The files that were not read yet, the newest first; all, where one that was read is gone."""
        paths = self._listed()
        if not set(self._paths) <= set(paths):
            self._paths, self._parts = [], []
        unread = set(paths) - set(self._paths)
        return sorted(unread, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)

    def _read(self, new: list[Path]) -> None:
        ids = [as_bytes(read_parquet(path, ["vector_id"])["vector_id"]) for path in new]
        files = np.repeat(np.arange(len(new)) + len(self._paths), [len(each) for each in ids])
        self._paths += new
        self._parts.append(_Names.from_files(np.concatenate(ids).astype(ID_BYTES), files.astype(np.int32)))
        # Of two parts the earlier is more than twice as large: parts are few, and a vector is put in order a few times.
        while len(self._parts) > 1 and len(self._parts[-2].names) <= 2 * len(self._parts[-1].names):
            last = self._parts.pop()
            self._parts[-1] = self._parts[-1].join(last)


def hash_names(names: np.ndarray) -> np.ndarray:
    """A number of 64 bits for each name (bytes)."""
    words = np.ascontiguousarray(names.astype(ID_BYTES)).view(np.uint64).reshape(-1, ID_LENGTH // 8)
    numbers = np.zeros(len(names), np.uint64)
    for place in range(words.shape[1]):
        numbers = (numbers ^ words[:, place]) * _ODD
        numbers ^= numbers >> np.uint64(29)
    return numbers
