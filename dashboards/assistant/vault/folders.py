"""Reaching a folder of the vault part by part, through descriptors, so that no link can lead elsewhere.

Each part is opened in the folder before it (openat(2) with O_NOFOLLOW): what is exchanged meanwhile for a link fails,
it does not redirect.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ELOOP, ENOTDIR
from pathlib import Path
from unicodedata import normalize

from warehouse.errors import BadInput

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Folder:
    """An open folder, and its way from the root as the names are on the disk."""

    descriptor: int
    parts: tuple[str, ...]


@contextmanager
def opened(root: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[Folder]:
    """The folder `parts` below `root`, open; those that are missing are made if asked.

    Raises `BadInput` for a folder that is not there or is a link.
    """
    with told("/".join(parts) or str(root)):
        folder = os.open(root, _FOLDER)
    names: list[str] = []
    try:
        for number, part in enumerate(parts, 1):
            with told("/".join(parts[:number])):
                names.append(known_as(folder, part) or (_made(folder, part) if make else part))
                deeper = os.open(names[-1], _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = deeper
        yield Folder(folder, tuple(names))
    finally:
        os.close(folder)


def known_as(folder: int, name: str) -> str | None:
    """The entry of a folder with this name, also where the two are composed differently (NFC, NFD); None without it."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        composed = normalize("NFC", name)
        return next((entry for entry in sorted(os.listdir(folder)) if normalize("NFC", entry) == composed), None)
    return name


def new_name(folder: int, name: str) -> str:
    """The name, composed, for something new. Raises `BadInput` where another differs from it by case only."""
    composed = normalize("NFC", name)
    alike = composed.casefold()
    twin = next((entry for entry in os.listdir(folder) if normalize("NFC", entry).casefold() == alike), None)
    if twin is not None:
        raise BadInput(f"there is {twin!r} already", f"use that name instead of {name!r}")
    return composed


@contextmanager
def told(what: str) -> Iterator[None]:
    """Failures of the system as one line on `what`, a path."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"there is no {what} in the vault", "list_notes says what there is") from None
    except OSError as error:
        if error.errno in {ELOOP, ENOTDIR}:
            raise BadInput(f"{what} is a link, or is no folder", "notes are reached by their own path only") from None
        raise BadInput(f"{what} cannot be used ({error.strerror})", "check its name and permissions") from None


def _made(folder: int, name: str) -> str:
    fresh = new_name(folder, name)
    os.mkdir(fresh, dir_fd=folder)
    return fresh
