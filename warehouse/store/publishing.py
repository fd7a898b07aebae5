"""Building a generation from stage outputs: its tables, catalog, keyword index and vectors, then one atomic rename.

The base of a vector index is built in blocks, in bounded memory.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial as partly
from pathlib import Path

import numpy as np

from warehouse.processors import count_usable_cores
from warehouse.records import CatalogEntry, Chunk, Finding, Root, Run
from warehouse.store import generations, keywords, titles
from warehouse.store.arrow_files import ID_BYTES, share_file
from warehouse.store.catalog import list_lake_files, write_catalog, write_empty_files
from warehouse.store.columns import column_parts
from warehouse.store.columns.column_parts import get_rows_file, read_vector_names
from warehouse.store.generations import SCHEMA_VERSION, Generation, Manifest
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.vectors import vector_index
from warehouse.store.vectors.vector_index import (
    BASIS,
    BLOCK,
    GRAPH,
    GRAPH_CHECK,
    MAX_CODE,
    TINY,
    VectorBase,
    VectorIndex,
    compute_graph_check,
    compute_name,
    is_complete,
    is_large,
    load_array,
    should_fold,
    write_delta,
)

MIN_FREE_BYTES = 16 << 20
"""Below so many free bytes a failed write counts as a full disk; the unfinished file may be removed again by then."""


@contextmanager
def convert_disk_full_errors(folder: Path) -> Iterator[None]:
    """Convert a failure on a full disk to the `OSError` that Python's own writing would have raised.

    Tantivy reports only a killed writer, DuckDB a failed transaction, Arrow an invalid file.
    """
    try:
        yield
    except Exception as error:
        if shutil.disk_usage(folder).free >= MIN_FREE_BYTES:
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
    """Publish `entries` as generation `run.generation`, and record the time, unless `run` has it.

    Raises `StageError` for a document that cannot be published.

    The amount written grows with what changed since `previous`, except the list of documents and a fold of the vectors;
    a damaged index of `previous` is built again, and that of the vectors also if `fold` is true.
    """
    lake = Lake(layout.lake)
    write_empty_files(lake, dimension)
    partial = generations.create_partial_folder(layout, run.generation)
    outputs = {(output.stage, output.file) for entry in entries for output in entry.outputs}
    reusable = previous if previous and previous.manifest.model == run.model else None
    is_index_complete = reusable and vector_index.are_complete(layout.indexes / reusable.manifest.base, reusable.folder)
    index_source = reusable if is_index_complete and not fold else None
    graph = json.loads(run.settings).get("embed.index") == "hnsw"
    with convert_disk_full_errors(partial):
        with ThreadPoolExecutor(1) as executor:
            # Python itself splits the words, and numpy, which lets other threads run, computes the vectors.
            keyword_job = executor.submit(_publish_keywords, lake, previous, partial, entries)
            column_parts.publish(lake, previous, partial, entries)
            base, base_count, delta_count = _publish_vectors(
                layout, lake, index_source, partial, dimension, graph=graph
            )
            titles.publish(lake, reusable, partial, entries, run.model, dimension)
            keyword_job.result()
        # After all long work, so that the recorded time is that of publishing.
        runs = (*(previous.read_runs() if previous else ()), replace(run, published=run.published or datetime.now(UTC)))
        generations.write_tables(partial, entries, dict(findings), runs)
        write_catalog(partial / layout.catalog.name, partial, list_lake_files(lake, outputs), lake)
    files = tuple(path.stem for path in lake.list_vector_files())
    columns = tuple(file.name for file in column_parts.map_files(partial).values())
    manifest = Manifest(
        run.generation, SCHEMA_VERSION, run.model, dimension, base, base_count, delta_count, roots, files, columns
    )
    return generations.publish(layout, partial, manifest, entries)


def map_chunk_files(entries: Sequence[CatalogEntry]) -> dict[str, str]:
    """The file of each output key of the stage that makes passages."""
    outputs = (entry.find_output("chunk") for entry in entries)
    return {output.key: output.file for output in outputs if output}


def _publish_keywords(lake: Lake, previous: Generation | None, partial: Path, entries: Sequence[CatalogEntry]) -> None:
    if previous and not keywords.is_complete(previous.folder / "keywords"):
        previous = None
    previous_files = map_chunk_files(previous.read_entries() if previous else ())
    current_files = map_chunk_files(entries)
    keys_by_file: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for key, name in current_files.items():
        if key not in previous_files:
            keys_by_file[name][key] = name
    outputs = (lake.read("chunks", Chunk, keys_in_file) for _, keys_in_file in sorted(keys_by_file.items()))
    pairs = ((key, chunk) for chunks_by_key in outputs for key, chunks in chunks_by_key.items() for chunk in chunks)
    index = previous.folder / "keywords" if previous else None
    keywords.publish(index, partial / "keywords", previous_files.keys() - current_files.keys(), pairs)


def _publish_vectors(
    layout: Layout, lake: Lake, previous: Generation | None, partial: Path, dimension: int, *, graph: bool
) -> tuple[str, int, int]:
    """Write the delta (or a new base if the delta is large), and the vectors' rows next to each part of the columns.

    Returns the name of the base and the numbers of vectors in it and the delta. The indexes of `previous` are intact; a
    base that has no graph although `graph` is true, or has one although it is false, is built again.
    """
    files = list(column_parts.map_files(partial).values())
    index = VectorIndex(layout.indexes / previous.manifest.base, previous.folder) if previous else None
    shared_rows = {file: rows for file in files if (rows := _read_shared_rows(file, previous)) is not None}
    found_rows = (
        {file: index.find_rows(read_vector_names(file)) for file in files if file not in shared_rows} if index else {}
    )
    if index and previous:
        new_names = np.unique(
            np.concatenate([_NO_NAMES, *(read_vector_names(file)[rows < 0] for file, rows in found_rows.items())])
        )
        is_used = np.zeros(len(index) + len(new_names), np.bool_)
        is_used[len(index) :] = True
        for file, rows in found_rows.items():
            rows[rows < 0] = len(index) + np.searchsorted(new_names, read_vector_names(file)[rows < 0])
        for rows in (*shared_rows.values(), *found_rows.values()):
            is_used[rows] = True
        has_requested_graph = index.base.has_graph == (graph and is_large(len(index.base)))
        if has_requested_graph and not should_fold(
            len(index.base), len(is_used) - len(index.base), int(np.count_nonzero(is_used))
        ):
            write_delta(partial, *index.extend_delta(new_names, lake.read_vectors(new_names, dimension)))
            for file, rows in found_rows.items():
                np.save(get_rows_file(file), rows.astype(np.int32))
            for file in shared_rows:
                share_file(get_rows_file(previous.folder / column_parts.FOLDER / file.name), get_rows_file(file))
            return previous.manifest.base, len(index.base), len(is_used) - len(index.base)
    ids = np.unique(np.concatenate([_NO_NAMES, *map(read_vector_names, files)]))
    blocks = partly(_iter_vector_blocks, lake, index, ids, dimension)
    name = build_base(layout.indexes, ids, blocks, dimension, graph=graph)
    write_delta(partial, _NO_NAMES, np.empty((0, dimension), np.float32))
    base = VectorBase(layout.indexes / name)
    for file in files:
        np.save(get_rows_file(file), base.find_rows(read_vector_names(file)).astype(np.int32))
    return name, len(ids), 0


_NO_NAMES = np.empty(0, ID_BYTES)


def _read_shared_rows(file: Path, previous: Generation | None) -> np.ndarray | None:
    """The rows of a part's vectors that the previous generation has for the same part; None if it has none."""
    rows_file = get_rows_file(previous.folder / column_parts.FOLDER / file.name) if previous else None
    return column_parts.read_rows(rows_file, file) if rows_file and rows_file.exists() else None


