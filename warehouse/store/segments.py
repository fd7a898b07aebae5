"""The files of a keyword index as tantivy leaves them: a list of them, and at the end of each a checksum.

A file ends with a JSON text, the length of that and a magic number, four bytes each, little-endian; the text holds the
CRC-32 of all that is before it (tantivy's `directory/footer.rs`). Opening an index does not look at every file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

LIST = ".managed.json"
META = "meta.json"
MAGIC = 1337
TAIL = 8
STEP = 1 << 20


def are_there(index: Path) -> bool:
    """Whether every file of an index is there and was not cut off; reads the list and their ends."""
    try:
        return all(map(_ends_well, files_of(index)))
    except (OSError, ValueError):
        return False


def files_of(index: Path) -> Iterator[Path]:
    """The files of an index but for its two lists. Raises `OSError` or `ValueError` where the list cannot be read."""
    names: list[str] = json.loads((index / LIST).read_text(encoding="utf-8"))
    yield from (index / name for name in names if name != META)


def is_sound(path: Path) -> bool:
    """Whether a file holds what was written, by its checksum; reads all of it."""
    try:
        with path.open("rb") as stream:
            body, footer = _footer(stream)
            wanted = json.loads(footer)["crc"]
            stream.seek(0)
            found = 0
            while body > 0:
                part = stream.read(min(STEP, body))
                found = zlib.crc32(part, found)
                body -= len(part)
        return bool(found == wanted)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _ends_well(path: Path) -> bool:
    with path.open("rb") as stream:
        return bool(_footer(stream)[1])


def _footer(stream: BinaryIO) -> tuple[int, bytes]:
    """How many bytes come before it, and its JSON text. Raises `OSError` or `ValueError` where there is none."""
    stream.seek(-TAIL, 2)
    end, tail = stream.tell(), stream.read()
    length, magic = int.from_bytes(tail[:4], "little"), int.from_bytes(tail[4:], "little")
    if magic != MAGIC or length > end:
        raise ValueError(f"{stream.name} has no footer")
    stream.seek(end - length)
    return end - length, stream.read(length)
