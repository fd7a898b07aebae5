"""Paths of notes: validated before any file is touched, then opened folder by folder through descriptors.

Whatever a path is made of, it must lead down from the vault's root: nothing absolute, no way up however it is spelt
(Unicode's wide and small dots and slashes, https://unicode.org/reports/tr36/#Canonical_Represenation), no hidden place.
New names must also be valid on every system and in Obsidian.

Each part is opened in the folder before it (openat(2) with O_NOFOLLOW): if a folder is exchanged for a link meanwhile,
opening fails and does not redirect.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ELOOP, ENOTDIR
from pathlib import Path
from unicodedata import category, normalize

from flows.discovery import NO_TEXT, TEMPORARY, TURNING
from warehouse.errors import BadInput

NOTE = ".md"
_SEPARATORS = re.compile(r"[/\\]")
_DRIVE = re.compile(r"[A-Za-z]:")
_FORBIDDEN = frozenset('<>:"|?*')
_RESERVED = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}
)
"""Names that Windows reserves for devices, with any suffix."""
_BREAKS = frozenset({"Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # Invisible, and parts of ordinary words and emoji.
_MAX_NAME_BYTES = 200  # Bytes of a name; systems take 255, and a copy's number or a temporary's mark is added.


def parse_note_path(source: str) -> tuple[str, ...]:
    """The folders and, last, the name of a note. Raises `BadInput` for a path that no note of a vault can have."""
    parts = parse_folder_path(source)
    if not parts or not parts[-1].lower().endswith(NOTE) or len(parts[-1]) == len(NOTE):
        cure = "give its path in the vault, like 'Projects/Plan.md'"
        raise BadInput(f"{_quote_path(source)} is not the path of a note", cure)
    return parts


def parse_folder_path(path: str) -> tuple[str, ...]:
    """The folders of a path, none for an empty one. Raises `BadInput` for one that might lead out of the vault."""
    parts = tuple(path.split("/")) if path else ()
    problem = next(filter(None, map(_find_path_problem, parts)), "")
    if not problem and parts and _DRIVE.match(normalize("NFKC", parts[0])):
        problem = "begins with a drive"
    if problem:
        raise BadInput(f"{_quote_path(path)} {problem}", "give a path within the vault, like 'Projects/Plan.md'")
    return parts


def check_new_names(parts: tuple[str, ...]) -> None:
    """Raise `BadInput` for a name that some system, or Obsidian, could not keep or would show as another."""
    for part in parts:
        problem = _find_name_problem(part)
        if problem:
            raise BadInput(f"{_quote_path(part)} cannot name a note or folder: {problem}", "choose another name")


def _find_path_problem(part: str) -> str:
    plain = "".join(character for character in normalize("NFKC", part) if category(character) != "Cf")
    if not plain.strip():
        return "is absolute or has a folder without a name"
    if any(category(character) in NO_TEXT | _BREAKS or character in TURNING for character in part):
        return "holds characters that are no text"
    if "\\" in part:
        return "has a backslash"
    if any("." in piece and not piece.strip(". ") for piece in _SEPARATORS.split(plain)):
        return "leads up, or looks as if it did"
    return "is hidden" if part.startswith(".") else ""


def _find_name_problem(part: str) -> str:
    stem = part[: -len(NOTE)] if part.lower().endswith(NOTE) else part
    if stem != stem.strip() or stem.endswith("."):
        return "it begins or ends with a space, or ends with a dot"
    if _FORBIDDEN & set(part):
        return f"it has one of {' '.join(sorted(_FORBIDDEN))}"
    if any(category(character) == "Cf" and character not in _JOINERS for character in part):
        return "it has invisible characters"
    if normalize("NFKC", stem).partition(".")[0].strip().upper() in _RESERVED:
        return "Windows keeps it for a device"
    if part.startswith(TEMPORARY) or part.endswith("~"):
        return "it is that of a temporary file"
    return "it is too long" if len(part.encode()) > _MAX_NAME_BYTES else ""


def _quote_path(text: str) -> str:
    return repr(text if len(text) <= _MAX_NAME_BYTES else f"{text[:_MAX_NAME_BYTES]}…")


_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """An open folder, and its path from the root as the names are on the disk."""

    descriptor: int
    parts: tuple[str, ...]


@contextmanager
def open_folder(root: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[OpenFolder]:
    """The folder `parts` below `root`, open; those that are missing are made if asked.

    Raises `BadInput` for a folder that is not there or is a link.
    """
    with convert_path_errors("/".join(parts) or str(root)):
        folder = os.open(root, _FOLDER)
    names: list[str] = []
    try:
        for number, part in enumerate(parts, 1):
            with convert_path_errors("/".join(parts[:number])):
                names.append(find_name_on_disk(folder, part) or (_make_folder(folder, part) if make else part))
                deeper = os.open(names[-1], _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = deeper
        yield OpenFolder(folder, tuple(names))
    finally:
        os.close(folder)


def find_name_on_disk(folder: int, name: str) -> str | None:
    """The entry of a folder with this name, also where the two are composed differently (NFC, NFD); None without it."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        composed = normalize("NFC", name)
        return next((entry for entry in sorted(os.listdir(folder)) if normalize("NFC", entry) == composed), None)
    return name


def compose_new_name(folder: int, name: str) -> str:
    """The name, composed, for something new. Raises `BadInput` where another differs from it by case only."""
    composed = normalize("NFC", name)
    alike = composed.casefold()
    twin = next((entry for entry in os.listdir(folder) if normalize("NFC", entry).casefold() == alike), None)
    if twin is not None:
        raise BadInput(f"{twin!r} already exists", f"use that name instead of {name!r}")
    return composed


@contextmanager
def convert_path_errors(what: str) -> Iterator[None]:
    """Raise `BadInput` with one line on `what`, a path, for failures of the system within the block."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"there is no {what} in the vault", "list_notes lists the notes") from None
    except OSError as error:
        if error.errno in {ELOOP, ENOTDIR}:
            raise BadInput(f"{what} is a link, or not a folder", "use the path of the note itself") from None
        raise BadInput(f"{what} cannot be used ({error.strerror})", "check its name and permissions") from None


def _make_folder(folder: int, name: str) -> str:
    new_name = compose_new_name(folder, name)
    os.mkdir(new_name, dir_fd=folder)
    return new_name
