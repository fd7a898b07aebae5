"""SQL of users in a process of its own, which is ended when it exceeds its limits of time or memory.

DuckDB's own limits do not hold inside one function: `repeat('x', 1000000000)` respects neither its memory limit nor an
interrupt. A process under a limit of the operating system respects both, and its crash harms no other process. It
then waits for the next query, of the same tables or of others.
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

from warehouse.child_process import ChildExited, ChildProcess, ChildTimeout, bound_memory
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
RUNNING_QUERIES = BoundedSemaphore(MAX_WORKERS)  # Queries that run at a time, as each may fill its share of the memory.
EXTRA_ADDRESS_SPACE = 1 << 30
"""Bytes of address space besides what DuckDB counts: its code, threads, long texts, and the rows of the answer."""
MAX_ANSWER_BYTES = 256 << 20
MAX_IDLE_BYTES = 512 << 20  # Bytes that a process may hold while it waits for the next query.
START_SECONDS, STOP_SECONDS = 60.0, 1.0  # For the process to start, and to stop by itself after the query's time.

_idle_workers: list[SqlWorker] = []
"""Workers without a query; taking one and returning it are atomic, so threads need no lock."""


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
    """The open tables of a worker: the folders of a generation and the lake, and the files of trials at that time."""

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
        self._has_answered = False

    @property
    def is_reusable(self) -> bool:
        """Whether it runs, has answered the last request, and uses little memory."""
        import psutil  # Commands that ask no SQL need not load it.

        try:
            is_small = psutil.Process(self._process.pid).memory_info().rss < MAX_IDLE_BYTES
        except psutil.Error:
            return False
        return is_small and self._has_answered and self._process.is_alive

    def answer(self, tables: _Tables, sql: str, limit: int, seconds: float) -> QueryResult:
        """The answer to a query; the process opens the tables first unless it has them open. Raises `BadQuery`."""
        self._has_answered = False
        try:
            if tables != self._tables:
                self._tables = None
                late_error = BadQuery("the process for the query did not start", "try it again")
                self._request(tables, START_SECONDS, late_error)
                self._tables = tables
            late_error = make_timeout_error(seconds)
            answer: QueryResult = self._request((sql, limit, seconds), seconds + STOP_SECONDS, late_error)
        except ChildExited:
            raise make_memory_error() from None
        return answer

    def _request(self, message: _Tables | tuple[str, int, float], seconds: float, timeout_error: BadQuery) -> Any:
        self._process.send(message)
        try:
            answer = self._process.receive(seconds)
        except ChildTimeout:
            raise timeout_error from None
        self._has_answered = self._tables is not None
        if isinstance(answer, KalendsError):
            raise answer
        return answer


@contextmanager
def _borrow_worker() -> Iterator[SqlWorker]:
    """An idle worker or a new one; afterwards it is kept for the next query if it is reusable."""
    worker = None
    with suppress(IndexError):  # No idle worker is left.
        while worker is None:
            idle_worker = _idle_workers.pop()
            if idle_worker.is_reusable:
                worker = idle_worker
            else:
                idle_worker.end()
    worker = worker or SqlWorker()
    try:
        yield worker
    finally:
        if worker.is_reusable:
            _idle_workers.append(worker)
        else:
            worker.end()


@atexit.register
def _end_all() -> None:
    while _idle_workers:
        _idle_workers.pop().end()


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
        # Taking the connection apart under an interrupt that DuckDB ignores may take minutes.
        os._exit(0)


@cache
def _bound_memory_once() -> None:
    """Bound the process by what it holds with its first tables open and what a query may take."""
    import psutil

    bound_memory(psutil.Process().memory_info().vms + compute_memory_limit() + EXTRA_ADDRESS_SPACE)
