"""Monitor of the watched folders, on top of watchdog: which paths an ingest must look at after an event.

Lost events and the limit of watched folders, which watchdog only logs, are reported too.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
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

from flows.discovery import RootScope, has_plain_name, inner_folders, may_contain
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
"""Not that files are opened or read, as an ingest does."""
FULL = {errno.ENOSPC, errno.EMFILE}


@dataclass(frozen=True, slots=True)
class FileChange:
    """Something is to be looked at; `at` is the monotonic time of the event."""

    paths: tuple[Path, ...]
    at: float


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events were lost: more came at once than the system keeps."""


@dataclass(frozen=True, slots=True)
class WatchLimitReached:
    """The system watches no further folder for this user."""


SignalHandler = Callable[[FileChange | EventsLost | WatchLimitReached], None]
"""Called on the watching threads."""


class FolderMonitor:
    """The places that are watched at present."""

    def __init__(self, tell: SignalHandler, poll: float | None = None) -> None:
        """The folders are looked through every `poll` seconds; None leaves it to the system to tell of changes.

        Raises `OSError` when the system will not.
        """
        # What it says there is told through `tell`, or by the folder's absence.
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)
        self._tell = tell
        self._observer = _told(tell) if poll is None else PollingObserver(timeout=poll)
        self._observer.start()
        self._watched: dict[WatchedFolder, tuple[object, ObservedWatch]] = {}

    def keep(self, places: Iterable[WatchedFolder]) -> list[WatchedFolder]:
        """Watch these and no others. Returns those that were not watched until now, also because they were away.

        A folder that was unmounted, moved or replaced is another one: it is known by device and inode.
        """
        wanted = {place: _identity(place.folder) for place in places}
        living = {emitter.watch for emitter in self._observer.emitters if emitter.is_alive()}
        for place, (identity, watch) in list(self._watched.items()):
            if wanted.get(place) != identity or watch not in living:
                del self._watched[place]
                if all(watch != other for _, other in self._watched.values()):
                    self._observer.unschedule(watch)
        return [place for place, identity in wanted.items() if identity and self._begin(place, identity)]

    def close(self) -> None:
        """Watch nothing any more."""
        self._observer.stop()
        self._observer.join()

    def _begin(self, place: WatchedFolder, identity: object) -> bool:
        if place in self._watched:
            return False
        handler = _Handler(place, self._tell)
        try:
            watch = self._observer.schedule(handler, place.folder, recursive=place.deep, event_filter=WATCHED_EVENTS)
        except OSError as error:
            if error.errno in FULL:
                self._tell(WatchLimitReached())
            return False
        self._watched[place] = identity, watch
        return True


class _Handler(FileSystemEventHandler):
    """Turns the events of a place into changes."""

    def __init__(self, place: WatchedFolder, tell: SignalHandler) -> None:
        self._place = place
        self._tell = tell

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Both ends of a move have changed."""
        ends = [Path(os.fsdecode(end)) for end in (event.src_path, event.dest_path) if end]
        within = [end for end in ends if end.is_relative_to(self._place.folder)]
        paths = tuple(p for end in within for p in self._place.asked(end, folder=event.is_directory))
        if paths:
            self._tell(FileChange(paths, monotonic()))


def file_state(path: Path) -> Hashable:
    """Size and time of a file; folders and what is gone look like nothing."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if S_ISREG(status.st_mode) else None


def _identity(folder: Path) -> object:
    """Which folder lies there; None if there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if folder.is_dir() else None


def _told(tell: SignalHandler) -> BaseObserver:
    """An observer that the system tells of changes."""
    if sys.platform != "linux":
        from watchdog.observers import Observer

        return Observer()
    from flows.watch.inotify import ReportingObserver

    return ReportingObserver(lambda: tell(EventsLost()), lambda: tell(WatchLimitReached()))


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A folder to watch, for a scope or one part of it. Folders in `inner` are no part of it.

    `whole` is what an ingest must name to look at all of it: the folder, or the files that are meant in it.
    """

    folder: Path
    scope: RootScope
    inner: frozenset[Path]
    whole: tuple[Path, ...]

    @property
    def deep(self) -> bool:
        """Whether what lies in folders below it belongs to it."""
        return self.whole == (self.folder,)

    def asked(self, path: Path, *, folder: bool) -> tuple[Path, ...]:
        """What is to be looked at after a change of a file or folder; nothing if that is no document's.

        A link and an oddly named file cannot be named to an ingest: the folder they lie in is looked through. A file
        that may say the topics of others concerns all of them.
        """
        if path == self.folder:
            return self.whole
        if not may_contain(self.scope, path.relative_to(self.scope.root.folder).as_posix(), self.inner, folder=folder):
            return ()
        if path.suffix.lower() == SUFFIX and not folder:
            return self.whole
        if has_plain_name(path):
            return (path,)
        return (path.parent,) if self.deep else self.whole


def watched_folders(settings: Settings, generation: Generation | None, paths: Iterable[Path]) -> list[WatchedFolder]:
    """The places of the named folders and files, or of all declared and remembered roots.

    Raises `BadInput` as an ingest of the same would.
    """
    scopes = select_scopes(settings, generation, paths)
    roots = merge_roots(generation.manifest.roots if generation else (), scopes)
    home = Layout(settings.warehouse).home.folder
    return [place for scope in scopes for place in _places(scope, inner_folders(scope.root, roots) | {home})]


def _places(scope: RootScope, inner: frozenset[Path]) -> Iterator[WatchedFolder]:
    top = scope.root.folder
    files: dict[Path, list[Path]] = {}
    for start in scope.parts or scope.root.only or ("",):
        path = top / start
        if not start or path.is_dir():
            yield WatchedFolder(path, scope, inner, (path,))
        else:
            files.setdefault(path.parent, []).append(path)
    for folder, named in files.items():
        yield WatchedFolder(folder, scope, inner, tuple(named))


def covering_paths(paths: Iterable[Path], tops: Iterable[Path], limit: int) -> tuple[Path, ...]:
    """Paths that cover all of `paths`: many in one folder are looked at with the whole folder, within the `tops`.

    Of what lies in a folder that is named itself, nothing is left. There may be more than `limit` only where the tops
    are.
    """
    found, borders = _outermost(set(paths)), set(tops)
    while len(found) > limit:
        raised = {path.parent if not borders.isdisjoint(path.parents) else path for path in found}
        if raised == found:
            break
        found = _outermost(raised)
    return tuple(sorted(found))


def _outermost(paths: set[Path]) -> set[Path]:
    return {path for path in paths if paths.isdisjoint(path.parents)}
