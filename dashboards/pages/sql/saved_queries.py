"""Saved queries: a folder of small files below the warehouse, `queries/<name>.sql`, each the text of one query."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from warehouse.errors import BadInput, BadWarehouse

LONGEST = 20_000
"""Characters of a query."""
MOST = 500
"""Queries that are listed."""
_NAME = re.compile(r"\w(?:[\w \-]{0,58}\w)?")


@dataclass(frozen=True, slots=True)
class SavedQueries:
    """The saved queries of a warehouse, by the path of its folder."""

    warehouse: Path

    @property
    def folder(self) -> Path:
        """The folder of their files."""
        return self.warehouse / "queries"

    def names(self) -> list[str]:
        """The names of the queries, in alphabetical order."""
        names = [path.stem for path in self.folder.glob("*.sql") if _NAME.fullmatch(path.stem)]
        return sorted(names, key=str.casefold)[:MOST]

    def text(self, name: str) -> str:
        """The query of a name. Raises `BadInput` where there is none."""
        try:
            return self._path(name).read_text(encoding="utf-8", errors="replace")[:LONGEST]
        except FileNotFoundError:
            raise BadInput(f"there is no query '{name}'", "it may have been deleted in the meantime") from None
        except OSError as error:
            raise _unusable(self.folder, error) from None

    def save(self, name: str, text: str) -> None:
        """Save a query under a new name. Raises `BadInput` for a name that is taken or cannot be used."""
        path = self._path(name)
        if not text.strip() or len(text) > LONGEST:
            raise BadInput(f"a query must have 1 to {LONGEST:,} characters", "change its text")
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("w", encoding="utf-8", errors="replace") as stream:
                stream.write(text.rstrip() + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            # Unlike a rename, a link does not replace an existing file.
            os.link(temporary, path)
        except FileExistsError:
            raise BadInput(
                f"a query named '{path.stem}' already exists", "choose another name, or delete that query"
            ) from None
        except OSError as error:
            raise _unusable(self.folder, error) from None
        finally:
            with suppress(OSError):
                temporary.unlink()

    def delete(self, name: str) -> None:
        """Delete a query, if it exists. Raises `BadInput` for a name that no query can have."""
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise _unusable(self.folder, error) from None

    def _path(self, name: str) -> Path:
        normal_name = normalize("NFC", " ".join(name.split()))
        if not _NAME.fullmatch(normal_name) or len(normal_name.encode()) > 200:
            raise BadInput(
                f"'{normal_name[:60]}' cannot be the name of a query",
                "use letters, digits, spaces, - and _, 60 characters at most",
            )
        return self.folder / f"{normal_name}.sql"


def _unusable(folder: Path, error: OSError) -> BadWarehouse:
    return BadWarehouse(f"{folder} cannot be used ({error.strerror})", "check its permissions and the disk")
