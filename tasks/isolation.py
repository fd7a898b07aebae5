"""Isolation of one document's failure in a stage: it costs that document, never its batch or the run.

What a document can cause (any exception, too much memory, too deep recursion, too much time) becomes a
`DocumentProblem`. What no document causes passes on and ends the run: errors of Kalends itself (`KalendsError`), a
missing package, a full or failing disk, and whatever stops a run (`KeyboardInterrupt`, Prefect's cancellation).
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from tasks.faults import FAILED_STAGE
from warehouse.errors import KalendsError, StageError, UnreadableFile
from warehouse.records import Finding, Severity

LONGEST = 200  # Characters of an exception's message that are kept: it is shown in one line.
MACHINE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EPERM}
)
"""System errors that say something of the machine and nothing of a document."""
GLANCE = 0.1  # Seconds between two looks at whether a document is late.


class OutOfTime(BaseException):
    """A document took longer than a stage may. No `Exception`, so that no code of a stage takes it for its own."""


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Why a stage has no output for a document. One that is `passing` (a locked file) is tried again by the next run.

    `reason` is one line without stage and document; `code` and `name` are those of its finding.
    """

    stage: str
    code: str
    name: str
    reason: str
    passing: bool = False

    @property
    def is_internal(self) -> bool:
        """Whether the program failed, rather than found that the file cannot be read."""
        return self.code == FAILED_STAGE.code

    @property
    def message(self) -> str:
        """The reason, with the stage where the program failed."""
        return (
            f"internal error in stage {self.stage}: {self.reason}; please report it"
            if self.is_internal
            else self.reason
        )

    @property
    def finding(self) -> Finding:
        """The finding that tells of it."""
        return Finding(self.code, self.name, Severity.ERROR, self.message)


def problem_of(stage: str, error: Exception) -> DocumentProblem:
    """What an exception in a stage means for the document in work.

    Raises the exception again where no document can have caused it. With `KALENDS_DEBUG` the traceback is printed.
    """
    if isinstance(error, UnreadableFile):
        return DocumentProblem(stage, error.code, error.name, str(error), error.transient)
    if isinstance(error, KalendsError | ImportError) or (isinstance(error, OSError) and error.errno in MACHINE):
        raise error
    if os.environ.get("KALENDS_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    return failure(stage, _reason(error))


def failure(stage: str, reason: str) -> DocumentProblem:
    """The problem of a document on which a stage failed."""
    return DocumentProblem(stage, FAILED_STAGE.code, FAILED_STAGE.name, reason)


@contextmanager
def one_document(stage: str, document: str) -> Iterator[None]:
    """Make whatever fails inside, while one document alone is looked at, a `StageError` that names stage and document.

    Raises as `problem_of` does.
    """
    try:
        yield
    except StageError:
        raise
    except Exception as error:
        if isinstance(error, UnreadableFile):
            raise
        problem_of(stage, error)
        raise StageError(stage, document, _reason(error)) from error


class Stopwatch:
    """Interrupts the thread that made it, within a `with`, where a document takes longer than it may.

    Python code is interrupted between two of its instructions, native code when it returns.
    """

    def __init__(self) -> None:
        """One thread watches, for all documents of a batch: one a document would cost more than many a note."""
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._deadline: float | None = None
        self._is_late = False
        self._ended = threading.Event()

    def __enter__(self) -> Stopwatch:
        """Begin to watch."""
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        """End the watching thread."""
        self._ended.set()

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise `OutOfTime` in what is inside once it takes longer."""
        with self._lock:
            self._deadline, self._is_late = monotonic() + seconds, False
        try:
            yield
        finally:
            with self._lock:
                self._deadline = None
            if self._is_late:
                # It may not have been raised yet, and must not be raised in what follows.
                _raise_in(self._thread, None)

    def _watch(self) -> None:
        while not self._ended.wait(GLANCE):
            with self._lock:
                if self._deadline is not None and monotonic() > self._deadline:
                    self._deadline, self._is_late = None, True
                    _raise_in(self._thread, OutOfTime)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Let a thread raise an exception at its next instruction; None takes back one that it has not raised yet."""
    raised = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    said = " ".join(str(error).split())[:LONGEST].encode(errors="replace").decode()
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
