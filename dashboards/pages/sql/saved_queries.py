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
    """The kept queries of a warehouse's folder."""

    warehouse: Path

    @property
    def folder(self) -> Path:
        """Where their files lie."""
        return self.warehouse / "queries"

    def names(self) -> list[str]:
        """What they are called, in order."""
        found = [path.stem for path in self.folder.glob("*.sql") if _NAME.fullmatch(path.stem)]
        return sorted(found, key=str.casefold)[:MOST]

    def text(self, name: str) -> str:
        """The query of a name. Raises `BadInput` where there is none."""
        try:
            return self._path(name).read_text(encoding="utf-8", errors="replace")[:LONGEST]
        except FileNotFoundError:
            raise BadInput(f"there is no query '{name}'", "it may have been deleted meanwhile") from None
        except OSError as error:
            raise _refused(self.folder, error) from None

    def keep(self, name: str, text: str) -> None:
        """Keep a query under a name that none has yet. Raises `BadInput` for one that cannot be used, or is taken."""
        path = self._path(name)
        if not text.strip() or len(text) > LONGEST:
            raise BadInput(f"a query has 1 to {LONGEST:,} characters", "write one first, or a shorter one")
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8", errors="replace") as stream:
                stream.write(text.rstrip() + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            # A link, unlike a renaming, refuses to take the place of what is there.
            os.link(fresh, path)
        except FileExistsError:
            raise BadInput(f"there is a query '{path.stem}' already", "choose another name, or delete it") from None
        except OSError as error:
            raise _refused(self.folder, error) from None
        finally:
            with suppress(OSError):
                fresh.unlink()

    def delete(self, name: str) -> None:
        """Delete a query; nothing happens where there is none. Raises `BadInput` for a name that none can have."""
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise _refused(self.folder, error) from None

    def _path(self, name: str) -> Path:
        called = normalize("NFC", " ".join(name.split()))
        if not _NAME.fullmatch(called) or len(called.encode()) > 200:
            raise BadInput(
                f"'{called[:60]}' cannot name a query", "use letters, digits, spaces, - and _, 60 characters at most"
            )
        return self.folder / f"{called}.sql"


def _refused(folder: Path, error: OSError) -> BadWarehouse:
    return BadWarehouse(f"{folder} cannot be used ({error.strerror})", "check its permissions and the disk")
