"""Retention: which generations and files are kept, and their size on the disk.

The newest generations are kept, the last one of each day for a while, and any that a reader may still use. A reader
opens files as it needs them, long after it found the generation that names them. So a generation is dropped only when
another one has been published for longer than the grace time, and a file is removed only when no kept generation names
it and it is older than that. Pointers are removed before the files they point to: a kill leaves extra files, which the
next run removes, and never a missing one. Merged files are new and are published as a generation; the files that they
replace stay as long as an older generation names them.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from warehouse.errors import BadWarehouse
from warehouse.store import titles, trials
from warehouse.store.arrow_files import EMPTY, is_complete, read_parquet
from warehouse.store.catalog import STAGE_TABLES
from warehouse.store.generations import Generation, OtherVersion, list_folders, read_older
from warehouse.store.lake import REPLACED_NAMES_SUFFIX, Lake
from warehouse.store.layout import Layout

DROPPED = ".dropped"  # The suffix of a dropped generation's folder until it is removed.


@dataclass(frozen=True, slots=True)
class Retention:
    """Keep the newest `keep` generations, and the last of each of the past `days` days.

    A generation of any age stays until another one has been published for longer than `grace`.
    """

    keep: int
    days: int
    grace: timedelta

    def select_surplus(self, times: Mapping[int, datetime], now: datetime) -> set[int]:
        """The numbers of the generations to drop; `times` has the time of publication of each."""
        numbers = sorted(times)
        last_of_day = {times[number].date(): number for number in numbers}
        kept_daily = {number for day, number in last_of_day.items() if day > (now - timedelta(days=self.days)).date()}
        next_numbers = dict(pairwise(numbers))
        old_numbers = {number for number, after in next_numbers.items() if times[after] < now - self.grace}
        return old_numbers - kept_daily - set(numbers[-self.keep :])


def list_surplus(layout: Layout, current: Generation, retention: Retention, now: datetime) -> list[Path]:
    """The folders of the generations to drop, oldest first; those never published are dropped after the grace time."""
    folders = {int(folder.name): folder for folder in list_folders(layout)}
    publication_times = {run.generation: run.visible_from for run in current.read_runs()}
    present_times = {number: time for number, time in publication_times.items() if number in folders}
    surplus = retention.select_surplus(present_times, now)
    # Those of runs that were killed between the end of their work and its publication.
    latest_time = (now - retention.grace).timestamp()
    unpublished = folders.keys() - publication_times.keys()
    surplus |= {number for number in unpublished if folders[number].stat().st_mtime < latest_time}
    return [folders[number] for number in sorted(surplus - {current.manifest.number})]


def drop(folders: Collection[Path]) -> list[Path]:
    """Drop generations by renaming their folders; returns the new paths."""
    return [folder.rename(folder.with_name(f".{folder.name}{DROPPED}")) for folder in folders]


def list_leftovers(layout: Layout) -> list[Path]:
    """Folders of generations left unfinished, or dropped and not removed; for the process that holds the lock."""
    return sorted([*layout.generations.glob(".*.partial"), *layout.generations.glob(f".*{DROPPED}")])


@dataclass(frozen=True, slots=True)
class ReferencedFiles:
    """Files of the lake by table and name, and the vector bases, by their folder, of some generations."""

    files: frozenset[tuple[str, str]]
    bases: frozenset[Path]

    @classmethod
    def from_generations(cls, folders: Iterable[tuple[Layout, Path]]) -> ReferencedFiles:
        """The files of some generations, each with its warehouse. A damaged one uses none, as nobody can read it.

        Raises `OtherVersion` for one of a newer program, whose files are unknown here.
        """
        files: set[tuple[str, str]] = set()
        bases: set[Path] = set()
        for layout, folder in folders:
            try:
                generation = read_older(folder)
                outputs = generation.list_outputs()
            except OtherVersion:
                raise
            except BadWarehouse:
                continue
            files.update((table, file) for stage, file in outputs for table in STAGE_TABLES[stage])
            files.update(("vectors", name) for name in generation.manifest.vector_files)
            bases.add(layout.indexes / generation.manifest.base)
        return cls(frozenset(files), frozenset(bases))


def list_vectors(lake: Lake, outputs: Iterable[tuple[str, str]]) -> set[str]:
    """The vectors that outputs, (stage, file), name, including those of documents that were removed since."""
    return _read_vector_names(lake.get_path("embeddings", file) for stage, file in outputs if stage == "embed")


def list_title_vectors(folders: Iterable[Path]) -> set[str]:
    """The vectors of the titles of documents in some generations."""
    return _read_vector_names(folder / titles.FILE for folder in folders)


def _read_vector_names(paths: Iterable[Path]) -> set[str]:
    names: set[str] = set()
    for path in filter(is_complete, paths):
        names.update(read_parquet(path, ["vector_id"])["vector_id"].to_pylist())
    return names


def find_unused_files(lake: Lake, referenced_files: ReferencedFiles, before: float) -> dict[str, list[Path]]:
    """The files of the lake that nothing uses and that were written `before` a time, by table.

    Results of experiments always count as used. Raises nothing for files that are removed meanwhile.
    """
    unused: dict[str, list[Path]] = {}
    for folder in sorted(path for path in lake.folder.glob("*") if path.is_dir() and path.name not in trials.TABLES):
        used_names = {name for table, name in referenced_files.files if table == folder.name} | {EMPTY}
        unused_files = (path for path in folder.glob("*.parquet") if path.stem not in used_names)
        unused[folder.name] = [
            path for path in (*unused_files, *_iter_leftovers(folder)) if _get_modification_time(path) < before
        ]
    return {table: sorted(paths) for table, paths in unused.items() if paths}


def find_unused_bases(layout: Layout, referenced_files: ReferencedFiles, before: float) -> list[Path]:
    """The vector bases of a warehouse that nothing uses and that were written `before` a time."""
    return [
        path
        for path in sorted(layout.indexes.glob("*"))
        if path not in referenced_files.bases and _get_modification_time(path) < before
    ]


BATCH_NAME_LENGTH = 32  # The length of the name of a batch.


def find_unused_results(layout: Layout, lake: Lake, before: float) -> list[Path]:
    """Prefect's records of batches whose files are no longer in the lake, so that they have no use."""
    batch_names = {path.stem for path in lake.folder.glob("*/*.parquet")}
    results = filter(Path.is_file, (layout.prefect / "results").glob("*"))
    files = (path for path in results if len(path.name) == BATCH_NAME_LENGTH)
    return sorted(path for path in files if path.name not in batch_names and _get_modification_time(path) < before)


