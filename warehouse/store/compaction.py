"""Compaction: small files of the lake are merged into larger ones, without unused outputs.

A query opens every file of a table: with over 5,000 files a table the catalog opened in 17 s instead of .5 s and a
count took 22 s instead of .4 s. Keys do not change, so nothing is computed again; a merged file is in order of its
keys, so that reading one document skips most of the file. Files of vectors are found by the names of the vectors in
them, whatever the name of the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.identity import digest
from warehouse.records import CatalogEntry, Output
from warehouse.store.arrow_files import EMPTY, is_complete, read_parquet, write_parquet
from warehouse.store.catalog import STAGE_TABLES, get_writing_stage
from warehouse.store.lake import REPLACED_NAMES_SUFFIX, Lake
from warehouse.store.layout import open_atomically
from warehouse.store.migrations import conform_rows

SMALL_FILE_BYTES = 4 << 20  # Bytes: what a stage writes in files smaller than that, all its tables together, is merged.
MAX_MERGED_BYTES = 16 << 20
"""Bytes: a merged file gets no larger, so that merging needs little memory and later merges skip it."""
MIN_SAVED_FILES = 8  # The fewest files that a merge must save to be worth publishing a generation.
ROW_GROUP_BYTES = 1 << 20  # Bytes of a row group, the least that a reader of one document reads.

Named = TypeVar("Named", str, Path)


@dataclass(frozen=True, slots=True)
class FileMerge:
    """The files of a stage that are merged into one, and the keys of the outputs that documents use."""

    stage: str
    files: tuple[str, ...]
    keys: frozenset[str]

    @property
    def name(self) -> str:
        """The name of the merged file, by its content, so that a merge that was killed is found again."""
        return digest("merged", self.stage, sorted(self.keys), self.files)


def plan_merges(lake: Lake, entries: Iterable[CatalogEntry], excluded: Collection[tuple[str, str]]) -> list[FileMerge]:
    """The merges of files that documents use, except the `excluded` ones, (table, file).

    None if they would save fewer than `MIN_SAVED_FILES` files.
    """
    keys: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for entry in entries:
        for output in entry.outputs:
            keys[get_writing_stage(output.stage)][output.file].add(output.key)
    merges = []
    for stage, files in keys.items():
        tables, sizes = STAGE_TABLES[stage], {}
        for name in sorted(files):
            if not any((table, name) in excluded for table in tables):
                sizes[name] = sum(lake.get_path(table, name).stat().st_size for table in tables)
        groups = _group_files(sizes)
        merges += [
            FileMerge(stage, tuple(group), frozenset().union(*(files[name] for name in group))) for group in groups
        ]
    return merges if sum(len(merge.files) - 1 for merge in merges) >= MIN_SAVED_FILES else []


def write_merged(lake: Lake, merge: FileMerge) -> None:
    """Write the files of a merge, unless they exist."""
    tables = STAGE_TABLES[merge.stage]
    if lake.has(tables, merge.name):
        return
    keys = pa.array(sorted(merge.keys), pa.string())
    for table in tables:
        paths = [lake.get_path(table, name) for name in merge.files]
        parts = [conform_rows(table, read_parquet(path)) for path in paths]
        rows = pa.concat_tables([part.filter(pc.is_in(part["key"], keys)) for part in parts])
        # Stable: the records of a key stay in their order.
        write_sorted(lake.get_path(table, merge.name), rows, "key", sum(path.stat().st_size for path in paths))


def with_merged_files(entries: Iterable[CatalogEntry], merges: Iterable[FileMerge]) -> list[CatalogEntry]:
    """The documents, with their outputs in the merged files."""
    merged_names = {(merge.stage, file): merge.name for merge in merges for file in merge.files}

    def with_merged_file(output: Output) -> Output:
        return replace(output, file=merged_names.get((get_writing_stage(output.stage), output.file), output.file))

    return [replace(entry, outputs=tuple(map(with_merged_file, entry.outputs))) for entry in entries]


def _group_files(sizes: Mapping[Named, int]) -> list[list[Named]]:
    """The small files in groups of two or more, in order, each of at most `MAX_MERGED_BYTES` bytes."""
    groups: list[list[Named]] = [[]]
    group_size = 0
    for name, size in sizes.items():
        if size >= SMALL_FILE_BYTES:
            continue
        if group_size + size > MAX_MERGED_BYTES:
            groups.append([])
            group_size = 0
        groups[-1].append(name)
        group_size += size
    return [group for group in groups if len(group) > 1]


def write_sorted(path: Path, rows: pa.Table, column: str, size: int) -> None:
    """Write rows in the order of a column, in row groups of about a megabyte where all take `size` bytes."""
    sorted_rows = rows.take(pc.sort_indices(rows[column]))
    write_parquet(path, sorted_rows, max(1, rows.num_rows * ROW_GROUP_BYTES // max(size, ROW_GROUP_BYTES)))


@dataclass(frozen=True, slots=True)
class VectorMerge:
    """Files of vectors of one length that are merged into one."""

    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """The name of the merged file."""
        return digest("merged", "vectors", [path.stem for path in self.files])


def plan_vector_merges(lake: Lake) -> list[VectorMerge]:
    """The merges of files of vectors; none if they would save fewer than `MIN_SAVED_FILES` files."""
    sizes: defaultdict[str, dict[Path, int]] = defaultdict(dict)
    for path in lake.list_vector_files():
        if path.stem != EMPTY:
            sizes[str(pq.read_schema(path).field("vector").type)][path] = path.stat().st_size
    merges = [VectorMerge(tuple(group)) for by_path in sizes.values() for group in _group_files(by_path)]
    return merges if sum(len(merge.files) - 1 for merge in merges) >= MIN_SAVED_FILES else []


def write_merged_vectors(lake: Lake, merge: VectorMerge, used_names: Collection[str]) -> None:
    """Write the vectors of some files that are named in `used_names` as one file, unless it exists.

    As soon as it exists, the lake ignores the files that it replaces; the list of their names is written first.
    """
    path = lake.get_path("vectors", merge.name)
    if is_complete(path):
        return
    sorted_names = pa.array(sorted(used_names), pa.string())
    parts = [read_parquet(file) for file in merge.files]
    rows = pa.concat_tables([part.filter(pc.is_in(part["vector_id"], sorted_names)) for part in parts])
    with open_atomically(path.with_suffix(REPLACED_NAMES_SUFFIX)) as stream:
        stream.write("\n".join(file.stem for file in merge.files).encode())
    write_sorted(path, rows, "vector_id", sum(file.stat().st_size for file in merge.files))
