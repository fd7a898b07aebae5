"""A stranger's SQL in a process of its own, which is ended when it takes too long or too much.

DuckDB's own limits do not hold inside one function: `repeat('x', 1000000000)` heeds neither its memory limit nor an
interrupt. A process under a bound of the operating system heeds both, and takes nothing along when it crashes.
`python -m warehouse.store.confined DESCRIPTOR` is that process; it answers one query and ends.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from threading import BoundedSemaphore

import psutil

from warehouse.confining import bound_memory, end_with_owner
from warehouse.errors import BadQuery, KalendsError
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake
from warehouse.store.querying import QueryResult, memory_limit, open_locked, query, too_hungry, too_slow

AT_ONCE = BoundedSemaphore(2)
"""So many queries of one process run at a time: each may fill its share of the memory."""
BESIDE_TABLES = 1 << 30
"""Bytes of address space beside what DuckDB counts: its code, threads, long texts, and the rows of the answer."""
LARGEST_ANSWER = 256 << 20
STARTING = 60.0
LATE = 1.0
"""Seconds for the process to start, and those after its time in which it may stop by itself."""
_ROOT = Path(__file__).resolve().parents[2]


def ask(generation: Generation, lake: Lake, sql: str, limit: int, seconds: float) -> QueryResult:
    """Run one read-only query, for at most so many rows and seconds. Raises `BadQuery`."""
    if not AT_ONCE.acquire(timeout=seconds):
        raise BadQuery("other queries are still running", "wait for them, or ask for less at a time")
    ours, theirs = Pipe()
    try:
        with _started(theirs) as process:
            try:
                return _answer(ours, (generation, lake.folder, sql, limit, seconds), seconds)
            finally:
                process.kill()
    finally:
        ours.close()
        AT_ONCE.release()


def _started(theirs: Connection) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "warehouse.store.confined", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": path},
        )
    finally:
        theirs.close()


def _answer(pipe: Connection, asked: tuple[Generation, Path, str, int, float], seconds: float) -> QueryResult:
    try:
        pipe.send(asked)
        # The first word says that the tables are open, or why not.
        for patience, late in ((STARTING, "the process for the query did not start"), (seconds + LATE, "")):
            if not pipe.poll(patience):
                raise BadQuery(late, "try again when the machine is less busy") if late else too_slow(seconds)
            said = pipe.recv()
            if isinstance(said, KalendsError):
                raise said
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise too_hungry() from None
    answer: QueryResult = said
    return answer


def _serve(pipe: Connection) -> None:
    generation, folder, sql, limit, seconds = pipe.recv()
    try:
        connection = open_locked(generation, Lake(folder))
        bound_memory(psutil.Process().memory_info().vms + memory_limit() + BESIDE_TABLES)
        pipe.send(None)
        pipe.send_bytes(_packed(query(connection, sql, limit, seconds)))
    except KalendsError as problem:
        pipe.send(problem.with_traceback(None))


def _packed(found: QueryResult) -> bytes:
    packed = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    if len(packed) > LARGEST_ANSWER:
        raise BadQuery(f"the answer is over {LARGEST_ANSWER >> 20} MB", "ask for fewer rows or shorter values")
    return packed


def main() -> None:
    """Answer the one query; hunger that DuckDB did not name ends the process, which its owner understands."""
    warnings.simplefilter("ignore")
    end_with_owner()
    try:
        _serve(Connection(int(sys.argv[1])))
    except (MemoryError, BrokenPipeError):
        os._exit(1)
    # Taking the connection apart under an interrupt that DuckDB does not heed may take minutes.
    os._exit(0)


if __name__ == "__main__":
    main()
