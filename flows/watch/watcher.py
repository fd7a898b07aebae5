"""Watcher of source folders: each batch of changes is ingested in this process, where the model stays loaded.

Changes are debounced: a burst becomes one batch, a file still being written waits, none waits forever. The debouncer
reads neither clock nor files: times of changes come in, in seconds of any one clock, and batches go out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import Protocol

from flows.orchestration import connect_prefect
from flows.planning import IngestPlan, PlannedFile
from flows.progress import Action, RunObserver, observe_runs, record_origin
from flows.roots import Removal, collect_known_paths
from flows.watch.folder_monitor import (
    FileChange,
    FolderMonitor,
    MonitorProblem,
    WatchedFolder,
    compute_covering_paths,
    read_file_state,
    select_watched_folders,
)
from warehouse.errors import BadInput, BadWarehouse, KalendsError
from warehouse.journal import record_internal_error
from warehouse.records import StageCost
from warehouse.settings.loader import Settings
from warehouse.settings.models import WatchSettings
from warehouse.store.generations import find_current, find_current_folder, find_latest
from warehouse.store.layout import Layout

FOLDER_CHECK_SECONDS = 1.0  # Seconds between two checks that the watched folders still exist.
MAX_NAMED_PATHS = 64  # Paths named to one ingest; of more, the folders are ingested.
FIRST_PAUSE, MAX_PAUSE = 1.0, 10.0
"""Seconds until a failed batch is tried again: first, and at most; doubled each time."""


class WatchListener(Protocol):
    """Receiver of what a watcher does, called on the thread that runs it."""

    def on_notice(self, line: str) -> None:
        """A notice, in one line."""

    def on_batch(self, batch: WatchBatch) -> None:
        """A batch is ingested."""

    def on_failure(self, problem: str, pause: float) -> None:
        """A batch failed for a new reason; it is tried again after `pause` seconds."""


class Watcher:
    """Watches folders until it is stopped. Only `notify` and `stop` may be called from other threads."""

    def __init__(
        self, settings: Settings, paths: Sequence[Path], listener: WatchListener, *, poll: bool = False
    ) -> None:
        """Without paths, all declared and remembered source folders; `poll` scans instead of relying on events.

        Raises `BadInput` as an ingest of the same would.
        """
        self._settings = settings
        self._layout = Layout(settings.warehouse)
        self._named_paths = tuple(paths)
        self._listener = listener
        self._poll = poll
        self._known_generation = find_current_folder(self._layout)
        self._folders = select_watched_folders(settings, find_latest(self._layout), paths)
        self._signals: SimpleQueue[FileChange | MonitorProblem | None] = SimpleQueue()
        self._stop_event = Event()
        self._debouncer = ChangeDebouncer(settings.watch, read_file_state)
        self._pending: frozenset[Path] = frozenset()
        self._pause = 0.0
        self._last_problem = ""

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders watched."""
        return tuple(sorted({watched_folder.folder for watched_folder in self._folders}))

    def notify(self, signal: FileChange | MonitorProblem) -> None:
        """Queue a signal. For any thread."""
        self._signals.put(signal)

    def stop(self) -> None:
        """End soon; a run in progress ends at its next stage, and the next run resumes it. For any thread."""
        self._stop_event.set()
        self._signals.put(None)

    def run(self) -> None:
        """Watch; everything is scanned at the start.

        Raises `ServerFailed` without a Prefect server at the start; later failures are reported and tried again.
        """
        with connect_prefect(self._layout, self._listener.on_notice):
            pass
        monitor = self._open_monitor()
        try:
            while not self._stop_event.is_set():
                monitor = self._follow_until_failure(monitor)
        finally:
            monitor.close()

    def _follow_until_failure(self, monitor: FolderMonitor) -> FolderMonitor:
        """Follow changes until something fails or another monitor is needed. Returns the monitor to use next."""
        try:
            with connect_prefect(self._layout, self._listener.on_notice):
                self._follow_changes(monitor)
        except WatchStopped:
            self._stop_event.set()
        except _WatchesExhausted:
            monitor.close()
            self._listener.on_notice(
                "the system's limit of watched folders is reached (fs.inotify.max_user_watches, max_user_instances): "
                f"the folders are scanned every {self._settings.watch.poll:g} s instead"
            )
            self._poll = True
            return self._open_monitor()
        # Watching continues after a failed batch: the next attempt is a new run, perhaps with a restarted server.
        except Exception as error:
            problem = _format_error(error)
            self._pause = min(max(FIRST_PAUSE, 2 * self._pause), MAX_PAUSE)
            if problem != self._last_problem:
                self._listener.on_failure(problem, self._pause)
            self._last_problem = problem
            # Changes are queued meanwhile.
            self._stop_event.wait(self._pause)
        return monitor

    def _open_monitor(self) -> FolderMonitor:
        if not self._poll:
            with suppress(OSError):
                return FolderMonitor(self.notify)
            self._listener.on_notice("the system reports no changes here: the folders are scanned instead")
            self._poll = True
        return FolderMonitor(self.notify, self._settings.watch.poll)

    def _follow_changes(self, monitor: FolderMonitor) -> None:
        last_refresh = -FOLDER_CHECK_SECONDS
        while not self._stop_event.is_set():
            if monotonic() >= last_refresh + FOLDER_CHECK_SECONDS:
                self._refresh_folders(monitor)
                last_refresh = monotonic()
            self._pending |= self._debouncer.remove_due(monotonic())
            if self._pending:
                self._ingest_pending()
            self._receive_signals(min(FOLDER_CHECK_SECONDS, self._debouncer.compute_wait(monotonic())))

    def _refresh_folders(self, monitor: FolderMonitor) -> None:
        """Update the watched folders after a new generation; new folders, and those that were away, are scanned."""
        if find_current_folder(self._layout) != self._known_generation:
            self._known_generation = find_current_folder(self._layout)
            # A named folder that is away with all its documents is waited for; damage is handled by the next ingest.
            with suppress(BadInput, BadWarehouse):
                self._folders = select_watched_folders(self._settings, find_current(self._layout), self._named_paths)
        self._scan_folders(monitor.watch_folders(self._folders))

    def _scan_folders(self, folders: Sequence[WatchedFolder]) -> None:
        for path in {path for folder in folders for path in folder.ingest_paths}:
            self._debouncer.record_change(path, monotonic())

    def _receive_signals(self, seconds: float) -> None:
        """Wait for signals for at most so many seconds, and take all that have come."""
        with suppress(Empty):
            self._handle_signal(self._signals.get(timeout=seconds))
            while True:
                self._handle_signal(self._signals.get_nowait())

    def _handle_signal(self, signal: FileChange | MonitorProblem | None) -> None:
        match signal:
            case FileChange(paths, at):
                for path in paths:
                    self._debouncer.record_change(path, at)
            case MonitorProblem.EVENTS_LOST:
                self._listener.on_notice("more changed at once than the system reports: all folders are scanned")
                self._scan_folders([folder for folder in self._folders if folder.folder.is_dir()])
            case MonitorProblem.LIMIT_REACHED if not self._poll:
                raise _WatchesExhausted

    def _ingest_pending(self) -> None:
        from flows.ingest import ingest

        tops = {folder.folder for folder in self._folders if folder.is_recursive}
        paths = compute_covering_paths(self._pending, tops, MAX_NAMED_PATHS)
        if missing_paths := {path for path in paths if not path.exists()}:
            # A file that came and went is not in the warehouse either.
            known_paths = collect_known_paths(find_latest(self._layout))
            paths = tuple(path for path in paths if path not in missing_paths or str(path) in known_paths)
        if paths:
            observer = _StoppableObserver(self._stop_event.is_set)
            with observe_runs(observer), record_origin("kalends watch"):
                report = ingest([str(path) for path in paths], (), self._settings, Removal.NONE)
            changes = {file.source: file.action for file in observer.files if file.action is not Action.KEPT}
            unreadable = {source: report.unreadable[source] for source in changes if source in report.unreadable}
            if changes or report.warnings:
                old_sources = {file.source: file.moved_from for file in observer.files if file.moved_from}
                batch = WatchBatch(report.generation, changes, unreadable, report.warnings, report.seconds, old_sources)
                self._listener.on_batch(batch)
        self._pending = frozenset()
        self._pause, self._last_problem = 0.0, ""


