"""Watcher of source folders: each batch of changes is ingested in this process, where the model stays loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import Protocol

from flows.observers import SilentObserver, observed_by
from flows.orchestration import orchestration
from flows.planning import Action, IngestPlan, PlannedFile
from flows.progress import IngestReport, started_by
from flows.removals import Removal
from flows.roots import known_places
from flows.watch.debounce import ChangeDebouncer
from flows.watch.folder_monitor import (
    EventsLost,
    FileChange,
    FolderMonitor,
    WatchedFolder,
    WatchLimitReached,
    covering_paths,
    file_state,
    watched_folders,
)
from warehouse.errors import BadInput, BadWarehouse, KalendsError
from warehouse.journal import record_internal_error
from warehouse.records import StageCost
from warehouse.settings.loader import Settings
from warehouse.store.generations import current, latest, published
from warehouse.store.layout import Layout

GLANCE = 1.0
"""Seconds between two looks at whether the folders themselves are still there."""
NAMED = 64
"""Paths that an ingest is given by name; of more, the folders are looked through."""
SHORTEST, LONGEST = 1.0, 10.0
"""Seconds until a batch that failed is tried again: each time twice as long."""


class WatchListener(Protocol):
    """Hears what a watch does, on the thread that runs it."""

    def noted(self, line: str) -> None:
        """Something to know, in a line."""

    def ingested(self, batch: WatchBatch) -> None:
        """A batch is done."""

    def failed(self, problem: str, pause: float) -> None:
        """A batch is not done, for a reason that is not yet told; it is tried again from `pause` seconds on."""


class Watcher:
    """Watches folders until it is stopped. Everything but `hear` and `stop` belongs to the one thread that runs it."""

    def __init__(
        self, settings: Settings, paths: Sequence[Path], listener: WatchListener, *, poll: bool = False
    ) -> None:
        """Without paths, the declared and remembered roots; with `poll`, it looks for changes, the system tells none.

        Raises `BadInput` as an ingest of the same would.
        """
        self._settings = settings
        self._layout = Layout(settings.warehouse)
        self._named = tuple(paths)
        self._listener = listener
        self._poll = poll
        self._seen = published(self._layout)
        self._places = watched_folders(settings, latest(self._layout), paths)
        self._signals: SimpleQueue[FileChange | EventsLost | WatchLimitReached | None] = SimpleQueue()
        self._stopped = Event()
        self._settling = ChangeDebouncer(settings.watch, file_state)
        self._held: frozenset[Path] = frozenset()
        self._pause = 0.0
        self._told = ""

    @property
    def folders(self) -> tuple[Path, ...]:
        """What is watched."""
        return tuple(sorted({place.folder for place in self._places}))

    def hear(self, signal: FileChange | EventsLost | WatchLimitReached) -> None:
        """Something was seen. For any thread."""
        self._signals.put(signal)

    def stop(self) -> None:
        """End soon; a run in work ends at its next stage, and the next one goes on from there. For any thread."""
        self._stopped.set()
        self._signals.put(None)

    def run(self) -> None:
        """Watch. Everything is looked through at the start.

        Raises `ServerFailed` when there is no Prefect server at the start; later trouble is told and outlived.
        """
        with orchestration(self._layout, self._listener.noted):
            pass
        sight = self._opened()
        try:
            while not self._stopped.is_set():
                sight = self._outlive(sight)
        finally:
            sight.close()

    def _outlive(self, sight: FolderMonitor) -> FolderMonitor:
        """Follow until something fails or another sight is needed. Returns the sight to go on with."""
        try:
            with orchestration(self._layout, self._listener.noted):
                self._follow(sight)
        except WatchStopped:
            self._stopped.set()
        except _Blinded:
            sight.close()
            self._listener.noted(
                "the system watches no more folders (fs.inotify.max_user_watches, max_user_instances): "
                f"they are looked through every {self._settings.watch.poll:g} s instead"
            )
            self._poll = True
            return self._opened()
        # Whatever ended one batch, the watch goes on: the next try is a new run, by then perhaps with a new server.
        except Exception as error:
            self._fail(_one_line(error))
        return sight

    def _fail(self, problem: str) -> None:
        """Tell it, unless it is the same as before, and wait; what changes meanwhile is heard afterwards."""
        self._pause = min(max(SHORTEST, 2 * self._pause), LONGEST)
        if problem != self._told:
            self._listener.failed(problem, self._pause)
        self._told = problem
        self._stopped.wait(self._pause)

    def _opened(self) -> FolderMonitor:
        if not self._poll:
            with suppress(OSError):
                return FolderMonitor(self.hear)
            self._listener.noted("the system does not tell of changes here: folders are looked through instead")
            self._poll = True
        return FolderMonitor(self.hear, self._settings.watch.poll)

    def _follow(self, sight: FolderMonitor) -> None:
        glanced = -GLANCE
        while not self._stopped.is_set():
            if monotonic() >= glanced + GLANCE:
                self._glance(sight)
                glanced = monotonic()
            self._held |= self._settling.due(monotonic())
            if self._held:
                self._ingest()
            self._listen(min(GLANCE, self._settling.wait(monotonic())))

    def _glance(self, sight: FolderMonitor) -> None:
        """Look whether other places are to be watched, or the same ones anew; those are looked through."""
        if published(self._layout) != self._seen:
            self._seen = published(self._layout)
            # A named folder that is away with all its documents is waited for; damage is the next ingest's business.
            with suppress(BadInput, BadWarehouse):
                self._places = watched_folders(self._settings, current(self._layout), self._named)
        self._scan(sight.keep(self._places))

    def _scan(self, places: Sequence[WatchedFolder]) -> None:
        for path in {path for place in places for path in place.whole}:
            self._settling.note(path, monotonic())

    def _listen(self, seconds: float) -> None:
        """Wait for signals at most so long, and take all that have come."""
        with suppress(Empty):
            self._take(self._signals.get(timeout=seconds))
            while True:
                self._take(self._signals.get_nowait())

    def _take(self, signal: FileChange | EventsLost | WatchLimitReached | None) -> None:
        match signal:
            case FileChange(paths, at):
                for path in paths:
                    self._settling.note(path, at)
            case EventsLost():
                self._listener.noted("more changed at once than the system tells: everything is looked through")
                self._scan([place for place in self._places if place.folder.is_dir()])
            case WatchLimitReached():
                if not self._poll:
                    raise _Blinded

    def _ingest(self) -> None:
        tops = {place.folder for place in self._places if place.deep}
        paths = existing_paths(covering_paths(self._held, tops, NAMED), self._layout)
        if paths:
            batch = ingest_paths(paths, self._settings, self._stopped.is_set)
            if batch.changes or batch.warnings:
                self._listener.ingested(batch)
        self._held = frozenset()
        self._pause, self._told = 0.0, ""


def _one_line(error: Exception) -> str:
    said = " ".join(str(error).split())[:300] or type(error).__name__
    if isinstance(error, KalendsError):
        return said
    reference = record_internal_error(error)
    return f"internal error: {type(error).__name__}: {said}; please report it (reference {reference} in the log)"


class _Blinded(Exception):
    """The system watches no further folder."""


@dataclass(frozen=True, slots=True)
class WatchBatch:
    """What the ingest of some changed paths did.

    `changes` says what happened to each document that is not as it was; `unreadable` names, with the reason, those
    among them that cannot be read.
    """

    paths: tuple[Path, ...]
    generation: int | None
    changes: Mapping[str, Action]
    unreadable: Mapping[str, str]
    warnings: tuple[str, ...]
    seconds: float


class WatchStopped(Exception):
    """The watch was ended while it ingested."""


def existing_paths(paths: Sequence[Path], layout: Layout) -> tuple[Path, ...]:
    """Those of the paths that are there, or that the warehouse has documents of: a file that came and went is neither.

    The documents are only looked up if something is gone.
    """
    gone = {path for path in paths if not path.exists()}
    held = known_places(latest(layout)) if gone else frozenset()
    return tuple(path for path in paths if path not in gone or str(path) in held)


def ingest_paths(paths: Sequence[Path], settings: Settings, stopped: Callable[[], bool]) -> WatchBatch:
    """Ingest what lies at the paths, within `orchestration`.

    Raises `WatchStopped` at the next stage or batch of files once `stopped` says so, and what the flow raises.
    """
    from flows.ingest import ingest

    hearing = _Hearing(stopped)
    with observed_by(hearing), started_by("kalends watch"):
        report = ingest([str(path) for path in paths], (), settings, Removal.NONE)
    return _batch(tuple(paths), hearing.files, report)


def _batch(paths: tuple[Path, ...], files: Sequence[PlannedFile], report: IngestReport) -> WatchBatch:
    changes = {
        planned_file.source: planned_file.action for planned_file in files if planned_file.action is not Action.KEPT
    }
    unreadable = {source: report.unreadable[source] for source in changes if source in report.unreadable}
    return WatchBatch(paths, report.generation, changes, unreadable, report.warnings, report.seconds)


class _Hearing(SilentObserver):
    """Notes the plan, and ends the run when the watch ends."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        self.files: Sequence[PlannedFile] = ()

    def planned(self, plan: IngestPlan) -> None:
        self.files = plan.files
        self._go_on()

    def stage_started(self, stage: str, documents: int) -> None:
        self._go_on()

    def stage_advanced(self, stage: str, documents: int) -> None:
        self._go_on()

    def stage_finished(self, cost: StageCost) -> None:
        if cost.stage != "publish":
            self._go_on()

    def _go_on(self) -> None:
        if self._stopped():
            raise WatchStopped
