"""Files of Arrow and Parquet, written atomically: records with their schemas, and columns as numpy's arrays.

A schema is a pure function of the record type, so there is one definition of each shape; `docs/tables.md` shows the
result. Each row of a lake table starts with `key`, the stage output it belongs to. The digest of all
schemas is the edition: it changes if a record changes.

A file of columns holds arrays of any length by name, memory-mapped when they are read. It is an Arrow file
(https://arrow.apache.org/docs/format/Columnar.html) of one row, each cell of which is a list. Its name ends with a
digest of its content. Columns are converted to numpy without pandas, which Arrow's own conversions load.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
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
from warehouse.store.layout import open_atomically

CURE = "run 'kalends ingest' to make it again, or 'kalends doctor --deep' if that finds nothing to do"
PARQUET_MAGIC = b"PAR1"  # How every Parquet file begins and ends.
THREADED_BYTES = 1 << 20
"""Bytes of columns from which on several threads read them: fewer are read in two thirds of the time by one."""
EMPTY = "none"  # The name of the file without rows, from which a view over no data has its columns.


def write_parquet(path: Path, table: pa.Table, row_group_size: int | None = None) -> None:
    """Write a file atomically; `row_group_size` is in rows, Arrow's default if None."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_atomically(path) as stream:
        pq.write_table(table, stream, compression="zstd", row_group_size=row_group_size, write_page_checksum=True)


def read_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The rows of a table, times as UTC; `to_pylist` would import pandas for times with a zone, which takes .2 s."""
    timestamps = (column for column in table.schema if pa.types.is_timestamp(column.type))
    timestamp_columns = [column.name for column in timestamps if column.type.tz]
    for name in timestamp_columns:
        zoneless_type = pa.timestamp(table.schema.field(name).type.unit)
        # Viewed, not cast: for a cast Arrow would load all its compute functions.
        column = pa.chunked_array([chunk.view(zoneless_type) for chunk in table[name].chunks], zoneless_type)
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
    with convert_read_errors(str(path)), pq.ParquetFile(path, page_checksum_verification=True) as file:
        groups = range(file.num_row_groups)
        return _read_row_groups(file, groups, None if columns is None else list(columns))


def read_keys(
    path: Path, keys: Collection[str], columns: Sequence[str] | None = None
) -> Iterator[tuple[str, pa.Table]]:
    """The rows of some keys in a file of the lake, in its order: each run of rows with one key, and that key.

    Row groups that contain none of the keys are not read. Raises `BadWarehouse` as `read_parquet` does.
    """
    key_columns = None if columns is None else ["key", *columns]
    with convert_read_errors(str(path)), pq.ParquetFile(path, page_checksum_verification=True) as file:
        groups = range(file.num_row_groups)
        groups_with_keys = [group for group in groups if _may_contain(file.metadata.row_group(group), keys)]
        table = _read_row_groups(file, groups_with_keys, key_columns)
    first_row = 0
    for key, rows in groupby(table["key"].to_pylist()):
        count = sum(1 for _ in rows)
        if key in keys:
            yield key, table.slice(first_row, count)
        first_row += count


def _read_row_groups(file: pq.ParquetFile, groups: Sequence[int], columns: list[str] | None) -> pa.Table:
    size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
    return file.read_row_groups(groups, columns, use_threads=size >= THREADED_BYTES)


def _may_contain(group: pq.RowGroupMetaData, keys: Collection[str]) -> bool:
    """Whether the first column of a row group, the key, may contain one of `keys`."""
    statistics = group.column(0).statistics
    return not (statistics and statistics.has_min_max) or any(statistics.min <= key <= statistics.max for key in keys)


def is_complete(path: Path, magic: bytes = PARQUET_MAGIC) -> bool:
    """Whether a file exists and is not truncated: its last bytes are `magic`."""
    try:
        with path.open("rb") as stream:
            stream.seek(-len(magic), os.SEEK_END)
            return stream.read() == magic
    except OSError:
        return False


@contextmanager
def convert_read_errors(name: str) -> Iterator[None]:
    """Convert the errors of Arrow and DuckDB for a damaged file, `name`, to `BadWarehouse` with the cure."""
    try:
        yield
    except Exception as error:
        # Imported only after an error, so that callers without SQL do not load DuckDB. The errors that it raises for a
        # flipped bit have no class of their own; the program's own queries fail for no other reason.
        import duckdb

        if isinstance(error, OSError | pa.ArrowException | duckdb.Error):
            raise BadWarehouse(f"{name} cannot be read ({' '.join(str(error).split())})", CURE) from error
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

ARROW_TYPES: dict[type, pa.DataType] = {
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
    return ARROW_TYPES[hint]


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
        first_error = error.errors()[0]
        field_path = ".".join(map(str, first_error["loc"]))
        problem = f"stored records are damaged ({record.__name__} {field_path}: {first_error['msg']})"
        raise BadWarehouse(problem, CURE) from error
    return records


Shape = dict[str, "Shape"] | list["Shape"] | str
"""The shape of a column: the name of its type, the shape of a list's elements, or of a struct's fields by name."""

GENERATION_RECORDS: dict[str, Any] = {"documents": CatalogEntry, "generation_findings": Finding, "runs": Run}


def get_shape(arrow_type: pa.DataType | pa.Schema) -> Shape:
    """The shape of a table or of a column's type, whatever name Parquet gives to the elements of a list."""
    if isinstance(arrow_type, pa.Schema) or pa.types.is_struct(arrow_type):
        return {field.name: get_shape(field.type) for field in arrow_type}
    return [get_shape(arrow_type.value_type)] if pa.types.is_list(arrow_type) else str(arrow_type)


