"""Batches that ended their process, done again in a child process, so that a document that does so fails alone.

A document can end a process outright: native code crashes, or the system takes the memory back. Each batch leaves a
mark while it is in work. A mark without a living process tells the next run whose process has died; that batch runs in
a child, which tells of each document before it begins with it.
"""

from __future__ import annotations

import fcntl
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from tasks.faults import make_failure
from tasks.stage_contract import BatchItem, BatchOutcome, Stage, compute_time_limit, make_batch_name, perform
from warehouse.child_process import ChildDied, ChildLate, ChildProcess, raise_oom_score
from warehouse.errors import KalendsError
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake, open_lake

MARKS = "unfinished"  # The folder of the lake that holds the marks of batches in work.
GRACE = 30  # Seconds that a child gets beyond a document's time limit, within which it should have ended that itself.


@contextmanager
def hold_mark(folder: Path, stage: Stage, items: Sequence[BatchItem]) -> Iterator[bool]:
    """Leave a mark in the lake's folder for as long as a batch is in work.

    Yields whether some of its documents were in work when a process died.
    """
    marks = folder / MARKS
    marks.mkdir(parents=True, exist_ok=True)
    keys = {item.key for item in items}
    suspects = {path: found for path in marks.glob(f"{stage.name}-*") if keys & (found := _read_abandoned_keys(path))}
    mine = marks / f"{stage.name}-{make_batch_name(stage.name, sorted(keys))}"
    with mine.open("a+") as mark:
        # Another process may do the same batch for another warehouse: its mark serves both.
        with suppress(BlockingIOError):
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mark.truncate(0)
        mark.write("\n".join(sorted(keys)))
        mark.flush()
        try:
            yield bool(suspects)
        except BaseException:
            # A batch that was interrupted shows nothing about the documents of an earlier mark.
            if mine not in suspects:
                mine.unlink(missing_ok=True)
            raise
    for path in {mine, *(path for path, found in suspects.items() if found <= keys)}:
        path.unlink(missing_ok=True)


def _read_abandoned_keys(path: Path) -> set[str]:
    """The keys in a mark that no living process holds."""
    try:
        with path.open() as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return set(mark.read().split())
    except (FileNotFoundError, BlockingIOError):
        return set()


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a child: the key of the document that it was at, if it had come so far, and why it ended."""

    key: str
    reason: str


def perform_in_child(
    stage: Stage, items: Sequence[BatchItem], lake: Lake, settings: Settings
) -> tuple[str, BatchOutcome]:
    """As `perform`, in a child; a document that ends the child costs itself. The outputs are in the lake alone.

    Raises `KalendsError` where the batch ends the child and no document of it does.
    """
    killers: dict[str, str] = {}
    while True:
        others = [item for item in items if item.key not in killers]
        ended = _in_child(stage, others, lake, settings)
        if not isinstance(ended, Death):
            break
        found = {ended.key: ended.reason} if ended.key else _find_killers(stage, others, lake, settings, ended.reason)
        if not found:
            problem = f"stage {stage.name} ended its process for a batch of {len(others)} documents ({ended.reason})"
            raise KalendsError(problem, "make 'batch.files' and 'batch.megabytes' smaller, then run again")
        killers.update(found)
    name, done = ended
    done.problems.update({key: make_failure(stage.name, reason) for key, reason in killers.items()})
    return name, done


def _find_killers(
    stage: Stage, items: Sequence[BatchItem], lake: Lake, settings: Settings, reason: str
) -> dict[str, str]:
    """The documents that end a child while it prepares for all of them, found by halving."""
    if len(items) == 1:
        return {items[0].key: reason}
    found: dict[str, str] = {}
    for half in (items[: len(items) // 2], items[len(items) // 2 :]):
        ended = _in_child(stage, half, lake, settings)
        if isinstance(ended, Death):
            found |= (
                {ended.key: ended.reason} if ended.key else _find_killers(stage, half, lake, settings, ended.reason)
            )
    return found


def _in_child(
    stage: Stage, items: Sequence[BatchItem], lake: Lake, settings: Settings
) -> tuple[str, BatchOutcome] | Death:
    """What a batch comes to in a process of its own. Raises what ends a run there."""
    key, limits = "", {item.key: compute_time_limit(item, settings) + GRACE for item in items}
    with closing(ChildProcess("tasks.stage_process:perform_on_request")) as child:
        child.send((stage, list(items), lake.folder, settings))
        while True:
            try:
                reply = child.receive(limits.get(key))
            except ChildLate:
                return Death(key, f"it took longer than {limits[key] - GRACE:g} s")
            except ChildDied as death:
                return Death(key, _describe_exit(death.status))
            if isinstance(reply, BaseException):
                raise reply
            if not isinstance(reply, str):
                name, done = reply
                return name, done
            key = reply


def _describe_exit(status: int) -> str:
    if status >= 0:
        return f"it ended the process (exit status {status})"
    named = {signal.SIGKILL: "killed, as the system does when memory runs out"}
    return f"it ended the process ({named.get(signal.Signals(-status), signal.Signals(-status).name)})"


def perform_on_request(pipe: Connection) -> None:
    """Do the batch that comes through the pipe, telling the key of each document before it begins with it."""
    raise_oom_score()
    stage, items, folder, settings = pipe.recv()
    lake = open_lake(folder, settings.lake)
    try:
        name, done = perform(stage, items, lake, settings, lambda item: pipe.send(item.key))
        pipe.send((name, BatchOutcome({}, done.problems, done.seconds)))
    except Exception as error:
        pipe.send(error)
