"""Progress of an ingest while it runs, and the report of what it did at its end.

The progress is a small record beside the lock, for readers in other processes. It is written whole and put in place
atomically, at most twice a second within a stage, and counts only while the process that wrote it holds the lock.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from flows.locks import lock_holder
from warehouse.records import StageCost
from warehouse.store.layout import Layout

_PROCESS = re.compile(r"process (\d+)")
_origin: ContextVar[str] = ContextVar("origin", default="")


class DocumentState(StrEnum):
    """State of a document in a run."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """Progress of a document. `action` is that of the plan ("new", "changed", "unchanged" …).

    `stage` is the one that works on it, or, for a waiting document, the last one finished. `reason` says why it failed,
    with the cure.
    """

    source: str
    state: DocumentState
    action: str = ""
    stage: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A run as far as it is. `origin` says what began it ("kalends ingest"), empty where that is not known.

    `plan` counts documents by action. `done` of `of` documents are done in `stage`. `documents` are some of those that
    the run works on, failures first; `unlisted` counts the others.
    """

    process: int
    origin: str
    started: datetime
    plan: Mapping[str, int] = field(default_factory=dict)
    stages: tuple[StageCost, ...] = ()
    stage: str = ""
    done: int = 0
    of: int = 0
    documents: tuple[DocumentProgress, ...] = ()
    unlisted: int = 0

    def to_json(self) -> str:
        """The record as it is written."""
        return json.dumps({**asdict(self), "started": self.started.isoformat()})


@contextmanager
def started_by(origin: str) -> Iterator[None]:
    """Record the runs inside as started by `origin`, in words for people: "kalends ingest"."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def new_progress() -> RunProgress:
    """The record of a run of this process that begins now."""
    return RunProgress(os.getpid(), _origin.get(), datetime.now(UTC))


def write_progress(layout: Layout, progress: RunProgress) -> None:
    """Replace the record. A full or failing disk keeps the last one: it is no reason to end a run."""
    fresh = layout.progress.with_suffix(".new")
    with suppress(OSError):
        fresh.write_text(progress.to_json(), "utf-8")
        fresh.replace(layout.progress)


def remove_progress(layout: Layout) -> None:
    """Remove the record."""
    layout.progress.unlink(missing_ok=True)


def current_writer(layout: Layout) -> tuple[str, RunProgress | None] | None:
    """The process that holds the lock, in words, with the progress of its ingest; None where nobody holds it.

    The progress is None for a process that does not ingest, or has not begun to plan.
    """
    name = lock_holder(layout)
    if name is None:
        return None
    found = _read(layout)
    number = _PROCESS.search(name)
    same = found is not None and number is not None and found.process == int(number[1])
    return name, found if same else None


def _read(layout: Layout) -> RunProgress | None:
    """The record that is there; None where there is none, or one that another version of the program wrote."""
    try:
        told = json.loads(layout.progress.read_text("utf-8"))
        return RunProgress(
            **{
                **told,
                "started": datetime.fromisoformat(told["started"]),
                "stages": tuple(StageCost(**cost) for cost in told["stages"]),
                "documents": tuple(
                    DocumentProgress(**{**each, "state": DocumentState(each["state"])}) for each in told["documents"]
                ),
            }
        )
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


@dataclass(frozen=True, slots=True)
class IngestFailure:
    """A document of which a run could make no new version: `kept` in its last good one, or else left out.

    `stage` names that in which the program failed, and is empty where no parser can read the file.
    """

    source: str
    reason: str
    stage: str
    kept: bool


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The end of a run. `generation` is None when nothing changed and nothing was published.

    `unreadable` gives the reason of every document that is left out or kept in an old version, `failures` those that
    failed in this run and not in the same way before.
    `files` are the documents and those that no parser can read; `attachments`, no documents by their kind, come on top.
    `withheld` counts, by root, the documents that vanished and were kept, as too many of the root's went at once.
    """

    generation: int | None
    documents: int
    chunks: int
    counts: Mapping[str, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[IngestFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    withheld: Mapping[str, int] = field(default_factory=dict)
    files: int = 0
    attachments: int = 0
    stages: tuple[StageCost, ...] = ()
    seconds: float = 0.0

    @property
    def known_failures(self) -> int:
        """How many documents are left out or kept in an old version for a reason that an earlier run gave."""
        return len(self.unreadable) - len(self.failures)

    @property
    def is_complete(self) -> bool:
        """Whether nothing happened that somebody should look at: no new failure, and no loss that was held back."""
        return not (self.failures or self.withheld)

    @property
    def slowest(self) -> StageCost | None:
        """The stage that took longest."""
        return max(self.stages, key=lambda cost: cost.seconds, default=None)