def list_shapes() -> dict[str, Shape]:
    """The shape of each table, of the lake and of a generation, as this program writes them."""
    lake = {table: get_shape(get_lake_schema(table)) for table in LAKE_RECORDS}
    return {**lake, **{table: get_shape(get_schema(record)) for table, record in GENERATION_RECORDS.items()}}


@cache
def compute_edition() -> str:
    """The name of the shapes that this program writes. The order of columns is part of it."""
    return digest([[table, _to_ordered_lists(shape)] for table, shape in sorted(list_shapes().items())])


def _to_ordered_lists(shape: Shape) -> Any:
    if isinstance(shape, dict):
        return [[name, _to_ordered_lists(inner_shape)] for name, inner_shape in shape.items()]
    return [_to_ordered_lists(inner_shape) for inner_shape in shape] if isinstance(shape, list) else shape


def share_file(file: Path, name: Path) -> None:
    """Give an immutable file another name, in a folder that is created if missing: a hard link or else a copy."""
    name.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, name)
    except OSError:  # a file system without hard links
        shutil.copyfile(file, name)


ID_LENGTH = 32  # Hexadecimal digits of an id.
ID_BYTES = f"S{ID_LENGTH}"  # An id as bytes.
SEPARATOR = "\x1f"  # The separator of the texts of a list in the joined text by which lists are compared.


def as_arrow(column: np.ndarray) -> pa.Array:
    """Numbers and bytes as Arrow has them; `pa.array` would load pandas."""
    column = np.ascontiguousarray(column)
    arrow_type = pa.binary(column.itemsize) if column.dtype.kind == "S" else pa.from_numpy_dtype(column.dtype)
    return pa.Array.from_buffers(arrow_type, len(column), [None, pa.py_buffer(column.data if len(column) else b"")])


def as_numpy(array: pa.Array) -> np.ndarray | pa.Array:
    """Numbers, and bytes of one length, as a numpy view; any other array unchanged."""
    if pa.types.is_fixed_size_binary(array.type):
        dtype = np.dtype(f"S{array.type.byte_width}")
    elif pa.types.is_integer(array.type) or pa.types.is_floating(array.type):
        dtype = np.dtype(array.type.to_pandas_dtype())
    else:
        return array
    buffer = array.buffers()[1]
    count = array.offset + len(array)
    values = np.frombuffer(buffer, dtype, count) if count else np.empty(0, dtype)
    return values[array.offset :]


