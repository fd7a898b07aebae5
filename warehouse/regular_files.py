"""Regular files: reading anything else that a path may name, such as a pipe or a device, may never end."""

from __future__ import annotations

import errno
from pathlib import Path
from stat import S_ISDIR, S_ISREG


def require_regular_file(path: Path) -> Path:
    """The path, if it names a regular file or a link to one. Raises `OSError`, as opening a file that is not there."""
    mode = path.stat().st_mode
    if S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no regular file", str(path))
    return path
