"""Integrity of a generation: whether all its files are there, and whether their bytes are those that were written.

`find_damage` and `find_lost_outputs` are called before every run and cost nearly nothing: the run repairs the damage
that they find. A flipped bit is found only when every file is read from end to end (`iter_corrupt_files`). Files are
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
from warehouse.store.arrow_files import LAKE_RECORDS, convert_read_errors, is_complete, to_records
from warehouse.store.catalog import STAGE_TABLES, list_lake_files
from warehouse.store.columns import column_parts
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.vectors import vector_index
from warehouse.store.vectors.vector_index import matches_digest


def find_damage(layout: Layout, generation: Generation) -> str | None:
    """The first file that is missing, truncated or not published, in words; None for an intact generation.

    Reads the list of documents, and of the other files only their ends. Raises `BadWarehouse` when `current` is there
    but no link.
    """
    if generations.find_current_folder(layout) != generation.folder:
        return f"generation {generation.folder.name} is not the published one"
    if not (layout.catalog.is_file() and (generation.folder / layout.catalog.name).is_file()):
        return f"{layout.catalog.name} is missing"
    for path in iter_parquet_files(layout, generation):
        if not is_complete(path):
            return f"{path.relative_to(layout.folder)} is missing or damaged"
    if not titles.are_complete(generation.folder):
        return "the titles of the documents are damaged"
    if not keywords.is_complete(generation.folder / "keywords"):
        return "the keyword index is damaged"
    if not column_parts.are_complete(generation):
        return "the columns of the passages are damaged"
    if not vector_index.are_complete(layout.indexes / generation.manifest.base, generation.folder):
        return "the vector index is damaged"
    return None


def find_lost_outputs(layout: Layout, generation: Generation) -> frozenset[tuple[str, str]]:
    """The (stage, key) of each output that must be made again, as its files or the vectors it names are incomplete."""
    lake = Lake(layout.lake)
    has_files = cache(lambda stage, file: lake.has(STAGE_TABLES[stage], file))
    outputs = (output for entry in generation.read_entries() for output in entry.outputs)
    return frozenset((output.stage, output.key) for output in outputs if not has_files(output.stage, output.file))


def iter_parquet_files(layout: Layout, generation: Generation) -> Iterator[Path]:
    """The Parquet files that a generation uses, its own and the lake's, without those of its titles."""
    yield from (generation.folder / f"{name}.parquet" for name in ("documents", "findings", "runs"))
    lake = Lake(layout.lake)
    for table, files in list_lake_files(lake, generation.list_outputs()).items():
        if table != "vectors":
            yield from files
    yield from (lake.get_path("vectors", name) for name in generation.manifest.vector_files)


FOLDER_RECORDS = {"documents": CatalogEntry, "findings": Finding, "runs": Run}
"""The records in the files of a generation's own folder."""


def iter_corrupt_files(layout: Layout, generation: Generation) -> Iterator[Path]:
    """The files of a generation that cannot be read, or whose content differs from what was written.

    If they are removed, the next ingest writes them again. Memory is bounded; time is that of reading everything.
    """
    import duckdb  # Imported here: every run uses this module, only `doctor --deep` this function.

    for path in chain(iter_parquet_files(layout, generation), titles.list_files(generation.folder)):
        if not _is_parquet_intact(path):
            yield path
    index = generation.folder / "keywords"
    if not keywords.are_segments_complete(index):
        yield index / keywords.META_FILE
    else:
        yield from (path for path in keywords.iter_segment_files(index) if not keywords.is_segment_intact(path))
    catalog = generation.folder / layout.catalog.name
    try:
        with duckdb.connect(str(catalog), read_only=True) as connection:
            connection.execute("SHOW TABLES").fetchall()
    except duckdb.Error:
        yield catalog
    base = layout.indexes / generation.manifest.base
    if not matches_digest(base):
        yield base / "base.npy"
    try:
        yield from column_parts.iter_corrupt_files(generation, vector_index.VectorIndex(base, generation.folder))
        ids, matrix = vector_index.read_delta(generation.folder)
        is_delta_intact = np.array_equal(matrix, Lake(layout.lake).read_vectors(ids, generation.manifest.dimension))
    except BadWarehouse:
        is_delta_intact = False
    if not is_delta_intact:
        yield generation.folder / "delta.npy"


def _is_parquet_intact(path: Path) -> bool:
    """Whether the checksums of its pages match and, as its footer has none, its rows are still valid records."""
    record = FOLDER_RECORDS.get(path.stem) or LAKE_RECORDS.get(path.parent.name)
    try:
        with convert_read_errors(str(path)), pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches():
                rows = batch.to_pylist()
                if any(None in (row.get("key", ""), row.get("vector_id", "")) for row in rows):
                    return False
                if record:
                    to_records(record, rows)
    except (BadWarehouse, UnicodeDecodeError):
        return False
    return True
