"""Queue of the background ingests of this process, and the uploads that no ingest has read yet.

A queued ingest starts by itself when no other process (`kalends ingest`, a watch, a schedule) and no other run of this
server writes to the warehouse. Files requested while it waits are added to it.
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
    RunStore,
    State,
    WorkedDocument,
    make_run_id,
)
from flows.locks import RETRY_SECONDS, find_lock_holder, write_lock
from flows.progress import DocumentState, find_writer
from flows.roots import select_scopes
from warehouse.errors import KalendsError
from warehouse.journal import record
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

QUEUED_NOTE = "Another import is running; yours is queued."


class IngestQueue(BackgroundProcesses[IngestRun]):
    """The running ingest, those that wait, and those that finished. Safe to share between threads."""

    kind = "ingest"

    def __init__(
        self, origin: str = "", on_publish: Callable[[], None] | None = None, store: RunStore | None = None
    ) -> None:
        """`origin` names who started the ingests, for other processes that wait ("the dashboard").

        `on_publish` is called, in a thread of its own, when an ingest has published a generation. `store` keeps the
        runs when the process ends.
        """
        super().__init__()
        self._store = store
        self._is_closed = False
        self._origin = origin
        self._on_publish = on_publish
        self._queue: list[tuple[IngestRun, Settings]] = []
        self._starter: Thread | None = None
        self._settings: Settings | None = None
        self.pending_uploads: tuple[Path, ...] = ()
        """Files of the inbox that the published generation did not contain when this was last checked."""

    @property
    def queued_runs(self) -> tuple[IngestRun, ...]:
        """Waiting ingests, the next one first."""
        return tuple(run for run, _ in self._queue)

    def find(self, run_id: str) -> IngestRun | None:
        """The run of this id in its current state; None without one."""
        runs = (*self.queued_runs, *filter(None, [self.latest]), *self.finished_runs)
        run_in_memory = next((run for run in runs if run.id == run_id), None)
        return run_in_memory or (self._store.read(run_id) if self._store else None)

    def list_ids(self) -> list[str]:
        """The ids of the runs that the store keeps, the newest first."""
        return self._store.list_ids() if self._store else []

    def find_active_run(self, file: Path) -> IngestRun | None:
        """The queued or running ingest that reads a file as it is now; None without one."""
        running = [self.latest] if self.is_running and self.latest else []
        modified = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        queued = (run for run in self.queued_runs if str(file) in run.files)
        return next(queued, None) or next(
            (run for run in running if str(file) in run.files and modified < run.started), None
        )

    def resume(self, settings: Settings) -> None:
        """Queue the runs that were queued or running when an earlier process of the server ended."""
        if self._store and self._store.claim():
            self._settings = settings
            with self._change_condition:
                self._queue.extend((self._mark_queued(run), settings) for run in self._store.iter_unfinished())
                self._start_when_free()

    def find_other_run(self, settings: Settings) -> OtherRun | None:
        """The run of another process that writes to the warehouse; None if there is none or it is this server's own."""
        writer = find_writer(Layout(settings.warehouse))
        process = self._process
        if writer is None or (process and self.is_running and writer[0] == f"process {process.pid}"):
            return None
        name, progress = writer
        if progress is None:
            return OtherRun(holder=name)
        run = IngestRun.model_validate({**asdict(progress), "id": name, "files": []})
        return OtherRun(holder=name, origin=progress.origin, run=run)

    def start(
        self, settings: Settings, files: Sequence[Path] = (), drop: Sequence[str] = (), *, again: bool = False
    ) -> IngestRun:
        """Start an ingest of these files, or of all source folders, and remove the source folders named in `drop`.

        With `again` every file is read again, changed or not.
        Raises `BadInput` for files that cannot be read, `RunInProgress`, and `WarehouseBusy` while another process
        writes.
        """
        with self._change_condition:
            if self._queue:
                raise RunInProgress(self.kind, self._queue[0][0].id)
            self._check_idle()
            run = _make_run(settings, files, drop, datetime.now(UTC), again=again)
            with write_lock(Layout(settings.warehouse)):
                order = self._make_order(run, settings)
            return self._start_process(run, order)

    def enqueue(
        self, settings: Settings, files: Sequence[Path] = (), drop: Sequence[str] = (), *, again: bool = False
    ) -> IngestRun:
        """Start an ingest as `start` does, as soon as no other ingest runs, here or in another process.

        Returns the run, in state `QUEUED` if it has to wait. Files are added to an ingest of files that already waits.
        Raises `BadInput` for files that cannot be read.
        """
        run = _make_run(settings, files, drop, datetime.now(UTC), again=again)
        self._settings = settings
        with self._change_condition:
            if not self._queue and self._is_free(settings):
                return self._start_process(run, self._make_order(run, settings))
            run = self._add_to_queue(self._mark_queued(run), settings)
            self._record(run)
            self._start_when_free()
            return run

    def _mark_queued(self, run: IngestRun) -> IngestRun:
        return run.model_copy(update={"state": State.QUEUED, "note": QUEUED_NOTE})

    def _start_when_free(self) -> None:
        """Start the queued runs when their time comes; the caller has locked `_changed`."""
        if self._queue and self._starter is None:
            self._starter = Thread(target=self._start_queued, name="queued ingests", daemon=True)
            self._starter.start()

    def cancel(self, run: str) -> None:
        """Remove a queued ingest, by its id, from the queue; its files are kept."""
        with self._change_condition:
            self._queue = [queued for queued in self._queue if queued[0].id != run]
            self._change_condition.notify_all()
        self._refresh_pending_uploads()

    def close(self) -> None:
        """Stop the running ingest and empty the queue; what the store keeps is continued by `resume`."""
        with self._change_condition:
            self._is_closed = True
            self._queue.clear()
            self._change_condition.notify_all()
        self.stop()
        if self._store:
            self._store.release()

    def ingest_inbox(self, settings: Settings) -> Thread:
        """Ingest the files of the inbox that the published generation does not contain, in a thread that is returned.

        The thread first waits for a running ingest, also of another process, because that may already read them.
        """
        thread = Thread(target=self._ingest_inbox, args=(settings,), name="inbox", daemon=True)
        thread.start()
        return thread

    def _ingest_inbox(self, settings: Settings) -> None:
        self._settings = settings
        with self._change_condition:
            while not self._is_free(settings):
                self._change_condition.wait(RETRY_SECONDS)
        self._refresh_pending_uploads()
        if self.pending_uploads:
            try:
                self.enqueue(settings, self.pending_uploads)
            except KalendsError as error:
                # A file was removed after it was listed; the others are listed again and stay pending.
                record("warning", "inbox not taken in", problem=str(error))
                self._refresh_pending_uploads()

    def _refresh_pending_uploads(self) -> None:
        try:
            self.pending_uploads = tuple(list_pending_uploads(self._settings)) if self._settings else ()
        except KalendsError as error:
            record("warning", "inbox not looked into", problem=str(error))

    def _is_free(self, settings: Settings) -> bool:
        return not self.is_running and find_lock_holder(Layout(settings.warehouse)) is None

    def _add_to_queue(self, run: IngestRun, settings: Settings) -> IngestRun:
        """Queue a run, or join it with a waiting one, but never ahead of one that drops a source folder."""
        for index, (waiting, _) in reversed(list(enumerate(self._queue))):
            if run.drop or waiting.drop:
                break
            if (bool(run.files), run.again) == (bool(waiting.files), waiting.again):
                documents = {document.source: document for document in (*waiting.documents, *run.documents)}
                files = list(dict.fromkeys((*waiting.files, *run.files)))
                extended_run = waiting.model_copy(update={"files": files, "documents": list(documents.values())})
                self._queue[index] = extended_run, settings
                return extended_run
        self._queue.append((run, settings))
        return run

    def _start_queued(self) -> None:
        """Start the queued runs one after the other, each when nothing else writes, until the queue is empty."""
        with self._change_condition:
            while self._queue:
                run, settings = self._queue[0]
                if self._is_free(settings):
                    self._queue.pop(0)
                    active = run.model_copy(update={"state": State.RUNNING, "started": datetime.now(UTC), "note": ""})
                    self._start_process(active, self._make_order(active, settings))
                else:
                    # The end of our own run notifies this condition; another process has to be polled.
                    self._change_condition.wait(RETRY_SECONDS)
            self._starter = None

    def _make_order(self, run: IngestRun, settings: Settings) -> Mapping[str, Any]:
        options = {"files": run.files, "drop": run.drop, "again": run.again, "origin": self._origin}
        return {**options, "settings": settings.model_dump(mode="json")}

    def _start_process(self, run: IngestRun, order: Mapping[str, Any]) -> IngestRun:
        # What it leaves there is seen when it has ended.
        self.pending_uploads = ()
        return super()._start_process(run, order)

    def _record(self, run: IngestRun) -> None:
        # A run that is stopped because the server ends is still to be finished by the next one.
        if self._store and not (self._is_closed and run.state is State.FAILED):
            self._store.save(run)

    def _on_process_end(self, run: IngestRun) -> None:
        if self._on_publish and run.report and run.report.generation is not None:
            self._on_publish()

    def _on_run_end(self) -> None:
        self._refresh_pending_uploads()


