"""Many files read at once: light formats here, heavy ones in a few processes that a bad file can only take along.

The processes are plain `python -m tasks.parsers.child` with a socket pair, not `multiprocessing` ones: those run the
caller's main script again, which under Streamlit is the whole application.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing.connection import wait
from pathlib import Path, PurePosixPath
from time import monotonic

from tasks.parsers import refusals
from tasks.parsers.contract import Raw
from tasks.parsers.reading import PARSERS, choose, parse_as
from tasks.parsers.worker import Worker
from warehouse.errors import UnreadableFile
from warehouse.records import Document

Outcome = tuple[int, Document | UnreadableFile]

_HEAVY_SIZE = 4 * 2**20
_LOOKS_EVERY = 0.2


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read: its name (the suffix counts), where its bytes are and, where known, their SHA-256."""

    name: str
    path: Path
    sha256: str = ""


def read_files(items: Sequence[Job], *, processes: int, seconds: float, megabytes: int) -> Iterator[Outcome]:
    """Reads the files and yields, for each as it is done, its index in `items` and its document or what is wrong.

    PDF, DOCX and whatever is over 4 MB are read in
    up to `processes` other processes, started when first needed and ended with this call; there a file may take
    `seconds` and add `megabytes` to the process. What exceeds a limit or kills its process costs that file alone.
    """
    pool = _Pool(processes, seconds, megabytes)
    try:
        for index, job in enumerate(items):
            try:
                raw = load(job, megabytes)
                parser = choose(raw)
                if PARSERS[parser].heavy or len(raw.data) > _HEAVY_SIZE:
                    while pool.is_full:
                        yield from pool.collect(_LOOKS_EVERY)
                    pool.give(index, raw)
                else:
                    yield index, parse_as(parser, raw)
            except UnreadableFile as problem:
                yield index, problem
            yield from pool.collect(0)
        while pool.is_busy:
            yield from pool.collect(_LOOKS_EVERY)
    finally:
        pool.close()


def load(job: Job, megabytes: int) -> Raw:
    """A file's bytes.

    Raises `UnreadableFile` where the file is larger than the limit and, as passing trouble, where it is gone, closed to
    us or not the one that was announced: half-written files change under the reader.
    """
    try:
        if job.path.stat().st_size > megabytes * 2**20:
            raise refusals.too_large(f"{megabytes} MB")
        raw = Raw(PurePosixPath(job.name).name, job.path.read_bytes())
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise UnreadableFile(
            f"it cannot be opened ({why})", "check its place and permissions", transient=True
        ) from error
    if job.sha256 and sha256(raw.data).hexdigest() != job.sha256:
        raise UnreadableFile("it changed while it was read", "run again when it is written", transient=True)
    return raw


class _Pool:
    """The processes of one call."""

    def __init__(self, processes: int, seconds: float, megabytes: int) -> None:
        self._most = max(1, processes)
        self._seconds = seconds
        self._megabytes = megabytes
        self._workers: list[Worker] = []

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read."""
        return any(worker.index is not None for worker in self._workers)

    @property
    def is_full(self) -> bool:
        """Whether no process is free and none may be started."""
        return len(self._workers) >= self._most and all(worker.index is not None for worker in self._workers)

    def give(self, index: int, raw: Raw) -> None:
        """Hands a file to a free process; there is one, or room for one."""
        free = next((worker for worker in self._workers if worker.index is None), None)
        if free is None:
            free = Worker(self._megabytes)
            self._workers.append(free)
        free.give(index, raw)

    def collect(self, timeout: float) -> Iterator[Outcome]:
        """What is done by now, after waiting at most `timeout` seconds for the first."""
        busy = {worker.pipe: worker for worker in self._workers if worker.index is not None}
        ready = wait(list(busy), timeout) if busy else []
        for pipe, worker in busy.items():
            outcome = worker.take() if pipe in ready else worker.late(monotonic(), self._seconds)
            if outcome is not None:
                yield outcome
        for worker in [worker for worker in self._workers if worker.is_spent]:
            worker.close()
            self._workers.remove(worker)

    def close(self) -> None:
        """Ends all processes, whatever they do."""
        for worker in self._workers:
            worker.close()
