"""Whether the bytes that a generation stands on are those that were written: every file is read from end to end.

`soundness` asks every run whether files are there and whole, which costs nothing; a bit that turned over on its way
through a disk shows only here. What the files carry is held against: Parquet's page checksums, tantivy's checksum of
each file, the name of a vector base (a digest of it), and for a delta the lake's own vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from warehouse.errors import BadWarehouse
from warehouse.records import CatalogEntry, Finding, Run
from warehouse.store import segments, vectors
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.parquet import naming_damage
from warehouse.store.schemas import LAKE_RECORDS, records_of
from warehouse.store.soundness import parquet_files

OWN_RECORDS = {"documents": CatalogEntry, "findings": Finding, "runs": Run}
"""What the files of a generation's own folder hold."""


def rotten(layout: Layout, generation: Generation) -> Iterator[Path]:
    """The files of a generation that can be read but hold something else than was written, or cannot be read.

    To remove them and to ingest again makes them again. Memory is bounded; time is that of reading it all.
    """
    for path in parquet_files(layout, generation):
        if not _is_parquet_sound(path):
            yield path
    keywords = generation.folder / "keywords"
    if not segments.are_there(keywords):
        yield keywords / segments.META
    else:
        yield from (path for path in segments.files_of(keywords) if not segments.is_sound(path))
    if not _is_catalog_sound(generation.folder / layout.catalog.name):
        yield generation.folder / layout.catalog.name
    base = layout.indexes / generation.manifest.base
    if not vectors.is_as_named(base):
        yield base / "base.npy"
    if not _is_delta_sound(Lake(layout.lake), generation):
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
                    records_of(record, rows)
    except (BadWarehouse, UnicodeDecodeError):
        return False
    return True


def _is_catalog_sound(path: Path) -> bool:
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            connection.execute("SHOW TABLES").fetchall()
    except duckdb.Error:
        return False
    return True


def _is_delta_sound(lake: Lake, generation: Generation) -> bool:
    try:
        ids, matrix = vectors.read_delta(generation.folder)
        return bool(np.array_equal(matrix, lake.vectors(ids, generation.manifest.dimension)))
    except (BadWarehouse, UnicodeDecodeError):
        return False