def list_pending_uploads(settings: Settings) -> list[Path]:
    """The files of the inbox that are new or changed since the published generation.

    Deleted files are left to an ingest of the whole inbox, which refuses to remove many documents at once.
    """
    layout = Layout(settings.warehouse)
    inbox = layout.inbox.resolve()
    if not inbox.is_dir():
        return []
    # The import takes a second, which callers that only read the state should not pay.
    from flows.planning import make_plan
    from flows.progress import Action

    to_take_in = {Action.NEW, Action.CHANGED, Action.RENAMED, Action.UNREADABLE}
    steps = make_plan(settings, find_latest(layout), [inbox]).files
    pending_steps = [step for step in steps if step.action in to_take_in]
    files = [step.root.folder / step.file.path for step in pending_steps if step.root and step.file]
    return [file for file in files if file.is_relative_to(inbox)]


def _make_run(
    settings: Settings, files: Sequence[Path], drop: Sequence[str], moment: datetime, *, again: bool = False
) -> IngestRun:
    """A run with the named documents in state `WAITING`. Raises `BadInput` for files that cannot be read."""
    scopes = select_scopes(settings, find_latest(Layout(settings.warehouse)), files, drop)
    sources = [f"{scope.root.name}/{part}" for scope in scopes for part in scope.parts]
    return IngestRun(
        id=make_run_id(moment),
        files=[str(file) for file in files],
        again=again,
        drop=list(drop),
        documents=[WorkedDocument(source=source, state=DocumentState.WAITING) for source in sources],
        started=moment,
    )
