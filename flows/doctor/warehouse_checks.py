"""Checks of a warehouse: version, files, counts, source folders, disk, locks, and what maintenance would remove."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok, warning
from flows.locks import lock_holder
from tasks.quality.phrases import counted
from warehouse.records import Status
from warehouse.store.catalog import count_in
from warehouse.store.generations import SCHEMA_VERSION, published, read_older, retained
from warehouse.store.integrity import damage, rotten
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.retention import Amount, ReferencedFiles, leftovers, strays
from warehouse.store.snapshot import Snapshot


def check_version(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a warehouse is published in a schema that this version reads.

    Raises `BadWarehouse` for a newer or damaged one.
    """
    folder = published(context.layout)
    if folder is None:
        yield warning(f"nothing is published in {context.layout.folder}", "kalends ingest FOLDER")
        return
    manifest = read_older(folder).manifest
    if manifest.older:
        yield error(
            f"the warehouse has schema version {manifest.schema_version}, this program reads {SCHEMA_VERSION}",
            "kalends maintain",
        )
    else:
        yield ok(f"generation {manifest.number}, schema version {SCHEMA_VERSION}")


MOST_DAMAGED = 20  # Damaged files reported by name.


def check_damage(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for missing or truncated files; with `deep`, also for files whose content has changed."""
    if context.generation is None:
        return
    problem = damage(context.layout, context.generation)
    if problem:
        yield error(problem, "kalends ingest")
    elif not context.deep:
        yield ok("no file is missing or truncated (--deep reads every file)")
    else:
        found = list(islice(rotten(context.layout, context.generation), MOST_DAMAGED))
        yield from (error(f"{path} is damaged", f"rm '{path}', then kalends ingest") for path in found)
        if not found:
            yield ok("the content of every file is intact")


INGEST = "kalends ingest"


def check_counts(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that Parquet, DuckDB, the keyword index and the vector index hold the same documents and chunks."""
    if context.generation is None:
        return
    snapshot = Snapshot(context.layout, context.generation)
    entries = context.generation.entries()
    chunks = sum(entry.chunk_count for entry in entries)
    catalog = context.generation.folder / context.layout.catalog.name
    found = {
        "documents in DuckDB": (count_in(catalog, "documents"), len(entries)),
        "chunks in Parquet": (len(snapshot.passages), chunks),
        "chunks in the keyword index": (len(snapshot.keywords), chunks),
        "named vectors in the vector index": _vector_counts(snapshot),
    }
    wrong = {what: pair for what, pair in found.items() if pair[0] != pair[1]}
    yield from (error(f"{what}: {there} instead of {wanted}", INGEST) for what, (there, wanted) in wrong.items())
    if not wrong:
        documents = sum(entry.status is not Status.UNREADABLE for entry in entries)
        counts = {"document": documents, "chunk": chunks, "vector": found["named vectors in the vector index"][0]}
        yield ok(", ".join(counted(count, noun) for noun, count in counts.items()))


def _vector_counts(snapshot: Snapshot) -> tuple[int, int]:
    """The number of vectors that chunks refer to and the index has, and the number that chunks refer to."""
    named = {name for (name,) in snapshot.rows("SELECT DISTINCT vector_id FROM chunk_vectors")}
    return len(named.intersection(snapshot.vectors.ids)), len(named)


def check_sources(context: CheckContext) -> Iterator[Diagnosis]:
    """Report source folders that are missing (their documents are kept) and files that cannot be read."""
    if context.generation is None:
        return
    roots = context.generation.manifest.roots
    for root in roots:
        if not root.folder.is_dir():
            yield warning(
                f"the source folder '{root.name}' does not exist ({root.folder})",
                f"mount it, or run 'kalends ingest --drop {root.name}'",
            )
    unreadable = [entry for entry in context.generation.entries() if entry.reason]
    if unreadable:
        first = unreadable[0]
        line = f"{len(unreadable)} files cannot be read, the first is {first.file.source}: {first.reason}"
        yield warning(line, "'kalends status' lists them")
    elif all(root.folder.is_dir() for root in roots):
        yield ok(f"{counted(len(roots), 'source folder')}, every file was read")


LEAST_FREE_BYTES = 1 << 30  # Bytes that should be free: a run writes new files before old ones can go.


def check_disk(context: CheckContext) -> Iterator[Diagnosis]:
    """Check free space, write permission, and the links that publishing needs."""
    folder = context.layout.folder
    place = next(each for each in (folder, *folder.resolve().parents) if each.exists())
    free = shutil.disk_usage(place).free
    if free < LEAST_FREE_BYTES:
        yield warning(
            f"only {free >> 20} MB are free at {place}", "free some space; 'kalends maintain' removes old files"
        )
    else:
        yield ok(f"{free >> 30} GB are free")
    if not os.access(place, os.W_OK | os.X_OK):
        yield error(f"{place} cannot be written to", f"chmod u+w {place}, or name another folder with --warehouse")
    elif folder.is_dir():
        yield from _check_links(folder)


def _check_links(folder: Path) -> Iterator[Diagnosis]:
    with TemporaryDirectory(prefix=".doctor-", dir=folder) as made:
        file = Path(made) / "file"
        file.touch()
        try:
            (Path(made) / "symbolic").symlink_to(file)
        except OSError:
            yield error(f"{folder} does not support symbolic links, which publishing needs", "name another --warehouse")
        try:
            (Path(made) / "hard").hardlink_to(file)
        except OSError:
            yield warning(
                f"{folder} does not support hard links: each run copies the keyword index", "choose another disk"
            )


def check_locks(context: CheckContext) -> Iterator[Diagnosis]:
    """Report the processes that write to the warehouse or its experiments. A lock ends with its process."""
    home = context.layout
    writers = [
        f"{who} is writing to {layout.folder}"
        for layout in (home, Layout(home.experiments))
        if (who := lock_holder(layout))
    ]
    yield from map(ok, writers or ["no process is writing"])


MAINTAIN = "kalends maintain"
MANY_GENERATIONS = 50
MANY_FILES = 500  # Files of a table of the lake: a query opens them all.


def check_leftovers(context: CheckContext) -> Iterator[Diagnosis]:
    """Report what maintenance would remove or merge. Files of a run in progress count as well."""
    layout, generation = context.layout, context.generation
    if generation is None:
        return
    found = [warning(line, MAINTAIN) for line in _leftover_lines(context)]
    tables = {table for table, _ in ReferencedFiles.of([(layout, generation.folder)]).files}
    yield from found or [ok(f"{len(retained(layout))} generations, no unused files in {len(tables)} tables")]


def _leftover_lines(context: CheckContext) -> Iterator[str]:
    home = context.layout.home
    begun = leftovers(context.layout)
    if begun:
        yield f"{len(begun)} generations are incomplete, from an interrupted run or removal"
    kept = [(layout, folder) for layout in home.sharers for folder in retained(layout)]
    if len(kept) > MANY_GENERATIONS:
        yield f"{len(kept)} generations are kept"
        kept = []
    lake = Lake(home.lake)
    loose = (
        [path for paths in strays(lake, ReferencedFiles.of(kept), time()).values() for path in paths] if kept else []
    )
    if loose:
        amount = Amount.of(loose)
        yield f"{amount.files} files of the lake are not used, {amount.bytes >> 10} kB"
    most = max((sum(1 for _ in folder.glob("*.parquet")) for folder in lake.folder.glob("*")), default=0)
    if most > MANY_FILES:
        yield f"a table of the lake has {most} files, which every query opens"
