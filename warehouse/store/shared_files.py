"""Files that a generation takes over from the one before as they are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def share(file: Path, name: Path) -> None:
    """Give a file that never changes another name, in a folder that is made if need be: a hard link or else a copy."""
    name.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, name)
    except OSError:  # a file system without hard links
        shutil.copyfile(file, name)