def _format_error(error: Exception) -> str:
    message = " ".join(str(error).split())[:300] or type(error).__name__
    if isinstance(error, KalendsError):
        return message
    reference = record_internal_error(error)
    return f"internal error: {type(error).__name__}: {message}; please report it (reference {reference} in the log)"


class _WatchesExhausted(Exception):
    """The system's limit of watched folders is reached."""


@dataclass(frozen=True, slots=True)
class WatchBatch:
    """Result of the ingest of some changed paths.

    `changes` gives the action of each document that is not as before; `unreadable` gives the reason for those among
    them that cannot be read, `moved_from` the earlier source of those that were renamed.
    """

    generation: int | None
    changes: Mapping[str, Action]
    unreadable: Mapping[str, str]
    warnings: tuple[str, ...]
    seconds: float
    moved_from: Mapping[str, str] = field(default_factory=dict)


class WatchStopped(Exception):
    """The watch was ended during an ingest."""


class _StoppableObserver(RunObserver):
    """Keeps the files of the plan, and ends the run when the watch ends."""

    def __init__(self, is_stopped: Callable[[], bool]) -> None:
        self._is_stopped = is_stopped
        self.files: Sequence[PlannedFile] = ()

    def on_planned(self, plan: IngestPlan) -> None:
        self.files = plan.files
        self._stop_if_ended()

    def on_stage_started(self, stage: str, documents: int) -> None:
        self._stop_if_ended()

    def on_stage_advanced(self, stage: str, documents: int) -> None:
        self._stop_if_ended()

    def on_stage_finished(self, cost: StageCost) -> None:
        if cost.stage != "publish":
            self._stop_if_ended()

    def _stop_if_ended(self) -> None:
        if self._is_stopped():
            raise WatchStopped


