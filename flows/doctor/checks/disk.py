"""The disk that the warehouse lies on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok, warning

LEAST = 1 << 30
"""Bytes that should be free: a run writes new files before old ones can go."""


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Room, the right to write, and the links that publishing needs."""
    folder = patient.layout.folder
    place = next(each for each in (folder, *folder.resolve().parents) if each.exists())
    free = shutil.disk_usage(place).free
    if free < LEAST:
        yield warning(f"only {free >> 20} MB are free at {place}", "make room; 'kalends maintain' removes old files")
    else:
        yield ok(f"{free >> 30} GB are free")
    if not os.access(place, os.W_OK | os.X_OK):
        yield error(f"{place} cannot be written to", f"chmod u+w {place}, or name another folder with --warehouse")
    elif folder.is_dir():
        yield from _links(folder)


def _links(folder: Path) -> Iterator[Diagnosis]:
    with TemporaryDirectory(prefix=".doctor-", dir=folder) as made:
        file = Path(made) / "file"
        file.touch()
        try:
            (Path(made) / "symbolic").symlink_to(file)
        except OSError:
            yield error(f"{folder} cannot hold symbolic links, which publishing needs", "name another --warehouse")
        try:
            (Path(made) / "hard").hardlink_to(file)
        except OSError:
            yield warning(f"{folder} cannot hold hard links: each run copies the keyword index", "choose another disk")
