"""A file of columns: arrays of any length by name, memory-mapped when they are read.

It is an Arrow file (https://arrow.apache.org/docs/format/Columnar.html) of one row, each cell of which is a list. Its
name ends with a digest of what it holds.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from warehouse.errors import BadWarehouse
from warehouse.store.columns.arrow_arrays import as_arrow, as_numpy
from warehouse.store.parquet import CURE

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


def is_whole(file: Path) -> bool:
    """Whether a file is there and was not cut off; looks only at its end."""
    try:
        with file.open("rb") as stream:
            stream.seek(-len(MAGIC), os.SEEK_END)
            return stream.read() == MAGIC
    except OSError:
        return False


def is_as_named(file: Path) -> bool:
    """Whether a file holds what its name is the digest of; reads all of it."""
    return is_whole(file) and file.stem.rpartition("-")[2] == _compute_digest(file)


def _compute_digest(file: Path) -> str:
    seen = hashlib.blake2b(digest_size=16)
    with file.open("rb") as stream:
        while block := stream.read(STEP):
            seen.update(block)
    return seen.hexdigest()


def _in_one_cell(array: pa.Array) -> pa.Array:
    bounds = pa.py_buffer(np.array([0, len(array)], np.int64).data)
    return pa.LargeListArray.from_arrays(pa.Array.from_buffers(pa.int64(), 2, [None, bounds]), array)
