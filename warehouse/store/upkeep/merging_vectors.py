"""Compaction of the files of vectors. They are found by the names of the vectors in them, whichever file that is."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from warehouse.identity import digest
from warehouse.store.lake import REPLACES, Lake
from warehouse.store.parquet import EMPTY, is_whole, read_parquet
from warehouse.store.upkeep.compaction import LARGE, SMALL, WORTH_IT, write_sorted


@dataclass(frozen=True, slots=True)
class VectorMerge:
    """Files of vectors of one length that become one."""

    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """The file to come."""
        return digest("merged", "vectors", [path.stem for path in self.files])


def vector_merges(lake: Lake) -> list[VectorMerge]:
    """What to merge; nothing where that would save fewer than `WORTH_IT` files."""
    groups: list[list[Path]] = []
    open_groups: dict[str, tuple[list[Path], int]] = {}
    for path in lake.vector_files():
        size = path.stat().st_size
        if size >= SMALL or path.stem == EMPTY:
            continue
        kind = str(_kind(path))
        group, taken = open_groups.get(kind, ([], 0))
        if taken + size > LARGE:
            groups.append(group)
            group, taken = [], 0
        open_groups[kind] = [*group, path], taken + size
    groups += [group for group, _ in open_groups.values()]
    found = [VectorMerge(tuple(group)) for group in groups if len(group) > 1]
    return found if sum(len(merge.files) - 1 for merge in found) >= WORTH_IT else []


def write_merged_vectors(lake: Lake, merge: VectorMerge, live: Collection[str]) -> None:
    """Write the `live` vectors of some files as one file, unless it is there.

    From the moment that it is, the lake no longer counts the files it stands for: its note is written before it.
    """
    path = lake.path("vectors", merge.name)
    if is_whole(path):
        return
    named = pa.array(sorted(live), pa.string())
    parts = [read_parquet(file) for file in merge.files]
    rows = pa.concat_tables([part.filter(pc.is_in(part["vector_id"], named)) for part in parts])
    _note(path.with_suffix(REPLACES), merge.files)
    write_sorted(path, rows, "vector_id", sum(file.stat().st_size for file in merge.files))


def _note(path: Path, files: Sequence[Path]) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("w", encoding="utf-8") as stream:
        stream.write("\n".join(file.stem for file in files))
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def _kind(path: Path) -> pa.DataType:
    import pyarrow.parquet as pq

    return pq.read_schema(path).field("vector").type
