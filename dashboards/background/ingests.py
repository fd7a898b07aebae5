"""The background ingests of this process: the one that runs, those that wait, and those that have ended.

An ingest that is queued waits until no other writes to the warehouse, neither of this server nor of another process
(`kalends ingest`, a watch, a schedule), and begins by itself. Files that are asked for while it waits join it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

from dashboards.background.runs import (
    BackgroundProcesses,
    IngestRun,
    OtherRun,
    RunInProgress,
    State,
    WorkedDocument,
    make_run_id,
)
from flows.locks import LOOKS_EVERY, lock_holder, write_lock
from flows.progress import DocumentState, current_writer
from flows.roots import look
from warehouse.errors import KalendsError
from warehouse.journal import record
from warehouse.settings.loader import Settings
from warehouse.store.generations import latest
from warehouse.store.layout import Layout

QUEUED_NOTE = "Another import is running; yours is queued."


class IngestQueue(BackgroundProcesses[IngestRun]):
    """The latest ingest, those that wait for their turn, and the way to the next. Safe to share between threads."""

    kind = "ingest"

    def __init__(self, origin: str = "", published: Callable[[], None] | None = None) -> None:
        """`origin` is what other processes are told that began the ingests ("the dashboard").

        `published` is called, in a thread of its own, when one has published.
        """
        super().__init__()
        self._origin = origin
        self._published = published
        self._queue: list[tuple[IngestRun, Settings]] = []
        self._starter: Thread | None = None
        self._inbox_thread: Thread | None = None
        self._settings: Settings | None = None
        self.left_in_inbox: tuple[Path, ...] = ()
        """Files of the inbox that the published generation did not hold when it was last looked at."""

    @property
    def queued(self) -> tuple[IngestRun, ...]:
        """Those that wait, in the order of their turn."""
        return tuple(run for run, _ in self._queue)

    def other(self, settings: Settings) -> OtherRun | None:
        """What another process does that writes to the warehouse; None where none does, or it is this server's own."""
        writer = current_writer(Layout(settings.warehouse))
        process = self._process
        if writer is None or (process and self.running and writer[0] == f"process {process.pid}"):
            return None
        name, progress = writer
        if progress is None:
            return OtherRun(holder=name)
        run = IngestRun.model_validate({**asdict(progress), "id": name, "files": []})
        return OtherRun(holder=name, origin=progress.origin, run=run)

    def start(self, settings: Settings, files: Sequence[Path] = (), drop: Sequence[str] = ()) -> IngestRun:
        """Begin an ingest of these files, or of all folders, that forgets the roots to `drop`.

        Raises `BadInput` for what cannot be looked at, `RunInProgress`, and `Busy` while another process writes.
        """

        def prepared(started: datetime, name: str) -> tuple[IngestRun, Mapping[str, Any]]:
            run = _asked(settings, files, drop, started)
            with write_lock(Layout(settings.warehouse)):
                return run, self._order(run, settings)

        with self._changed:
            if self._queue:
                raise RunInProgress(self.kind, self._queue[0][0].id)
            return self._launch(prepared)

    def enqueue(self, settings: Settings, files: Sequence[Path] = (), drop: Sequence[str] = ()) -> IngestRun:
        """Begin the same as soon as no other ingest runs, here or in another process.

        Returns the run, which is queued where it has to wait. Files join those that wait for their turn already.
        Raises `BadInput` for what cannot be looked at.
        """
        run = _asked(settings, files, drop, datetime.now(UTC))
        self._settings = settings
        with self._changed:
            if not self._queue and self._is_free(settings):
                return self._begin(run, self._order(run, settings))
            run = run.model_copy(update={"state": State.QUEUED, "note": QUEUED_NOTE})
            run = self._add(run, settings)
            if self._starter is None:
                self._starter = Thread(target=self._start_queued, name="queued ingests", daemon=True)
                self._starter.start()
            return run

    def cancel(self, run: str) -> None:
        """Take a queued ingest, by its id, out of the queue; the files stay where they are."""
        with self._changed:
            self._queue = [each for each in self._queue if each[0].id != run]
            self._changed.notify_all()
        self._look_into_inbox()

    def close(self) -> None:
        """End what runs and forget what is queued."""
        with self._changed:
            self._queue.clear()
            self._changed.notify_all()
        self.stop()

    def take_in_inbox(self, settings: Settings) -> Thread:
        """Look for files of the inbox that the published generation does not hold, and ingest them.

        Returns the thread that does it. It first waits for an ingest that goes on, also of another process, as that may
        be taking them in.
        """
        thread = Thread(target=self._take_in_inbox, args=(settings,), name="inbox", daemon=True)
        thread.start()
        return thread

    def _take_in_inbox(self, settings: Settings) -> None:
        self._settings = settings
        with self._changed:
            while not self._is_free(settings):
                self._changed.wait(LOOKS_EVERY)
        self._look_into_inbox()
        if self.left_in_inbox:
            try:
                self.enqueue(settings, self.left_in_inbox)
            except KalendsError as error:
                # A file was removed after it was listed; what else is there is listed again and stays on offer.
                record("warning", "inbox not taken in", problem=str(error))
                self._look_into_inbox()

    def _look_into_inbox(self) -> None:
        try:
            self.left_in_inbox = tuple(list_pending_uploads(self._settings)) if self._settings else ()
        except KalendsError as error:
            record("warning", "inbox not looked into", problem=str(error))

    def _is_free(self, settings: Settings) -> bool:
        return not self.running and lock_holder(Layout(settings.warehouse)) is None

    def _add(self, run: IngestRun, settings: Settings) -> IngestRun:
        """Put a run into the queue, joined with one there that does the like, but not past one that drops a root."""
        for place, (waiting, _) in reversed(list(enumerate(self._queue))):
            if run.drop or waiting.drop:
                break
            if bool(run.files) == bool(waiting.files):
                joined = _joined(waiting, run)
                self._queue[place] = joined, settings
                return joined
        self._queue.append((run, settings))
        return run

    def _start_queued(self) -> None:
        """Begin what is queued, each when nothing else runs, until the queue is empty."""
        with self._changed:
            while self._queue:
                run, settings = self._queue[0]
                if self._is_free(settings):
                    self._queue.pop(0)
                    started = run.model_copy(update={"state": State.RUNNING, "started": datetime.now(UTC), "note": ""})
                    self._begin(started, self._order(started, settings))
                else:
                    # The end of a run of ours is notified, that of another process only seen.
                    self._changed.wait(LOOKS_EVERY)
            self._starter = None

    def _order(self, run: IngestRun, settings: Settings) -> Mapping[str, Any]:
        given = {"files": run.files, "drop": run.drop, "origin": self._origin}
        return {**given, "settings": settings.model_dump(mode="json")}

    def _begin(self, run: IngestRun, order: Mapping[str, Any]) -> IngestRun:
        # What it leaves there is seen when it has ended.
        self.left_in_inbox = ()
        return super()._begin(run, order)

    def _before_end(self, run: IngestRun) -> None:
        if self._published and run.report and run.report.generation is not None:
            self._published()

    def _after_end(self) -> None:
        self._look_into_inbox()


