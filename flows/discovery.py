"""Discovery of the files of a source folder.

A file is hashed only if its size or time differs from the last run. Attachments (pictures, recordings, archives,
typefaces, programs, by their suffix; among notes also boards, styles, scripts and data) are neither documents nor
failures. A document that cannot be read (a Word 95 file, a Visio drawing, a locked PDF) is reported, and so is an
attachment outside of a vault that is named itself.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISREG
from unicodedata import category

from tasks.parsers.notes import VAULT
from tasks.parsers.textless_suffixes import TEXTLESS
from warehouse.records import Kind, Root, SourceFile
from warehouse.settings.loader import SETTINGS_FILE

HIDDEN = "."
TEMPORARY = "~$"
AUTOSAVED = "#"  # Around the name of a file that Emacs saves by itself; "#garden.log" is the log of a channel.
SYSTEM = frozenset(("thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r", SETTINGS_FILE))
"""Files that Windows, macOS and `kalends init` create in folders, in lower case."""
GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
NO_TEXT = frozenset({"Cc", "Cs"})  # Control characters, and bytes of a name that are not UTF-8.
EARLIEST, LATEST = -(2**63), 2**63 - 1
"""Nanoseconds since 1970 that a record can hold: the years 1677 to 2262. Some filesystems store any time."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Control characters of bidirectional text, which display a name in another order than it is written (UAX 9)."""