def as_bytes(names: Sequence[str] | pa.ChunkedArray) -> np.ndarray:
    """Names as bytes of one length; those of a column in place where they are ids. Raises `BadWarehouse` for a null."""
    if isinstance(names, pa.ChunkedArray):
        array = names.combine_chunks()
        if array.null_count:
            raise BadWarehouse("a stored name is lost", CURE)
        if len(array):
            offsets = np.frombuffer(array.buffers()[1], np.int32, len(array) + 1, 4 * array.offset)
            if np.all(np.diff(offsets) == ID_LENGTH):
                return np.frombuffer(array.buffers()[2], ID_BYTES, len(array), int(offsets[0]))
        names = array.to_pylist()
    return np.array([name.encode() for name in names], ID_BYTES if not names else None)


def to_numbers(column: pa.ChunkedArray | pa.Array, missing: int = 0) -> np.ndarray:
    """A column of numbers, days or booleans as int64 or float64; `missing` replaces nulls."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_date(array.type):
        array = array.cast(pa.int32())
    arrow_type = pa.float64() if pa.types.is_floating(array.type) else pa.int64()
    array = array.cast(arrow_type).fill_null(missing)
    dtype = array.type.to_pandas_dtype()
    return np.frombuffer(array.buffers()[1], dtype, len(array), 8 * array.offset) if len(array) else np.empty(0, dtype)


def encode_texts(texts: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """The code of each text, and the texts by code, in order of their first appearance."""
    encoded = texts.dictionary_encode()
    return to_numbers(encoded.indices).astype(np.int32), encoded.dictionary


def encode_lists(lists: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """The code of each list of texts, and the lists by code, in order of their first appearance."""
    import pyarrow.compute as pc  # Commands that read no columns need not load it.

    codes, texts = encode_texts(pc.binary_join(lists, SEPARATOR))
    first_rows = np.full(len(texts), len(codes), np.int64)
    np.minimum.at(first_rows, codes, np.arange(len(codes)))
    return codes, lists.take(as_arrow(first_rows))


ARROW_MAGIC = b"ARROW1"  # How every Arrow file ends.
ARROW_SUFFIX = ".arrow"
BYTES_PER_READ = 1 << 20

Columns = dict[str, "np.ndarray | pa.Array"]
"""Numbers, and bytes of one length, as numpy's arrays; texts as Arrow's."""


def write_columns(folder: Path, part: str, columns: Mapping[str, np.ndarray | pa.Array]) -> Path:
    """Write the columns of a part into a folder; its name begins with that of the part."""
    arrays = {name: column if isinstance(column, pa.Array) else as_arrow(column) for name, column in columns.items()}
    table = pa.table({name: _wrap_in_cell(array) for name, array in arrays.items()})
    partial = folder / f"{part}.partial"
    with pa.OSFile(str(partial), "wb") as stream, pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    return partial.rename(folder / f"{part}-{_compute_digest(partial)}{ARROW_SUFFIX}")


def read_columns(file: Path) -> Columns:
    """The columns of a file, mapped. Raises `BadWarehouse`."""
    try:
        batch = pa.ipc.open_file(pa.memory_map(str(file))).get_batch(0)
        return {name: as_numpy(batch.column(name).values) for name in batch.schema.names}
    except (OSError, pa.ArrowException, ValueError, IndexError, AttributeError) as error:
        raise BadWarehouse(f"{file} cannot be read ({' '.join(str(error).split())})", CURE) from error


def matches_digest(file: Path) -> bool:
    """Whether a file's content matches the digest in its name; reads all of it."""
    return is_complete(file, ARROW_MAGIC) and file.stem.rpartition("-")[2] == _compute_digest(file)


def _compute_digest(file: Path) -> str:
    content_digest = hashlib.blake2b(digest_size=16)
    with file.open("rb") as stream:
        while block := stream.read(BYTES_PER_READ):
            content_digest.update(block)
    return content_digest.hexdigest()


def _wrap_in_cell(array: pa.Array) -> pa.Array:
    bounds = pa.py_buffer(np.array([0, len(array)], np.int64).data)
    return pa.LargeListArray.from_arrays(pa.Array.from_buffers(pa.int64(), 2, [None, bounds]), array)