def list_pending_uploads(settings: Settings) -> list[Path]:
    """The files of the inbox that the published generation does not hold as they are.

    Those that are gone are left to an ingest of the whole inbox, which holds back great losses.
    """
    layout = Layout(settings.warehouse)
    inbox = layout.inbox.resolve()
    if not inbox.is_dir():
        return []
    # It costs whoever only looks at what runs a second.
    from flows.planning import Action, make_plan

    to_take_in = {Action.NEW, Action.CHANGED, Action.RENAMED, Action.UNREADABLE}
    steps = make_plan(settings, latest(layout), [inbox]).files
    found = [step for step in steps if step.action in to_take_in]
    places = [step.root.folder / step.file.path for step in found if step.root and step.file]
    return [place for place in places if place.is_relative_to(inbox)]


def _asked(settings: Settings, files: Sequence[Path], drop: Sequence[str], moment: datetime) -> IngestRun:
    """The run as it is asked for, its documents waiting where they are named. Raises `BadInput`."""
    scopes = look(settings, latest(Layout(settings.warehouse)), files, drop)
    sources = [f"{scope.root.name}/{part}" for scope in scopes for part in scope.parts]
    return IngestRun(
        id=make_run_id(moment),
        files=[str(file) for file in files],
        drop=list(drop),
        documents=[WorkedDocument(source=source, state=DocumentState.WAITING) for source in sources],
        started=moment,
    )


def _joined(waiting: IngestRun, more: IngestRun) -> IngestRun:
    """One run of the files of both."""
    documents = {each.source: each for each in (*waiting.documents, *more.documents)}
    files = list(dict.fromkeys((*waiting.files, *more.files)))
    return waiting.model_copy(update={"files": files, "documents": list(documents.values())})
