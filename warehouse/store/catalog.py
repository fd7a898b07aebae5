"""The DuckDB catalog of a generation: small tables, and views over exactly the lake files that it uses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import pyarrow as pa

from warehouse.records import CatalogEntry, Run
from warehouse.store import trials
from warehouse.store.arrow_files import EMPTY, LAKE_RECORDS, convert_read_errors, get_schema, is_complete, write_parquet
from warehouse.store.lake import Lake, build_vector_schema

if TYPE_CHECKING:
    import duckdb

STAGE_TABLES: dict[str, tuple[str, ...]] = {
    "parse": ("contents", "blocks", "tables", "facts", "findings"),
    "refused": ("contents", "findings"),
    "failed": ("findings",),
    "tables": ("cells", "totals"),
    "temporal": ("mentions", "findings"),
    "entities": ("entities",),
    "chunk": ("chunks", "parents"),
    "score": ("scores", "findings"),
    "embed": ("embeddings",),
}


def get_writing_stage(stage: str) -> str:
    """The stage that writes the files of an output: a refusal is an output of parsing."""
    return "parse" if stage == "refused" else stage


OLDEST_READER = "v1.2.0"  # The oldest version of DuckDB that can open a published catalog.
MAX_MEMORY = 8 << 30  # Bytes of memory of a connection, or half of the machine's if that is less.
_INSTANCE_LOCK = Lock()


def list_lake_files(lake: Lake, outputs: Iterable[tuple[str, str]]) -> dict[str, list[Path]]:
    """The files of each lake table that hold outputs, (stage, file); an empty file for a table without outputs."""
    names: dict[str, set[str]] = {table: set() for table in LAKE_RECORDS}
    for stage, file in outputs:
        for table in STAGE_TABLES[stage]:
            names[table].add(file)
    paths_by_table = {
        table: sorted(lake.get_path(table, name) for name in names[table] or {EMPTY}) for table in LAKE_RECORDS
    }
    return {**paths_by_table, "vectors": lake.list_vector_files()}


def write_empty_files(lake: Lake, dimension: int) -> None:
    """Make sure that every table has a file, so that a view over no data still has its columns."""
    for table in LAKE_RECORDS:
        if not is_complete(lake.get_path(table, EMPTY)):
            lake.write(table, EMPTY, {})
    for table, record in trials.RECORDS.items():
        if not is_complete(lake.get_path(table, EMPTY)):
            write_parquet(lake.get_path(table, EMPTY), pa.Table.from_batches([], get_schema(record)))
    if not lake.list_vector_files():
        write_parquet(lake.get_path("vectors", EMPTY), build_vector_schema(dimension).empty_table())


def define_catalog(
    connection: duckdb.DuckDBPyConnection, generation: Path, files_by_table: dict[str, list[Path]]
) -> None:
    """Create a generation's tables and views, with their comments, in the connection's current database.

    Raises `BadWarehouse` where a file is missing or damaged.
    """
    define_documents(connection, generation)
    define_views(connection, generation, files_by_table)
    connection.execute(read_script("comments.sql"))


def define_documents(connection: duckdb.DuckDBPyConnection, generation: Path) -> None:
    """Create the tables of a generation that every search needs. Raises `BadWarehouse`."""
    _define_tables(connection, generation, "documents.sql")


def define_views(
    connection: duckdb.DuckDBPyConnection, generation: Path, files_by_table: dict[str, list[Path]]
) -> None:
    """Create the views over the lake and the other tables, after those of documents. Raises `BadWarehouse`."""
    _define_tables(connection, generation, "corrections_and_runs.sql")
    lists = {table: ", ".join(_quote(path) for path in paths) for table, paths in files_by_table.items()}
    with convert_read_errors(f"generation {generation.name}"):
        connection.execute(read_script("views.sql").format(**lists))


def _define_tables(connection: duckdb.DuckDBPyConnection, generation: Path, script: str) -> None:
    file_parameters = {
        f"{name}_file": _quote(generation / f"{name}.parquet") for name in ("documents", "findings", "runs")
    }
    with convert_read_errors(f"generation {generation.name}"):
        # An empty_table() would load pandas.
        for name, record in (("no_documents", CatalogEntry), ("no_runs", Run)):
            connection.register(name, pa.Table.from_batches([], get_schema(record)))
        connection.execute(read_script(script).format(**file_parameters))
        for name in ("no_documents", "no_runs"):
            connection.unregister(name)


def define_trials(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Iterable[Path]]) -> None:
    """Create the views over the results of experiments, which are not part of any generation.

    Raises `BadWarehouse` where a file is missing or damaged.
    """
    relations = {}
    with convert_read_errors("a trial"):
        for table, record in trials.RECORDS.items():
            file_list = ", ".join(map(_quote, files.get(table, ())))
            relations[table] = f"read_parquet([{file_list}], union_by_name = true)"
            if not file_list:  # There are no files yet: columns without rows.
                connection.register("no_rows", pa.Table.from_batches([], get_schema(record)))
                column_rows = connection.execute("DESCRIBE FROM no_rows").fetchall()
                connection.unregister("no_rows")
                columns = ", ".join(f'CAST(NULL AS {kind}) AS "{name}"' for name, kind, *_ in column_rows)
                relations[table] = f"(SELECT {columns} WHERE false)"
        connection.execute(read_script("trials.sql").format(**relations))


def write_catalog(target: Path, generation: Path, files_by_table: dict[str, list[Path]], lake: Lake) -> None:
    """Write the database that any DuckDB client from 1.2 on can open.

    It is written once and also shows trials made later, as their files are named by patterns.
    """
    with _attach(target, f"STORAGE_VERSION '{OLDEST_READER}'") as connection:
        connection.execute("USE catalog")
        # One transaction, as each flushes its log to the disk, which took two thirds of the time with 43 transactions.
        connection.begin()
        define_catalog(connection, generation, files_by_table)
        define_trials(connection, {table: [lake.get_path(table, "*")] for table in trials.RECORDS})
        connection.commit()


def count_documents(catalog: Path) -> int:
    """The documents in a published database. Raises `BadWarehouse` where that cannot be read."""
    with convert_read_errors(str(catalog)), _attach(catalog, "READ_ONLY") as connection:
        ((count,),) = connection.table("catalog.documents").count("*").fetchall()
    return int(count)


@contextmanager
def _attach(file: Path, option: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection in which a database file is `catalog`, of one instance for all files, as each takes .02 s."""
    with _INSTANCE_LOCK:
        instance = _get_instance(os.getpid())
        try:
            instance.execute(f"ATTACH {_quote(file)} AS catalog ({option})")
            with instance.cursor() as connection:
                yield connection
            instance.execute("DETACH catalog")
        except BaseException:
            # What failed to write one file, for want of space perhaps, is not trusted with another.
            _get_instance.cache_clear()
            instance.close()
            raise


@cache
def _get_instance(_process: int) -> duckdb.DuckDBPyConnection:
    """The instance of a process: one that was forked has none of the threads of its parent's."""
    return connect()


def connect() -> duckdb.DuckDBPyConnection:
    """A private in-memory connection, bounded, that writes no files and makes no network requests."""
    import duckdb

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "memory_limit": f"{min(memory // 2, MAX_MEMORY)}B",
        "temp_directory": "",
    }
    return duckdb.connect(config=config)


def read_script(name: str) -> str:
    """The text of one of the `.sql` files."""
    return files("warehouse.store").joinpath("sql", name).read_text(encoding="utf-8")


def read_queries(file: Path) -> dict[str, str]:
    """The queries of a file by their names: a line "-- name: NAME" is above each."""
    _, *pairs = re.split(r"^-- name: (\w+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: query.strip() for name, query in zip(pairs[::2], pairs[1::2], strict=True)}


def _quote(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
