"""Finding the files of a root: what is there now, hashed only where size or time changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from stat import S_ISREG
from unicodedata import category

from warehouse.records import Root, SourceFile

HIDDEN = "."
TEMPORARY = ("~$", "#")
NO_TEXT = frozenset({"Cc", "Cs"})
"""Control characters, and bytes of a name that are not UTF-8."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that show what follows in another order than it is written (Unicode, UAX 9)."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A root, and the part of it that this run looks at: relative paths of folders or files; none means all of it."""

    root: Root
    parts: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether a path relative to the root lies within this scope."""
        if not self.parts:
            return self.root.only is None or path in self.root.only
        return any(path == part or path.startswith(f"{part}/") for part in self.parts)


@dataclass(frozen=True, slots=True)
class Unhashed:
    """A file that is there but cannot be opened or will not be read."""

    source: str
    root: str
    path: str
    size: int
    problem: str


def source_name(root: Root, path: str) -> str:
    """The name of a file for ever."""
    return f"{root.name}/{path}"


def discover(
    scope: Scope, known: Mapping[str, SourceFile], max_bytes: int, inner: frozenset[Path] = frozenset()
) -> Iterator[SourceFile | Unhashed]:
    """The files of a scope in order of path. Folders in `inner` belong to roots of their own and are left out.

    Hidden files and folders and editors' temporaries are not documents. A link that leads out of the root, what is no
    plain file (a pipe, a device) and what has a name that is no text is `Unhashed`, and is never opened.
    """
    for path in _paths(scope, inner):
        source = source_name(scope.root, path)
        try:
            yield _source_file(scope.root, path, known.get(source), max_bytes)
        except FileNotFoundError:
            continue
        except Unopened as problem:
            shown = "".join(ascii(c)[1:-1] if _is_no_text(c) else c for c in path)
            yield Unhashed(source_name(scope.root, shown), scope.root.name, shown, 0, str(problem))
        except (OSError, RuntimeError) as error:
            why = error.strerror if isinstance(error, OSError) else "a link that leads to itself"
            yield Unhashed(source, scope.root.name, path, 0, f"cannot be opened: {why}; check its permissions")


class Unopened(Exception):
    """A file that will not be opened, and why."""


def _source_file(root: Root, path: str, before: SourceFile | None, max_bytes: int) -> SourceFile:
    if any(map(_is_no_text, path)):
        raise Unopened("the name holds characters that are no text; rename it")
    absolute = root.folder / path
    if _leads_out(absolute, root.folder):
        raise Unopened("it is a link out of its root; put a copy in its place")
    status = absolute.stat()
    if not S_ISREG(status.st_mode):
        raise Unopened("it is no plain file; replace it by one, or move it away")
    if status.st_size > max_bytes:
        raise Unopened(f"{status.st_size >> 20} MB is over the limit; raise parse.max_file_megabytes to read it")
    same = before and (before.size, before.modified_ns) == (status.st_size, status.st_mtime_ns)
    name = before.sha256 if before and same else _sha256(absolute)
    return SourceFile(source_name(root, path), root.name, path, name, status.st_size, status.st_mtime_ns)


def paths(scope: Scope, inner: frozenset[Path] = frozenset()) -> Iterator[str]:
    """The paths of a scope's files in order, relative to its root, without opening any; links out of it left out."""
    folder = scope.root.folder
    yield from (path for path in _paths(scope, inner) if not _leads_out(folder / path, folder))


def _is_no_text(character: str) -> bool:
    return category(character) in NO_TEXT or character in TURNING


def _paths(scope: Scope, inner: frozenset[Path]) -> Iterator[str]:
    folder = scope.root.folder
    starts = scope.parts or scope.root.only or ("",)
    found: set[str] = set()
    for start in starts:
        place = folder / start
        if place.is_dir():
            found.update(_walk(folder, place, inner))
        elif place.exists():
            found.add(start)
    yield from sorted(found)


def _walk(folder: Path, place: Path, inner: frozenset[Path]) -> Iterator[str]:
    for parent, folders, names in os.walk(place):
        here = Path(parent)
        folders[:] = sorted(n for n in folders if not n.startswith(HIDDEN) and here / n not in inner)
        outward = [name for name in folders if _leads_out(here / name, folder)]
        for name in (*outward, *names):
            if not name.startswith((HIDDEN, *TEMPORARY)) and not name.endswith("~"):
                yield (here / name).relative_to(folder).as_posix()


def _leads_out(path: Path, home: Path) -> bool:
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(home.resolve())


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def modified_day(file: SourceFile) -> date:
    """The day (UTC) on which a file was last written."""
    return datetime.fromtimestamp(file.modified_ns / 1e9, UTC).date()
