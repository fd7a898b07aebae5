"""Watchdog's observer for Linux, which also reports what watchdog only writes into its log.

The kernel keeps a queue of events (`fs.inotify.max_queued_events`) and drops those that do not fit (IN_Q_OVERFLOW); it
watches at most so many folders for a user (`fs.inotify.max_user_watches`), then fails (ENOSPC). See inotify(7).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from watchdog.observers.api import BaseObserver
from watchdog.observers.inotify import InotifyEmitter, InotifyWatchGroup
from watchdog.observers.inotify_c import CallbackId, InotifyEvent, InotifyFD, Mask, WatchCallback, WatchDescriptor

from flows.discovery import HIDDEN


class ReportingObserver(BaseObserver):
    """Observer that calls `on_lost` when events were dropped, and `on_full` at the limit of watched folders."""

    def __init__(self, on_lost: Callable[[], None], on_full: Callable[[], None]) -> None:
        """Raises `OSError` when the user has no inotify instance left."""
        self._reader = _Reader(on_lost, on_full)
        self._reader.start()
        super().__init__(InotifyEmitter, inotify_fd=self._reader)

    def on_thread_stop(self) -> None:
        """Stop the reader too."""
        super().on_thread_stop()
        self._reader.stop()
        self._reader.join()


class _Reader(InotifyFD):
    def __init__(self, on_lost: Callable[[], None], on_full: Callable[[], None]) -> None:
        super().__init__()
        self._on_lost = on_lost
        self._on_full = on_full

    def handle_event(self, event: InotifyEvent) -> None:
        """Watchdog repairs its watches before `on_lost` is called."""
        super().handle_event(event)
        if event.is_queue_overflow:
            self._on_lost()

    def add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
        """Refuse hidden folders, which hold no documents and change often (`.git`); watchdog accepts that."""
        if isinstance(callback, InotifyWatchGroup):
            folder_names = os.fsdecode(path.removeprefix(callback.path)).split("/")
            if any(part.startswith(HIDDEN) for part in folder_names):
                raise OSError(errno.ENOENT, "a hidden folder", os.fsdecode(path))
        try:
            return super().add_callback(path, mask, callback, id_)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                self._on_full()
            raise
