"""Sheets of files that were checked before, in one SQLite file of the user's cache folder.

A sheet is named by the bytes of its file, its name, its day, the settings that matter and the code that made it; so a
sheet that is found is right. The cache is only ever a help: without a place to write it, everything is read anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from pydantic import TypeAdapter

from tasks.check.sheet import Sheet

_MAX_SHEETS = 50_000  # Sheets that are kept; the oldest go first.
_KEYS_PER_QUERY = 500
_CREATE = "CREATE TABLE IF NOT EXISTS sheets (key TEXT PRIMARY KEY, sheet BLOB NOT NULL)"
_SHEET = TypeAdapter(Sheet)


class SheetCache:
    """The sheets by key. A damaged or locked file counts as empty."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is made when something is first kept; None keeps nothing."""
        self._file = folder / "check.sqlite" if folder else None

    def get(self, keys: Iterable[str]) -> dict[str, Sheet]:
        """The sheets there are."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, Sheet] = {}
        if self._file is None or not self._file.exists():
            return found
        with suppress(sqlite3.Error, ValueError), sqlite3.connect(self._file, timeout=5) as connection:
            for first in range(0, len(wanted), _KEYS_PER_QUERY):
                part = wanted[first : first + _KEYS_PER_QUERY]
                marks = ",".join("?" * len(part))
                rows = connection.execute(f"SELECT key, sheet FROM sheets WHERE key IN ({marks})", part)  # noqa: S608
                found.update({key: _SHEET.validate_json(sheet) for key, sheet in rows})
        return found

    def put(self, sheets: Mapping[str, Sheet]) -> None:
        """Keep some more, and no more than 50,000 in all; a damaged file gives way to a new one."""
        if self._file is None or not sheets:
            return
        rows = [(key, _SHEET.dump_json(sheet)) for key, sheet in sheets.items()]
        with suppress(OSError, sqlite3.Error):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            try:
                _write(self._file, rows)
            except sqlite3.OperationalError:
                return
            except sqlite3.DatabaseError:
                self._file.unlink()
                _write(self._file, rows)


def _write(file: Path, rows: Sequence[tuple[str, bytes]]) -> None:
    with sqlite3.connect(file, timeout=5) as connection:
        connection.execute(_CREATE)
        connection.executemany("INSERT OR REPLACE INTO sheets VALUES (?, ?)", rows)
        connection.execute("DELETE FROM sheets WHERE rowid <= (SELECT max(rowid) FROM sheets) - ?", [_MAX_SHEETS])


@cache
def compute_code_version() -> str:
    """A digest of the code and data of all steps: a changed rule or word list finds no sheet of the old one."""
    folder = Path(__file__).parents[1]
    hashed = blake2b(digest_size=16)
    for path in list_code_files(folder):
        hashed.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()


def list_code_files(folder: Path) -> list[Path]:
    """The files of a package that decide what it does: modules, and the word lists and vocabularies beside them."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
