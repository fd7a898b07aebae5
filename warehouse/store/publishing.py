"""Building a generation from stage outputs: its tables, catalog, keyword index and vectors, then the one swap."""

from __future__ import annotations

import errno
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from warehouse.records import CatalogEntry, Chunk, Finding, Root, Run
from warehouse.store import generations, keywords, titles, vectors
from warehouse.store.catalog import lake_files, write_catalog, write_empty_files
from warehouse.store.generations import SCHEMA_VERSION, Generation, Manifest
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.parquet import read_parquet

LEAST = 16 << 20
"""Bytes free below which a failure to write is put down to them: what was written in vain may be gone again by then."""


@contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Turn a failure that a full disk explains into the `OSError` that Python's own writing would have raised.

    Tantivy says only that its writer was killed, DuckDB that a transaction failed, hnswlib that a file is bad.
    """
    try:
        yield
    except Exception as error:
        if shutil.disk_usage(folder).free >= LEAST:
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder)) from error


def publish(
    layout: Layout,
    previous: Generation | None,
    entries: Sequence[CatalogEntry],
    findings: Mapping[str, Sequence[Finding]],
    roots: tuple[Root, ...],
    run: Run,
    dimension: int,
    *,
    fold: bool = False,
) -> Generation:
    """Publish `entries` as generation `run.generation`, and note when, unless `run` says it.

    Raises `StageError` for a document that cannot be published.

    What it writes grows with what changed since `previous`, but for the list of documents and a fold of the vectors;
    an index of `previous` that is damaged is made anew, and that of the vectors where `fold` asks for it.
    """
    lake = Lake(layout.lake)
    write_empty_files(lake, dimension)
    partial = generations.begin(layout, run.generation)
    outputs = {(output.stage, output.file) for entry in entries for output in entry.outputs}
    kept = previous if previous and previous.manifest.model == run.model else None
    whole = kept and vectors.are_whole(layout.indexes / kept.manifest.base, kept.folder)
    grown = kept if whole and not fold else None
    with naming_full_disk(partial):
        _publish_keywords(lake, previous, partial, entries)
        base, base_count, delta_count = _publish_vectors(layout, lake, grown, partial, entries, dimension)
        titles.publish(lake, kept, partial, entries, run.model, dimension)
        # Last of what takes long, so that the moment it notes is that of publishing.
        runs = (*(previous.runs() if previous else ()), replace(run, published=run.published or datetime.now(UTC)))
        generations.write_tables(partial, entries, dict(findings), runs)
        write_catalog(partial / layout.catalog.name, partial, lake_files(lake, outputs), lake)
    files = tuple(path.stem for path in lake.vector_files())
    manifest = Manifest(
        run.generation, SCHEMA_VERSION, run.model, dimension, base, base_count, delta_count, roots, files
    )
    return generations.publish(layout, partial, manifest, entries)


def places(entries: Sequence[CatalogEntry], stage: str) -> dict[str, str]:
    """The file of each output key of a stage."""
    outputs = (entry.output(stage) for entry in entries)
    return {output.key: output.file for output in outputs if output}


def _publish_keywords(lake: Lake, previous: Generation | None, partial: Path, entries: Sequence[CatalogEntry]) -> None:
    if previous and not keywords.is_whole(previous.folder / "keywords"):
        previous = None
    old, new = places(previous.entries() if previous else (), "chunk"), places(entries, "chunk")
    by_file: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for key, name in new.items():
        if key not in old:
            by_file[name][key] = name
    read = (lake.read("chunks", Chunk, places_in_file) for _, places_in_file in sorted(by_file.items()))
    added = ((key, chunk) for found in read for key, chunks in found.items() for chunk in chunks)
    index = previous.folder / "keywords" if previous else None
    keywords.publish(index, partial / "keywords", old.keys() - new.keys(), added)


def _publish_vectors(
    layout: Layout,
    lake: Lake,
    previous: Generation | None,
    partial: Path,
    entries: Sequence[CatalogEntry],
    dimension: int,
) -> tuple[str, int, int]:
    files, live = places(entries, "embed"), set[str]()
    for name in set(files.values()):
        rows = read_parquet(lake.path("embeddings", name), ["key", "vector_id"]).to_pydict()
        live.update(vector for key, vector in zip(rows["key"], rows["vector_id"], strict=True) if key in files)
    base = previous.manifest.base if previous else ""
    base_ids = vectors.read_ids(layout.indexes / base, "base") if base else []
    delta = [name for name in vectors.read_ids(previous.folder, "delta") if name in live] if previous else []
    ids = [*delta, *sorted(live.difference(base_ids, delta))]
    if not base or vectors.should_fold(len(base_ids), len(ids), len(live)):
        ids = sorted(live)
        base, base_ids = vectors.build_base(layout.indexes, ids, lake.vectors(ids, dimension)), ids
        ids = []
    vectors.write_vectors(partial, "delta", ids, lake.vectors(ids, dimension))
    return base, len(base_ids), len(ids)
