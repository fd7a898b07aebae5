"""Columns of Arrow as numpy's arrays, and back, without pandas, which Arrow's own ways there load; files of columns.

A file of columns holds arrays of any length by name, memory-mapped when they are read. It is an Arrow file
(https://arrow.apache.org/docs/format/Columnar.html) of one row, each cell of which is a list. Its name ends with a
digest of what it holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from warehouse.errors import BadWarehouse
from warehouse.store.parquet import CURE, is_whole

ID_LENGTH = 32  # Hexadecimal digits of an id.
ID_BYTES = f"S{ID_LENGTH}"  # An id as bytes.
SEPARATOR = "\x1f"  # Stands between the texts of a list, where lists are told apart.


def as_arrow(column: np.ndarray) -> pa.Array:
    """Numbers and bytes as Arrow has them; `pa.array` would load pandas."""
    column = np.ascontiguousarray(column)
    kind = pa.binary(column.itemsize) if column.dtype.kind == "S" else pa.from_numpy_dtype(column.dtype)
    return pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column.data if len(column) else b"")])


def as_numpy(array: pa.Array) -> np.ndarray | pa.Array:
    """Numbers, and bytes of one length, as numpy's, in place; anything else as it is."""
    if pa.types.is_fixed_size_binary(array.type):
        kind = np.dtype(f"S{array.type.byte_width}")
    elif pa.types.is_integer(array.type) or pa.types.is_floating(array.type):
        kind = np.dtype(array.type.to_pandas_dtype())
    else:
        return array
    buffer = array.buffers()[1]
    count = array.offset + len(array)
    whole = np.frombuffer(buffer, kind, count) if count else np.empty(0, kind)
    return whole[array.offset :]


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
    """A column of numbers, days or truths, as int64 or float64; `missing` stands for nulls."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_date(array.type):
        array = array.cast(pa.int32())
    kind = pa.float64() if pa.types.is_floating(array.type) else pa.int64()
    array = array.cast(kind).fill_null(missing)
    return (
        np.frombuffer(array.buffers()[1], array.type.to_pandas_dtype(), len(array), 8 * array.offset)
        if len(array)
        else np.empty(0, array.type.to_pandas_dtype())
    )


def encode_texts(texts: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """The code of each text, and the texts by code, in order of their first appearance."""
    encoded = texts.dictionary_encode()
    return to_numbers(encoded.indices).astype(np.int32), encoded.dictionary


def encode_lists(lists: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """The code of each list of texts, and the lists by code, in order of their first appearance."""
    import pyarrow.compute as pc  # Commands that read no columns need not load it.

    codes, texts = encode_texts(pc.binary_join(lists, SEPARATOR))
    first = np.full(len(texts), len(codes), np.int64)
    np.minimum.at(first, codes, np.arange(len(codes)))
    return codes, lists.take(as_arrow(first))


MAGIC = b"ARROW1"  # How every Arrow file ends.
SUFFIX = ".arrow"
STEP = 1 << 20

Columns = dict[str, "np.ndarray | pa.Array"]
"""Numbers, and bytes of one length, as numpy's arrays; texts as Arrow's."""


def write_columns(folder: Path, part: str, columns: Mapping[str, np.ndarray | pa.Array]) -> Path:
    """Write the columns of a part into a folder; its name begins with that of the part."""
    arrays = {name: column if isinstance(column, pa.Array) else as_arrow(column) for name, column in columns.items()}
    table = pa.table({name: _in_one_cell(array) for name, array in arrays.items()})
    partial = folder / f"{part}.partial"
    with pa.OSFile(str(partial), "wb") as stream, pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    return partial.rename(folder / f"{part}-{_compute_digest(partial)}{SUFFIX}")


def read_columns(file: Path) -> Columns:
    """The columns of a file, mapped. Raises `BadWarehouse`."""
    try:
        batch = pa.ipc.open_file(pa.memory_map(str(file))).get_batch(0)
        return {name: as_numpy(batch.column(name).values) for name in batch.schema.names}
    except (OSError, pa.ArrowException, ValueError, IndexError, AttributeError) as error:
        raise BadWarehouse(f"{file} cannot be read ({' '.join(str(error).split())})", CURE) from error


def is_as_named(file: Path) -> bool:
    """Whether a file holds what its name is the digest of; reads all of it."""
    return is_whole(file, MAGIC) and file.stem.rpartition("-")[2] == _compute_digest(file)


def _compute_digest(file: Path) -> str:
    content_digest = hashlib.blake2b(digest_size=16)
    with file.open("rb") as stream:
        while block := stream.read(STEP):
            content_digest.update(block)
    return content_digest.hexdigest()


def _in_one_cell(array: pa.Array) -> pa.Array:
    bounds = pa.py_buffer(np.array([0, len(array)], np.int64).data)
    return pa.LargeListArray.from_arrays(pa.Array.from_buffers(pa.int64(), 2, [None, bounds]), array)