def _iter_vector_blocks(
    lake: Lake, index: VectorIndex | None, ids: np.ndarray, dimension: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The vectors of a new base: from the index where it has them, else from the lake."""
    index_rows = index.find_rows(ids) if index else np.full(len(ids), -1)
    if index:
        positions = np.flatnonzero(index_rows >= 0)
        for first in range(0, len(positions), BLOCK):
            block = positions[first : first + BLOCK]
            yield block, index.read_vectors(index_rows[block])
    missing = np.flatnonzero(index_rows < 0)
    for positions, rows in lake.iter_vector_blocks(ids[missing], dimension):
        yield missing[positions], rows


MAX_SAMPLE = 20_000  # Vectors from which the components are computed, at most.
MIN_ENERGY, DIMENSION_STEP = 0.72, 32
"""The share of the vectors' squared length that the components have at least, in so many dimensions or a multiple.

Of 100,000 vectors grown from real ones by MiniLM (384 dimensions) 96 dimensions have .73 to .75 of it, and the best
2,000 by them hold all of the best 10 and .999 of the best 50; 64 dimensions .63 to .66, and .990 of the best 50.
"""
HNSW_M, HNSW_EF_CONSTRUCTION = 16, 100
"""hnswlib's M and ef_construction."""
Blocks = Callable[[], Iterable[tuple[np.ndarray, np.ndarray]]]
"""Gives the vectors of a base by blocks: their positions among its ids, and their rows, float32."""


def build_base(folder: Path, ids: np.ndarray, blocks: Blocks, dimension: int, *, graph: bool = False) -> str:
    """Write a base into `folder` and return its name; an existing complete one is not changed.

    `ids` are bytes and rise; `blocks` gives a row of unit length for each. A large base gets a graph if `graph` is set.
    """
    partial = folder / f"{hashlib.blake2b(ids.tobytes(), digest_size=16).hexdigest()}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    np.save(partial / "base.ids.npy", ids)
    rows = partial / "base.npy"
    np.lib.format.open_memmap(rows, "w+", np.float32, (len(ids), dimension))
    for positions, block in blocks():
        # Mapped again for each block, so that earlier blocks do not count as memory of this process.
        np.load(rows, mmap_mode="r+")[positions] = block
    if is_large(len(ids)):
        _write_copies(partial)
    if graph and is_large(len(ids)):
        _write_graph(partial)
    name = compute_name(partial)
    target = folder / name
    if target.exists() and is_complete(target):
        shutil.rmtree(partial)
    else:
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return name


def _write_copies(partial: Path) -> None:
    """Write the smaller copies of the rows of a base."""
    count = len(load_array(partial / "base.npy"))
    # Ids are digests: the vectors of every n-th are a sample.
    sample_rows = np.arange(0, count, -(-count // MAX_SAMPLE))
    pieces = np.array_split(sample_rows, -(-count // BLOCK))
    basis = compute_components(np.concatenate([load_array(partial / "base.npy")[positions] for positions in pieces]))
    np.save(partial / BASIS, basis)
    copies: dict[str, Callable[[np.ndarray], np.ndarray]] = {"bytes": np.array, "components": lambda rows: rows @ basis}
    for copy, to_numbers in copies.items():
        blocks = (load_array(partial / "base.npy")[first : first + BLOCK] for first in range(0, count, BLOCK))
        steps = np.max([np.abs(to_numbers(block)).max(axis=0) for block in blocks], axis=0) / MAX_CODE
        np.save(partial / f"{copy}.steps.npy", steps)
        with (partial / f"{copy}.codes.npy").open("wb") as stream:
            header = {"descr": "|i1", "fortran_order": False, "shape": (count, len(steps))}
            np.lib.format.write_array_header_1_0(stream, header)
            for first in range(0, count, BLOCK):
                numbers = to_numbers(load_array(partial / "base.npy")[first : first + BLOCK])
                np.rint(numbers / np.maximum(steps, TINY)).astype(np.int8).tofile(stream)


def _write_graph(partial: Path) -> None:
    """Write the graph of the rows of a base, built on all usable cores."""
    import hnswlib

    count, dimension = load_array(partial / "base.npy").shape
    graph = hnswlib.Index(space="ip", dim=dimension)
    graph.init_index(max_elements=count, M=HNSW_M, ef_construction=HNSW_EF_CONSTRUCTION)
    for first in range(0, count, BLOCK):
        block = load_array(partial / "base.npy")[first : first + BLOCK]
        graph.add_items(block, np.arange(first, first + len(block)), num_threads=count_usable_cores())
    graph.save_index(str(partial / GRAPH))
    (partial / GRAPH_CHECK).write_text(compute_graph_check(partial), encoding="utf-8")


def compute_components(sample: np.ndarray) -> np.ndarray:
    """The principal components that have `MIN_ENERGY` of the vectors' squared length, shape (dimension, count)."""
    values, directions = np.linalg.eigh(sample.T @ sample)
    share = np.cumsum(values[::-1]) / max(values.sum(), TINY)
    count = min(len(share), DIMENSION_STEP * (1 + int(np.searchsorted(share, MIN_ENERGY)) // DIMENSION_STEP))
    return np.ascontiguousarray(directions[:, ::-1][:, :count], np.float32)
