"""Batches that ended their process, repeated in a child process, so that only the document that ends it fails.

A document can end a process outright: native code crashes, or the system kills it for lack of memory. Each batch leaves
a mark while it is processed. A mark without a running process tells the next run that the batch's process ended; the
batch then runs in a child, which reports each document before it begins with it.
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
from warehouse.child_process import ChildExited, ChildProcess, ChildTimeout, raise_oom_score
from warehouse.errors import KalendsError
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake, open_lake

MARK_FOLDER = "unfinished"  # The folder of the lake with the marks of batches that are being processed.
GRACE_SECONDS = (
    30  # Seconds that a child gets beyond a document's time limit, in which it should stop the document itself.
)


@contextmanager
def hold_mark(folder: Path, stage: Stage, items: Sequence[BatchItem]) -> Iterator[bool]:
    """Write a mark in the lake's folder while a batch is processed.

    Yields whether some of its documents were being processed when a process ended.
    """
    marks = folder / MARK_FOLDER
    marks.mkdir(parents=True, exist_ok=True)
    keys = {item.key for item in items}
    suspects = {
        path: old_keys for path in marks.glob(f"{stage.name}-*") if keys & (old_keys := _read_abandoned_keys(path))
    }
    batch_path = marks / f"{stage.name}-{make_batch_name(stage.name, sorted(keys))}"
    with batch_path.open("a+") as mark:
        # Another process may process the same batch for another warehouse: its mark serves both.
        with suppress(BlockingIOError):
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mark.truncate(0)
        mark.write("\n".join(sorted(keys)))
        mark.flush()
        try:
            yield bool(suspects)
        except BaseException:
            # An interrupted batch shows nothing about the documents of an earlier mark.
            if batch_path not in suspects:
                batch_path.unlink(missing_ok=True)
            raise
    for path in {batch_path, *(path for path, old_keys in suspects.items() if old_keys <= keys)}:
        path.unlink(missing_ok=True)


def _read_abandoned_keys(path: Path) -> set[str]:
    """The keys in a mark that no running process has locked."""
    try:
        with path.open() as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return set(mark.read().split())
    except (FileNotFoundError, BlockingIOError):
        return set()


@dataclass(frozen=True, slots=True)
class ChildDeath:
    """The end of a child: the key of its current document, if it had reached one, and why it ended."""

    key: str
    reason: str


def perform_in_child(
    stage: Stage, items: Sequence[BatchItem], lake: Lake, settings: Settings
) -> tuple[str, BatchOutcome]:
    """`perform` in a child; only a document that ends the child is lost. The outputs are only in the lake.

    Raises `KalendsError` if the batch ends the child and no single document of it does.
    """
    fatal_documents: dict[str, str] = {}
    while True:
        remaining = [item for item in items if item.key not in fatal_documents]
        end = _perform_in_one_child(stage, remaining, lake, settings)
        if not isinstance(end, ChildDeath):
            break
        deaths = (
            {end.key: end.reason} if end.key else _find_fatal_documents(stage, remaining, lake, settings, end.reason)
        )
        if not deaths:
            problem = f"stage {stage.name} ended its process for a batch of {len(remaining)} documents ({end.reason})"
            raise KalendsError(problem, "make 'batch.files' and 'batch.megabytes' smaller, then run again")
        fatal_documents.update(deaths)
    name, outcome = end
    outcome.problems.update({key: make_failure(stage.name, reason) for key, reason in fatal_documents.items()})
    return name, outcome


def _find_fatal_documents(
    stage: Stage, items: Sequence[BatchItem], lake: Lake, settings: Settings, reason: str
) -> dict[str, str]:
    """The documents that end a child while it prepares the batch, found by bisection."""
    if len(items) == 1:
        return {items[0].key: reason}
    killers: dict[str, str] = {}
    for half in (items[: len(items) // 2], items[len(items) // 2 :]):
        end = _perform_in_one_child(stage, half, lake, settings)
        if isinstance(end, ChildDeath):
            killers |= (
                {end.key: end.reason} if end.key else _find_fatal_documents(stage, half, lake, settings, end.reason)
            )
    return killers


def _perform_in_one_child(
    stage: Stage, items: Sequence[BatchItem], lake: Lake, settings: Settings
) -> tuple[str, BatchOutcome] | ChildDeath:
    """The outcome of a batch in a process of its own. Raises the errors that end a run there."""
    key, limits = "", {item.key: compute_time_limit(item, settings) + GRACE_SECONDS for item in items}
    with closing(ChildProcess("tasks.stage_process:perform_on_request")) as child:
        child.send((stage, list(items), lake.folder, settings))
        while True:
            try:
                reply = child.receive(limits.get(key))
            except ChildTimeout:
                return ChildDeath(key, f"it took longer than {limits[key] - GRACE_SECONDS:g} s")
            except ChildExited as death:
                return ChildDeath(key, _describe_exit(death.status))
            if isinstance(reply, BaseException):
                raise reply
            if not isinstance(reply, str):
                name, outcome = reply
                return name, outcome
            key = reply


def _describe_exit(status: int) -> str:
    if status >= 0:
        return f"it ended the process (exit status {status})"
    names = {signal.SIGKILL: "killed, as the system does when memory runs out"}
    return f"it ended the process ({names.get(signal.Signals(-status), signal.Signals(-status).name)})"


def perform_on_request(pipe: Connection) -> None:
    """Process the batch that comes through the pipe, sending the key of each document before its work begins."""
    raise_oom_score()
    stage, items, folder, settings = pipe.recv()
    lake = open_lake(folder, settings.lake)
    try:
        name, outcome = perform(stage, items, lake, settings, lambda item: pipe.send(item.key))
        pipe.send((name, BatchOutcome({}, outcome.problems, outcome.seconds)))
    except Exception as error:
        pipe.send(error)
