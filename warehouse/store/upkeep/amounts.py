"""What files take on the disk, and taking them away."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Amount:
    """How many files and bytes. A file with other names elsewhere counts no bytes: it stays on the disk."""

    files: int = 0
    bytes: int = 0

    def __add__(self, other: Amount) -> Amount:
        """Both."""
        return Amount(self.files + other.files, self.bytes + other.bytes)

    @classmethod
    def of(cls, places: Iterable[Path]) -> Amount:
        """That of files, and of all files in folders."""
        found = cls()
        for place in places:
            inside = (path for path in place.rglob("*") if path.is_file()) if place.is_dir() else (place,)
            for path in inside:
                size = path.lstat()
                found += cls(1, size.st_size if size.st_nlink == 1 else 0)
        return found


def remove(places: Iterable[Path]) -> Amount:
    """Remove files and whole folders; what they took. What is gone already is no trouble."""
    removed = Amount()
    for place in places:
        removed += Amount.of([place])
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
    return removed
