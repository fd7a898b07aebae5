"""How far the ingest of a warehouse is: a small record beside the lock, for whoever looks from another process.

The record is written whole and put in place atomically, at most twice a second within a stage, and counts only while
the process that wrote it holds the lock.
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

from flows.lock import holder
from warehouse.records import StageCost
from warehouse.store.layout import Layout

_PROCESS = re.compile(r"process (\d+)")
_origin: ContextVar[str] = ContextVar("origin", default="")


class DocumentState(StrEnum):
    """How far a document is in a run."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """A document of a run. `action` is the plan's ("new", "changed", "unchanged" …).

    `stage` is the one that works on it, or, of a waiting document, the last that is done with it. `reason` says why it
    failed, with the cure.
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
    """Runs inside are recorded as begun by `origin`, as a reader would call it: "kalends ingest"."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def begun() -> RunProgress:
    """The record of a run of this process that begins now."""
    return RunProgress(os.getpid(), _origin.get(), datetime.now(UTC))


def write(layout: Layout, progress: RunProgress) -> None:
    """Put a record in place of the last. A full or failing disk leaves the last: it is no reason to end a run."""
    fresh = layout.progress.with_suffix(".new")
    with suppress(OSError):
        fresh.write_text(progress.to_json(), "utf-8")
        fresh.replace(layout.progress)


def remove(layout: Layout) -> None:
    """Take the record away."""
    layout.progress.unlink(missing_ok=True)


def current_writer(layout: Layout) -> tuple[str, RunProgress | None] | None:
    """Which process holds the warehouse for writing, in words, and how far its ingest is; None where nobody does.

    The second is None for whoever writes and is no ingest, or has not begun to plan.
    """
    name = holder(layout)
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
