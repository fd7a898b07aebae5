"""Read-only SQL over a generation, without access to files, network, extensions and settings.

DuckDB shows the position of a mistake in several lines; `format_error` makes one line of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import sysconf
from threading import Timer
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from warehouse.errors import BadQuery, QueryMistake, QueryTimeout
from warehouse.store import trials
from warehouse.store.catalog import connect, define_catalog, define_trials, list_lake_files
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake

if TYPE_CHECKING:
    import duckdb


_ERROR_POINTER = re.compile(r"\n\s*LINE (\d+): (.*)\n([ ^~]*\^[ ^~]*)")
_ELLIPSIS = "..."


def format_error(message: str, sql: str) -> str:
    """DuckDB's message on one line, with the line and the column, from 1, that it points at in `sql`."""
    match = _ERROR_POINTER.search(message)
    if match is None:
        return " ".join(message.split())
    text, line, shown_line = " ".join(message[: match.start()].split()), int(match[1]), match[2]
    # The index of the character in this column; Chinese characters take two columns.
    column, width = 0, match[3].index("^") - len(f"LINE {line}: ")
    while column < len(shown_line) and width > 0:
        width -= 2 if east_asian_width(shown_line[column]) in "WF" else 1
        column += 1
    # DuckDB shows only a part of a long line, and counts lines without the comments that a query begins with.
    prefix_length = len(_ELLIPSIS) if shown_line.startswith(_ELLIPSIS) else 0
    part = shown_line[prefix_length:].removesuffix(_ELLIPSIS)
    for number, sql_line in enumerate(sql.split("\n")[line - 1 :], line):
        if part in sql_line:
            return f"{text} (line {number}, column {sql_line.index(part) + column - prefix_length + 1})"
    return f"{text} (line {line})"


MAX_MEMORY = 4 << 30


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Rows of a query. `truncated` says that there were more than the limit."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool


def open_locked(generation: Generation, lake: Lake) -> duckdb.DuckDBPyConnection:
    """A connection to a generation's tables that can read its lake files and nothing else."""
    connection = connect()
    paths, trial_files = list_lake_files(lake, generation.list_outputs()), trials.list_files(lake)
    define_catalog(connection, generation.folder, paths)
    define_trials(connection, trial_files)
    allowed_paths = [str(path) for files in (*paths.values(), *trial_files.values()) for path in files]
    connection.execute("SET memory_limit = $bytes", {"bytes": f"{compute_memory_limit()}B"})
    connection.execute("SET allowed_paths = $paths", {"paths": allowed_paths})
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def query(connection: duckdb.DuckDBPyConnection, sql: str, limit: int, seconds: float) -> QueryResult:
    """Run one read-only statement. Raises `BadQuery` for anything else, for a mistake, and past the time limit."""
    import duckdb

    try:
        statements = connection.extract_statements(sql)
        # EXPLAIN is refused: EXPLAIN ANALYZE would run whatever it explains.
        if len(statements) != 1 or statements[0].type.name != "SELECT":
            raise BadQuery("only one SELECT, WITH, FROM, SHOW, DESCRIBE or SUMMARIZE is run", "ask for one query")
        # WITH x AS (DELETE …) SELECT … is of the type SELECT too.
        connection.execute("BEGIN TRANSACTION READ ONLY")
        timer = Timer(seconds, connection.interrupt)
        try:
            timer.start()
            cursor = connection.execute(statements[0])
            rows = cursor.fetchmany(limit + 1)
            columns = tuple(column[0] for column in cursor.description or ())
        finally:
            timer.cancel()
            connection.execute("ROLLBACK")
    except duckdb.InterruptException:
        raise make_timeout_error(seconds) from None
    except duckdb.OutOfMemoryException:
        raise make_memory_error() from None
    except duckdb.Error as error:
        raise QueryMistake(format_error(str(error), sql), "'kalends sql \"SHOW TABLES\"' lists what there is") from None
    return QueryResult(columns, tuple(rows[:limit]), len(rows) > limit)


def compute_memory_limit() -> int:
    """Bytes that DuckDB may hold for one query: a quarter of the machine's memory, at most 4 GB."""
    return min(sysconf("SC_PAGE_SIZE") * sysconf("SC_PHYS_PAGES") // 4, MAX_MEMORY)


def make_timeout_error(seconds: float) -> QueryTimeout:
    """A query that did not end in its time."""
    return QueryTimeout(f"the query took over {seconds:g} s", "narrow it, or raise --seconds")


def make_memory_error() -> BadQuery:
    """A query that took all the memory there is for it."""
    return BadQuery(
        f"the query needs over {compute_memory_limit() >> 20} MB of memory", "narrow it, or ask for fewer rows"
    )
