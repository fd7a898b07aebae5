"""SQL of users in a process of its own, which is ended when it takes too long or too much.

DuckDB's own limits do not hold inside one function: `repeat('x', 1000000000)` heeds neither its memory limit nor an
interrupt. A process under a bound of the operating system heeds both, and takes nothing along when it crashes. One that
is done waits for the next query.
"""

from __future__ import annotations

import atexit
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from warehouse.child_process import ChildDied, ChildLate, ChildProcess, bound_memory
from warehouse.errors import BadQuery, KalendsError
from warehouse.store import trials
from warehouse.store.generations import Generation, read
from warehouse.store.lake import Lake
from warehouse.store.sql_queries import (
    QueryResult,
    compute_memory_limit,
    make_memory_error,
    make_timeout_error,
    open_locked,
    query,
)

MAX_WORKERS = 2
RUNNING_QUERIES = BoundedSemaphore(
    MAX_WORKERS
)  # So many queries of one process run at a time: each may fill its share of the memory.
BESIDE_TABLES = 1 << 30
"""Bytes of address space beside what DuckDB counts: its code, threads, long texts, and the rows of the answer."""
MAX_ANSWER_BYTES = 256 << 20
MAX_IDLE_BYTES = 512 << 20  # Bytes that a process may hold while it waits for the next query.
STARTING = 60.0
LATE = 1.0  # Seconds for the process to start, and those after its time in which it may stop by itself.

_idle: list[SqlWorker] = []
"""Those that wait; taking one out and putting it back are each one step, so threads need no lock."""


def run_query(generation: Generation, lake: Lake, sql: str, limit: int, seconds: float) -> QueryResult:
    """Run one read-only query, for at most so many rows and seconds. Raises `BadQuery`."""
    if not RUNNING_QUERIES.acquire(timeout=seconds):
        raise BadQuery("other queries are still running", "wait for them, or ask for less at a time")
    try:
        with _borrow_worker(generation, lake) as worker:
            return worker.answer(sql, limit, seconds)
    finally:
        RUNNING_QUERIES.release()


class SqlWorker:
    """A process that has the tables of one generation open and answers one query after the other."""

    def __init__(self, generation: Path, lake: Path, seen: object) -> None:
        """`seen` are the files of trials by now: one that sees others is another worker."""
        self.tables = (generation, lake, seen)
        self._process = ChildProcess(
            "warehouse.store.sql_worker:answer_on_request", environment={"PATH": os.environ.get("PATH", "")}
        )
        self.end = self._process.close
        self._opened = self._at_rest = False

    @property
    def is_fit(self) -> bool:
        """Whether it lives, has answered what it was asked, and holds little memory."""
        import psutil  # Commands that ask no SQL need not load it.

        try:
            small = psutil.Process(self._process.pid).memory_info().rss < MAX_IDLE_BYTES
        except psutil.Error:
            return False
        return small and self._at_rest and self._process.is_alive

    def answer(self, sql: str, limit: int, seconds: float) -> QueryResult:
        """The answer to a query. Raises `BadQuery`."""
        try:
            if not self._opened:
                self._send(self.tables[:2])
                self._receive(STARTING, BadQuery("the process for the query did not start", "try it again"))
                self._opened = True
            self._send((sql, limit, seconds))
            answer: QueryResult = self._receive(seconds + LATE, make_timeout_error(seconds))
        except ChildDied:
            raise make_memory_error() from None
        return answer

    def _send(self, message: Any) -> None:
        self._at_rest = False
        self._process.send(message)

    def _receive(self, seconds: float, late: BadQuery) -> Any:
        try:
            answer = self._process.receive(seconds)
        except ChildLate:
            raise late from None
        self._at_rest = self._opened
        if isinstance(answer, KalendsError):
            raise answer
        return answer


@contextmanager
def _borrow_worker(generation: Generation, lake: Lake) -> Iterator[SqlWorker]:
    """A worker with these tables open; afterwards it is kept for the next query if it is fit."""
    seen = tuple(map(str, (path for paths in trials.list_files(lake).values() for path in paths)))
    tables, worker = (generation.folder, lake.folder, seen), None
    with suppress(IndexError):  # none waits any more
        # Those that wait with other tables are ended, since nobody asks about what they have open.
        while worker is None:
            idle = _idle.pop()
            if idle.tables == tables and idle.is_fit:
                worker = idle
            else:
                idle.end()
    worker = worker or SqlWorker(*tables)
    try:
        yield worker
    finally:
        if worker.is_fit:
            _idle.append(worker)
        else:
            worker.end()


@atexit.register
def _end_all() -> None:
    while _idle:
        _idle.pop().end()


def answer_on_request(pipe: Connection) -> None:
    """Answer queries; hunger that DuckDB did not name ends the process, which its owner understands."""
    import psutil

    try:
        generation, lake = pipe.recv()
        connection = open_locked(read(generation), Lake(lake))
        bound_memory(psutil.Process().memory_info().vms + compute_memory_limit() + BESIDE_TABLES)
        pipe.send(None)
        while True:
            sql, limit, seconds = pipe.recv()
            try:
                answer = pickle.dumps(query(connection, sql, limit, seconds), pickle.HIGHEST_PROTOCOL)
                if len(answer) > MAX_ANSWER_BYTES:
                    size = f"{MAX_ANSWER_BYTES >> 20} MB"
                    raise BadQuery(f"the answer is over {size}", "ask for fewer rows or shorter values")
                pipe.send_bytes(answer)
            except KalendsError as problem:
                pipe.send(problem.with_traceback(None))
    except KalendsError as problem:  # the tables could not be opened
        pipe.send(problem.with_traceback(None))
    finally:
        # Taking the connection apart under an interrupt that DuckDB does not heed may take minutes.
        os._exit(0)