@dataclass(slots=True)
class PendingChange:
    """A changed path that was not ingested yet: times of its first and last change, and its state then."""

    first: float
    last: float
    state: Hashable


class ChangeDebouncer:
    """Changed paths that wait until they are quiet.

    All form one batch once nothing has changed for `quiet` seconds. While other paths continue to change, the quiet
    ones are ingested after `patience` seconds, and the others after `longest`.
    """

    def __init__(self, limits: WatchSettings, read_state: Callable[[Path], Hashable]) -> None:
        """`read_state` gives the size and time of a file, when it changes and again when it seems quiet."""
        self._limits = limits
        self._read_state = read_state
        self._waiting: dict[Path, PendingChange] = {}

    def record_change(self, path: Path, now: float) -> None:
        """Record a change of a path."""
        state = self._read_state(path)
        waiting = self._waiting.setdefault(path, PendingChange(now, now, state))
        waiting.last, waiting.state = max(waiting.last, now), state

    def compute_wait(self, now: float) -> float:
        """Seconds until a batch may be due if nothing changes; infinite if nothing waits."""
        if not self._waiting:
            return inf
        limits, last_times = self._limits, [waiting.last for waiting in self._waiting.values()]
        first_time = min(waiting.first for waiting in self._waiting.values())
        due = min(max(last_times) + limits.quiet, min(last_times) + limits.patience, first_time + limits.longest)
        return max(0.0, due - now)

    def remove_due(self, now: float) -> frozenset[Path]:
        """The batch that is due now, removed from the waiting paths; often empty."""
        if self.compute_wait(now) > 0:
            return frozenset()
        changing = {path for path, waiting in self._waiting.items() if self._is_changing(path, waiting, now)}
        quiet = self._waiting.keys() - changing
        overdue = {path for path, waiting in self._waiting.items() if now >= waiting.first + self._limits.longest}
        is_patience_over = any(now >= self._waiting[path].last + self._limits.patience for path in quiet)
        batch = frozenset() if changing and not overdue and not is_patience_over else frozenset(quiet | overdue)
        for path in batch:
            del self._waiting[path]
        return batch

    def _is_changing(self, path: Path, waiting: PendingChange, now: float) -> bool:
        """Whether a path is still changing, also without an event."""
        if now >= waiting.last + self._limits.quiet:
            state = self._read_state(path)
            if state != waiting.state:
                waiting.last, waiting.state = now, state
        return now < waiting.last + self._limits.quiet
