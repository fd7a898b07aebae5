"""Ways in which a file goes bad."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def truncate(path: Path) -> None:
    """The second half is gone."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    """Nothing is left but the name."""
    path.write_bytes(b"")


def remove(path: Path) -> None:
    """Not even the name."""
    path.unlink()


def flip(path: Path, place: int | None = None) -> None:
    """One bit of a byte, in the middle if nothing is said, is another one."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if place is None else place] ^= 1 << 4
    path.write_bytes(content)


SHOWING: tuple[Callable[[Path], None], ...] = (truncate, empty, remove)
"""Those that show at the ends of a file."""
