"""Integrity of a generation: whether all its files are there, and whether their bytes are those that were written.

`find_damage` and `find_lost_outputs` are called before every run and cost nearly nothing: a damaged warehouse heals. A
bit that a disk turned over is found only when every file is read from end to end (`iter_corrupt_files`). Files are
compared with Parquet's page checksums, tantivy's checksum of each file, the name of a vector base (a digest of it), and
for a delta the lake's own vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from warehouse.errors import BadWarehouse
from warehouse.records import CatalogEntry, Finding, Run
from warehouse.store import generations, keywords, titles
from warehouse.store.arrow_files import LAKE_RECORDS, is_whole, naming_damage, to_records
from warehouse.store.catalog import STAGE_TABLES, list_lake_files
from warehouse.store.columns import column_parts
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.vectors import vector_index
from warehouse.store.vectors.vector_index import is_as_named


def find_damage(layout: Layout, generation: Generation) -> str | None:
    """The first thing that is missing, cut off or not published, in words; None for a sound generation.

    Reads the list of documents, and of the other files only their ends. Raises `BadWarehouse` when `current` is there
    but no link.
    """
    if generations.find_current_folder(layout) != generation.folder:
        return f"generation {generation.folder.name} is not the published one"
    if not (layout.catalog.is_file() and (generation.folder / layout.catalog.name).is_file()):
        return f"{layout.catalog.name} is missing"
    for path in iter_parquet_files(layout, generation):
        if not is_whole(path):
            return f"{path.relative_to(layout.folder)} is missing or damaged"
    if not titles.are_whole(generation.folder):
        return "the titles of the documents are damaged"
    if not keywords.is_whole(generation.folder / "keywords"):
        return "the keyword index is damaged"
    if not column_parts.are_whole(generation):
        return "the columns of the passages are damaged"
    if not vector_index.are_whole(layout.indexes / generation.manifest.base, generation.folder):
        return "the vector index is damaged"
    return None


def find_lost_outputs(layout: Layout, generation: Generation) -> frozenset[tuple[str, str]]:
    """The (stage, key) of each output that must be made again, as its files or the vectors it names are not whole."""
    lake = Lake(layout.lake)
    complete = cache(lambda stage, file: lake.has(STAGE_TABLES[stage], file))
    outputs = (output for entry in generation.read_entries() for output in entry.outputs)
    return frozenset((output.stage, output.key) for output in outputs if not complete(output.stage, output.file))


def iter_parquet_files(layout: Layout, generation: Generation) -> Iterator[Path]:
    """The Parquet files that a generation stands on, its own and the lake's, without those of its titles."""
    yield from (generation.folder / f"{name}.parquet" for name in ("documents", "findings", "runs"))
    lake = Lake(layout.lake)
    for table, files in list_lake_files(lake, generation.list_outputs()).items():
        if table != "vectors":
            yield from files
    yield from (lake.get_path("vectors", name) for name in generation.manifest.vector_files)


OWN_RECORDS = {"documents": CatalogEntry, "findings": Finding, "runs": Run}
"""What the files of a generation's own folder hold."""


def iter_corrupt_files(layout: Layout, generation: Generation) -> Iterator[Path]:
    """The files of a generation that can be read but hold something else than was written, or cannot be read.

    To remove them and to ingest again makes them again. Memory is bounded; time is that of reading it all.
    """
    import duckdb  # here, as every run asks this module and only `doctor --deep` asks this

    for path in chain(iter_parquet_files(layout, generation), titles.list_files(generation.folder)):
        if not _is_parquet_sound(path):
            yield path
    index = generation.folder / "keywords"
    if not keywords.are_segments_whole(index):
        yield index / keywords.META
    else:
        yield from (path for path in keywords.iter_segment_files(index) if not keywords.is_segment_sound(path))
    catalog = generation.folder / layout.catalog.name
    try:
        with duckdb.connect(str(catalog), read_only=True) as connection:
            connection.execute("SHOW TABLES").fetchall()
    except duckdb.Error:
        yield catalog
    base = layout.indexes / generation.manifest.base
    if not is_as_named(base):
        yield base / "base.npy"
    try:
        yield from column_parts.iter_corrupt_files(generation, vector_index.VectorIndex(base, generation.folder))
        ids, matrix = vector_index.read_delta(generation.folder)
        is_sound = np.array_equal(matrix, Lake(layout.lake).read_vectors(ids, generation.manifest.dimension))
    except BadWarehouse:
        is_sound = False
    if not is_sound:
        yield generation.folder / "delta.npy"


def _is_parquet_sound(path: Path) -> bool:
    """By its pages' checksums, and, as its footer has none, by whether its rows are still the records they were."""
    record = OWN_RECORDS.get(path.stem) or LAKE_RECORDS.get(path.parent.name)
    try:
        with naming_damage(str(path)), pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches():
                rows = batch.to_pylist()
                if any(None in (row.get("key", ""), row.get("vector_id", "")) for row in rows):
                    return False
                if record:
                    to_records(record, rows)
    except (BadWarehouse, UnicodeDecodeError):
        return False
    return True
