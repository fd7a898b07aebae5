"""Full disks: what native libraries say of them in words of their own, or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEAST = 16 << 20
"""Bytes free below which a failure to write is put down to them: what was written in vain may be gone again by then."""


@contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Turn a failure that a full disk explains into the `OSError` that Python's own writing would have raised.

    Tantivy says only that its writer was killed, DuckDB that a transaction failed, hnswlib that a file is bad.
    """
    try:
        yield
    except Exception as error:
        if shutil.disk_usage(folder).free >= LEAST:
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder)) from error
