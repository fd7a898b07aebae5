"""Parquet files, written whole or not at all, and the schemas of the records in them.

A schema is a pure function of the record type, so there is one definition of each shape; `docs/tables.md` shows the
result. Each row of a lake table starts with `key`, the stage output it belongs to. All shapes together have a name, the
edition: a record that changes gives them another.
"""

from __future__ import annotations

import os
import shutil
import types
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter, ValidationError

from warehouse.errors import BadWarehouse
from warehouse.identity import digest
from warehouse.records import (
    Block,
    CatalogEntry,
    Cell,
    Chunk,
    Content,
    Embedding,
    Entity,
    Fact,
    Finding,
    Mention,
    Parent,
    Run,
    Score,
    Table,
    Total,
)
from warehouse.store.layout import whole_file

CURE = "run 'kalends ingest' to make it again, or 'kalends doctor --deep' if that finds nothing to do"
MAGIC = b"PAR1"  # How every Parquet file begins and ends.
EMPTY = "none"  # The name of a file without rows, which gives a view over nothing its columns.


def write_parquet(path: Path, table: pa.Table, group: int | None = None) -> None:
    """Write a file, whole or not at all; `group` is how many rows are read together at least, Arrow's if None."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as stream:
        pq.write_table(table, stream, compression="zstd", row_group_size=group, write_page_checksum=True)


def read_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The rows of a table, times as UTC; `to_pylist` would import pandas for times with a zone, which takes .2 s."""
    timestamp_columns = [
        column.name for column in table.schema if pa.types.is_timestamp(column.type) and column.type.tz
    ]
    for name in timestamp_columns:
        plain = pa.timestamp(table.schema.field(name).type.unit)
        # Viewed, not cast: for a cast Arrow would load all its compute functions.
        column = pa.chunked_array([chunk.view(plain) for chunk in table[name].chunks], plain)
        table = table.set_column(table.schema.get_field_index(name), name, column)
    rows: list[dict[str, Any]] = table.to_pylist()
    for row in rows:
        row.update({name: row[name].replace(tzinfo=UTC) for name in timestamp_columns if row[name] is not None})
    return rows


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Some columns of a file. Raises `BadWarehouse` where it is missing or damaged.

    Pages are compared with their checksums: of 400 flipped bits, 231 would otherwise be read as different text.
    """
    # read_table loads pyarrow.dataset, and that pandas, which takes longer than most files.
    with naming_damage(str(path)), pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read(None if columns is None else list(columns))


def read_keys(
    path: Path, keys: Collection[str], columns: Sequence[str] | None = None
) -> Iterator[tuple[str, pa.Table]]:
    """The rows of some keys in a file of the lake, in its order: each run of rows with one key, and that key.

    Row groups that contain none of the keys are not read. Raises `BadWarehouse` as `read_parquet` does.
    """
    key_columns = None if columns is None else ["key", *columns]
    with naming_damage(str(path)), pq.ParquetFile(path, page_checksum_verification=True) as file:
        groups = [number for number in range(file.num_row_groups) if _may_hold(file.metadata.row_group(number), keys)]
        table = file.read_row_groups(groups, key_columns)
    first = 0
    for key, rows in groupby(table["key"].to_pylist()):
        count = sum(1 for _ in rows)
        if key in keys:
            yield key, table.slice(first, count)
        first += count


def _may_hold(group: pq.RowGroupMetaData, keys: Collection[str]) -> bool:
    """Whether the first column of a row group, the key, may contain one of `keys`."""
    statistics = group.column(0).statistics
    return not (statistics and statistics.has_min_max) or any(statistics.min <= key <= statistics.max for key in keys)


def is_whole(path: Path, magic: bytes = MAGIC) -> bool:
    """Whether a file is there and was not cut off; looks only at its end, which is `magic`."""
    try:
        with path.open("rb") as stream:
            stream.seek(-len(magic), os.SEEK_END)
            return stream.read() == magic
    except OSError:
        return False


@contextmanager
def naming_damage(what: str) -> Iterator[None]:
    """Turn the errors of Arrow and DuckDB for a damaged file into `BadWarehouse` with the cure."""
    try:
        yield
    except Exception as error:
        # Imported only after an error, so that callers without SQL do not load DuckDB. The errors that it raises for a
        # flipped bit have no class of their own; the program's own queries fail for no other reason.
        import duckdb

        if isinstance(error, OSError | pa.ArrowException | duckdb.Error):
            raise BadWarehouse(f"{what} cannot be read ({' '.join(str(error).split())})", CURE) from error
        raise


Record = TypeVar("Record")

LAKE_RECORDS: dict[str, type[Any]] = {
    "contents": Content,
    "blocks": Block,
    "tables": Table,
    "facts": Fact,
    "cells": Cell,
    "totals": Total,
    "mentions": Mention,
    "entities": Entity,
    "chunks": Chunk,
    "parents": Parent,
    "scores": Score,
    "findings": Finding,
    "embeddings": Embedding,
}

SCALARS: dict[type, pa.DataType] = {
    str: pa.string(),
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    date: pa.date32(),
    datetime: pa.timestamp("us", tz="UTC"),
}


def get_arrow_type(hint: Any) -> pa.DataType:
    """The Arrow type of a record field's type."""
    if isinstance(hint, type) and is_dataclass(hint):
        return pa.struct(list(_iter_fields(hint)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return pa.string()
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return get_arrow_type(next(argument for argument in arguments if argument is not type(None)))
    if origin is tuple:
        return pa.list_(get_arrow_type(arguments[0]))
    return SCALARS[hint]


def _iter_fields(record: type[Any]) -> Iterable[pa.Field]:
    hints = get_type_hints(record)
    return (pa.field(item.name, get_arrow_type(hints[item.name])) for item in fields(record))


@cache
def get_schema(record: Any) -> pa.Schema:
    """The schema of a record's rows."""
    return pa.schema(list(_iter_fields(record)))


@cache
def get_lake_schema(table: str) -> pa.Schema:
    """The schema of a lake table: `key`, then the record's fields."""
    record: Any = LAKE_RECORDS[table]
    return get_schema(record).insert(0, pa.field("key", pa.string()))


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _get_adapter(record: Any) -> TypeAdapter[Any]:
    if record not in _ADAPTERS:
        _ADAPTERS[record] = TypeAdapter(tuple[record, ...])
    return _ADAPTERS[record]


def to_rows(record: type[Record], records: Iterable[Record]) -> list[dict[str, Any]]:
    """The records as rows for Arrow."""
    rows: list[dict[str, Any]] = _get_adapter(record).dump_python(tuple(records))
    return rows


def to_records(record: type[Record], rows: Iterable[dict[str, Any]]) -> tuple[Record, ...]:
    """The rows as records again; columns that the record does not have are ignored.

    Raises `BadWarehouse` if they are not such records: a flipped bit in a file's footer may rename a column.
    """
    try:
        records: tuple[Record, ...] = _get_adapter(record).validate_python(tuple(rows))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadWarehouse(f"stored records are damaged ({record.__name__} {place}: {first['msg']})", CURE) from error
    return records


Shape = dict[str, "Shape"] | list["Shape"] | str
"""The shape of a column: the name of its type, the shape of a list's elements, or of a struct's fields by name."""

GENERATION_RECORDS: dict[str, Any] = {"documents": CatalogEntry, "generation_findings": Finding, "runs": Run}


def get_shape(kind: pa.DataType | pa.Schema) -> Shape:
    """The shape of a table or of a column's type, whatever name Parquet gives to the elements of a list."""
    if isinstance(kind, pa.Schema) or pa.types.is_struct(kind):
        return {field.name: get_shape(field.type) for field in kind}
    return [get_shape(kind.value_type)] if pa.types.is_list(kind) else str(kind)


def list_shapes() -> dict[str, Shape]:
    """The shape of each table, of the lake and of a generation, as this program writes them."""
    lake = {table: get_shape(get_lake_schema(table)) for table in LAKE_RECORDS}
    return {**lake, **{table: get_shape(get_schema(record)) for table, record in GENERATION_RECORDS.items()}}


@cache
def compute_edition() -> str:
    """The name of the shapes that this program writes. The order of columns is part of it."""
    return digest([[table, _list_in_order(shape)] for table, shape in sorted(list_shapes().items())])


def _list_in_order(shape: Shape) -> Any:
    if isinstance(shape, dict):
        return [[name, _list_in_order(inner_shape)] for name, inner_shape in shape.items()]
    return [_list_in_order(inner_shape) for inner_shape in shape] if isinstance(shape, list) else shape


def share_file(file: Path, name: Path) -> None:
    """Give an immutable file another name, in a folder that is created if missing: a hard link or else a copy."""
    name.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, name)
    except OSError:  # a file system without hard links
        shutil.copyfile(file, name)
