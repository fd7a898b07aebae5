"""Attachments: the pictures, recordings and boards of a vault, which notes show and which are no documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from flows.discovery import VAULT, Scope, paths
from flows.roots import inner_folders
from warehouse.records import Root

_PICTURES = ".avif .bmp .gif .heic .heif .ico .jfif .jpeg .jpg .png .svg .tif .tiff .webp"
_SOUND = ".3gp .aac .aiff .flac .m4a .mp3 .oga .ogg .opus .wav"
_FILMS = ".avi .m4v .mkv .mov .mp4 .ogv .webm"
_BOARDS = ".base .canvas .excalidraw"
SUFFIXES = frozenset(f"{_PICTURES} {_SOUND} {_FILMS} {_BOARDS}".split())
"""What Obsidian embeds (https://help.obsidian.md/file-formats), and what cameras and its boards write. No PDF: that is
a document."""


class VaultFolders:
    """Which folders lie in a vault; each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Path, bool] = {}

    def hold(self, folder: Path) -> bool:
        """Whether a folder, or one above it, is a vault."""
        found = self._known.get(folder)
        if found is None:
            found = (folder / VAULT).is_dir() or (folder != folder.parent and self.hold(folder.parent))
            self._known[folder] = found
        return found


class Attachments:
    """Tells the attachments of a root from its documents; of a root that is a list of files none is an attachment."""

    def __init__(self, root: Root) -> None:
        """Opens nothing."""
        self._root = root
        self._vaults = VaultFolders()

    def has(self, path: str) -> bool:
        """Whether the file at a path relative to the root is one."""
        is_candidate = self._root.only is None and PurePosixPath(path).suffix.lower() in SUFFIXES
        return is_candidate and self._vaults.hold((self._root.folder / path).parent)


def attachments(roots: Iterable[Root]) -> Iterator[str]:
    """The attachments of all roots, as root and path. Looks through their folders, and opens no file."""
    every = tuple(roots)
    for root in every:
        known = Attachments(root)
        yield from (f"{root.name}/{path}" for path in paths(Scope(root), inner_folders(root, every)) if known.has(path))
