"""The runs of a server on disk, so that their ids stay valid when it is started again."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dashboards.background.runs import IngestRun
from warehouse.journal import record
from warehouse.store.layout import Layout, whole_file

MAX_RUNS = 200
"""Runs that are kept, the newest ones; each is at most 30 KB."""
_ID = re.compile(r"\d{8}T\d{12}")


class RunStore:
    """The latest runs of the HTTP API of a warehouse: a file of JSON each, named by the run's id."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._claim: int | None = None

    def claim(self) -> bool:
        """Whether this is the only server of the warehouse until `release`: it continues the runs of the one before."""
        self._make_folder()
        self._claim = os.open(self._layout.runs / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        return True

    def release(self) -> None:
        """Let another server continue the runs."""
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    def save(self, run: IngestRun) -> None:
        """Write a run, and delete the oldest ones. A full or failing disk stops no run: it goes into the log."""
        try:
            self._make_folder()
            with whole_file(self._get_path(run.id)) as stream:
                stream.write(run.model_dump_json().encode())
            for old in self.list_ids()[MAX_RUNS:]:
                self._get_path(old).unlink(missing_ok=True)
        except OSError as error:
            record("warning", "run not kept", run=run.id, problem=str(error))

    def read(self, run_id: str) -> IngestRun | None:
        """The run of this id as it was last written; None without one, or if another version of Kalends wrote it."""
        if not _ID.fullmatch(run_id):
            return None
        with suppress(FileNotFoundError):
            try:
                return IngestRun.model_validate_json(self._get_path(run_id).read_bytes())
            except ValueError as error:
                record("warning", "run not read", run=run_id, problem=str(error))
        return None

    def list_ids(self) -> list[str]:
        """The ids of the runs, the newest first."""
        return sorted(
            (file.stem for file in self._layout.runs.glob("*.json") if _ID.fullmatch(file.stem)), reverse=True
        )

    def iter_unfinished(self) -> Iterator[IngestRun]:
        """The runs that were queued or running when their server ended, the earliest first."""
        runs = map(self.read, reversed(self.list_ids()))
        yield from (run for run in runs if run and not run.is_over)

    def _make_folder(self) -> None:
        self._layout.make_folder()
        self._layout.runs.mkdir(exist_ok=True)

    def _get_path(self, run_id: str) -> Path:
        return self._layout.runs / f"{run_id}.json"