def _iter_leftovers(folder: Path) -> Iterator[Path]:
    """Files that a killed writer left, and lists of replaced files that no longer exist."""
    yield from folder.glob(".*.partial")
    for list_file in folder.glob(f"*{REPLACED_NAMES_SUFFIX}"):
        if not any((folder / f"{name}.parquet").exists() for name in list_file.read_text(encoding="utf-8").split()):
            yield list_file


def _get_modification_time(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except FileNotFoundError:
        return float("inf")


@dataclass(frozen=True, slots=True)
class FileTotals:
    """The numbers of files and bytes. A file with further hard links counts no bytes, as it stays on the disk."""

    files: int = 0
    bytes: int = 0

    def __add__(self, other: FileTotals) -> FileTotals:
        """The sum of both."""
        return FileTotals(self.files + other.files, self.bytes + other.bytes)

    @classmethod
    def from_paths(cls, paths: Iterable[Path]) -> FileTotals:
        """The totals of some files, and of all files in some folders."""
        totals = cls()
        for path in paths:
            files = (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else (path,)
            for file in files:
                size = file.lstat()
                totals += cls(1, size.st_size if size.st_nlink == 1 else 0)
        return totals


def remove(paths: Iterable[Path]) -> FileTotals:
    """Remove files, and folders with their content, ignoring those already gone; returns their size."""
    removed_totals = FileTotals()
    for path in paths:
        removed_totals += FileTotals.from_paths([path])
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return removed_totals
