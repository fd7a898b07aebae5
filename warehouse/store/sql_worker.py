"""SQL of users in a process of its own, which is ended when it takes too long or too much.

DuckDB's own limits do not hold inside one function: `repeat('x', 1000000000)` heeds neither its memory limit nor an
interrupt. A process under a bound of the operating system heeds both, and takes nothing along when it crashes. One that
is done waits for the next query, of the same tables or of others.
"""

from __future__ import annotations

import atexit
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from multiprocessing.connection import Connection
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    import duckdb

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
        tables = _Tables(generation.folder, lake.folder, tuple(chain(*trials.list_files(lake).values())))
        with _borrow_worker() as worker:
            return worker.answer(tables, sql, limit, seconds)
    finally:
        RUNNING_QUERIES.release()


class _Tables(NamedTuple):
    """What a worker has open: the folders of a generation and the lake, and the files of trials at that time."""

    generation: Path
    lake: Path
    trials: tuple[Path, ...]


class SqlWorker:
    """A process that has the tables of one generation open and answers one query after the other."""

    def __init__(self) -> None:
        self._process = ChildProcess(
            "warehouse.store.sql_worker:answer_on_request", environment={"PATH": os.environ.get("PATH", "")}
        )
        self.end = self._process.close
        self._tables: _Tables | None = None
        self._at_rest = False

    @property
    def is_fit(self) -> bool:
        """Whether it lives, has answered what it was asked, and holds little memory."""
        import psutil  # Commands that ask no SQL need not load it.

        try:
            small = psutil.Process(self._process.pid).memory_info().rss < MAX_IDLE_BYTES
        except psutil.Error:
            return False
        return small and self._at_rest and self._process.is_alive

    def answer(self, tables: _Tables, sql: str, limit: int, seconds: float) -> QueryResult:
        """The answer to a query; the process opens the tables first unless it has them open. Raises `BadQuery`."""
        self._at_rest = False
        try:
            if tables != self._tables:
                self._tables = None
                self._ask(tables, STARTING, BadQuery("the process for the query did not start", "try it again"))
                self._tables = tables
            answer: QueryResult = self._ask((sql, limit, seconds), seconds + LATE, make_timeout_error(seconds))
        except ChildDied:
            raise make_memory_error() from None
        return answer

    def _ask(self, message: _Tables | tuple[str, int, float], seconds: float, late: BadQuery) -> Any:
        self._process.send(message)
        try:
            answer = self._process.receive(seconds)
        except ChildLate:
            raise late from None
        self._at_rest = self._tables is not None
        if isinstance(answer, KalendsError):
            raise answer
        return answer


@contextmanager
def _borrow_worker() -> Iterator[SqlWorker]:
    """A worker that waits or a new one; afterwards it is kept for the next query if it is fit."""
    worker = None
    with suppress(IndexError):  # none waits any more
        while worker is None:
            idle = _idle.pop()
            if idle.is_fit:
                worker = idle
            else:
                idle.end()
    worker = worker or SqlWorker()
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
    """Open tables and answer queries; an out-of-memory failure that DuckDB does not report ends the process."""
    connection: duckdb.DuckDBPyConnection | None = None
    try:
        while True:
            message = pipe.recv()
            if isinstance(message, _Tables):
                if connection:
                    connection.close()
                connection = open_locked(read(message.generation), Lake(message.lake))
                _bound_memory_once()
                pipe.send(None)
                continue
            assert connection
            sql, limit, seconds = message
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


@cache
def _bound_memory_once() -> None:
    """Bound the process by what it holds with its first tables open and what a query may take."""
    import psutil

    bound_memory(psutil.Process().memory_info().vms + compute_memory_limit() + BESIDE_TABLES)