@dataclass(frozen=True, slots=True)
class RootScope:
    """The part of a source folder that a run examines: relative paths of folders or files; none means all of it."""

    root: Root
    parts: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether a path relative to the root lies within this scope."""
        if not self.parts:
            return self.root.only is None or path in self.root.only
        return any(path == part or path.startswith(f"{part}/") for part in self.parts)


@dataclass(frozen=True, slots=True)
class UnreadablePath:
    """A file that cannot or must not be opened, or a `folder` that cannot be listed, with the `problem`."""

    source: str
    root: str
    path: str
    size: int
    problem: str
    folder: bool = False


def find_inner_folders(root: Root, roots: Iterable[Root]) -> frozenset[Path]:
    """The folders below a source folder that are source folders of their own."""
    return frozenset(
        other.folder
        for other in roots
        if other.only is None and other.folder != root.folder and other.folder.is_relative_to(root.folder)
    )


def make_source_name(root: Root, path: str) -> str:
    """The permanent name of a file: source folder and relative path."""
    return f"{root.name}/{path}"


def discover_files(
    scope: RootScope,
    known_files: Mapping[str, SourceFile],
    max_bytes: int,
    inner: frozenset[Path] = frozenset(),
    is_no_document: Callable[[str], bool] = lambda path: False,
) -> Iterator[SourceFile | UnreadablePath]:
    """The files of a scope in order of path. Folders in `inner` belong to other source folders and are left out.

    Hidden files and folders, temporary files of editors and system files are not documents, nor is a path for which
    `is_no_document` is true. A link out of the source folder, a special file (pipe, device) and a name with characters
    that are no text give an `UnreadablePath` and are never opened. Folders that cannot be listed come last.
    """
    errors: list[OSError] = []
    for path in _collect_paths(scope, inner, errors.append):
        source = make_source_name(scope.root, path)
        if is_no_document(path):
            continue
        try:
            yield _read_source_file(scope.root, path, known_files.get(source), max_bytes)
        except FileNotFoundError:
            continue
        except UnopenableFile as unopenable:
            printable_path = "".join(ascii(char)[1:-1] if _is_not_text(char) else char for char in path)
            yield UnreadablePath(
                make_source_name(scope.root, printable_path), scope.root.name, printable_path, 0, str(unopenable)
            )
        except (OSError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "a link that leads to itself"
            yield UnreadablePath(source, scope.root.name, path, 0, f"cannot be opened: {reason}; check its permissions")
    for unlisted_error in errors:
        path = Path(unlisted_error.filename).relative_to(scope.root.folder).as_posix()
        problem = f"cannot be listed: {unlisted_error.strerror}; check its permissions"
        yield UnreadablePath(make_source_name(scope.root, path), scope.root.name, path, 0, problem, folder=True)


class UnopenableFile(Exception):
    """A file that must not be opened; the message is the reason."""


def _read_source_file(root: Root, path: str, previous: SourceFile | None, max_bytes: int) -> SourceFile:
    if any(map(_is_not_text, path)):
        raise UnopenableFile("the name contains characters that are not text; rename it")
    absolute = root.folder / path
    if _is_outside_link(absolute, root.folder):
        raise UnopenableFile("it is a link out of its source folder; replace it by a copy")
    if os.path.islink(absolute) and not os.path.lexists(os.path.realpath(absolute)):  # noqa: PTH114
        raise UnopenableFile("it is a link to a file that is not there; restore that file, or remove the link")
    status = absolute.stat()
    if not S_ISREG(status.st_mode):
        raise UnopenableFile("it is not a regular file; replace it by one, or remove it")
    if status.st_size > max_bytes:
        raise UnopenableFile(f"{status.st_size >> 20} MB is over the limit; raise parse.max_file_megabytes to read it")
    modified_ns = min(max(status.st_mtime_ns, EARLIEST), LATEST)
    is_unchanged = previous and (previous.size, previous.modified_ns) == (status.st_size, modified_ns)
    if previous and is_unchanged:
        sha256 = previous.sha256
    else:
        with absolute.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return SourceFile(make_source_name(root, path), root.name, path, sha256, status.st_size, modified_ns)


def list_paths(scope: RootScope, inner: frozenset[Path] = frozenset(), suffix: str = "") -> Iterator[str]:
    """The relative paths of a scope's files in order, without opening any; links out of the folder are left out.

    With `suffix`, only paths that end in it, in any case.
    """
    folder = scope.root.folder
    paths = (path for path in _collect_paths(scope, inner) if path.lower().endswith(suffix))
    yield from (path for path in paths if not _is_outside_link(folder / path, folder))


def may_contain(scope: RootScope, path: str, inner: frozenset[Path], *, folder: bool) -> bool:
    """Whether `discover_files` would read a file, or enter a folder, at this relative path if it existed.

    Links are not resolved.
    """
    parts = path.split("/")
    above = parts if folder else parts[:-1]
    if not (all(map(_is_visible, above)) and (folder or _is_candidate(parts[-1])) and scope.covers(path)):
        return False
    return inner.isdisjoint(scope.root.folder.joinpath(*parts[:depth]) for depth in range(1, len(above) + 1))


def has_regular_name(path: Path) -> bool:
    """Whether a path can be ingested by its name: no link (its name is another file's), no control characters."""
    return not path.is_symlink() and not any(map(_is_not_text, str(path)))


def _is_visible(folder: str) -> bool:
    return not folder.startswith(HIDDEN)


def _is_candidate(name: str) -> bool:
    is_autosaved = name.startswith(AUTOSAVED) and name.endswith(AUTOSAVED)
    is_temporary = name.startswith((HIDDEN, TEMPORARY)) or name.endswith("~") or is_autosaved
    return not is_temporary and name.lower() not in SYSTEM


def _is_not_text(character: str) -> bool:
    return category(character) in NO_TEXT or character in TURNING


def _collect_paths(
    scope: RootScope, inner: frozenset[Path], report: Callable[[OSError], None] = lambda error: None
) -> list[str]:
    """The relative paths in order; `report` is called for what exists but cannot be read."""

    def report_unless_gone(error: OSError) -> None:
        if error.errno not in GONE:
            report(error)

    folder = scope.root.folder
    paths: set[str] = set()
    for start in scope.parts or scope.root.only or ("",):
        start_path = folder / start
        try:
            is_folder = S_ISDIR(start_path.stat().st_mode)
        except OSError as error:
            report_unless_gone(error)
            continue
        paths.update(_walk_folder(folder, start_path, inner, report_unless_gone) if is_folder else [start])
    return sorted(paths)


def _walk_folder(folder: Path, start: Path, inner: frozenset[Path], report: Callable[[OSError], None]) -> Iterator[str]:
    for parent, folders, names in os.walk(start, onerror=report):
        parent_path = Path(parent)
        prefix = "" if parent_path == folder else f"{parent_path.relative_to(folder).as_posix()}/"
        folders[:] = sorted(name for name in folders if _is_visible(name) and parent_path / name not in inner)
        outside_links = [name for name in folders if _is_outside_link(parent_path / name, folder)]
        for name in (*outside_links, *names):
            if _is_candidate(name):
                yield prefix + name


def _is_outside_link(path: Path, root_folder: Path) -> bool:
    # Path.is_symlink raises in a folder that may be listed but not entered.
    return os.path.islink(path) and not Path(os.path.realpath(path)).is_relative_to(root_folder.resolve())  # noqa: PTH114


_BOARDS, _SCRIPTS = ".base .canvas .drawio .excalidraw", ".css .js .json .mjs .scss .ts"
_NOTE_AUXILIARY_SUFFIXES = frozenset(f"{_BOARDS} {_SCRIPTS}".split())
"""Suffixes of Obsidian's boards (https://help.obsidian.md/file-formats) and of styles, scripts and data of a vault;
outside of vaults they may be text."""
_NOTE = ".md"


def is_folder_of_notes(root: Root) -> bool:
    """Whether a source folder is declared as notes, is a vault, or has more Markdown files than other documents."""
    if root.kind is not None or root.only is not None:
        return root.kind is Kind.NOTE
    if (root.folder / VAULT).is_dir():
        return True
    suffixes = Counter(PurePosixPath(path).suffix.lower() for path in list_paths(RootScope(root)))
    documents = sum(count for suffix, count in suffixes.items() if suffix not in TEXTLESS | _NOTE_AUXILIARY_SUFFIXES)
    return 2 * suffixes[_NOTE] > documents


def make_attachment_filter(root: Root) -> Callable[[str], bool]:
    """Tells attachments of a source folder from documents, by their names.

    Outside of a vault (a folder with `.obsidian`, and all below it), a file that is named by itself is none.
    """

    @cache
    def is_in_vault(folder: Path) -> bool:
        return (folder / VAULT).is_dir() or (folder != folder.parent and is_in_vault(folder.parent))

    is_among_notes = cache(lambda: is_folder_of_notes(root))

    def is_attachment(path: str) -> bool:
        suffix = PurePosixPath(path).suffix.lower()
        if suffix not in TEXTLESS | _NOTE_AUXILIARY_SUFFIXES:
            return False
        if root.only is None and suffix in TEXTLESS:
            return True
        return is_in_vault((root.folder / path).parent) or (suffix in _NOTE_AUXILIARY_SUFFIXES and is_among_notes())

    return is_attachment


def list_attachments(roots: Iterable[Root]) -> Iterator[str]:
    """The attachments of all source folders, as folder name and path, found without opening any file."""
    all_roots = tuple(roots)
    for root in all_roots:
        paths = filter(make_attachment_filter(root), list_paths(RootScope(root), find_inner_folders(root, all_roots)))
        yield from (make_source_name(root, path) for path in paths)
