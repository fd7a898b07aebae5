"""The paths of a warehouse folder.

current -> generations/000007     the published generation; replaced atomically
warehouse.duckdb -> current/warehouse.duckdb
generations/000007/               manifest.json, documents.parquet, keywords/, warehouse.duckdb …
lake/<table>/<batch>.parquet      immutable stage outputs
indexes/<name>/                   immutable vector bases, shared by generations
inbox/                            uploaded files: a root like any other once it exists
runs/                             the runs that the HTTP API started, a file each
corrections.json                  corrections by people; part of no generation, applied by the next ingest
reports/                          the last output of `quality-report`
ingest.lock, ingest.json          held by the process that writes; how far its ingest is
prefect/                          the local server's state, and the results of its tasks
experiments/<fingerprint>/        a warehouse of the same documents under other settings; its lake is a link to this one
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from warehouse.identity import digest

SHARED_LAKE = Path("../../lake")  # The target of the link that is the lake of an experiment.


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """A stream to a temporary file that is flushed to the disk and then replaces `path`: no reader sees half of it."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("wb") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def flush_path(path: Path) -> None:
    """Write a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def find_cache_folder() -> Path | None:
    """`KALENDS_CACHE`, or the user's cache folder as each platform names it (on Linux by the XDG specification).

    None where the variable is "off".
    """
    if variable := os.environ.get("KALENDS_CACHE"):
        return None if variable == "off" else Path(variable)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kalends"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "kalends" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kalends"


def compute_file_digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits, kept in the user's cache folder until the file changes.

    A file counts as unchanged if its size, its inode and the times, in nanoseconds, of the last change of its content
    and of its entry are the same: reading 90 MB takes .1 s of processor time.
    """
    status = path.stat()
    state = [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
    folder = find_cache_folder()
    cache_file = folder / "digests" / f"{digest(str(path.absolute()))}.json" if folder else None
    with suppress(OSError, ValueError, KeyError, TypeError):
        cache_content = json.loads(cache_file.read_text(encoding="utf-8")) if cache_file else {}
        if cache_content["state"] == state:
            return str(cache_content["sha256"])
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if cache_file:
        with suppress(OSError):
            cache_file.parent.mkdir(parents=True, exist_ok=True)
            with open_atomically(cache_file) as stream:
                stream.write(json.dumps({"state": state, "sha256": sha256}).encode())
    return sha256


def _make_path(name: str) -> cached_property[Path]:
    """A path in the folder of a layout."""
    return cached_property(lambda layout: layout.folder / name)


@dataclass(frozen=True)
class Layout:
    """The paths of one warehouse folder."""

    folder: Path

    current = _make_path("current")  # The link to the published generation.
    generations = _make_path("generations")  # One folder a generation.
    lake = _make_path("lake")  # One folder a table.
    indexes = _make_path("indexes")  # The vector bases.
    inbox = _make_path("inbox")  # The uploaded files.
    runs = _make_path("runs")  # One file a run of the HTTP API.
    corrections = _make_path("corrections.json")  # Corrections by people.
    reports = _make_path("reports")  # The quality report of the deployment, as files.
    prefect = _make_path("prefect")  # The local Prefect server's home.
    lock = _make_path("ingest.lock")  # Held by the process that writes.
    progress = _make_path("ingest.json")  # The progress of the ingest that holds the lock.
    catalog = _make_path("warehouse.duckdb")  # The database for any DuckDB client.
    experiments = _make_path("experiments")  # One warehouse for each tried configuration of ingest.

    def make_folder(self) -> None:
        """Make the folder, accessible to its owner only; the permissions of an existing one do not change."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)

    @property
    def home(self) -> Layout:
        """The warehouse that this one is an experiment of; itself if it is none."""
        shared = self.lake.is_symlink() and self.lake.readlink() == SHARED_LAKE
        return Layout(self.folder.resolve().parents[1] if shared else self.folder.resolve())

    @property
    def sharing_layouts(self) -> tuple[Layout, ...]:
        """The warehouses whose outputs lie in the same lake, this one among them."""
        experiment_folders = sorted(link.parent for link in self.home.experiments.glob("*/current"))
        return (self.home, *map(Layout, experiment_folders))

    def get_generation_folder(self, number: int) -> Path:
        """The folder of one generation."""
        return self.generations / f"{number:06d}"
