"""What the generations that are kept stand on: everything else in a warehouse's folder is nobody's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from warehouse.errors import BadWarehouse
from warehouse.store import titles, trials
from warehouse.store.catalog import STAGE_TABLES
from warehouse.store.generations import read_older
from warehouse.store.lake import REPLACES, Lake
from warehouse.store.layout import Layout
from warehouse.store.manifest import OtherVersion
from warehouse.store.parquet import EMPTY, is_whole, read_parquet


@dataclass(frozen=True, slots=True)
class ReferencedFiles:
    """Files of the lake by table and name, and the vector bases, by their folder, of some generations."""

    files: frozenset[tuple[str, str]]
    bases: frozenset[Path]

    @classmethod
    def of(cls, folders: Iterable[tuple[Layout, Path]]) -> ReferencedFiles:
        """Of generations, each with its warehouse. A damaged one stands on nothing: nobody can read it.

        Raises `OtherVersion` for one of a newer program, which stands on who knows what.
        """
        files: set[tuple[str, str]] = set()
        bases: set[Path] = set()
        for layout, folder in folders:
            try:
                generation = read_older(folder)
                outputs = generation.outputs()
            except OtherVersion:
                raise
            except BadWarehouse:
                continue
            files.update((table, file) for stage, file in outputs for table in STAGE_TABLES[stage])
            files.update(("vectors", name) for name in generation.manifest.vector_files)
            bases.add(layout.indexes / generation.manifest.base)
        return cls(frozenset(files), frozenset(bases))


def vectors_of(lake: Lake, outputs: Iterable[tuple[str, str]]) -> set[str]:
    """The vectors that outputs, (stage, file), name, those of documents that have left since among them."""
    return _named(lake.path("embeddings", file) for stage, file in outputs if stage == "embed")


def vectors_of_titles(folders: Iterable[Path]) -> set[str]:
    """The vectors of what documents are called in some generations."""
    return _named(folder / titles.FILE for folder in folders)


def _named(places: Iterable[Path]) -> set[str]:
    named: set[str] = set()
    for path in filter(is_whole, places):
        named.update(read_parquet(path, ["vector_id"])["vector_id"].to_pylist())
    return named


def strays(lake: Lake, standing: ReferencedFiles, before: float) -> dict[str, list[Path]]:
    """The files of the lake that nothing stands on and that were written `before` a time, by table.

    What experiments found always counts. Raises nothing for files that go away meanwhile.
    """
    found: dict[str, list[Path]] = {}
    for folder in sorted(path for path in lake.folder.glob("*") if path.is_dir() and path.name not in trials.RECORDS):
        named = {name for table, name in standing.files if table == folder.name} | {EMPTY}
        loose = (path for path in folder.glob("*.parquet") if path.stem not in named)
        found[folder.name] = [path for path in (*loose, *_remains(folder)) if _age(path) < before]
    return {table: sorted(paths) for table, paths in found.items() if paths}


def stray_bases(layout: Layout, standing: ReferencedFiles, before: float) -> list[Path]:
    """The vector bases of a warehouse that nothing stands on and that were written `before` a time."""
    return [path for path in sorted(layout.indexes.glob("*")) if path not in standing.bases and _age(path) < before]


def stray_results(layout: Layout, lake: Lake, before: float) -> list[Path]:
    """Prefect's records of batches whose files are no longer in the lake, so that they count for nothing."""
    held = {path.stem for path in lake.folder.glob("*/*.parquet")}
    named = (path for path in (layout.prefect / "results").glob("*") if path.is_file() and len(path.name) == DIGITS)
    return sorted(path for path in named if path.name not in held and _age(path) < before)


DIGITS = 32
"""Of the name of a batch."""


def _remains(folder: Path) -> Iterator[Path]:
    """What a killed writer left, and notes of replacements whose replaced files are gone."""
    yield from folder.glob(".*.partial")
    for note in folder.glob(f"*{REPLACES}"):
        if not any((folder / f"{name}.parquet").exists() for name in note.read_text(encoding="utf-8").split()):
            yield note


def _age(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except FileNotFoundError:
        return float("inf")
