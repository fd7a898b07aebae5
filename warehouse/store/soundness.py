"""Whether everything is there that a generation stands on: asked before a run, so that a damaged warehouse heals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from warehouse.store import generations, keywords, titles, vectors
from warehouse.store.catalog import STAGE_TABLES, lake_files
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.parquet import is_whole


def damage(layout: Layout, generation: Generation) -> str | None:
    """The first thing that is missing, cut off or not published, in words; None for a sound generation.

    Reads the list of documents, and of the other files only their ends. Raises `BadWarehouse` when `current` is there
    but no link.
    """
    if generations.published(layout) != generation.folder:
        return f"generation {generation.folder.name} is not the published one"
    if not (layout.catalog.is_file() and (generation.folder / layout.catalog.name).is_file()):
        return f"{layout.catalog.name} is missing"
    for path in parquet_files(layout, generation):
        if not is_whole(path):
            return f"{path.relative_to(layout.folder)} is missing or damaged"
    if not keywords.is_whole(generation.folder / "keywords"):
        return "the keyword index is damaged"
    if not (vectors.is_whole(layout.indexes / generation.manifest.base) and vectors.is_whole_delta(generation.folder)):
        return "the vector index is damaged"
    return None


def lost_outputs(layout: Layout, generation: Generation) -> frozenset[tuple[str, str]]:
    """The (stage, key) of each output that must be made again, as its files or the vectors it names are not whole."""
    lake = Lake(layout.lake)
    complete = cache(lambda stage, file: lake.has(STAGE_TABLES[stage], file))
    outputs = (output for entry in generation.entries() for output in entry.outputs)
    return frozenset((output.stage, output.key) for output in outputs if not complete(output.stage, output.file))


def parquet_files(layout: Layout, generation: Generation) -> Iterator[Path]:
    """The Parquet files that a generation stands on, its own and the lake's."""
    yield from (generation.folder / f"{name}.parquet" for name in ("documents", "findings", "runs"))
    yield from titles.files(generation.folder)
    lake = Lake(layout.lake)
    for table, files in lake_files(lake, generation.outputs()).items():
        if table != "vectors":
            yield from files
    yield from (lake.path("vectors", name) for name in generation.manifest.vector_files)
