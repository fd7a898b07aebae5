"""What a warehouse folder takes of the disk, part by part."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the folder: what is in it, its bytes and its files."""

    name: str
    holds: str
    bytes: int
    files: int


def parts(layout: Layout) -> list[Part]:
    """The parts that are there, the largest first, each file counted once."""
    known = {
        layout.lake: ("lake", "output of all stages, shared by all generations"),
        layout.indexes: ("vectors", "vector indexes, shared by generations"),
        layout.generations: ("generations", "the documents of each generation and its keyword index"),
        layout.inbox: ("inbox", "files added in the dashboard"),
        layout.prefect: ("server", "state, results and logs of the Prefect server"),
    }
    found = [Part(*told, *_size(folder)) for folder, told in known.items() if folder.is_dir()]
    sizes = [_size(entry) for entry in _entries(layout.folder) if entry not in known]
    taken, files = sum(size for size, _ in sizes), sum(count for _, count in sizes)
    found.append(Part("others", "conversations, saved queries and other files", taken, files))
    return sorted((part for part in found if part.files), key=lambda part: -part.bytes)


def _entries(folder: Path) -> list[Path]:
    return [entry for entry in folder.iterdir() if not entry.is_symlink()] if folder.is_dir() else []


def _size(place: Path) -> tuple[int, int]:
    """The bytes and the number of the files at or below a place; links are not followed."""
    sizes = list(_file_sizes(place))
    return sum(sizes), len(sizes)


def _file_sizes(place: Path) -> Iterator[int]:
    if not place.is_dir():
        yield from _size_of(place)
    for parent, _, names in os.walk(place):
        for name in names:
            yield from _size_of(Path(parent, name))


def _size_of(file: Path) -> Iterator[int]:
    """Nothing for a file that has gone meanwhile: an ingest may be running."""
    try:
        yield file.lstat().st_size
    except FileNotFoundError:
        return
