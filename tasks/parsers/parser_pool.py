"""Pool of processes that read heavy files; the pages of a long file are shared among them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import wait
from time import monotonic
from typing import Any

from tasks.parsers import refusals
from tasks.parsers.parser_contract import Raw, ReadResult
from tasks.parsers.parser_process import Begin, FileOpened, JoinPages, PageDone, ProcessReady, ReadPages, Reply, Request
from warehouse.child_process import OUT_OF_MEMORY_STATUS, ChildExited, ChildProcess
from warehouse.errors import KalendsError, UnreadableFile
from warehouse.records import Document
from warehouse.settings.models import ParseSettings

_MIN_PAGES_TO_OPEN = 4  # Unassigned pages from which on another process opens the file again.
_MIN_PAGES_TO_START = 12  # Unassigned pages for which a further process is started.
_MAX_ASSIGNED = 8  # Pages that are assigned to a process at a time.
_MAX_KILLS = 5  # Processes that a file may kill before one of its pages is read.
_PAGE_TIME_SHARE = 0.25  # Share of a page's time limit that each page adds to that of its file.


class HeavyFile:
    """A file being read. `count` is 0 until it is known to have pages; `since` is the start of its time.

    `pages` are those that were read, or the reasons why they cannot be; `kills` counts those that killed their process.
    """

    def __init__(self, place: int, parser: str, raw: Raw) -> None:
        """`place` is its index among the files of the call, `parser` the name of its parser."""
        self.place = place
        self.parser = parser
        self.raw = raw
        self.name = raw.name
        self.since: float | None = None
        self.count = 0
        self.is_joined = False
        self.front: Any = None
        self.unassigned_pages: deque[range] = deque()
        self.pages: dict[int, bytes | UnreadableFile] = {}
        self.kills = 0

    @property
    def share(self) -> float:
        """The share of its pages that is read, in [0, 1]; 0 while it is not known to have any."""
        return 1.0 if self.is_joined else len(self.pages) / self.count if self.count else 0.0

    @property
    def unassigned(self) -> int:
        """The number of pages that no process reads yet."""
        return sum(map(len, self.unassigned_pages))

    def join(self) -> JoinPages:
        """The request to make its document. This process's copy of the bytes is released."""
        self.is_joined = True
        self.raw = Raw(self.raw.name, b"")
        pages = tuple(self.pages.pop(number) for number in range(1, self.count + 1))
        return JoinPages(self.parser, self.front, pages)

    def assign_pages(self, processes: int) -> range:
        """Pages for one of so many processes, few enough that all of them end together; empty if none are left."""
        if not self.unassigned_pages:
            return range(0)
        first = self.unassigned_pages.popleft()
        size = max(1, min(_MAX_ASSIGNED, (self.unassigned + len(first)) // (2 * processes)))
        if first[size:]:
            self.unassigned_pages.appendleft(first[size:])
        return first[:size]


class Worker:
    """A reading process, its open file and its pending request.

    It takes no request before it is ready and none once it is spent. `pages` are those still to read, the first of them
    in work since `since`; `is_asked` while a reply is pending.
    """

    def __init__(self, megabytes: int) -> None:
        """Starts the process; `megabytes` is what a file may add to its memory."""
        self.is_ready = False
        self.is_spent = False
        self.file: HeavyFile | None = None
        self.pages = range(0)
        self.is_opening = False
        self.is_asked = False
        self.since = 0.0
        self._process = ChildProcess("tasks.parsers.parser_process:read_on_request", megabytes)
        self.pipe, self.close = self._process.pipe, self._process.close

    @property
    def is_idle(self) -> bool:
        """Whether it can be asked for something."""
        return self.is_ready and not self.is_spent and not self.is_asked

    def ask(self, file: HeavyFile, request: Request) -> None:
        """Sends a request that concerns a file."""
        self.file, self.is_asked, self.since = file, True, monotonic()
        file.since = self.since if file.since is None else file.since
        self._process.send(request)

    def receive(self) -> Reply | UnreadableFile:
        """Its reply, after waiting for it; the cause of its death where it is dead.

        Raises `KalendsError` if it dies before it was ready, since no file is the cause.
        """
        try:
            reply: Reply = self._process.receive()
        except ChildExited as death:
            self.is_spent = True
            if not self.is_ready:
                problem = f"the reading process did not start (exit status {death.status})"
                raise KalendsError(problem, "run kalends doctor") from None
            return refusals.out_of_memory() if death.status == OUT_OF_MEMORY_STATUS else refusals.killed(death.status)
        self.is_ready = self.is_ready or isinstance(reply, ProcessReady)
        self.since = monotonic()
        return reply

    def release(self) -> None:
        """Releases its file; no reply is pending any more."""
        self.file, self.pages, self.is_asked, self.is_opening = None, range(0), False, False

    def retire(self) -> None:
        """Ends the process; others read its remaining pages."""
        self.is_spent = True
        if self.file is not None and self.pages:
            self.file.unassigned_pages.appendleft(self.pages)
        self.release()


class ParserPool:
    """Takes files and yields their results."""

    def __init__(self, max_processes: int, limits: ParseSettings) -> None:
        """`max_processes` is the largest number of processes; none is started before it is needed."""
        self._max_processes = max_processes
        self._limits = limits
        self._workers: list[Worker] = []
        self._waiting: deque[HeavyFile] = deque()
        self._open: list[HeavyFile] = []
        self.pages_read = 0
        """Pages of all files so far."""

    @property
    def is_busy(self) -> bool:
        """Whether a file is not done."""
        return bool(self._waiting or self._open)

    @property
    def open_files(self) -> tuple[HeavyFile, ...]:
        """The files that are being read, in the order of their start."""
        return tuple(self._open)

    @property
    def is_full(self) -> bool:
        """Whether more files would only wait."""
        return len(self._waiting) >= max(1, self._max_processes - len(self._open))

    def add(self, file: HeavyFile) -> None:
        """Takes a file."""
        self._waiting.append(file)
        self._assign_work()

    def collect(self, timeout: float) -> Iterator[ReadResult]:
        """The results so far, after waiting at most `timeout` seconds for an event."""
        pipes = {worker.pipe: worker for worker in self._workers if worker.is_asked or not worker.is_ready}
        ready_pipes = wait(list(pipes), timeout) if pipes else []
        for pipe, worker in pipes.items():
            if pipe in ready_pipes:
                yield from self._receive(worker)
        yield from self._end_late(monotonic())
        for worker in [worker for worker in self._workers if worker.is_spent]:
            worker.close()
            self._workers.remove(worker)
        self._assign_work()

    def close(self) -> None:
        """Ends all processes."""
        for worker in self._workers:
            worker.close()

    def _receive(self, worker: Worker) -> Iterator[ReadResult]:
        reply, file = worker.receive(), worker.file
        if isinstance(reply, ProcessReady):
            return
        if file is None or not worker.is_asked:
            raise KalendsError("a process for reading files replied without a request", "report this")
        if isinstance(reply, UnreadableFile):
            yield from self._lose(worker, file, reply)
        elif isinstance(reply, FileOpened):
            # A process that opens the file again replies the same.
            if not file.count:
                file.count, file.front = reply.count, reply.front
                file.unassigned_pages.append(range(1, reply.count + 1))
            worker.is_opening, worker.is_asked = False, bool(worker.pages)
        elif isinstance(reply, PageDone):
            file.pages[reply.number] = reply.page
            self.pages_read += 1
            worker.pages = worker.pages[1:]
            worker.is_asked = bool(worker.pages)
            if reply.spent:
                worker.retire()
        else:
            worker.is_opening = False
            yield from self._end(file, reply.result)
            worker.is_spent = worker.is_spent or reply.spent

    def _lose(self, worker: Worker, file: HeavyFile, problem: UnreadableFile) -> Iterator[ReadResult]:
        """Reports what the process was reading when it died or was too slow: a page, which is lost, else the file."""
        worker.is_spent = True
        if worker.is_opening or not worker.pages:
            yield from self._end(file, problem)
            return
        file.pages[worker.pages[0]] = problem
        file.kills += 1
        worker.pages = worker.pages[1:]
        worker.retire()
        if file.kills >= _MAX_KILLS and not any(isinstance(page, bytes) for page in file.pages.values()):
            yield from self._end(file, problem)

    def _end(self, file: HeavyFile, result: Document | UnreadableFile) -> Iterator[ReadResult]:
        """Yields the result of a file and ends the processes that are still reading it."""
        self._open.remove(file)
        for worker in self._workers:
            if worker.file is file:
                worker.is_spent = worker.is_spent or bool(worker.pages) or worker.is_opening
                worker.release()
        now = monotonic()
        yield ReadResult(file.place, result, now - (file.since or now))

    def _end_late(self, now: float) -> Iterator[ReadResult]:
        """Ends the pages and files that take too long."""
        seconds, page_seconds = self._limits.seconds, self._limits.page_seconds
        for file in self._open.copy():
            duration = now - (file.since or now)
            if duration > seconds + _PAGE_TIME_SHARE * page_seconds * file.count:
                for worker in self._workers:
                    worker.is_spent = worker.is_spent or worker.file is file
                yield from self._end(file, refusals.too_slow(duration))
        for worker in self._workers:
            if worker.file is None or worker.is_opening or not worker.pages:
                continue
            if now - worker.since > page_seconds and not worker.pipe.poll():
                yield from self._lose(worker, worker.file, refusals.page_too_slow(page_seconds))

    def _assign_work(self) -> None:
        """Assigns work to idle processes, and starts more if there is enough for them."""
        for worker in self._workers:
            if worker.is_idle:
                self._assign(worker)
        helpers = sum(file.unassigned // _MIN_PAGES_TO_START for file in self._open)
        worker_count = len(self._waiting) + len(self._open) + helpers
        while len(self._workers) < min(self._max_processes, worker_count):
            self._workers.append(Worker(self._limits.megabytes))

    def _assign(self, worker: Worker) -> None:
        """Assigns work: first the end of a file, then pages of the open file, then a new file, then pages of another.

        That is the file with the most unassigned pages, if it is worth opening it again.
        """
        finished = next((file for file in self._open if 0 < len(file.pages) == file.count and not file.is_joined), None)
        if finished is not None:
            worker.ask(finished, finished.join())
        elif worker.file is not None and worker.file.unassigned:
            self._read_pages(worker, worker.file)
        elif self._waiting:
            self._open.append(self._waiting.popleft())
            self._open_file(worker, self._open[-1])
        elif shared := max(self._open, key=lambda file: file.unassigned, default=None):
            is_unread = all(other.file is not shared for other in self._workers)
            if shared.unassigned >= (1 if is_unread else _MIN_PAGES_TO_OPEN):
                self._open_file(worker, shared)
                self._read_pages(worker, shared)

    def _open_file(self, worker: Worker, file: HeavyFile) -> None:
        worker.is_opening = True
        worker.ask(file, Begin(file.parser, file.raw))

    def _read_pages(self, worker: Worker, file: HeavyFile) -> None:
        worker.pages = file.assign_pages(self._max_processes)
        worker.ask(file, ReadPages(worker.pages[0], worker.pages[-1]))
