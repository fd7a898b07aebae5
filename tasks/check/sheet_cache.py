"""Sheets of files that were checked before, in one SQLite file of the user's cache folder.

The key of a sheet depends on the bytes of its file, its name, its day, the settings that matter and the code that made
it; so a cached sheet is always right. The cache only saves time: without a place to write it, all files are read again.
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

_MAX_SHEETS = 50_000  # The most sheets in the cache; the oldest are removed first.
_KEYS_PER_QUERY = 500
_CREATE = "CREATE TABLE IF NOT EXISTS sheets (key TEXT PRIMARY KEY, sheet BLOB NOT NULL)"
_SHEET = TypeAdapter(Sheet)


class SheetCache:
    """The sheets by key. A damaged or locked file counts as empty."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is made when the first sheet is stored; with None nothing is stored."""
        self._file = folder / "check.sqlite" if folder else None

    def get(self, keys: Iterable[str]) -> dict[str, Sheet]:
        """The cached sheets of these keys."""
        unique_keys = list(dict.fromkeys(keys))
        sheets: dict[str, Sheet] = {}
        if self._file is None or not self._file.exists():
            return sheets
        with suppress(sqlite3.Error, ValueError), sqlite3.connect(self._file, timeout=5) as connection:
            for first in range(0, len(unique_keys), _KEYS_PER_QUERY):
                key_batch = unique_keys[first : first + _KEYS_PER_QUERY]
                marks = ",".join("?" * len(key_batch))
                rows = connection.execute(f"SELECT key, sheet FROM sheets WHERE key IN ({marks})", key_batch)  # noqa: S608
                sheets.update({key: _SHEET.validate_json(sheet) for key, sheet in rows})
        return sheets

    def put(self, sheets: Mapping[str, Sheet]) -> None:
        """Store more sheets, and no more than 50,000 in all; a damaged file is replaced."""
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
    """A digest of the code and data of all steps: after a change of a rule or word list older sheets are not used."""
    folder = Path(__file__).parents[1]
    hasher = blake2b(digest_size=16)
    for path in list_code_files(folder):
        hasher.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return hasher.hexdigest()


def list_code_files(folder: Path) -> list[Path]:
    """The files of a package that decide its results: modules, and the word lists and vocabularies next to them."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
