"""Monitor of the watched folders, on top of watchdog: which paths an ingest must read after an event.

Lost events and the limit of watched folders, which watchdog only logs, are reported too.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from stat import S_ISREG
from time import monotonic

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

from flows.discovery import RootScope, find_inner_folders, has_regular_name, may_contain
from flows.roots import merge_roots, select_scopes
from tasks.topics import SUFFIX
from warehouse.settings.loader import Settings
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout

WATCHED_EVENTS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
"""Without events for opening and reading files, which an ingest does."""
LIMIT_ERRORS = {errno.ENOSPC, errno.EMFILE}


@dataclass(frozen=True, slots=True)
class FileChange:
    """Paths to ingest; `at` is the monotonic time of the event."""

    paths: tuple[Path, ...]
    at: float


class MonitorProblem(Enum):
    """Why a monitor may miss changes."""

    EVENTS_LOST = "more events came at once than the system queues"
    LIMIT_REACHED = "the system's limit of watched folders for this user is reached"


SignalHandler = Callable[[FileChange | MonitorProblem], None]
"""Receiver of signals; called on the threads of the observer."""


class FolderMonitor:
    """Monitor of the folders that are watched at present."""

    def __init__(self, on_signal: SignalHandler, poll: float | None = None) -> None:
        """With `poll`, the folders are scanned every so many seconds; None relies on events of the system.

        Raises `OSError` when the system provides no events.
        """
        # What watchdog logs is reported through `on_signal`, or shows by the folder's absence.
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)
        self._on_signal = on_signal
        self._observer: BaseObserver
        if poll is not None:
            self._observer = PollingObserver(timeout=poll)
        elif sys.platform == "linux":
            from flows.watch.inotify import ReportingObserver

            on_lost = partial(on_signal, MonitorProblem.EVENTS_LOST)
            on_full = partial(on_signal, MonitorProblem.LIMIT_REACHED)
            self._observer = ReportingObserver(on_lost, on_full)
        else:
            from watchdog.observers import Observer

            self._observer = Observer()
        self._observer.start()
        self._watches: dict[WatchedFolder, tuple[object, ObservedWatch]] = {}

    def watch_folders(self, folders: Iterable[WatchedFolder]) -> list[WatchedFolder]:
        """Watch these folders and no others. Returns those that are new, also because they were away.

        A folder that was unmounted, moved or replaced is a new one: it is identified by device and inode.
        """
        identities = {watched: _read_identity(watched.folder) for watched in folders}
        active_watches = {emitter.watch for emitter in self._observer.emitters if emitter.is_alive()}
        for watched, (identity, watch) in list(self._watches.items()):
            if identities.get(watched) != identity or watch not in active_watches:
                del self._watches[watched]
                if all(watch != other for _, other in self._watches.values()):
                    self._observer.unschedule(watch)
        return [
            watched for watched, identity in identities.items() if identity and self._watch_folder(watched, identity)
        ]

    def close(self) -> None:
        """Stop watching."""
        self._observer.stop()
        self._observer.join()

    def _watch_folder(self, watched: WatchedFolder, identity: object) -> bool:
        if watched in self._watches:
            return False
        handler = _Handler(watched, self._on_signal)
        try:
            recursive = watched.is_recursive
            watch = self._observer.schedule(handler, watched.folder, recursive=recursive, event_filter=WATCHED_EVENTS)
        except OSError as error:
            if error.errno in LIMIT_ERRORS:
                self._on_signal(MonitorProblem.LIMIT_REACHED)
            return False
        self._watches[watched] = identity, watch
        return True


class _Handler(FileSystemEventHandler):
    """Turns events of a watched folder into changes."""

    def __init__(self, watched: WatchedFolder, on_signal: SignalHandler) -> None:
        self._watched = watched
        self._on_signal = on_signal

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Both ends of a move count as changed."""
        ends = [Path(os.fsdecode(end)) for end in (event.src_path, event.dest_path) if end]
        ends_inside = [end for end in ends if end.is_relative_to(self._watched.folder)]
        is_folder = event.is_directory
        paths = tuple(path for end in ends_inside for path in self._watched.select_changed_paths(end, folder=is_folder))
        if paths:
            self._on_signal(FileChange(paths, monotonic()))


def read_file_state(path: Path) -> Hashable:
    """Size and time of a file; None for folders and what is gone."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if S_ISREG(status.st_mode) else None


def _read_identity(folder: Path) -> object:
    """Device and inode of a folder; None if there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if folder.is_dir() else None


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A folder to watch, for a scope or a part of it, without the folders in `inner`.

    `ingest_paths` are the paths that an ingest of all of it must name: the folder, or single files in it.
    """

    folder: Path
    scope: RootScope
    inner: frozenset[Path]
    ingest_paths: tuple[Path, ...]

    @property
    def is_recursive(self) -> bool:
        """Whether its subfolders belong to it."""
        return self.ingest_paths == (self.folder,)

    def select_changed_paths(self, path: Path, *, folder: bool) -> tuple[Path, ...]:
        """The paths to ingest after a change of a file or folder; none if it is no document.

        A link or an oddly named file cannot be named to an ingest: its folder is ingested. A file that may hold topics
        of other documents concerns all of them.
        """
        if path == self.folder:
            return self.ingest_paths
        if not may_contain(self.scope, path.relative_to(self.scope.root.folder).as_posix(), self.inner, folder=folder):
            return ()
        if path.suffix.lower() == SUFFIX and not folder:
            return self.ingest_paths
        if has_regular_name(path):
            return (path,)
        return (path.parent,) if self.is_recursive else self.ingest_paths


def select_watched_folders(
    settings: Settings, generation: Generation | None, paths: Iterable[Path]
) -> list[WatchedFolder]:
    """The folders to watch for the named paths, or for all declared and remembered source folders.

    Raises `BadInput` as an ingest of the same would.
    """
    scopes = select_scopes(settings, generation, paths)
    roots = merge_roots(generation.manifest.roots if generation else (), scopes)
    home = Layout(settings.warehouse).home.folder
    folders = []
    for scope in scopes:
        inner, top = find_inner_folders(scope.root, roots) | {home}, scope.root.folder
        files: dict[Path, list[Path]] = {}
        for start in scope.parts or scope.root.only or ("",):
            path = top / start
            if not start or path.is_dir():
                folders.append(WatchedFolder(path, scope, inner, (path,)))
            else:
                files.setdefault(path.parent, []).append(path)
        folders += [WatchedFolder(folder, scope, inner, tuple(file_paths)) for folder, file_paths in files.items()]
    return folders


def compute_covering_paths(paths: Iterable[Path], tops: Iterable[Path], limit: int) -> tuple[Path, ...]:
    """At most `limit` paths that cover all of `paths`: several in one folder become that folder, within `tops`.

    A path inside another one is left out. The limit is exceeded only where the tops are more.
    """
    covering, top_folders = _select_outermost(set(paths)), set(tops)
    while len(covering) > limit:
        raised_paths = {path.parent if not top_folders.isdisjoint(path.parents) else path for path in covering}
        if raised_paths == covering:
            break
        covering = _select_outermost(raised_paths)
    return tuple(sorted(covering))


def _select_outermost(paths: set[Path]) -> set[Path]:
    return {path for path in paths if paths.isdisjoint(path.parents)}
